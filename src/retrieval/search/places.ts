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
  /** Other files that hold a copy of it; left out where that was not looked for. */
  readonly copies?: number;
}

/** The places of one file, best first. Few of them are taken, so the next is looked for rather than all sorted. */
export class Lane {
  readonly file: IndexedFile;
  readonly #source: SearchSource;
  readonly #scores: Scores;
  readonly #greatest: number;
  readonly #fileScore: number;
  readonly #furtherFactor: number;
  readonly #seen = new Set<string>();
  /** -1 at the end. */
  #chunk: number;

  constructor(source: SearchSource, scores: Scores, file: IndexedFile, fileScore: number, furtherFactor: number) {
    this.file = file;
    this.#source = source;
    this.#scores = scores;
    this.#fileScore = fileScore;
    this.#furtherFactor = furtherFactor;
    const best = this.#chunkAfter(Number.POSITIVE_INFINITY, -1);
    // A file that only its neighbours speak for is shown as a whole.
    this.#chunk = best === -1 ? file.firstChunk : best;
    this.#greatest = scores.chunks[this.#chunk] ?? 0;
  }

  /** The next place without its symbol; null at the end. */
  get peek(): { readonly score: number; readonly startLine: number } | null {
    const chunk = this.#chunk;
    if (chunk === -1) return null;
    const share = this.#greatest === 0 ? 1 : (this.#scores.chunks[chunk] ?? 0) / this.#greatest;
    const score = this.#fileScore * share * this.#furtherFactor ** this.#seen.size;
    return { score, startLine: this.#source.places.startLine[chunk] ?? 1 };
  }

  /** Goes on; null where the place says what one before it said. */
  take(): Place | null {
    const chunk = this.#chunk;
    const next = this.peek;
    if (next === null) return null;
    this.#chunk = this.#chunkAfter(this.#scores.chunks[chunk] ?? 0, chunk);
    const named = this.#scores.named.get(chunk);
    const place =
      named === undefined
        ? foundPlace(this.#source, this.file, chunk, next.score)
        : wholePlace(this.file, chunk, named, next.score);
    if (this.#seen.has(place.key)) return null;
    this.#seen.add(place.key);
    return place;
  }

  /** The best chunk that comes after one of this score and number, -1 for none. Equal scores go by number. */
  #chunkAfter(score: number, number: number): number {
    const { firstChunk, chunkCount } = this.file;
    let best = -1;
    let bestScore = 0;
    for (let chunk = firstChunk; chunk < firstChunk + chunkCount; chunk++) {
      const own = this.#scores.chunks[chunk] ?? 0;
      if (own > bestScore && (own < score || (own === score && chunk > number))) {
        best = chunk;
        bestScore = own;
      }
    }
    return best;
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
export function foundPlace(source: SearchSource, file: IndexedFile, chunk: number, score: number): Place {
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
