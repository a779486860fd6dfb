/** What a reader that stays open sees while the index is built, replaced and damaged by others. */
import { copyFileSync, openSync, rmSync, symlinkSync, writeSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readBuildFacts, writeBuildFacts } from '../../src/retrieval/index/counters.ts';
import { IndexReader, type IndexView } from '../../src/retrieval/index/index-reader.ts';
import { joinRows } from '../../src/retrieval/search/vector-rows.ts';
import { IndexBox, newPool, type Pool } from './index-box.ts';

let pool: Pool;
const boxes: IndexBox[] = [];
const readers: IndexReader[] = [];

beforeAll(() => {
  pool = newPool();
});
afterAll(async () => {
  await pool.close();
});
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
  for (const box of boxes.splice(0)) box.dispose();
});

function boxOf(files: Readonly<Record<string, string | Uint8Array>>): IndexBox {
  const box = new IndexBox(pool, files);
  boxes.push(box);
  return box;
}

function readerOf(box: IndexBox): IndexReader {
  const reader = new IndexReader(box.indexFile);
  readers.push(reader);
  return reader;
}

/** All that a search can see of a term: path, place in the file and counts, by path. */
function occurrences({ search }: IndexView, term: string): readonly string[] {
  return search
    .postings(term)
    .flatMap(({ chunks, counts }) =>
      Array.from(chunks).flatMap((chunk, at) => {
        const file = search.files.get(search.chunkFile[chunk] ?? -1);
        if (file === undefined) return [];
        const line = search.places.startLine[chunk] ?? 0;
        return [
          `${file.path}[${chunk - file.firstChunk}] line ${line} ${search.symbolOf(chunk)?.qualifiedName ?? '-'} ${counts[at]}`,
        ];
      }),
    )
    .sort();
}

function ask<Value>(reader: IndexReader, question: (view: IndexView) => Value): Value {
  const asked = reader.ask(question);
  if (asked.kind !== 'answered') throw new Error(asked.kind);
  return asked.value;
}

/** Every whole row with the file and the place of its chunk. */
function vectorsOf({ search }: IndexView): readonly string[] {
  const vectors = search.vectors();
  if (vectors === null) return [];
  const { dimensions } = vectors;
  return [...vectors.files]
    .flatMap(([file, own]) => {
      const joined = joinRows(own, vectors.restsOf(file), dimensions);
      if (joined === null) throw new Error(`rows of file ${file} are not whole`);
      return Array.from(joined.chunks, (chunk, at) => {
        const row = joined.rows.subarray(at * dimensions, (at + 1) * dimensions);
        return `${search.files.get(file)?.path}[${chunk}] ${own.scales[at]} ${Buffer.from(row).toString('hex')}`;
      });
    })
    .sort();
}

test('IX7: an open reader sees what another build wrote: new symbols are found, removed ones are gone everywhere', async () => {
  const box = boxOf({ 'a.py': 'def oldname():\n    pass\n', 'b.py': 'from a import oldname\noldname()\n' });
  await box.build();
  const reader = readerOf(box);
  expect(ask(reader, (view) => occurrences(view, 'oldnam'))).not.toEqual([]);
  box.write('a.py', 'def newname():\n    pass\n');
  box.remove('b.py');
  await box.build();
  expect(ask(reader, (view) => occurrences(view, 'oldnam'))).toEqual([]);
  expect(ask(reader, (view) => view.graph.named('oldname'))).toEqual([]);
  expect(ask(reader, (view) => view.search.symbolsNamed('oldname'))).toEqual([]);
  expect(ask(reader, (view) => view.search.knownNames(['OldName', 'other', 'NewName']))).toEqual(['NewName']);
  expect(ask(reader, (view) => view.graph.named('newname').map((node) => node.id))).toEqual(['symbol:a.py#newname']);
  expect(ask(reader, (view) => occurrences(view, 'newnam'))).toEqual(['a.py[1] line 1 newname 4353']);
  expect(ask(reader, (view) => vectorsOf(view).length)).toBe(2);
});

test('IX8: a reader follows chunks that were all numbered anew to where others were', async () => {
  const names = ['a.py', 'b.py', 'c.py', 'd.py'];
  const box = boxOf(Object.fromEntries(names.map((name, at) => [name, 'def f():\n    pass\n\n\n'.repeat(at + 1)])));
  await box.build();
  const follower = readerOf(box);
  const chunks = ({ search }: IndexView) => [...search.chunkFile].map((id) => search.files.get(id)?.path ?? '');
  const before = ask(follower, chunks);
  const db = new Database(box.indexFile);
  const rows = db
    .prepare<[], { id: number; first: number; count: number }>(
      'SELECT id, first_chunk AS first, chunk_count AS count FROM file ORDER BY first_chunk DESC',
    )
    .all();
  let next = Math.min(...rows.map(({ first }) => first));
  const facts = readBuildFacts(db);
  for (const { id, count } of rows) {
    db.prepare('UPDATE file SET first_chunk = ?, generation = ? WHERE id = ?').run(next, facts.generation + 1, id);
    next += count;
  }
  writeBuildFacts(db, { ...facts, generation: facts.generation + 1 });
  db.close();
  expect(next).toBe(facts.nextChunk);
  const now = ask(readerOf(box), chunks);
  expect(now).not.toEqual(before);
  expect(ask(follower, chunks)).toEqual(now);
});

