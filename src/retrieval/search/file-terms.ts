/**
 * The terms of one file, counted per chunk and field. A function of its facts and its text.
 *
 * Chunk 0 is the file itself: the words of its path as its name, its leading documentation as its head, no body. Then
 * come `facts.chunks` in order, so chunk `k + 1` is `facts.chunks[k]`: the qualified name of the symbol it is of, the
 * signature and documentation of that symbol in its first chunk, and the text as body.
 */
import type { FileFacts } from '../code/symbol.ts';
import { grown } from './grown.ts';
import { leadingDocumentation } from './leading-documentation.ts';
import type { ChunkPlaces, FileTerms } from './source.ts';
import { eachWordSpan } from './terms.ts';
import { Vocabulary } from './vocabulary.ts';

export { type VectorText, vectorTexts } from './vector-texts.ts';

/** Counts of a field in one `FieldCounts`: its lowest bit, and the most it holds. */
const name = { one: 1 << 12, mask: 0xf000 };
const head = { one: 1 << 8, mask: 0x0f00 };
const body = { one: 1, mask: 0x00ff };

type Field = typeof name;

const lengthMax = 65_535;

export function fileTerms(facts: FileFacts, text: string): FileTerms {
  vocabulary.beginAnewWhenFull();
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
  return { ...counter.take(), places };
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

const vocabulary = new Vocabulary();

/**
 * Counts the terms of the chunks of one file, one chunk after the other. Its tables are by the number of a term and
 * serve one file after the other.
 */
class Counter {
  /** The last entry of a term, or -1. */
  #entryOf = new Int32Array(0);
  /** Where a term comes among those of the file, or -1. */
  #positionOf = new Int32Array(0);
  #terms = new Int32Array(4_096);
  #chunks = new Int32Array(4_096);
  #counts = new Uint16Array(4_096);
  #length = 0;
  #chunk = 0;

  begin(chunk: number): void {
    this.#chunk = chunk;
  }

  /** Gives the length of the field. Stop words are counted in names alone. */
  add(text: string, field: Field, from = 0, to = text.length): number {
    let length = 0;
    const isName = field === name;
    eachWordSpan(text, from, to, (start, end, hash) => {
      for (const term of vocabulary.numbersOf(text, start, end, hash)) {
        if (!isName && vocabulary.isStop[term] === true) continue;
        length += 1;
        this.#count(term, field);
      }
    });
    return Math.min(length, lengthMax);
  }

  /** What was counted since the last call. */
  take(): Omit<FileTerms, 'places'> {
    const entries = this.#terms.subarray(0, this.#length);
    const terms: string[] = [];
    const lengths: number[] = [];
    for (const term of entries) {
      let position = this.#positionOf[term] ?? -1;
      if (position === -1) {
        position = terms.length;
        this.#positionOf[term] = position;
        terms.push(vocabulary.terms[term] ?? '');
        lengths.push(0);
      }
      lengths[position] = (lengths[position] ?? 0) + 1;
    }
    const starts = new Uint32Array(terms.length + 1);
    lengths.forEach((length, position) => {
      starts[position + 1] = (starts[position] ?? 0) + length;
    });
    const next = starts.slice();
    const chunks = new Uint32Array(entries.length);
    const counts = new Uint16Array(entries.length);
    entries.forEach((term, entry) => {
      const position = this.#positionOf[term] ?? 0;
      const at = next[position] ?? 0;
      next[position] = at + 1;
      chunks[at] = this.#chunks[entry] ?? 0;
      counts[at] = this.#counts[entry] ?? 0;
    });
    for (const term of entries) {
      this.#entryOf[term] = -1;
      this.#positionOf[term] = -1;
    }
    this.#length = 0;
    return { terms, starts, chunks, counts };
  }

  #count(term: number, field: Field): void {
    if (term >= this.#entryOf.length) this.#makeRoomFor(term);
    const known = this.#entryOf[term] ?? -1;
    if (known === -1 || this.#chunks[known] !== this.#chunk) {
      this.#push(term, field);
      return;
    }
    const counts = this.#counts[known] ?? 0;
    if ((counts & field.mask) !== field.mask) this.#counts[known] = counts + field.one;
  }

  #push(term: number, field: Field): void {
    const entry = this.#length;
    if (entry === this.#terms.length) {
      this.#terms = grown(this.#terms, new Int32Array(entry * 2));
      this.#chunks = grown(this.#chunks, new Int32Array(entry * 2));
      this.#counts = grown(this.#counts, new Uint16Array(entry * 2));
    }
    this.#terms[entry] = term;
    this.#chunks[entry] = this.#chunk;
    this.#counts[entry] = field.one;
    this.#entryOf[term] = entry;
    this.#length = entry + 1;
  }

  #makeRoomFor(term: number): void {
    const size = Math.max(4_096, term * 2);
    this.#entryOf = grown(this.#entryOf, new Int32Array(size).fill(-1));
    this.#positionOf = grown(this.#positionOf, new Int32Array(size).fill(-1));
  }
}

const counter = new Counter();
