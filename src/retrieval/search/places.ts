/** Places in files that may become hits: one for each definition, the best of a file first. */
import { codeLimits } from '../../base/limits.ts';
import type { Scores } from './fusion.ts';
import type { IndexedFile, IndexedSymbol, SearchSource } from './source.ts';

export interface Place {
  readonly chunk: number;
  readonly file: IndexedFile;
  readonly symbol: IndexedSymbol | null;
  readonly startLine: number;
  readonly endLine: number;
  readonly score: number;
  /** Places with the same one are one hit. */
  readonly key: string;
}

/** The places of one file, best first. */
export class Lane {
  readonly file: IndexedFile;
  readonly #source: SearchSource;
  readonly #scores: Scores;
  readonly #order: readonly number[];
  readonly #fileScore: number;
  readonly #furtherFactor: number;
  readonly #seen = new Set<string>();
  #at = 0;

  constructor(source: SearchSource, scores: Scores, file: IndexedFile, fileScore: number, furtherFactor: number) {
    this.file = file;
    this.#source = source;
    this.#scores = scores;
    this.#fileScore = fileScore;
    this.#furtherFactor = furtherFactor;
    const order = Array.from({ length: file.chunkCount }, (_, index) => file.firstChunk + index)
      .filter((chunk) => (scores.chunks[chunk] ?? 0) > 0)
      .sort((a, b) => (scores.chunks[b] ?? 0) - (scores.chunks[a] ?? 0) || a - b);
    // A file that only its neighbours speak for is shown as a whole.
    this.#order = order.length === 0 ? [file.firstChunk] : order;
  }

  /** The next place without its symbol; null at the end. */
  get peek(): { readonly score: number; readonly startLine: number } | null {
    const chunk = this.#order[this.#at];
    if (chunk === undefined) return null;
    const greatest = this.#scores.chunks[this.#order[0] ?? chunk] ?? 0;
    const share = greatest === 0 ? 1 : (this.#scores.chunks[chunk] ?? 0) / greatest;
    const score = this.#fileScore * share * this.#furtherFactor ** this.#seen.size;
    return { score, startLine: this.#source.places.startLine[chunk] ?? 1 };
  }

  /** Goes on; null where the place says what one before it said. */
  take(): Place | null {
    const chunk = this.#order[this.#at];
    const next = this.peek;
    this.#at += 1;
    if (chunk === undefined || next === null) return null;
    const named = this.#scores.named.get(chunk);
    const place =
      named === undefined
        ? foundPlace(this.#source, this.file, chunk, next.score)
        : wholePlace(this.file, chunk, named, next.score);
    if (this.#seen.has(place.key)) return null;
    this.#seen.add(place.key);
    return place;
  }
}

/** What a question names is shown whole. */
function wholePlace(file: IndexedFile, chunk: number, symbol: IndexedSymbol, score: number): Place {
  const { startLine, endLine } = symbol;
  return { chunk, file, symbol, startLine, endLine, score, key: keyOf(file, symbol, startLine) };
}

/**
 * Of the whole definition, as every other answer about it says, even where a part of it was found; but of one that is
 * too long to be searched as one, that part: who is sent to hundreds of lines reads them all.
 */
function foundPlace(source: SearchSource, file: IndexedFile, chunk: number, score: number): Place {
  const symbol = source.symbolOf(chunk);
  if (symbol !== null && symbol.endLine - symbol.startLine < codeLimits.chunkLinesMax) {
    return wholePlace(file, chunk, symbol, score);
  }
  const startLine = source.places.startLine[chunk] ?? 1;
  const endLine = source.places.endLine[chunk] ?? startLine;
  return { chunk, file, symbol, startLine, endLine, score, key: keyOf(file, symbol, startLine) };
}

export function keyOf(file: IndexedFile, symbol: IndexedSymbol | null, startLine: number): string {
  if (symbol === null) return `${file.id}:${startLine}`;
  return `${file.id} ${symbol.kind} ${symbol.qualifiedName} ${symbol.signature}`;
}
