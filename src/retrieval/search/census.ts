/**
 * What every question to a source needs and no question changes: which chunks live, how long texts are, what files are
 * for. Made once for each generation of a source and kept as long as the source.
 */
import { type FileRole, fileRole } from './file-role.ts';
import { siblingsOf } from './layouts.ts';
import type { Bm25, FieldWeights } from './lexical.ts';
import type { ChunkPlaces, IndexedFile, SearchSource } from './source.ts';

export interface Census {
  readonly generation: number;
  /** By path. The place of a file here is its ordinal. */
  readonly files: readonly IndexedFile[];
  readonly ordinalOf: ReadonlyMap<number, number>;
  readonly roles: readonly FileRole[];
  /** The ordinal of the file of a chunk by its number, -1 for a dead one. */
  readonly chunkOrdinal: Int32Array;
  readonly liveChunks: number;
  /** By ordinal: files that may be other forms of this one. Files that stand alone are not in it. */
  readonly siblings: ReadonlyMap<number, readonly number[]>;
  /** Length of a chunk against the average, as BM25 holds it against it; by number. */
  chunkNorms(bm25: Bm25): Float32Array;
  /** The same of a file, by ordinal. */
  fileNorms(bm25: Bm25): Float32Array;
}

const kept = new WeakMap<SearchSource, Census>();

export function censusOf(source: SearchSource): Census {
  const known = kept.get(source);
  if (known !== undefined && known.generation === source.generation) return known;
  const census = takeCensus(source);
  kept.set(source, census);
  return census;
}

function takeCensus(source: SearchSource): Census {
  const files = [...source.files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const chunkOrdinal = new Int32Array(source.chunkFile.length).fill(-1);
  let liveChunks = 0;
  files.forEach((file, ordinal) => {
    chunkOrdinal.fill(ordinal, file.firstChunk, file.firstChunk + file.chunkCount);
    liveChunks += file.chunkCount;
  });
  const norms = new Map<string, { readonly chunks: Float32Array; readonly files: Float32Array }>();
  const normsFor = (bm25: Bm25): { readonly chunks: Float32Array; readonly files: Float32Array } => {
    const key = `${bm25.name} ${bm25.head} ${bm25.body} ${bm25.b}`;
    const known = norms.get(key);
    if (known !== undefined) return known;
    const made = normsOf(source, files, chunkOrdinal, liveChunks, bm25);
    norms.set(key, made);
    return made;
  };
  return {
    generation: source.generation,
    files,
    ordinalOf: new Map(files.map((file, ordinal) => [file.id, ordinal])),
    roles: files.map((file) => fileRole(file.path, file.language)),
    chunkOrdinal,
    liveChunks,
    siblings: siblingsOf(files.map(({ path }) => path)),
    chunkNorms: (bm25) => normsFor(bm25).chunks,
    fileNorms: (bm25) => normsFor(bm25).files,
  };
}

function normsOf(
  source: SearchSource,
  files: readonly IndexedFile[],
  chunkOrdinal: Int32Array,
  liveChunks: number,
  bm25: Bm25,
): { readonly chunks: Float32Array; readonly files: Float32Array } {
  const { places } = source;
  const chunks = new Float32Array(chunkOrdinal.length);
  const fileLengths = new Float32Array(files.length);
  let total = 0;
  for (let chunk = 0; chunk < chunks.length; chunk++) {
    const ordinal = chunkOrdinal[chunk] ?? -1;
    if (ordinal === -1) continue;
    const length = lengthOf(places, chunk, bm25);
    chunks[chunk] = length;
    fileLengths[ordinal] = (fileLengths[ordinal] ?? 0) + length;
    total += length;
  }
  normalise(chunks, total / Math.max(1, liveChunks), bm25.b);
  normalise(fileLengths, total / Math.max(1, files.length), bm25.b);
  return { chunks, files: fileLengths };
}

function lengthOf(places: ChunkPlaces, chunk: number, { name, head, body }: FieldWeights): number {
  const { nameLength, headLength, bodyLength } = places;
  return name * (nameLength[chunk] ?? 0) + head * (headLength[chunk] ?? 0) + body * (bodyLength[chunk] ?? 0);
}

function normalise(lengths: Float32Array, average: number, b: number): void {
  for (let at = 0; at < lengths.length; at++) {
    lengths[at] = 1 - b + (b * (lengths[at] ?? 0)) / Math.max(1e-9, average);
  }
}
