/**
 * The arithmetic of the static table: project the rows on their principal components, round to one byte a number, and put
 * the weight of each into its factor.
 *
 * The weight is smooth inverse frequency (Arora, Liang and Ma, "A simple but tough-to-beat baseline for sentence
 * embeddings", 2017): a / (a + p) for a piece with the share p.
 */
import { principalComponents } from './principal-components.ts';

export interface PackedTable {
  /** As `static-table.ts` reads it. */
  readonly bytes: Uint8Array;
  readonly pieceBytes: number;
  /** The share of the variance that lies along the kept components. */
  readonly varianceKept: number;
}

const stepsMax = 127;

/** `smoothing`: the a of the weight. A piece with a larger share counts less than half. */
export function weightsOf(shares: Float64Array, smoothing: number): Float64Array {
  return shares.map((share) => smoothing / (smoothing + share));
}

/** `rows`: `from` numbers for each piece. The rows of the table have `to` numbers. */
export function packTable(
  pieces: readonly string[],
  rows: Float32Array,
  weights: Float64Array,
  from: number,
  to: number,
): PackedTable {
  const { mean, directions, variances } = principalComponents(rows, from);
  const kept = directions.slice(0, to);
  const names = new TextEncoder().encode(pieces.join('\n'));
  const numbersAt = names.length + pieces.length * Float32Array.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(numbersAt + pieces.length * to);
  bytes.set(names);
  const view = new DataView(bytes.buffer);
  pieces.forEach((_, row) => {
    const vector = rows.subarray(row * from, (row + 1) * from);
    const projected = kept.map((direction) => product(vector, mean, direction));
    const step = Math.max(...projected.map(Math.abs)) / stepsMax;
    view.setFloat32(names.length + row * Float32Array.BYTES_PER_ELEMENT, step * (weights[row] ?? 0), true);
    projected.forEach(
      (value, i) => void view.setInt8(numbersAt + row * to + i, step === 0 ? 0 : Math.round(value / step)),
    );
  });
  const varianceKept = sum(variances.slice(0, to)) / sum(variances);
  return { bytes, pieceBytes: names.length, varianceKept };
}

function product(vector: Float32Array, mean: Float64Array, direction: Float64Array): number {
  let total = 0;
  for (let i = 0; i < direction.length; i++) total += ((vector[i] ?? 0) - (mean[i] ?? 0)) * (direction[i] ?? 0);
  return total;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
