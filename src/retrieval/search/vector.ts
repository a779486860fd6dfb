/**
 * How near the vectors of a source are to that of a question, from coarse to fine: the dimensions of the static table
 * are ordered by how much they tell apart (PCA), so the leading ones sort out most rows, and only the best are compared
 * in full. The others keep the coarse value: their missing dimensions would add about as often as take away.
 */
import { searchLimits } from '../../base/limits.ts';
import type { ChunkVectors, SearchSource } from './source.ts';

/** A quarter of a row holds most of its length. */
const coarseDimensions = 48;

/** Cosines by chunk number; 0 where there is no vector and where it points away. Null when the source has none. */
export function vectorScores(source: SearchSource, question: Float32Array): Float32Array | null {
  const vectors = source.vectors();
  if (vectors === null) return null;
  if (question.length !== vectors.dimensions) {
    throw new Error(`A question of ${question.length} dimensions cannot be compared with ${vectors.dimensions}.`);
  }
  const { chunks, rows, dimensions } = vectors;
  const { leading, leadingRows, lengths } = preparedOf(vectors);
  const coarse = coarseScores(leadingRows, leading, lengths, question);
  const scores = new Float32Array(source.chunkFile.length);
  const threshold = greatest(coarse, searchLimits.exactVectorsMax);
  for (let row = 0; row < chunks.length; row++) {
    let score = coarse[row] ?? 0;
    if (score >= threshold || leading === dimensions) {
      score = dot(rows, row * dimensions, question, 0, dimensions) * (lengths[row] ?? 0);
    }
    if (score > 0) scores[chunks[row] ?? 0] = Math.min(1, score);
  }
  return scores;
}

/**
 * In whole numbers: the question is rounded as rows are, which costs a thousandth. Eight dimensions of all rows at a
 * time, so that what they are multiplied with stays in registers: half of the time of row after row.
 */
function coarseScores(rows: Int8Array, leading: number, lengths: Float32Array, question: Float32Array): Float32Array {
  let most = 0;
  for (let at = 0; at < leading; at++) most = Math.max(most, Math.abs(question[at] ?? 0));
  const step = most === 0 ? 1 : most / 127;
  const rounded = Int32Array.from({ length: leading }, (_, at) => Math.round((question[at] ?? 0) / step));
  const sums = new Int32Array(lengths.length);
  let block = 0;
  for (; block + 7 < leading; block += 8) addEight(sums, rows, leading, block, rounded);
  for (; block < leading; block++) {
    const factor = rounded[block] ?? 0;
    for (let row = 0; row < sums.length; row++) {
      sums[row] = (sums[row] ?? 0) + (rows[row * leading + block] ?? 0) * factor;
    }
  }
  const scores = new Float32Array(sums.length);
  for (let row = 0; row < sums.length; row++) scores[row] = (sums[row] ?? 0) * step * (lengths[row] ?? 0);
  return scores;
}

function addEight(sums: Int32Array, rows: Int8Array, leading: number, block: number, question: Int32Array): void {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = question.subarray(block, block + 8);
  let at = block;
  for (let row = 0; row < sums.length; row++, at += leading) {
    sums[row] =
      ((sums[row] ?? 0) +
        (rows[at] ?? 0) * a +
        (rows[at + 1] ?? 0) * b +
        (rows[at + 2] ?? 0) * c +
        (rows[at + 3] ?? 0) * d +
        (rows[at + 4] ?? 0) * e +
        (rows[at + 5] ?? 0) * f +
        (rows[at + 6] ?? 0) * g +
        (rows[at + 7] ?? 0) * h) |
      0;
  }
}

function dot(rows: Int8Array, start: number, question: Float32Array, from: number, to: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let at = from;
  for (; at + 3 < to; at += 4) {
    a += (rows[start + at] ?? 0) * (question[at] ?? 0);
    b += (rows[start + at + 1] ?? 0) * (question[at + 1] ?? 0);
    c += (rows[start + at + 2] ?? 0) * (question[at + 2] ?? 0);
    d += (rows[start + at + 3] ?? 0) * (question[at + 3] ?? 0);
  }
  for (; at < to; at++) a += (rows[start + at] ?? 0) * (question[at] ?? 0);
  return a + b + c + d;
}

interface Prepared {
  readonly leading: number;
  /** The leading dimensions of every row side by side: four times less memory to go through. */
  readonly leadingRows: Int8Array;
  /** One divided by the length of each row, 0 for a row of zeros. */
  readonly lengths: Float32Array;
}

const kept = new WeakMap<ChunkVectors, Prepared>();

/** Computed once for vectors that stay. */
function preparedOf(vectors: ChunkVectors): Prepared {
  const known = kept.get(vectors);
  if (known !== undefined) return known;
  const { chunks, rows, dimensions } = vectors;
  const leading = Math.min(coarseDimensions, dimensions);
  const leadingRows = new Int8Array(chunks.length * leading);
  const lengths = new Float32Array(chunks.length);
  for (let row = 0; row < chunks.length; row++) {
    const start = row * dimensions;
    leadingRows.set(rows.subarray(start, start + leading), row * leading);
    let sum = 0;
    for (let at = start; at < start + dimensions; at++) sum += (rows[at] ?? 0) ** 2;
    lengths[row] = sum === 0 ? 0 : 1 / Math.sqrt(sum);
  }
  const prepared = { leading, leadingRows, lengths };
  kept.set(vectors, prepared);
  return prepared;
}

/** The value that about `count` values reach, from counting them in a thousand steps between 0 and 1. */
function greatest(values: Float32Array, count: number): number {
  const steps = new Uint32Array(1001);
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? 0;
    if (value > 0) {
      const step = Math.min(1000, Math.floor(value * 1000));
      steps[step] = (steps[step] ?? 0) + 1;
    }
  }
  let seen = 0;
  for (let step = 1000; step > 0; step--) {
    seen += steps[step] ?? 0;
    if (seen >= count) return step / 1000;
  }
  return Number.MIN_VALUE;
}
