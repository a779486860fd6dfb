/** The file of the store: old formats, foreign files, other processes, and what happens when the file changes. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { decisionsAt } from '../../src/memory/decisions/as-of.ts';
import { instantOf, parseInstant } from '../../src/memory/decisions/instant.ts';
import { currentVersion, migrate } from '../../src/memory/decisions/schema/migrations.ts';
import { createIn, must, refusal, type TempProject, tempFolder, tempProject } from './temp-project.ts';

const fixtures = path.join(import.meta.dirname, '../fixtures/decisions');

function version1(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.exec(readFileSync(path.join(fixtures, 'version-1.sql'), 'utf8'));
  db.close();
}

function projectAt(prepare: (file: string) => void): TempProject {
  const file = path.join(tempFolder(), '.neuralmind', 'memory.db');
  mkdirSync(path.dirname(file), { recursive: true });
  prepare(file);
  return tempProject({ file });
}

test('DC80 a store of format 1 opens, and every field of every row is there', async () => {
  const project = projectAt(version1);
  expect(await project.listed({ status: 'ALL' })).toEqual([
    'Values nobody defined',
    'Odd but stored',
    '重跑失败的任务',
    'Pin the model library',
    'Use a write-ahead log',
  ]);
  expect(must(await project.decisions.get('6f0d6c6e-3c0a-4b07-9f0e-0d7a5b1c2d3e'))).toEqual({
    id: '6f0d6c6e-3c0a-4b07-9f0e-0d7a5b1c2d3e',
    title: 'Use a write-ahead log',
    rationale: 'Hooks and the watcher write at the same moment.',
    commit_sha: '39617aa0000000000000000000000000000000aa',
    files_affected: ['src/store.py', 'src/watch.py'],
    decision_type: 'ARCHITECTURE',
    confidence: 1,
    status: 'ACTIVE',
    author: null,
    evidence: ['Measured twice.'],
    rejected_alternatives: ['One lock'],
    dependency_constraints: [],
    tags: ['storage'],
    created_at: '2026-03-01T10:00:00.123456Z',
    updated_at: '2026-03-01T10:00:00.123456Z',
    agent: null,
    session_id: null,
    review_by: null,
    supersedes: null,
    superseded_by: null,
  });
  expect(must(await project.decisions.get('third'))).toMatchObject({
    status: 'INVALIDATED',
    created_at: '2026-03-03T10:00:00.000000Z',
    updated_at: '2026-05-03T10:00:00.000001Z',
    tags: ['ops', '日本'],
  });
  expect(must(await project.decisions.fingerprints('6f0d6c6e-3c0a-4b07-9f0e-0d7a5b1c2d3e')).size).toBe(1);
  expect(project.rows('SELECT decision_id, model_id, dim FROM decision_vectors')).toEqual([
    { decision_id: 'second', model_id: 'all-MiniLM-L6-v2', dim: 2 },
  ]);
  expect(project.rows("SELECT value FROM meta WHERE key = 'decision_store_schema_version'")).toEqual([{ value: '2' }]);
  expect(project.rows("SELECT name FROM sqlite_schema WHERE sql LIKE '%decisions_fts%'")).toEqual([]);
});

test('DC81 values that no record can hold are brought into shape, with the original in the first event', async () => {
  const project = projectAt(version1);
  expect(must(await project.decisions.get('an id / with spaces?'))).toMatchObject({
    evidence: ['not a list'],
    rejected_alternatives: ['1', '{"a":2}', 'text'],
    dependency_constraints: [],
    tags: [],
    files_affected: [],
  });
  const broken = must(await project.decisions.get('broken'));
  expect(broken).toMatchObject({ decision_type: 'ARCHITECTURE', status: 'ACTIVE', confidence: 1 });
  expect(broken.created_at).toBe('2026-03-06T10:00:00.000000Z');
  const note = must(await project.decisions.history('broken')).items[0]?.note ?? '';
  for (const original of ['"EPIC"', '"DONE"', '1.5', '"some day"']) expect(note).toContain(original);
});

test('DC82 rows of format 1 are searchable, have events that replay to them, and can be asked about in the past', async () => {
  const project = projectAt(version1);
  const search = async (query: string) => await project.titles(query, { status: 'ALL' });
  expect(await search('watcher')).toEqual(['Use a write-ahead log']);
  expect(await search('重跑')).toEqual(['重跑失败的任务']);
  expect(await search('pyproject.toml')).toEqual(['Pin the model library']);
  const kinds = async (id: string) => must(await project.decisions.history(id)).items.map(({ kind, at }) => [kind, at]);
  expect(await kinds('third')).toEqual([
    ['created', '2026-03-03T10:00:00.000000Z'],
    ['invalidated', '2026-05-03T10:00:00.000001Z'],
  ]);
  expect((await kinds('second')).map(([kind]) => kind)).toEqual(['created', 'stale']);
  expect(await project.listed({ as_of: '2026-03-02' })).toEqual(['Pin the model library', 'Use a write-ahead log']);
  expect(must(await project.decisions.get('third', { as_of: '2026-04-01' })).status).toBe('ACTIVE');
  const db = new Database(project.file, { readonly: true });
  const replayed = await decisionsAt(db, instantOf(project.clock.now()));
  db.close();
  for (const decision of replayed) expect(must(await project.decisions.get(decision.id))).toEqual(decision);
  expect(replayed).toHaveLength(5);
});

test('DC83 a migrated store can be written, exported and imported like a new one', async () => {
  const project = projectAt(version1);
  await project.amend('an id / with spaces?', { title: 'Renamed' });
  must(await project.decisions.remove('third'));
  const exported = must(await project.decisions.export({ events: true })).content;
  const copy = tempProject();
  must(await copy.decisions.import(exported, { dryRun: false, onConflict: 'refuse' }));
  expect(must(await copy.decisions.export({ events: true })).content).toEqual(exported);
});

test('DC84 a migration that fails in the middle leaves the old file as it was', () => {
  const file = path.join(tempFolder(), 'memory.db');
  version1(file);
  const db = new Database(file);
  const before = db.prepare('SELECT * FROM decisions').all();
  // A name that the migration needs is taken.
  db.exec('CREATE TABLE decision_requests (x)');
  const now = parseInstant('2026-10-02T12:00:00Z');
  expect(() => db.transaction(() => migrate(db, 1, now ?? instantOf(new Date())))()).toThrow('already exists');
  expect(db.prepare('SELECT * FROM decisions').all()).toEqual(before);
  expect(db.prepare("SELECT value FROM meta WHERE key = 'decision_store_schema_version'").get()).toEqual({
    value: '1',
  });
  expect(db.prepare('SELECT count(*) AS n FROM decisions_fts').get()).toEqual({ n: 5 });
  db.close();
});

test('DC85 a store of format 2 opens with records, links, events, search and kept answers', async () => {
  expect(currentVersion).toBe(2);
  const project = projectAt((file) => copyFileSync(path.join(fixtures, 'version-2.db'), file));
  expect(must(await project.decisions.get('wal'))).toMatchObject({
    status: 'INVALIDATED',
    superseded_by: 'new',
    agent: 'agent-1',
    session_id: 's-1',
    review_by: '2027-01-01',
    tags: ['storage', '日本'],
  });
  expect(await project.titles('atomicWriteJson')).toEqual(['Use atomic_write_json everywhere']);
  expect(await project.titles('失败')).toEqual(['Use atomic_write_json everywhere']);
  const history = must(await project.decisions.history('gone'));
  expect([history.deleted, ...history.items.map(({ kind }) => kind)]).toEqual([true, 'created', 'deleted']);
  expect(must(await project.decisions.history('new')).items.map(({ kind }) => kind)).toEqual([
    'created',
    'feedback',
    'amended',
  ]);
  expect(project.rows('SELECT principal, key FROM decision_requests')).toEqual([{ principal: 'ada', key: 'k1' }]);
});

test('DC86 a foreign file, a damaged one and one of a later format are refused and not changed by a byte', async () => {
  const cases: readonly (readonly [string, (file: string) => void])[] = [
    ['foreign', (file) => writeFileSync(file, 'just some text, longer than a header')],
    ['foreign', (file) => mkdirSync(file)],
    ['foreign', (file) => new Database(file).exec('CREATE TABLE decisions (id); CREATE TABLE other (x)').close()],
    [
      'foreign',
      (file) => new Database(file).exec('CREATE TABLE meta (key, value); CREATE TABLE decisions (id)').close(),
    ],
    [
      'newer',
      (file) => {
        version1(file);
        new Database(file).exec("UPDATE meta SET value = '3'").close();
      },
    ],
    ['foreign', (file) => writeFileSync(file, `SQLite format 3\0${'x'.repeat(5_000)}`)],
  ];
  for (const [reason, prepare] of cases) {
    const project = projectAt(prepare);
    const bytes = () => {
      try {
        return readFileSync(project.file, 'base64');
      } catch {
        return 'a folder';
      }
    };
    const before = bytes();
    expect(refusal(await project.decisions.list({}))).toMatchObject({ code: 'unavailable', reason });
    const write = await project.decisions.create({ title: 't', rationale: 'r' });
    expect(refusal(write)).toMatchObject({ code: 'unavailable', reason });
    expect(bytes()).toBe(before);
  }
});

test('DC87 damage inside the file is unavailable, not an empty answer', async () => {
  const project = tempProject();
  for (let n = 0; n < 50; n += 1) await project.create({ title: `t${n}`, rationale: 'x'.repeat(2_000) });
  await project.decisions.close();
  const bytes = readFileSync(project.file);
  bytes.fill(0x5a, 4_096 * 3);
  writeFileSync(project.file, bytes);
  expect(refusal(await project.open().list({ limit: 200 }))).toMatchObject({ code: 'unavailable', reason: 'damaged' });
});

test('DC88 what a tool without events added, changed or deleted is adopted at the next open, with its history', async () => {
  const project = tempProject();
  for (const id of ['kept', 'changed', 'deleted']) await project.create({ id, title: id });
  await project.decisions.close();
  const db = new Database(project.file);
  db.exec(`INSERT INTO decisions (id, title, rationale, commit_sha, created_at, updated_at)
    VALUES ('x', 'theirs', 'walrus', '', '2026-10-01T00:00:00+00:00', '2026-10-01T00:00:00+00:00');
    UPDATE decisions SET title = 'penguin', updated_at = '2026-10-03T00:00:00+00:00' WHERE id = 'changed';
    DELETE FROM decisions WHERE id = 'deleted'`);
  db.close();
  project.clock.set('2026-10-04T00:00:00Z');
  const again = project.open();
  expect(
    must(await again.search({ query: 'walrus penguin changed' }))
      .results.map(({ id }) => id)
      .sort(),
  ).toEqual(['changed', 'x']);
  const kinds = async (id: string) => must(await again.history(id)).items.map(({ kind }) => kind);
  expect(await kinds('x')).toEqual(['created']);
  expect(await kinds('changed')).toEqual(['created', 'amended']);
  expect(await kinds('deleted')).toEqual(['created', 'deleted']);
  expect(await kinds('kept')).toEqual(['created']);
  const now = must(await again.list({ status: 'ALL' }));
  project.clock.forward(1_000);
  expect(must(await again.list({ status: 'ALL', as_of: project.clock.now().toISOString() })).items).toEqual(now.items);
  await again.close();
  const events = project.rows('SELECT count(*) AS n FROM decision_events');
  must(await project.open().list({}));
  expect(project.rows('SELECT count(*) AS n FROM decision_events')).toEqual(events);
});

test('DC89 reads go on while another process holds the write lock, and the write waits its turn', async () => {
  const project = tempProject();
  await project.create({ title: 'first' });
  const other = new Database(project.file);
  other.exec('BEGIN IMMEDIATE');
  const write = createIn(project.decisions, { title: 'second' });
  const started = performance.now();
  for (let n = 0; n < 20; n += 1) {
    expect(await project.listed()).toEqual(['first']);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(performance.now() - started).toBeLessThan(2_000);
  other.exec('COMMIT');
  other.close();
  await write;
  expect(await project.listed()).toEqual(['second', 'first']);
});

test('DC90 fifty writers over five connections lose nothing', async () => {
  const project = tempProject();
  const doors = [project.decisions, project.open(), project.open(), project.open(), project.open()];
  await Promise.all(
    Array.from({ length: 50 }, (_, n) => doors[n % 5] ?? project.decisions).map((door, n) =>
      createIn(door, { title: `t${n}` }),
    ),
  );
  expect(await project.listed()).toHaveLength(50);
  expect(project.rows('SELECT count(*) AS n FROM decision_events')).toEqual([{ n: 50 }]);
  expect(project.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
});

test('DC91 one write that fails does not undo those that share its commit', async () => {
  const project = tempProject();
  const results = await Promise.all([
    project.decisions.create({ id: 'a', title: 't', rationale: 'r' }),
    project.decisions.create({ id: 'a', title: 'twice', rationale: 'r' }),
    project.decisions.invalidate('nobody', {}),
    project.decisions.create({ id: 'b', title: 't', rationale: 'r' }),
  ]);
  expect(results.map((result) => result.ok)).toEqual([true, false, false, true]);
  expect(project.rows('SELECT decision_id, kind FROM decision_events')).toEqual([
    { decision_id: 'a', kind: 'created' },
    { decision_id: 'b', kind: 'created' },
  ]);
});

test('DC92 a file that is replaced or removed is noticed at the next call', async () => {
  const project = tempProject();
  const other = tempProject();
  await project.create({ title: 'here' });
  await other.create({ title: 'there' });
  await other.decisions.close();
  copyFileSync(other.file, `${project.file}.new`);
  for (const end of ['-wal', '-shm']) rmSync(`${project.file}${end}`, { force: true });
  renameSync(`${project.file}.new`, project.file);
  expect(await project.listed()).toEqual(['there']);
  await project.create({ title: 'more' });
  expect(await project.listed()).toEqual(['more', 'there']);
  rmSync(path.dirname(project.file), { recursive: true });
  expect(await project.listed()).toEqual([]);
});

test('DC93 the search table can be lost: it is made again from the decisions', async () => {
  const project = tempProject();
  await project.create({ title: 'walrus' });
  await project.create({ title: 'penguin' });
  const before = await project.search('walrus penguin');
  await project.decisions.close();
  const db = new Database(project.file);
  db.exec("DELETE FROM decision_search_rows; INSERT INTO decision_search (decision_search) VALUES ('delete-all')");
  db.close();
  const after = must(await project.open().search({ query: 'walrus penguin' }));
  expect(after.results).toEqual(before.results);
});

test('DC94 after closing every call is unavailable, and closing twice is fine', async () => {
  const project = tempProject();
  const write = project.create({ title: 'accepted before' });
  await project.decisions.close();
  await project.decisions.close();
  expect((await write).title).toBe('accepted before');
  expect(refusal(await project.decisions.list({}))).toMatchObject({ code: 'unavailable', reason: 'closed' });
  expect(refusal(await project.decisions.create({ title: 't', rationale: 'r' }))).toMatchObject({ reason: 'closed' });
});

test.runIf(existsSync('/proc/self/fd'))(
  'DC95 a store that is opened and closed fifty times leaves no open file',
  async () => {
    const project = tempProject();
    const { id } = await project.create({ title: 't' });
    await project.decisions.close();
    const before = readdirSync('/proc/self/fd').length;
    for (let n = 0; n < 50; n += 1) {
      const decisions = project.open();
      must(await decisions.list({}));
      must(await decisions.feedback(id, { signal: 'helpful' }));
      await decisions.close();
    }
    expect(readdirSync('/proc/self/fd').length).toBe(before);
  },
);
