/**
 * Whether what the index stores of each file and of each term can be read and agrees with the rest of it. SQLite keeps
 * no checksums: it sees a page that is out of place, but not one that holds other bytes.
 */
import type Database from 'better-sqlite3';
import { checkParts, type PartsBlobs } from '../../../retrieval/index/check-parts.ts';
import { forEachPosting, readPostings, termNames } from '../../../retrieval/index/codec.ts';
import { readBuildFacts } from '../../../retrieval/index/counters.ts';
import { DamagedIndex } from '../../../retrieval/index/damaged-index.ts';
import type { PostingList } from '../../../retrieval/search/source.ts';
import { PostingSums, sumOfTerms } from './posting-sums.ts';

export interface ContentCheck {
  /** What is wrong with the first part that is, or null. */
  readonly fault: string | null;
  readonly partsChecked: number;
  readonly partsTotal: number;
}

interface FileRow {
  readonly path: string;
  readonly parsed: number;
  readonly content_hash: string;
  readonly lines: number;
  readonly symbols: number;
  readonly first_chunk: number;
  readonly chunk_count: number;
}

interface PartsRow extends PartsBlobs {
  readonly id: number;
}

/** Ends after `msMax`, however much is left. Throws what SQLite throws. */
export function checkContent(db: Database.Database, msMax: number): ContentCheck {
  const endsAt = performance.now() + msMax;
  const count = (table: string): number => db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
  const partsTotal = count('parsed') + count('posting');
  let partsChecked = 0;
  const found = (fault: string | null): ContentCheck => ({ fault, partsChecked, partsTotal });
  try {
    const { nextChunk } = readBuildFacts(db);
    const files = db
      .prepare<[], FileRow>(
        `SELECT path, parsed, content_hash, lines, symbols, first_chunk, chunk_count FROM file ORDER BY first_chunk`,
      )
      .all();
    const numbering = numberingFault(files, nextChunk);
    if (numbering !== null) return found(numbering);
    const lost = db
      .prepare<[], string>(
        'SELECT path FROM file WHERE parsed NOT IN (SELECT id FROM parsed JOIN chunk_part ON parsed = id) LIMIT 1',
      )
      .pluck()
      .get();
    if (lost !== undefined) return found(`it holds nothing of ${lost}`);
    const miscounted = db.prepare<[], string | null>(miscountedNodes).pluck().get();
    if (miscounted !== undefined) return found(`the definitions of ${miscounted ?? 'a file'} are not all its own`);
    const sums = new PostingSums(files, nextChunk);
    let areAllRead = true;
    const postings = db.prepare<[], { term: string; data: Uint8Array }>('SELECT term, data FROM posting').iterate();
    for (const { term, data } of postings) {
      areAllRead = performance.now() <= endsAt;
      if (!areAllRead) break;
      const list = postingList(data, nextChunk);
      if (list === null) return found(`the places of the term "${term.slice(0, 40)}" are garbled`);
      sums.add(term, list.chunks, list.counts);
      partsChecked += 1;
    }
    const ofParts = new Map(files.map((file, at) => [file.parsed, { file, at }]));
    const parts = db
      .prepare<[], PartsRow>('SELECT id, facts, terms, searched, rests FROM parsed JOIN chunk_part ON parsed = id')
      .iterate();
    for (const row of parts) {
      if (performance.now() > endsAt) break;
      const of = ofParts.get(row.id);
      if (!areParts(row, of?.file)) return found(`what it holds of ${of?.file.path ?? `file ${row.id}`} is garbled`);
      if (of !== undefined && areAllRead && wordsOf(row.terms) !== sums.sumOf(of.at)) {
        return found(`the words of ${of.file.path} are not found where they stand`);
      }
      partsChecked += 1;
    }
    return found(null);
  } catch (error) {
    if (!(error instanceof DamagedIndex)) throw error;
    return found(error.fault);
  }
}

/** Files that have other nodes than one for themselves, at -1, and one for each symbol; null for one that is gone. */
const miscountedNodes = `
SELECT file.path FROM file
  FULL JOIN (
    SELECT file AS id, COUNT(*) AS nodes, COUNT(DISTINCT position) AS places, MIN(position) AS first, MAX(position) AS last
    FROM node WHERE file IS NOT NULL GROUP BY file
  ) AS own ON own.id = file.id
WHERE nodes IS NOT symbols + 1 OR places IS NOT nodes OR first IS NOT -1 OR last IS NOT symbols - 1
LIMIT 1`;

/** Whether each chunk number belongs to one file at most, and was given by a build. `files` are in their order. */
function numberingFault(files: readonly FileRow[], nextChunk: number): string | null {
  let next = 1;
  for (const { path, first_chunk: first, chunk_count: count } of files) {
    const isNumbered = Number.isSafeInteger(first) && Number.isSafeInteger(count) && count > 0;
    if (!isNumbered || first + count > nextChunk) return `the pieces of ${path} have numbers that no build gave`;
    if (first < next) return `the pieces of ${path} have the numbers of others`;
    next = first + count;
  }
  return new Set(files.map(({ parsed }) => parsed)).size === files.length ? null : 'two of its files share their parts';
}

function postingList(data: Uint8Array, nextChunk: number): PostingList | null {
  const { chunks, counts } = readPostings(data);
  let last = 0;
  for (const chunk of chunks) {
    if (chunk <= last || chunk >= nextChunk) return null;
    last = chunk;
  }
  return last > 0 && counts.every((one) => one > 0) ? { chunks, counts } : null;
}

/** `file` has these parts; undefined where none has them now. */
function areParts(row: PartsRow, file: FileRow | undefined): boolean {
  try {
    const { stored, chunkCount } = checkParts(row);
    const { facts } = stored;
    return (
      file === undefined ||
      (facts.path === file.path &&
        facts.contentHash === file.content_hash &&
        facts.lines === file.lines &&
        facts.symbols.length === file.symbols &&
        chunkCount === file.chunk_count)
    );
  } catch (error) {
    if (!(error instanceof DamagedIndex)) throw error;
    return false;
  }
}

function wordsOf(terms: Uint8Array): number {
  return sumOfTerms(termNames(terms), (visit) => forEachPosting(terms, visit));
}
