/**
 * The terms of one file, counted per chunk and field. A function of its facts and its text.
 *
 * Chunk 0 is the file itself: the words of its path as its name, its leading documentation as its head, no body. Then
 * come `facts.chunks` in order, so chunk `k + 1` is `facts.chunks[k]`: the qualified name of the symbol it is of, the
 * signature and documentation of that symbol in its first chunk, and the text as body.
 */
import { searchLimits } from '../../base/limits.ts';
import type { FileFacts } from '../code/symbol.ts';
import { leadingDocumentation } from './leading-documentation.ts';
import type { ChunkPlaces, FileTerms } from './source.ts';
import { stopWords } from './stop-words.ts';
import { eachWord, stemOf, termsOfWord } from './terms.ts';

export { type VectorText, vectorTexts } from './vector-texts.ts';

/** Counts of a field in one `FieldCounts`: its lowest bit, and the most it holds. */
const name = { one: 1 << 12, mask: 0xf000 };
const head = { one: 1 << 8, mask: 0x0f00 };
const body = { one: 1, mask: 0x00ff };

type Field = typeof name;

const lengthMax = 65_535;

const stopTerms: ReadonlySet<string> = new Set([...stopWords].map(stemOf));

export function fileTerms(facts: FileFacts, text: string): FileTerms {
  vocabulary.beginAnewWhenFull();
  const counter = new Counter();
  const places = newPlaces(facts.chunks.length + 1);
  places.symbol[0] = -1;
  places.startLine[0] = 1;
  places.endLine[0] = Math.max(1, facts.lines);
  counter.begin(0);
  places.nameLength[0] = counter.add(facts.path, name);
  places.headLength[0] = counter.add(leadingDocumentation(facts, text), head);
  const begun = new Set<number>();
  facts.chunks.forEach((chunk, index) => {
    const at = index + 1;
    const symbol = chunk.symbol === null ? undefined : facts.symbols[chunk.symbol];
    places.symbol[at] = chunk.symbol ?? -1;
    places.startLine[at] = chunk.startLine;
    places.endLine[at] = chunk.endLine;
    counter.begin(at);
    if (symbol !== undefined && chunk.symbol !== null) {
      places.nameLength[at] = counter.add(symbol.qualifiedName, name);
      if (!begun.has(chunk.symbol)) {
        begun.add(chunk.symbol);
        places.headLength[at] = counter.add(`${symbol.signature}\n${symbol.documentation}`, head);
      }
    }
    places.bodyLength[at] = counter.add(text, body, chunk.start, chunk.end);
  });
  return { ...counter.postings(), places };
}

function newPlaces(chunks: number): {
  -readonly [Key in keyof ChunkPlaces]: ChunkPlaces[Key];
} {
  return {
    symbol: new Int32Array(chunks),
    startLine: new Uint32Array(chunks),
    endLine: new Uint32Array(chunks),
    nameLength: new Uint16Array(chunks),
    headLength: new Uint16Array(chunks),
    bodyLength: new Uint16Array(chunks),
  };
}

/** Terms by number, and what the words of late are made of. Projects repeat their words. */
class Vocabulary {
  readonly terms: string[] = [];
  readonly isStop: boolean[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #words = new Map<string, readonly number[]>();

  /** Numbers are good until this is called. */
  beginAnewWhenFull(): void {
    if (this.#words.size < searchLimits.knownWordsMax) return;
    this.terms.length = 0;
    this.isStop.length = 0;
    this.#numbers.clear();
    this.#words.clear();
  }

  numbersOf(word: string): readonly number[] {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    // A slice keeps its whole text in memory; the slice of a copy keeps the copy.
    const copy = `_${word}`.slice(1);
    const numbers = termsOfWord(copy).map((term) => this.#numberOf(term));
    this.#words.set(copy, numbers);
    return numbers;
  }

  #numberOf(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.terms.length;
    this.terms.push(term);
    this.isStop.push(stopTerms.has(term));
    this.#numbers.set(term, number);
    return number;
  }
}

const vocabulary = new Vocabulary();

/** Counts the terms of the chunks of one file, one chunk after the other. */
class Counter {
  /** Entry by term, and the chunk that entry is of: an entry of an older chunk is none. */
  readonly #entryOf = new Map<number, number>();
  readonly #terms: number[] = [];
  readonly #chunks: number[] = [];
  readonly #counts: number[] = [];
  #chunk = 0;

  begin(chunk: number): void {
    this.#chunk = chunk;
  }

  /** Gives the length of the field. Stop words are counted in names alone. */
  add(text: string, field: Field, from = 0, to = text.length): number {
    let length = 0;
    const isName = field === name;
    eachWord(text, from, to, (word) => {
      for (const term of vocabulary.numbersOf(word)) {
        if (!isName && vocabulary.isStop[term] === true) continue;
        length += 1;
        this.#count(term, field);
      }
    });
    return Math.min(length, lengthMax);
  }

  postings(): Omit<FileTerms, 'places'> {
    const positions = new Map<number, number>();
    const lengths: number[] = [];
    for (const term of this.#terms) {
      const position = positions.get(term);
      if (position === undefined) {
        positions.set(term, lengths.length);
        lengths.push(1);
      } else lengths[position] = (lengths[position] ?? 0) + 1;
    }
    const starts = new Uint32Array(lengths.length + 1);
    lengths.forEach((length, position) => {
      starts[position + 1] = (starts[position] ?? 0) + length;
    });
    const next = starts.slice();
    const chunks = new Uint32Array(this.#terms.length);
    const counts = new Uint16Array(this.#terms.length);
    this.#terms.forEach((term, entry) => {
      const position = positions.get(term) ?? 0;
      const at = next[position] ?? 0;
      next[position] = at + 1;
      chunks[at] = this.#chunks[entry] ?? 0;
      counts[at] = this.#counts[entry] ?? 0;
    });
    return { terms: [...positions.keys()].map((term) => vocabulary.terms[term] ?? ''), starts, chunks, counts };
  }

  #count(term: number, field: Field): void {
    const known = this.#entryOf.get(term);
    if (known === undefined || this.#chunks[known] !== this.#chunk) {
      this.#entryOf.set(term, this.#terms.length);
      this.#terms.push(term);
      this.#chunks.push(this.#chunk);
      this.#counts.push(field.one);
      return;
    }
    const counts = this.#counts[known] ?? 0;
    if ((counts & field.mask) !== field.mask) this.#counts[known] = counts + field.one;
  }
}
