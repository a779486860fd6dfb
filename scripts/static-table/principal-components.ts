/**
 * Principal components: the directions in which rows of numbers differ most.
 *
 * The covariance matrix is diagonalised by cyclic Jacobi rotations (Golub and Van Loan, Matrix Computations, 8.5): slower
 * than other ways, but short, accurate, and made of additions, multiplications, divisions and square roots only, so the
 * result is the same on every machine. 384 dimensions take a few seconds.
 */

export interface Components {
  readonly mean: Float64Array;
  /** Unit vectors, the one with the largest variance first; each points where its largest number is positive. */
  readonly directions: readonly Float64Array[];
  /** Variance along each direction. */
  readonly variances: readonly number[];
}

const sweepsMax = 60;
/** Rotations stop when what is left beside the diagonal is this small, as a share of the whole matrix. */
const restMax = 1e-22;

/** `rows` holds whole rows of `dimensions` numbers, one after the other. Throws for numbers that are not finite. */
export function principalComponents(rows: Float32Array, dimensions: number): Components {
  if (!rows.every(Number.isFinite)) throw new RangeError('A row holds numbers that are not finite.');
  const mean = meanOf(rows, dimensions);
  const { values, vectors } = diagonalise(covariance(rows, mean), dimensions);
  const order = Array.from(values.keys()).sort((a, b) => at(values, b) - at(values, a) || a - b);
  return {
    mean,
    directions: order.map((column) => pointed(columnOf(vectors, column, dimensions))),
    variances: order.map((column) => at(values, column)),
  };
}

function meanOf(rows: Float32Array, dimensions: number): Float64Array {
  const mean = new Float64Array(dimensions);
  for (let i = 0; i < rows.length; i++) mean[i % dimensions] = at(mean, i % dimensions) + at(rows, i);
  return mean.map((sum) => (sum * dimensions) / rows.length);
}

function covariance(rows: Float32Array, mean: Float64Array): Float64Array {
  const dimensions = mean.length;
  const count = rows.length / dimensions;
  const matrix = new Float64Array(dimensions * dimensions);
  const centred = new Float64Array(dimensions);
  for (let start = 0; start < rows.length; start += dimensions) {
    for (let i = 0; i < dimensions; i++) centred[i] = at(rows, start + i) - at(mean, i);
    for (let i = 0; i < dimensions; i++) {
      const value = at(centred, i);
      for (let j = i; j < dimensions; j++) {
        matrix[i * dimensions + j] = at(matrix, i * dimensions + j) + value * at(centred, j);
      }
    }
  }
  for (let i = 0; i < dimensions; i++) {
    for (let j = i; j < dimensions; j++) {
      const value = at(matrix, i * dimensions + j) / count;
      matrix[i * dimensions + j] = value;
      matrix[j * dimensions + i] = value;
    }
  }
  return matrix;
}

/** Eigenvalues, and eigenvectors as columns, of a symmetric matrix, which is overwritten. */
function diagonalise(matrix: Float64Array, size: number): { values: Float64Array; vectors: Float64Array } {
  const vectors = new Float64Array(size * size);
  for (let i = 0; i < size; i++) vectors[i * size + i] = 1;
  const whole = matrix.reduce((sum, value) => sum + value * value, 0);
  for (let sweep = 0; besideDiagonal(matrix, size) > restMax * whole; sweep++) {
    if (sweep === sweepsMax) throw new Error('The rotations do not converge.');
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) rotate(matrix, vectors, size, p, q);
    }
  }
  return { values: Float64Array.from({ length: size }, (_, i) => at(matrix, i * size + i)), vectors };
}

/** Turns the plane of p and q so that their element becomes zero. */
function rotate(matrix: Float64Array, vectors: Float64Array, size: number, p: number, q: number): void {
  const element = at(matrix, p * size + q);
  if (element === 0) return;
  const theta = (at(matrix, q * size + q) - at(matrix, p * size + p)) / (2 * element);
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  turn(matrix, p * size, q * size, 1, size, cosine, sine);
  turn(matrix, p, q, size, size, cosine, sine);
  turn(vectors, p, q, size, size, cosine, sine);
}

/** Mixes two rows (`step` 1) or two columns (`step` size) of a matrix. */
function turn(
  matrix: Float64Array,
  first: number,
  second: number,
  step: number,
  size: number,
  cosine: number,
  sine: number,
): void {
  for (let k = 0, a = first, b = second; k < size; k++, a += step, b += step) {
    const x = at(matrix, a);
    const y = at(matrix, b);
    matrix[a] = cosine * x - sine * y;
    matrix[b] = sine * x + cosine * y;
  }
}

function besideDiagonal(matrix: Float64Array, size: number): number {
  let sum = 0;
  for (let i = 0; i < matrix.length; i++) if (i % (size + 1) !== 0) sum += at(matrix, i) ** 2;
  return sum;
}

function columnOf(matrix: Float64Array, column: number, size: number): Float64Array {
  return Float64Array.from({ length: size }, (_, row) => at(matrix, row * size + column));
}

function pointed(vector: Float64Array): Float64Array {
  const largest = vector.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
  return largest < 0 ? vector.map((value) => -value) : vector;
}

/** Typed arrays answer undefined only past their end, which the loops above never reach. */
function at(numbers: Float32Array | Float64Array, index: number): number {
  return numbers[index] ?? Number.NaN;
}
