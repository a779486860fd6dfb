/**
 * The inverted index: for each term the chunks that hold it, in segments that are written once.
 *
 * A build adds a segment with the postings of the files it read; those of files that changed or went away stay and
 * name chunks that are dead. When segments become many they are joined, which drops the dead ones.
 */
import type Database from 'better-sqlite3';
import { indexLimits } from '../../base/limits.ts';
import { grown } from '../search/grown.ts';
import { forEachPosting, PostingWriter, readPostings, termNames } from './codec.ts';

/** Gathers postings in memory and writes them as one segment, or more when they become many. */
export class SegmentWriter {
  readonly #db: Database.Database;
  readonly #numbers = new Map<string, number>();
  /** How many postings each term has, by its number. */
  #lengths = new Uint32Array(1 << 14);
  /** Of each posting in the order of arrival: the number of its term, its chunk, its counts. */
  #terms = new Uint32Array(1 << 14);
  #chunks = new Uint32Array(1 << 14);
  #counts = new Uint16Array(1 << 14);
  #length = 0;
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
    const numbers = termNames(terms).map((term) => this.#numberOf(term));
    forEachPosting(terms, (position, chunk, counts) => {
      this.#add(numbers[position] ?? 0, firstChunk + chunk, counts);
    });
    if (this.#length >= indexLimits.segmentPostingsMax) this.flush();
  }

  flush(): void {
    if (this.#length === 0) return;
    const { starts, entries } = this.#byTerm();
    const insert = this.#db.prepare('INSERT INTO posting (term, segment, data) VALUES (?, ?, ?)');
    const list = new PostingWriter();
    // In the order of the table's key, so that its pages are filled one after the other.
    for (const [term, number] of [...this.#numbers].sort(byTerm)) {
      const end = starts[number + 1] ?? 0;
      for (let at = starts[number] ?? 0; at < end; at += 1) {
        const entry = entries[at] ?? 0;
        list.add(this.#chunks[entry] ?? 0, this.#counts[entry] ?? 0);
      }
      insert.run(term, this.#nextSegment, list.take());
    }
    this.#nextSegment += 1;
    this.#numbers.clear();
    this.#lengths.fill(0);
    this.#length = 0;
  }

  /** The entries sorted by term, those of one term in the order of their arrival: a counting sort. */
  #byTerm(): { readonly starts: Uint32Array; readonly entries: Uint32Array } {
    const starts = new Uint32Array(this.#numbers.size + 1);
    for (let number = 0; number < this.#numbers.size; number += 1) {
      starts[number + 1] = (starts[number] ?? 0) + (this.#lengths[number] ?? 0);
    }
    const next = starts.slice();
    const entries = new Uint32Array(this.#length);
    for (let entry = 0; entry < this.#length; entry += 1) {
      const number = this.#terms[entry] ?? 0;
      const at = next[number] ?? 0;
      next[number] = at + 1;
      entries[at] = entry;
    }
    return { starts, entries };
  }

  #numberOf(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(term, number);
    if (number === this.#lengths.length) this.#lengths = grown(this.#lengths, new Uint32Array(number * 2));
    return number;
  }

  #add(number: number, chunk: number, counts: number): void {
    const entry = this.#length;
    if (entry === this.#terms.length) {
      this.#terms = grown(this.#terms, new Uint32Array(entry * 2));
      this.#chunks = grown(this.#chunks, new Uint32Array(entry * 2));
      this.#counts = grown(this.#counts, new Uint16Array(entry * 2));
    }
    this.#terms[entry] = number;
    this.#chunks[entry] = chunk;
    this.#counts[entry] = counts;
    this.#lengths[number] = (this.#lengths[number] ?? 0) + 1;
    this.#length = entry + 1;
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
  const list = new PostingWriter();
  const finish = (): void => {
    if (term !== null && list.last > 0) keep.run(term, list.take());
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
function byTerm([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
