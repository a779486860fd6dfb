/**
 * The built-in embedder: a text is the weighted sum of the vectors of its pieces, looked up in a table that ships with
 * the package. No dependency, no thread, and about twenty thousand sentences a second, which is what code needs.
 *
 * It knows that words are related (`login`, `authentication`) but not which sense of a word is meant, nor the order of
 * words. A search therefore never uses it alone, but together with the words themselves.
 *
 * Importing this file and making an embedder read nothing: the table is loaded for the first text.
 */
import { setImmediate } from 'node:timers/promises';
import { embedderLimits } from '../../base/limits.ts';
import { type Embedder, EmbedderFailure, type EmbedderOutcome, type EmbedOptions } from './embedder.ts';
import { Pieces, wordsOf } from './static-pieces.ts';
import { loadStaticTable, type StaticTable, type StaticTableOutcome, staticModel } from './static-table.ts';
import { toUnit } from './vectors.ts';

export interface StaticOptions {
  /** Where `table.json` and `table.bin` are, with a slash at its end. For tests of what happens when they are not right. */
  readonly folder?: URL;
}

/** Loads the table and says whether it can be used. Never throws for a missing or damaged file. */
export async function openStatic(options: StaticOptions = {}): Promise<EmbedderOutcome> {
  const embedder = new StaticEmbedder(options);
  const outcome = await embedder.load();
  if (outcome.kind === 'loaded') return { kind: 'ready', embedder };
  await embedder.close();
  return outcome;
}

/** The same without the question: an unavailable table is told by every call, as an `EmbedderFailure` with its reason. */
export function lazyStatic(options: StaticOptions = {}): Embedder {
  return new StaticEmbedder(options);
}

class StaticEmbedder implements Embedder {
  readonly modelId = staticModel.id;
  readonly dimensions = staticModel.dimensions;
  readonly #folder: URL | undefined;
  #loading: Promise<StaticTableOutcome> | null = null;
  #summing: Summing | null = null;
  #closed = false;

  constructor(options: StaticOptions) {
    this.#folder = options.folder;
  }

  load(): Promise<StaticTableOutcome> {
    this.#loading ??= loadStaticTable(this.#folder);
    return this.#loading;
  }

  async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    options.signal?.throwIfAborted();
    this.#refuseWhenClosed();
    if (texts.length === 0) return [];
    const summing = await this.#ready();
    const vectors: Float32Array[] = [];
    let turnEnds = performance.now() + embedderLimits.turnMs;
    for (const text of texts) {
      if (vectors.length === 0 || performance.now() > turnEnds) {
        await setImmediate();
        options.signal?.throwIfAborted();
        this.#refuseWhenClosed();
        turnEnds = performance.now() + embedderLimits.turnMs;
      }
      vectors.push(summing.vectorOf(text));
    }
    return vectors;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#loading = null;
    this.#summing = null;
  }

  async #ready(): Promise<Summing> {
    if (this.#summing !== null) return this.#summing;
    const outcome = await this.load();
    this.#refuseWhenClosed();
    if (outcome.kind === 'unavailable') throw new EmbedderFailure(outcome.message, outcome.reason);
    this.#summing ??= new Summing(outcome.table);
    return this.#summing;
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new EmbedderFailure('The embedder is closed.');
  }
}

class Summing {
  readonly #pieces: Pieces;
  readonly #table: StaticTable;
  /** Used again for every text, since a text is summed without a pause. */
  readonly #sums = new Float64Array(staticModel.dimensions);

  constructor(table: StaticTable) {
    this.#table = table;
    this.#pieces = new Pieces(table.rows);
  }

  vectorOf(text: string): Float32Array {
    this.#sums.fill(0);
    for (const word of wordsOf(text.slice(0, embedderLimits.textCharsMax))) {
      for (const row of this.#pieces.rowsOf(word)) this.#add(row);
    }
    return toUnit(this.#sums) ?? withoutPieces();
  }

  #add(row: number): void {
    const { factors, numbers } = this.#table;
    const sums = this.#sums;
    const factor = factors[row] ?? 0;
    const start = row * staticModel.dimensions;
    for (let i = 0; i < staticModel.dimensions; i++) {
      sums[i] = (sums[i] ?? 0) + factor * (numbers[start + i] ?? 0);
    }
  }
}

/** A text without a known piece points along the last dimension, in which pieces differ least: near to no other text. */
function withoutPieces(): Float32Array {
  const vector = new Float32Array(staticModel.dimensions);
  vector[staticModel.dimensions - 1] = 1;
  return vector;
}
