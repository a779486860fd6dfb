/**
 * How near the vectors of a source are to that of a question, from coarse to fine: the dimensions of the static table
 * are ordered by how much they tell apart (PCA), so the leading ones sort out most rows, and only the best are compared
 * in full. The others keep the coarse value: their missing dimensions would add about as often as take away.
 */
import { searchLimits } from '../../base/limits.ts';
import type { SearchSource } from './source.ts';
import { leadingDimensions } from './vector-rows.ts';

/** Cosines by chunk number; 0 where there is no vector and where it points away. Null when the source has none. */
export function vectorScores(source: SearchSource, question: Float32Array): Float32Array | null {
  const vectors = source.vectors();
  if (vectors === null) return null;
  const { dimensions } = vectors;
  if (question.length !== dimensions) {
    throw new Error(`A question of ${question.length} dimensions cannot be compared with ${dimensions}.`);
  }
  const leads = Math.min(leadingDimensions, dimensions);
  const left = dimensions - leads;
  const { step, parts } = rounded(question.subarray(0, leads));
  const scores = new Float32Array(source.chunkFile.length);
  for (const [id, { chunks, scales, leading }] of vectors.files) {
    const sums = new Int32Array(scales.length);
    let block = 0;
    for (; block + 7 < leads; block += 8) addEight(sums, leading, leads, block, parts);
    for (; block < leads; block += 1) addOne(sums, leading, leads, block, parts[block] ?? 0);
    const first = source.files.get(id)?.firstChunk ?? 0;
    for (let row = 0; row < sums.length; row += 1) {
      const score = (sums[row] ?? 0) * step * (scales[row] ?? 0);
      if (score > 0) scores[first + (chunks[row] ?? 0)] = Math.min(1, score);
    }
  }
  if (left === 0) return scores;
  const threshold = greatest(scores, searchLimits.exactVectorsMax);
  for (const [id, { chunks, scales, leading }] of vectors.files) {
    const first = source.files.get(id)?.firstChunk ?? 0;
    let rests: Int8Array | null = null;
    for (let row = 0; row < chunks.length; row += 1) {
      const chunk = first + (chunks[row] ?? 0);
      if ((scores[chunk] ?? 0) < threshold) continue;
      rests ??= vectors.restsOf(id);
      const sum = dot(leading, row * leads, leads, question, 0) + dot(rests, row * left, left, question, leads);
      scores[chunk] = Math.min(1, Math.max(0, sum * (scales[row] ?? 0)));
    }
  }
  return scores;
}

/** In whole numbers, as rows are: that costs a thousandth. A part times `step` is what it was. */
function rounded(question: Float32Array): { readonly step: number; readonly parts: Int32Array } {
  let most = 0;
  for (const part of question) most = Math.max(most, Math.abs(part));
  const step = most === 0 ? 1 : most / 127;
  return { step, parts: Int32Array.from(question, (part) => Math.round(part / step)) };
}

/**
 * Eight dimensions of all rows at a time, so that what they are multiplied with stays in registers: half of the time of
 * row after row.
 */
function addEight(sums: Int32Array, rows: Int8Array, leads: number, block: number, question: Int32Array): void {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = question.subarray(block, block + 8);
  let at = block;
  for (let row = 0; row < sums.length; row++, at += leads) {
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

function addOne(sums: Int32Array, rows: Int8Array, leads: number, block: number, factor: number): void {
  for (let row = 0; row < sums.length; row++) sums[row] = (sums[row] ?? 0) + (rows[row * leads + block] ?? 0) * factor;
}

/** Of `count` numbers of `rows` from `start` on with as many of the question from `from` on. */
function dot(rows: Int8Array, start: number, count: number, question: Float32Array, from: number): number {
  let sum = 0;
  for (let at = 0; at < count; at++) sum += (rows[start + at] ?? 0) * (question[from + at] ?? 0);
  return sum;
}

/** The value that about `count` values reach, from counting them in a thousand steps between 0 and 1. */
function greatest(values: Float32Array, count: number): number {
  const steps = new Uint32Array(1001);
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
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
