/**
 * Whether what the index stores of each file and of each term can be read and agrees with itself. SQLite keeps no
 * checksums: it sees a page that is out of place, but not one that holds other bytes.
 */
import type Database from 'better-sqlite3';
import { staticModel } from '../../../retrieval/embeddings/static-table.ts';
import {
  forEachPosting,
  readPlaces,
  readPostings,
  readSearched,
  readVectors,
  termNames,
} from '../../../retrieval/index/codec.ts';
import { readBuildFacts } from '../../../retrieval/index/counters.ts';
import { unpackFacts } from '../../../retrieval/index/indexed-parts.ts';
import { joinRows, splitRows } from '../../../retrieval/search/vector-rows.ts';

export interface ContentCheck {
  /** What is wrong with the first part that is, or null. */
  readonly fault: string | null;
  readonly partsChecked: number;
  readonly partsTotal: number;
}

interface PartsRow {
  readonly id: number;
  readonly facts: Uint8Array;
  readonly terms: Uint8Array;
  readonly searched: Uint8Array;
  readonly rests: Uint8Array;
}

/** Ends after `msMax`, however much is left. Throws what SQLite throws. */
export function checkContent(db: Database.Database, msMax: number): ContentCheck {
  const endsAt = performance.now() + msMax;
  const count = (table: string): number => db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
  const partsTotal = count('parsed') + count('posting');
  const lost = db
    .prepare<[], string>(
      'SELECT path FROM file WHERE parsed NOT IN (SELECT id FROM parsed JOIN chunk_part ON parsed = id) LIMIT 1',
    )
    .pluck()
    .get();
  if (lost !== undefined) return { fault: `it holds nothing of ${lost}`, partsChecked: 0, partsTotal };
  let partsChecked = 0;
  const { nextChunk } = readBuildFacts(db);
  const parts = db
    .prepare<[], PartsRow>('SELECT id, facts, terms, searched, rests FROM parsed JOIN chunk_part ON parsed = id')
    .iterate();
  const postings = db.prepare<[], { term: string; data: Uint8Array }>('SELECT term, data FROM posting').iterate();
  for (const row of postings) {
    if (performance.now() > endsAt) break;
    if (!isPostingList(row.data, nextChunk)) {
      return { fault: `the places of the term "${row.term.slice(0, 40)}" are garbled`, partsChecked, partsTotal };
    }
    partsChecked += 1;
  }
  for (const row of parts) {
    if (performance.now() > endsAt) break;
    if (!areParts(row)) return { fault: `what it holds of file ${row.id} is garbled`, partsChecked, partsTotal };
    partsChecked += 1;
  }
  return { fault: null, partsChecked, partsTotal };
}

function isPostingList(data: Uint8Array, nextChunk: number): boolean {
  const { chunks, counts } = readPostings(data);
  return chunks.length > 0 && counts.every((one) => one > 0) && chunks.every((chunk) => chunk > 0 && chunk < nextChunk);
}

function areParts(row: PartsRow): boolean {
  try {
    const { places, vectors } = readSearched(row.searched);
    const { startLine, endLine } = readPlaces(places);
    const chunks = startLine.length;
    if (!startLine.every((line, at) => line > 0 && line <= (endLine[at] ?? 0))) return false;
    unpackFacts(row.facts);
    return areVectors(vectors, row.rests, chunks) && areTerms(row.terms, chunks);
  } catch {
    // Whatever the reason, what cannot be read is what is looked for.
    return false;
  }
}

/** The scale of a row was made of all its numbers, so it tells when one of them changed. */
function areVectors(bytes: Uint8Array, rests: Uint8Array, chunkCount: number): boolean {
  const vectors = readVectors(bytes);
  const { dimensions } = staticModel;
  const rows = joinRows(vectors, new Int8Array(rests.buffer, rests.byteOffset, rests.length), dimensions);
  if (rows === null) return false;
  const { scales } = splitRows(rows).vectors;
  return vectors.chunks.every(
    (chunk, row) => chunk < chunkCount && (scales[row] ?? 0) > 0 && scales[row] === vectors.scales[row],
  );
}

function areTerms(bytes: Uint8Array, chunkCount: number): boolean {
  let agree = !termNames(bytes).includes('');
  forEachPosting(bytes, (_, chunk, counts) => {
    if (chunk >= chunkCount || counts === 0) agree = false;
  });
  return agree;
}
