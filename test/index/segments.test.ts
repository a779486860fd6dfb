/** Postings that are gathered, written and joined, held against counting them one by one. */
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { readPostings, writeTerms } from '../../src/retrieval/index/codec.ts';
import { tables } from '../../src/retrieval/index/schema.ts';
import { joinSegments, SegmentWriter } from '../../src/retrieval/index/segments.ts';
import type { FileTerms } from '../../src/retrieval/search/source.ts';

const open: Database.Database[] = [];

afterEach(() => {
  for (const db of open.splice(0)) db.close();
});

interface Place {
  readonly term: string;
  readonly chunk: number;
  readonly counts: number;
}

/** Some terms for some of `chunks` chunks; a few are in every file, others in one. */
function placesOf(file: number, chunks: number): readonly Place[] {
  return Array.from({ length: chunks }, (_, chunk) => [
    { term: 'every', chunk, counts: 1 + ((file + chunk) % 40_000) },
    { term: `of ${file % 7}`, chunk, counts: 0xff },
    ...(chunk % 3 === file % 3 ? [{ term: `Ünique${file}`, chunk, counts: 0xf000 }] : []),
  ]).flat();
}

function termsOf(places: readonly Place[]): Uint8Array {
  const terms = [...new Set(places.map(({ term }) => term))];
  const lists = terms.map((term) => places.filter((place) => place.term === term));
  const starts = [0];
  for (const list of lists) starts.push((starts.at(-1) ?? 0) + list.length);
  const all = lists.flat();
  const given: FileTerms = {
    terms,
    starts: Uint32Array.from(starts),
    chunks: Uint32Array.from(all, ({ chunk }) => chunk),
    counts: Uint16Array.from(all, ({ counts }) => counts),
    places: {
      symbol: new Int32Array(0),
      startLine: new Uint32Array(0),
      endLine: new Uint32Array(0),
      nameLength: new Uint16Array(0),
      headLength: new Uint16Array(0),
      bodyLength: new Uint16Array(0),
    },
  };
  return writeTerms(given);
}

function stored(db: Database.Database): readonly string[] {
  const rows = db
    .prepare<[], { term: string; segment: number; data: Uint8Array }>('SELECT * FROM posting ORDER BY term, segment')
    .all();
  return rows.flatMap(({ term, data }) => {
    const { chunks, counts } = readPostings(data);
    return Array.from(chunks, (chunk, at) => `${term} ${chunk} ${counts[at]}`);
  });
}

test('IX14: segments hold every posting once, in order, however many there are and when they are flushed', () => {
  const db = new Database(':memory:');
  open.push(db);
  db.exec(tables);
  const writer = new SegmentWriter(db, 1);
  const expected = new Map<string, string[]>();
  let next = 1;
  for (let file = 0; file < 600; file += 1) {
    const chunks = 1 + ((file * 7) % 60);
    const places = placesOf(file, chunks);
    writer.addFile(termsOf(places), next);
    for (const { term, chunk, counts } of places) {
      const list = expected.get(term) ?? [];
      list.push(`${term} ${next + chunk} ${counts}`);
      expected.set(term, list);
    }
    db.prepare(
      `INSERT INTO file (path, directory, language, bytes, modified_ms, changed_ms, inode, read_ms, content_hash,
         interface_hash, parsed, lines, tokens, symbols, syntax_errors, first_chunk, chunk_count, generation)
       VALUES (?, '', 'text', 0, 0, 0, 0, 0, '', '', 0, 0, 0, 0, 0, ?, ?, 1)`,
    ).run(`${file}`, next, chunks);
    next += chunks;
    if (file % 250 === 249) writer.flush();
  }
  writer.flush();
  writer.flush();
  expect(writer.nextSegment).toBe(4);
  const ordered = [...expected].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, list]) => list);
  expect(stored(db)).toEqual(ordered);
  // Nothing is dead, so joining changes nothing but the number of segments.
  expect(joinSegments(db, next, 9)).toBe(next);
  expect(stored(db)).toEqual(ordered);
  expect(db.prepare('SELECT DISTINCT segment FROM posting').pluck().all()).toEqual([9]);
});
