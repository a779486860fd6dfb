/**
 * How the vectors of a file lie: the leading dimensions of every row side by side, which every question reads, and the
 * rest of the rows apart, of which a question reads few.
 */

/** A quarter of a row holds most of its length: the dimensions of the static table are ordered by how much they tell. */
export const leadingDimensions = 48;

/** Int8, row after row. The length of a row is not 1: only directions count. */
export interface VectorRows {
  readonly dimensions: number;
  /** Positions of chunks in the file, ascending; one for each row. */
  readonly chunks: Uint32Array;
  readonly rows: Int8Array;
}

export interface FileVectors {
  /** Positions of chunks in the file, ascending; one for each row. */
  readonly chunks: Uint32Array;
  /** One divided by the length of each whole row, 0 for a row of zeros. */
  readonly scales: Float32Array;
  /** The first dimensions of the rows, at most `leadingDimensions` of each. */
  readonly leading: Int8Array;
}

/** Vectors of all files. */
export interface ChunkVectors {
  /** Of a whole row. */
  readonly dimensions: number;
  readonly files: ReadonlyMap<number, FileVectors>;
  /** The dimensions of a file's rows that are not leading, row after row. */
  restsOf(file: number): Int8Array;
}

export function splitRows({ dimensions, chunks, rows }: VectorRows): {
  readonly vectors: FileVectors;
  readonly rests: Int8Array;
} {
  const leads = Math.min(leadingDimensions, dimensions);
  const left = dimensions - leads;
  const leading = new Int8Array(chunks.length * leads);
  const rests = new Int8Array(chunks.length * left);
  const scales = new Float32Array(chunks.length);
  for (let row = 0; row < chunks.length; row += 1) {
    const start = row * dimensions;
    leading.set(rows.subarray(start, start + leads), row * leads);
    rests.set(rows.subarray(start + leads, start + dimensions), row * left);
    let sum = 0;
    for (let at = start; at < start + dimensions; at += 1) sum += (rows[at] ?? 0) ** 2;
    scales[row] = sum === 0 ? 0 : 1 / Math.sqrt(sum);
  }
  return { vectors: { chunks, scales, leading }, rests };
}

/** The whole rows again, or null when the parts are not of the same rows. */
export function joinRows({ chunks, leading }: FileVectors, rests: Int8Array, dimensions: number): VectorRows | null {
  const leads = Math.min(leadingDimensions, dimensions);
  const left = dimensions - leads;
  if (leading.length !== chunks.length * leads || rests.length !== chunks.length * left) return null;
  const rows = new Int8Array(chunks.length * dimensions);
  for (let row = 0; row < chunks.length; row += 1) {
    rows.set(leading.subarray(row * leads, (row + 1) * leads), row * dimensions);
    rows.set(rests.subarray(row * left, (row + 1) * left), row * dimensions + leads);
  }
  return { dimensions, chunks, rows };
}
