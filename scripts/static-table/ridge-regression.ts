/**
 * Ridge regression: the linear map that takes inputs nearest to targets, held back from following noise.
 *
 * Minimises the sum of |x M - y|² over all pairs plus `holdBack` times |M|². The normal equations are solved by Cholesky
 * decomposition (Golub and Van Loan, Matrix Computations, 4.2), which needs `holdBack` above 0 and cannot fail then.
 */

/**
 * `inputs` and `targets` hold rows of `from` and `to` numbers, one after the other and equally many. The map has `from` rows
 * of `to` numbers. Throws `RangeError` when the sizes do not fit.
 */
export function ridgeRegression(
  inputs: Float64Array,
  from: number,
  targets: Float64Array,
  to: number,
  holdBack: number,
): Float64Array {
  const count = inputs.length / from;
  if (!Number.isInteger(count) || targets.length !== count * to) throw new RangeError('The rows do not fit together.');
  if (!(holdBack > 0)) throw new RangeError('holdBack is above 0.');
  const squares = product(inputs, from, inputs, from, count);
  for (let i = 0; i < from; i++) squares[i * from + i] = at(squares, i * from + i) + holdBack;
  const map = product(inputs, from, targets, to, count);
  const lower = cholesky(squares, from);
  for (let column = 0; column < to; column++) solve(lower, from, map, column, to);
  return map;
}

/** The rows of a times the map: `rows` of `from` numbers become rows of `to` numbers. */
export function applyMap(rows: Float64Array, from: number, map: Float64Array, to: number): Float64Array {
  const count = rows.length / from;
  const mapped = new Float64Array(count * to);
  for (let row = 0; row < count; row++) {
    for (let i = 0; i < from; i++) {
      const value = at(rows, row * from + i);
      for (let j = 0; j < to; j++) mapped[row * to + j] = at(mapped, row * to + j) + value * at(map, i * to + j);
    }
  }
  return mapped;
}

/** a transposed times b, for matrices with `count` rows. */
function product(a: Float64Array, aColumns: number, b: Float64Array, bColumns: number, count: number): Float64Array {
  const result = new Float64Array(aColumns * bColumns);
  for (let row = 0; row < count; row++) {
    for (let i = 0; i < aColumns; i++) {
      const value = at(a, row * aColumns + i);
      for (let j = 0; j < bColumns; j++) {
        result[i * bColumns + j] = at(result, i * bColumns + j) + value * at(b, row * bColumns + j);
      }
    }
  }
  return result;
}

/** The lower triangle whose product with its transpose is the matrix. */
function cholesky(matrix: Float64Array, size: number): Float64Array {
  const lower = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = at(matrix, i * size + j);
      for (let k = 0; k < j; k++) rest -= at(lower, i * size + k) * at(lower, j * size + k);
      lower[i * size + j] = i === j ? Math.sqrt(rest) : rest / at(lower, j * size + j);
    }
  }
  return lower;
}

/** Solves for one column of the right side, in place: forward through the triangle, then back through its transpose. */
function solve(lower: Float64Array, size: number, right: Float64Array, column: number, columns: number): void {
  for (let i = 0; i < size; i++) {
    let rest = at(right, i * columns + column);
    for (let k = 0; k < i; k++) rest -= at(lower, i * size + k) * at(right, k * columns + column);
    right[i * columns + column] = rest / at(lower, i * size + i);
  }
  for (let i = size - 1; i >= 0; i--) {
    let rest = at(right, i * columns + column);
    for (let k = i + 1; k < size; k++) rest -= at(lower, k * size + i) * at(right, k * columns + column);
    right[i * columns + column] = rest / at(lower, i * size + i);
  }
}

/** Typed arrays answer undefined only past their end, which the loops above never reach. */
function at(numbers: Float64Array, index: number): number {
  return numbers[index] ?? Number.NaN;
}
