/**
 * How near the vectors of a source are to that of a question, from coarse to fine: the dimensions of the static table
 * are ordered by how much they tell apart (PCA), so the leading ones sort out most rows, and only the best are compared
 * in full. The others keep the coarse value: their missing dimensions would add about as often as take away.
 */
import { searchLimits } from '../../base/limits.ts';
import type { ChunkVectors, SearchSource } from './source.ts';

/** A quarter of a row holds most of its length. */
const coarseDimensions = 64;

/** Cosines by chunk number; 0 where there is no vector and where it points away. Null when the source has none. */
export function vectorScores(source: SearchSource, question: Float32Array): Float32Array | null {
  const vectors = source.vectors();
  if (vectors === null) return null;
  if (question.length !== vectors.dimensions) {
    throw new Error(`A question of ${question.length} dimensions cannot be compared with ${vectors.dimensions}.`);
  }
  const { chunks, rows, dimensions } = vectors;
  const { leading, leadingRows, lengths } = preparedOf(vectors);
  const coarse = new Float32Array(chunks.length);
  for (let row = 0; row < chunks.length; row++) {
    coarse[row] = dot(leadingRows, row * leading, question, 0, leading) * (lengths[row] ?? 0);
  }
  const scores = new Float32Array(source.chunkFile.length);
  const threshold = leading === dimensions ? Infinity : greatest(coarse, searchLimits.exactVectorsMax);
  for (let row = 0; row < chunks.length; row++) {
    let score = coarse[row] ?? 0;
    if (score >= threshold) {
      score += dot(rows, row * dimensions, question, leading, dimensions) * (lengths[row] ?? 0);
    }
    if (score > 0) scores[chunks[row] ?? 0] = Math.min(1, score);
  }
  return scores;
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
  for (const value of values) {
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
