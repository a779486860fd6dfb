/**
 * The built-in embedder: a text is the weighted sum of the vectors of its pieces, looked up in a table that ships with
 * the package. No dependency, no thread, and about twenty thousand sentences a second, which is what code needs.
 *
 * It knows that words are related (`login`, `authentication`) but not which sense of a word is meant, nor the order of
 * words. A search therefore never uses it alone, but together with the words themselves.
 *
 * Importing this file and making an embedder read nothing: of the table is read what the texts need.
 */
import { setImmediate } from 'node:timers/promises';
import { embedderLimits } from '../../base/limits.ts';
import { type Embedder, EmbedderFailure, type EmbedderOutcome, type EmbedOptions } from './embedder.ts';
import { Pieces, wordsOf } from './static-pieces.ts';
import { openStaticRows, rowsOf, type StaticRows, type StaticRowsOutcome } from './static-rows.ts';
import { loadStaticTable, staticModel, staticTableFolder } from './static-table.ts';
import { toUnit } from './vectors.ts';

export interface StaticOptions {
  /** Where the files of the table are, with a slash at its end. For tests of what happens when they are not right. */
  readonly folder?: URL;
}

/** Loads the whole table and says whether it can be used. Never throws for a missing or damaged file. */
export async function openStatic({ folder }: StaticOptions = {}): Promise<EmbedderOutcome> {
  const outcome = await loadStaticTable(folder);
  if (outcome.kind === 'unavailable') return outcome;
  const rows = rowsOf(outcome.table);
  return { kind: 'ready', embedder: new StaticEmbedder(async () => ({ kind: 'opened', rows })) };
}

/**
 * The same without the question: a table that is missing or damaged is told by every call that needs it, as an
 * `EmbedderFailure` with its reason.
 */
export function lazyStatic({ folder = staticTableFolder }: StaticOptions = {}): Embedder {
  return new StaticEmbedder(() => openStaticRows(folder));
}

class StaticEmbedder implements Embedder {
  readonly modelId = staticModel.id;
  readonly dimensions = staticModel.dimensions;
  readonly #open: () => Promise<StaticRowsOutcome>;
  #opening: Promise<StaticRowsOutcome> | null = null;
  #summing: Summing | null = null;
  #closed = false;

  constructor(open: () => Promise<StaticRowsOutcome>) {
    this.#open = open;
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
    if (this.#closed) return;
    this.#closed = true;
    // What kept it from being opened was told to the one who asked.
    const opened = await this.#opening?.catch(() => null);
    if (opened?.kind === 'opened') opened.rows.close();
    this.#opening = null;
    this.#summing = null;
  }

  async #ready(): Promise<Summing> {
    if (this.#summing !== null) return this.#summing;
    this.#opening ??= this.#open();
    const outcome = await this.#opening;
    this.#refuseWhenClosed();
    if (outcome.kind === 'unavailable') throw new EmbedderFailure(outcome.message, outcome.reason);
    this.#summing ??= new Summing(outcome.rows);
    return this.#summing;
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new EmbedderFailure('The embedder is closed.');
  }
}

class Summing {
  readonly #pieces: Pieces;
  readonly #rows: StaticRows;
  /** Used again for every text, since a text is summed without a pause. */
  readonly #sums = new Float64Array(staticModel.dimensions);

  constructor(rows: StaticRows) {
    this.#rows = rows;
    this.#pieces = new Pieces(rows.pieces);
  }

  vectorOf(text: string): Float32Array {
    this.#sums.fill(0);
    for (const word of wordsOf(text.slice(0, embedderLimits.textCharsMax))) {
      for (const row of this.#pieces.rowsOf(word)) this.#add(row);
    }
    return toUnit(this.#sums) ?? withoutPieces();
  }

  #add(row: number): void {
    const numbers = this.#rows.numbersOf(row);
    const factor = this.#rows.factorOf(row);
    const sums = this.#sums;
    for (let i = 0; i < staticModel.dimensions; i++) sums[i] = (sums[i] ?? 0) + factor * (numbers[i] ?? 0);
  }
}

/** A text without a known piece points along the last dimension, in which pieces differ least: near to no other text. */
function withoutPieces(): Float32Array {
  const vector = new Float32Array(staticModel.dimensions);
  vector[staticModel.dimensions - 1] = 1;
  return vector;
}
