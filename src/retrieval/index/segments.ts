/**
 * The inverted index: for each term the chunks that hold it, in segments that are written once.
 *
 * A build adds a segment with the postings of the files it read; those of files that changed or went away stay and
 * name chunks that are dead. When segments become many they are joined, which drops the dead ones.
 */
import type Database from 'better-sqlite3';
import { indexLimits } from '../../base/limits.ts';
import { forEachTerm, PostingWriter, readPostings } from './codec.ts';

/** Gathers postings in memory and writes them as one segment, or more when they become large. */
export class SegmentWriter {
  readonly #db: Database.Database;
  #lists = new Map<string, PostingWriter>();
  #bytes = 0;
  #nextSegment: number;

  constructor(db: Database.Database, nextSegment: number) {
    this.#db = db;
    this.#nextSegment = nextSegment;
  }

  get nextSegment(): number {
    return this.#nextSegment;
  }

  /** `terms` are those of a file whose chunks begin at `firstChunk`; files come in ascending order of that. */
  addFile(terms: Uint8Array, firstChunk: number): void {
    forEachTerm(terms, (term, eachPosting) => {
      let list = this.#lists.get(term);
      if (list === undefined) {
        list = new PostingWriter();
        this.#lists.set(term, list);
        // What a map entry, its key and its writer cost besides the postings.
        this.#bytes += 100;
      }
      const writer = list;
      eachPosting((chunk, counts) => {
        writer.add(firstChunk + chunk, counts);
        this.#bytes += 3;
      });
    });
    if (this.#bytes >= indexLimits.segmentBytesMax) this.flush();
  }

  flush(): void {
    if (this.#lists.size === 0) return;
    const insert = this.#db.prepare('INSERT INTO posting (term, segment, data) VALUES (?, ?, ?)');
    // In the order of the table's key, so that its pages are filled one after the other.
    for (const term of [...this.#lists.keys()].sort(byBytes)) {
      const list = this.#lists.get(term);
      if (list !== undefined) insert.run(term, this.#nextSegment, list.bytes());
    }
    this.#nextSegment += 1;
    this.#lists = new Map();
    this.#bytes = 0;
  }
}

/** Whether so many segments or unused numbers have gathered that joining all is due. */
export function isJoiningDue(db: Database.Database, nextChunk: number): boolean {
  const segments = db.prepare<[], number>('SELECT COUNT(DISTINCT segment) FROM posting').pluck().get() ?? 0;
  const live = db.prepare<[], number>('SELECT COALESCE(SUM(chunk_count), 0) FROM file').pluck().get() ?? 0;
  const isSparse = nextChunk > indexLimits.sparseChunksMin && nextChunk > live * indexLimits.sparseFactor;
  return segments > indexLimits.segmentsMax || isSparse;
}

/**
 * Joins all segments into one, drops the postings of dead chunks and numbers the others anew without gaps, in their
 * order. Answers the next chunk number.
 */
export function joinSegments(db: Database.Database, nextChunk: number, segment: number): number {
  const files = db
    .prepare<[], { id: number; first_chunk: number; chunk_count: number }>(
      'SELECT id, first_chunk, chunk_count FROM file ORDER BY first_chunk',
    )
    .all();
  const numbers = new Uint32Array(nextChunk);
  const place = db.prepare('UPDATE file SET first_chunk = ? WHERE id = ?');
  let next = 1;
  for (const file of files) {
    for (let at = 0; at < file.chunk_count; at += 1) numbers[file.first_chunk + at] = next + at;
    if (file.first_chunk !== next) place.run(next, file.id);
    next += file.chunk_count;
  }
  db.exec('CREATE TEMP TABLE joined (term TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID');
  const keep = db.prepare('INSERT INTO joined (term, data) VALUES (?, ?)');
  let term: string | null = null;
  let list = new PostingWriter();
  const finish = (): void => {
    if (term !== null && list.last > 0) keep.run(term, list.bytes());
    list = new PostingWriter();
  };
  // In pages: a connection that is reading rows cannot write.
  const page = db.prepare<[string, number, number], { term: string; segment: number; data: Uint8Array }>(
    `SELECT term, segment, data FROM posting WHERE (term, segment) > (?, ?) ORDER BY term, segment LIMIT ?`,
  );
  for (let last = { term: '', segment: -1 }; ; ) {
    const rows = page.all(last.term, last.segment, rowsPerPage);
    for (const row of rows) {
      if (row.term !== term) {
        finish();
        term = row.term;
      }
      const { chunks, counts } = readPostings(row.data);
      for (let at = 0; at < chunks.length; at += 1) {
        const number = numbers[chunks[at] ?? 0] ?? 0;
        if (number > 0) list.add(number, counts[at] ?? 0);
      }
      last = row;
    }
    if (rows.length < rowsPerPage) break;
  }
  finish();
  db.exec('DELETE FROM posting');
  db.prepare('INSERT INTO posting (term, segment, data) SELECT term, ?, data FROM joined ORDER BY term').run(segment);
  db.exec('DROP TABLE joined');
  return next;
}

const rowsPerPage = 2_000;

/** As the table compares texts. */
function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
