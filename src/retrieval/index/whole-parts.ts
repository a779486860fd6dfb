/**
 * Whether what is kept of every file is there and as long as it was written. Only the heads of rows are read, so it
 * costs about a millisecond for a thousand files; what the bytes say is for `check-parts.ts`.
 */
import type Database from 'better-sqlite3';
import { staticModel } from '../embeddings/static-table.ts';
import { leadingDimensions } from '../search/vector-rows.ts';
import { placeBytes, vectorBytes } from './codec.ts';

export function hasWholeParts(db: Database.Database): boolean {
  return db.prepare(garbled).get() === undefined;
}

/** Of the places of a file with their count, and what fills them up to where the vectors begin. */
const places = `(4 + ${placeBytes} * chunk_count)`;
const filling = `(-${places} & 3)`;
const vectors = `(length(searched) - 4 - ${places} - ${filling})`;

const garbled = `
SELECT 1 FROM file
  LEFT JOIN parsed ON parsed.id = file.parsed
  LEFT JOIN chunk_part ON chunk_part.parsed = file.parsed
WHERE typeof(facts) <> 'blob' OR typeof(terms) <> 'blob' OR typeof(searched) <> 'blob' OR typeof(rests) <> 'blob'
  OR typeof(chunk_count) <> 'integer'
  OR length(rests) * ${vectorBytes} <> (${vectors} - 4) * ${staticModel.dimensions - leadingDimensions}
  OR length(facts) + length(terms) + length(rests) + ${places} + ${vectors} <> parsed.bytes
LIMIT 1`;
