/** Terms by number, and the terms of every word met of late: the files of a project repeat their words. */
import { searchLimits } from '../../base/limits.ts';
import { stopWords } from './stop-words.ts';
import { stemOf, termsOfWord } from './terms.ts';

const stopTerms: ReadonlySet<string> = new Set([...stopWords].map(stemOf));

export class Vocabulary {
  readonly terms: string[] = [];
  readonly isStop: boolean[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #words: string[] = [];
  readonly #numbersOfWord: (readonly number[])[] = [];
  /**
   * Positions in `#words` plus one, 0 where free, at the hash of the word or the next free place behind it. Half of the
   * places at most are taken. So a word is found in the text it stands in, without a text of its own.
   */
  readonly #places = new Int32Array(placesFor(searchLimits.knownWordsMax));

  /** Numbers are good until this is called. */
  beginAnewWhenFull(): void {
    if (this.#words.length < searchLimits.knownWordsMax) return;
    this.terms.length = 0;
    this.isStop.length = 0;
    this.#numbers.clear();
    this.#words.length = 0;
    this.#numbersOfWord.length = 0;
    this.#places.fill(0);
  }

  /** The terms of the word from `start` to `end`; `hash` is the one of `eachWordSpan`. */
  numbersOf(text: string, start: number, end: number, hash: number): readonly number[] {
    const mask = this.#places.length - 1;
    let place = (hash ^ (hash >>> 15)) & mask;
    for (; ; place = (place + 1) & mask) {
      const position = (this.#places[place] ?? 0) - 1;
      if (position === -1) break;
      const word = this.#words[position] ?? '';
      if (word.length === end - start && text.startsWith(word, start)) return this.#numbersOfWord[position] ?? [];
    }
    const numbers = this.#read(text.slice(start, end));
    // One file can hold more words than are remembered.
    if (this.#words.length < searchLimits.knownWordsMax) this.#places[place] = this.#words.length;
    return numbers;
  }

  #read(slice: string): readonly number[] {
    // A slice keeps its whole text in memory; the slice of a copy keeps the copy.
    const word = `_${slice}`.slice(1);
    const numbers = termsOfWord(word).map((term) => this.#numberOf(term));
    if (this.#words.length < searchLimits.knownWordsMax) {
      this.#words.push(word);
      this.#numbersOfWord.push(numbers);
    }
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

/** A power of two, at least twice as many. */
function placesFor(words: number): number {
  return 2 ** Math.ceil(Math.log2(words * 2));
}
