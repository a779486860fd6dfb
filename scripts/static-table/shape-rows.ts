/**
 * From the vectors that the model gives to single pieces to rows whose weighted sum comes near to what it gives to a phrase.
 *
 * A piece alone is embedded as a text of one word, and such texts lie elsewhere than sentences do. So one linear map is
 * learned: from the sum of the pieces of a phrase to the vector of the whole phrase. Applied to every row it costs nothing
 * later, since the map of a sum is the sum of the mapped.
 */
import { applyMap, ridgeRegression } from './ridge-regression.ts';

/** A phrase to learn from: the rows of its pieces, and the vector of the model for the whole. */
export interface PhrasePieces {
  readonly rows: readonly number[];
  readonly vector: Float32Array;
}

/** Rows of `dimensions` numbers, as `vectors` are. `weights`: how much each row counts in a sum. */
export function shapeRows(
  vectors: Float32Array,
  dimensions: number,
  weights: Float64Array,
  phrases: readonly PhrasePieces[],
  holdBack: number,
): Float32Array {
  const rows = centred(Float64Array.from(vectors), dimensions);
  const sums = new Float64Array(phrases.length * dimensions);
  phrases.forEach(
    (phrase, index) => void sums.set(unitSum(rows, dimensions, weights, phrase.rows), index * dimensions),
  );
  const targets = new Float64Array(phrases.length * dimensions);
  phrases.forEach((phrase, index) => void targets.set(phrase.vector, index * dimensions));
  const map = ridgeRegression(sums, dimensions, centred(targets, dimensions), dimensions, holdBack);
  return Float32Array.from(applyMap(rows, dimensions, map, dimensions));
}

/** Subtracts the mean of all rows from each, in place. */
function centred(rows: Float64Array, dimensions: number): Float64Array {
  const mean = new Float64Array(dimensions);
  const count = rows.length / dimensions;
  for (let i = 0; i < rows.length; i++) mean[i % dimensions] = at(mean, i % dimensions) + at(rows, i) / count;
  for (let i = 0; i < rows.length; i++) rows[i] = at(rows, i) - at(mean, i % dimensions);
  return rows;
}

function unitSum(
  rows: Float64Array,
  dimensions: number,
  weights: Float64Array,
  summed: readonly number[],
): Float64Array {
  const sum = new Float64Array(dimensions);
  for (const row of summed) {
    for (let i = 0; i < dimensions; i++) sum[i] = at(sum, i) + at(weights, row) * at(rows, row * dimensions + i);
  }
  const length = Math.sqrt(sum.reduce((squares, value) => squares + value * value, 0));
  return length === 0 ? sum : sum.map((value) => value / length);
}

/** Typed arrays answer undefined only past their end, which the loops above never reach. */
function at(numbers: Float64Array, index: number): number {
  return numbers[index] ?? Number.NaN;
}