test('IX8: a reader that followed many small builds sees what one opened now sees', async () => {
  const box = boxOf({ 'keep.py': 'def keep():\n    """Keeps the shared word."""\n' });
  await box.build();
  const follower = readerOf(box);
  // More builds than there may be segments, so that joining happens on the way.
  for (let round = 0; round < 30; round += 1) {
    box.write(`m${round % 7}.py`, `def f${round}():\n    """Shared word ${round}."""\n    return keep()\n`);
    if (round % 5 === 4) box.remove(`m${round % 7}.py`);
    await box.build();
    ask(follower, vectorsOf);
  }
  const fresh = readerOf(box);
  for (const term of ['share', 'word', 'keep', 'py']) {
    const seen = ask(follower, (view) => occurrences(view, term));
    expect(seen).toEqual(ask(fresh, (view) => occurrences(view, term)));
    expect(seen).not.toEqual([]);
  }
  expect(ask(follower, vectorsOf)).toEqual(ask(fresh, vectorsOf));
  expect(ask(follower, ({ search }) => search.liveChunks)).toBe(ask(fresh, ({ search }) => search.liveChunks));
  const segments = new Database(box.indexFile, { readonly: true });
  expect(segments.prepare('SELECT COUNT(DISTINCT segment) FROM posting').pluck().get()).toBeLessThanOrEqual(12);
  segments.close();
  expect(box.content()).toEqual(await box.freshContent());
});

test('IX9: a reader follows an index that was removed and made anew, and says when there is none', async () => {
  const box = boxOf({ 'a.py': 'def first():\n    pass\n' });
  const reader = readerOf(box);
  expect(reader.ask(() => 0)).toEqual({ kind: 'missing' });
  await box.build();
  expect(ask(reader, (view) => view.graph.named('first').length)).toBe(1);
  for (const ending of ['', '-wal', '-shm']) rmSync(`${box.indexFile}${ending}`, { force: true });
  expect(reader.ask(() => 0)).toEqual({ kind: 'missing' });
  box.write('a.py', 'def second():\n    pass\n');
  await box.build();
  expect(ask(reader, (view) => [view.graph.named('first').length, view.graph.named('second').length])).toEqual([0, 1]);
});

test('IX10: a database of another program, another version, a link and garbage are told apart and not touched', async () => {
  const box = boxOf({ 'a.py': 'x = 1\n' });
  await box.build();
  const copy = path.join(box.root, 'copy.db');
  copyFileSync(box.indexFile, copy);
  const stateAfter = (change: (file: string) => void): string => {
    const file = path.join(box.root, `case-${Math.random()}.db`);
    copyFileSync(copy, file);
    change(file);
    const reader = new IndexReader(file);
    readers.push(reader);
    return reader.ask(() => 0).kind;
  };
  const pragma = (text: string) => (file: string) => {
    const db = new Database(file);
    db.pragma(text);
    db.close();
  };
  expect(stateAfter(() => {})).toBe('answered');
  expect(stateAfter(pragma('application_id = 7'))).toBe('foreign');
  expect(stateAfter(pragma('user_version = 999'))).toBe('other-version');
  expect(
    stateAfter((file) => {
      const descriptor = openSync(file, 'w');
      writeSync(
        descriptor,
        'this is no database, it is a text of some length that goes on and on and on and on and on',
      );
    }),
  ).toBe('foreign');
  const link = path.join(box.root, 'link.db');
  symlinkSync(copy, link);
  const linked = new IndexReader(link);
  readers.push(linked);
  expect(linked.ask(() => 0).kind).toBe('link');
});

test('IX11: a question sees one state even while a build commits', async () => {
  const box = boxOf({ 'a.py': 'def alphabeta():\n    pass\n' });
  await box.build();
  const reader = readerOf(box);
  box.write('a.py', 'def gammadelta():\n    pass\n');
  const building = box.build();
  // Every answer names exactly one of the two states, whichever it is.
  for (let at = 0; at < 200; at += 1) {
    const seen = ask(reader, (view) => [
      view.graph.named('alphabeta').length,
      view.graph.named('gammadelta').length,
      occurrences(view, 'alphabeta').length > 0,
      occurrences(view, 'gammadelta').length > 0,
    ]);
    expect([JSON.stringify([1, 0, true, false]), JSON.stringify([0, 1, false, true])]).toContain(JSON.stringify(seen));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await building;
  expect(ask(reader, (view) => view.graph.named('gammadelta').length)).toBe(1);
});
