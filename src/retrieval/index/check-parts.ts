/** Whether what is kept of one file agrees with itself: its facts, places, words and vectors were made of one text. */
import { staticModel } from '../embeddings/static-table.ts';
import type { ChunkPlaces } from '../search/source.ts';
import { joinRows, splitRows } from '../search/vector-rows.ts';
import { forEachPosting, readPlaces, readSearched, readVectors, termNames } from './codec.ts';
import { DamagedIndex } from './damaged-index.ts';
import type { StoredFacts } from './facts-codec.ts';
import { unpackFacts } from './indexed-parts.ts';

/** As the tables hold them. */
export interface PartsBlobs {
  readonly facts: Uint8Array;
  readonly terms: Uint8Array;
  readonly searched: Uint8Array;
  readonly rests: Uint8Array;
}

export interface CheckedParts {
  readonly stored: StoredFacts;
  readonly chunkCount: number;
}

/** Throws `DamagedIndex`. */
export function checkParts({ facts, terms, searched, rests }: PartsBlobs): CheckedParts {
  const parts = readSearched(searched);
  const places = readPlaces(parts.places);
  const stored = unpackFacts(facts);
  const chunkCount = places.symbol.length;
  if (!arePlacesOf(stored, places)) throw new DamagedIndex('the places of a file are those of another text');
  if (!areVectors(parts.vectors, rests, chunkCount)) throw new DamagedIndex('the vectors of a file are garbled');
  if (!areTermsOf(places, terms)) throw new DamagedIndex('the words of a file are garbled');
  return { stored, chunkCount };
}

/** Chunk 0 is the whole file, then come the chunks of its facts: see `file-terms.ts`. */
function arePlacesOf({ facts }: StoredFacts, { symbol, startLine, endLine }: ChunkPlaces): boolean {
  if (symbol.length !== facts.chunks.length + 1) return false;
  if (symbol[0] !== -1 || startLine[0] !== 1 || endLine[0] !== Math.max(1, facts.lines)) return false;
  return facts.chunks.every(
    (chunk, at) =>
      symbol[at + 1] === (chunk.symbol ?? -1) &&
      startLine[at + 1] === chunk.startLine &&
      endLine[at + 1] === chunk.endLine,
  );
}

/** The scale of a row was made of all its numbers, so it tells when one of them changed. */
function areVectors(bytes: Uint8Array, rests: Uint8Array, chunkCount: number): boolean {
  if (!(rests instanceof Uint8Array)) return false;
  const vectors = readVectors(bytes);
  const { dimensions } = staticModel;
  const rows = joinRows(vectors, new Int8Array(rests.buffer, rests.byteOffset, rests.length), dimensions);
  if (rows === null) return false;
  const { scales } = splitRows(rows).vectors;
  return vectors.chunks.every(
    (chunk, row) => chunk < chunkCount && (scales[row] ?? 0) > 0 && scales[row] === vectors.scales[row],
  );
}

/** The terms that a chunk has in a field are as many as it says, unless one of them is counted as full. */
function areTermsOf({ symbol, nameLength, headLength, bodyLength }: ChunkPlaces, bytes: Uint8Array): boolean {
  const chunkCount = symbol.length;
  const names = termNames(bytes);
  let agree = !names.includes('') && new Set(names).size === names.length;
  const fields = [
    { lengths: nameLength, shift: 12, full: 0xf },
    { lengths: headLength, shift: 8, full: 0xf },
    { lengths: bodyLength, shift: 0, full: 0xff },
  ].map((field) => ({ ...field, sums: new Float64Array(chunkCount), isFull: new Uint8Array(chunkCount) }));
  let lastTerm = -1;
  let lastChunk = -1;
  forEachPosting(bytes, (term, chunk, counts) => {
    if (term !== lastTerm) lastChunk = -1;
    if (chunk <= lastChunk || chunk >= chunkCount || counts <= 0 || counts > 0xffff) agree = false;
    for (const { shift, full, sums, isFull } of fields) {
      const count = (counts >> shift) & full;
      sums[chunk] = (sums[chunk] ?? 0) + count;
      if (count === full) isFull[chunk] = 1;
    }
    lastTerm = term;
    lastChunk = chunk;
  });
  return (
    agree &&
    fields.every(({ lengths, sums, isFull }) =>
      lengths.every((length, chunk) => isFull[chunk] === 1 || length === Math.min(sums[chunk] ?? 0, lengthMax)),
    )
  );
}

/** See `ChunkPlaces`. */
const lengthMax = 65_535;
