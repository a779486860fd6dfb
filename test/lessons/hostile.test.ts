/** What a careless or hostile caller, or a machine on a bad day, does to a running daemon; nothing is lost and it goes on. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { tempRepository } from '../projects/temp-repository.ts';
import { liveDaemon, objects, refusal, send, text } from './live.ts';

vi.setConfig({ testTimeout: 240_000 });

const live = liveDaemon();

test('LS50 a file outside of the project is no file of a decision, however it is spelt', async () => {
  const project = await live.project('paths');
  const refused = [
    '../x',
    'a/../../x',
    '/etc/passwd',
    `${project.root}/../x`,
    `${project.root}-other/x`,
    '..\\x',
    'C:\\x',
    '',
    ' ',
    '.',
    'a/..',
    'a\u0000b',
    'a\nb',
    'x'.repeat(2_000),
    '\ud800',
  ];
  for (const file of refused) {
    for (const [method, below] of [
      ['POST', ''],
      ['PATCH', '/kept'],
    ] as const) {
      if (method === 'PATCH' && (await project.ask('GET', '/kept')).status === 404) await project.add({ id: 'kept' });
      const reply = await project.ask(method, below, { title: 'T', rationale: 'R', files_affected: ['ok.ts', file] });
      expect(refusal(reply), JSON.stringify(file)).toMatch(/^422 validation_error files_affected\.1:/);
    }
  }
  const accepted = [
    './a//b/../c.ts',
    `${project.root}/d.ts`,
    'e\\f.ts',
    '-rf',
    '$(touch x)',
    '%2e%2e/x',
    '...',
    "a'b",
    'ü/日本.ts',
    ':(glob)*',
  ];
  const id = await project.add({ files_affected: accepted });
  const stored = ['a/c.ts', 'd.ts', 'e/f.ts', '-rf', '$(touch x)', '%2e%2e/x', '...', "a'b", 'ü/日本.ts', ':(glob)*'];
  expect((await project.ask('GET', `/${id}`)).json['files_affected']).toEqual(stored);
  for (const file of stored) {
    const found = await project.all(`&file=${encodeURIComponent(file)}`);
    expect(
      found.map((each) => each['id']),
      file,
    ).toEqual([id]);
  }
  for (const folder of ['..', '/etc', 'a/../..', project.root.slice(0, project.root.lastIndexOf('/'))]) {
    expect(refusal(await project.ask('POST', '/import', { adr_folder: folder })), folder).toMatch(/^422/);
  }
});

test('LS51 an id in a path is decoded once and is only an id', async () => {
  const project = await live.project('ids');
  for (const id of [
    'a b',
    '../x',
    'a/b',
    'é',
    '.',
    '-a',
    'x'.repeat(129),
    'search',
    'batch',
    'export',
    '',
    'a%2Fb',
    'a\u0000',
  ]) {
    expect(refusal(await project.ask('POST', '', { id, title: 'T', rationale: 'R' })), id).toMatch(
      /^422 validation_error id:/,
    );
  }
  const old = ['a b', 'ü/ß', '%2e', '..', "'; DROP TABLE decisions; --", 'a?b#c', 'x'.repeat(500), 'search'];
  const at = '2026-01-01T00:00:00Z';
  const records = old.map((id) => ({ id, title: id, rationale: 'R', created_at: at, updated_at: at }));
  expect((await project.ask('POST', '/import', { export: records })).json).toMatchObject({ created: old.length });
  // Dots alone are taken out of a path by every client, and sibling routes own their words.
  for (const id of old.filter((each) => each !== '..' && each !== 'search')) {
    expect((await project.ask('GET', `/${encodeURIComponent(id)}`)).json['title'], id).toBe(id);
    expect((await project.ask('PATCH', `/${encodeURIComponent(id)}`, { confidence: 0.5 })).status, id).toBe(200);
    expect((await project.ask('GET', `/${encodeURIComponent(id)}/history`)).status, id).toBe(200);
  }
  for (const id of ['%00', '%ff', '%', '%2e%2e%2f%2e%2e', '%E0%A4%A', 'a%20%20b', `${'y'.repeat(9_000)}`]) {
    const reply = await project.ask('GET', `/${id}`);
    expect([400, 404, 414, 431], `${id} ${reply.status}`).toContain(reply.status);
  }
  expect(await project.all()).toHaveLength(old.length);
});

test('LS52 a batch has a bound, and one of a hundred wrong operations harms only itself', async () => {
  const project = await live.project('batches');
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ op: 'create', id: `m${n}`, title: 'T', rationale: 'R' }));
  for (const operations of [[], many(101), 'x', null, {}]) {
    expect(refusal(await project.ask('POST', '/batch', { operations }))).toMatch(/^422 validation_error operations:/);
  }
  expect(await project.all()).toEqual([]);
  const wrong = many(100).map((operation, n) => (n % 2 === 0 ? operation : { ...operation, rationale: 7 }));
  const results = objects((await project.ask('POST', '/batch', { operations: wrong })).json['results']);
  expect(results.filter(({ ok }) => ok === true)).toHaveLength(50);
  expect(await project.all()).toHaveLength(50);
  const deep = `{"operations": ${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
  expect(refusal(await project.ask('POST', '/batch', deep))).toBe('400 invalid_request');
});

test('LS53 of many changes that saw the same state one wins, and one key makes one record', async () => {
  const project = await live.project('races');
  const id = await project.add({ id: 'raced', title: 'Raced' });
  const etag = (await project.ask('GET', `/${id}`)).headers.get('etag') ?? '';
  const patches = Array.from({ length: 20 }, (_, n) =>
    project.ask('PATCH', `/${id}`, { title: `Version ${n}` }, { 'if-match': etag }),
  );
  const statuses = (await Promise.all(patches)).map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
  expect(objects((await project.ask('GET', `/${id}/history`)).json['items'])).toHaveLength(2);
  const same = { title: 'Once', rationale: 'R' };
  const posts = await Promise.all(
    Array.from({ length: 20 }, () => project.ask('POST', '', same, { 'idempotency-key': 'key-1' })),
  );
  expect(new Set(posts.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(posts.map(({ json }) => json['id'])).size).toBe(1);
  expect(posts.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
  const ids = await Promise.all(Array.from({ length: 10 }, () => project.ask('POST', '', { id: 'one', ...same })));
  expect(ids.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  const deletes = await Promise.all(Array.from({ length: 5 }, () => project.ask('DELETE', '/one')));
  expect(deletes.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
  expect(await project.all()).toHaveLength(2);
});

test('LS54 a project that is moved, deleted or replaced while the daemon runs is said to be gone, and nothing is made in its place', async () => {
  const project = await live.project('moving');
  const other = await live.project('moving-other');
  await project.add({ id: 'kept' });
  const away = `${project.root}-away`;
  renameSync(project.root, away);
  for (const [method, below, body] of [
    ['GET', '', undefined],
    ['POST', '', { title: 'T', rationale: 'R' }],
    ['GET', '/kept', undefined],
  ] as const) {
    expect(refusal(await project.ask(method, below, body))).toBe('404 project_not_found');
  }
  // Through a link the folder is another project, which is asked for by its own name.
  symlinkSync(other.root, project.root);
  const through = await project.ask('POST', '', { id: 'leaked', title: 'T', rationale: 'R' });
  expect(through.status, through.text).toBe(404);
  expect(await other.all()).toEqual([]);
  rmSync(project.root);
  writeFileSync(project.root, 'a file');
  expect(refusal(await project.ask('GET', ''))).toBe('404 project_not_found');
  rmSync(project.root);
  renameSync(away, project.root);
  expect((await project.all()).map(({ id }) => id)).toEqual(['kept']);
});

test('LS55 a store that is removed while the daemon runs is empty from then on, and a new one is begun whole', async () => {
  const project = await live.project('removed');
  await project.add({ id: 'before' });
  for (const end of ['', '-wal', '-shm']) rmSync(project.file + end, { force: true });
  expect(await project.all()).toEqual([]);
  await project.add({ id: 'after' });
  expect((await project.all()).map(({ id }) => id)).toEqual(['after']);
  rmSync(path.dirname(project.file), { recursive: true });
  expect(await project.find('t', { mode: 'keyword' })).toEqual([]);
  await project.add({ id: 'again' });
  expect(project.rows('SELECT id FROM decisions')).toEqual([{ id: 'again' }]);
  expect(project.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
});

test('LS56 a store that is not ours, of a later release, damaged or no file is refused and not touched', async () => {
  const make: Record<string, (file: string) => void> = {
    foreign: (file) => {
      const db = new Database(file);
      db.exec('CREATE TABLE recipes (id INTEGER PRIMARY KEY, title TEXT)');
      db.close();
    },
    newer: (file) => {
      const db = new Database(file);
      const sql =
        "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT); INSERT INTO meta VALUES ('decision_store_schema_version', '99')";
      db.exec(`${sql}; CREATE TABLE decisions (id TEXT PRIMARY KEY)`);
      db.close();
    },
    'foreign text': (file) => writeFileSync(file, 'These are my notes.\n'),
    'foreign folder': (file) => mkdirSync(file),
    damaged: (file) => writeFileSync(file, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(5_000, 7)])),
  };
  for (const [kind, write] of Object.entries(make)) {
    const project = await live.project(`store-${kind.replace(' ', '-')}`);
    mkdirSync(path.dirname(project.file));
    write(project.file);
    const bytes = () => (kind === 'foreign folder' ? '' : readFileSync(project.file).toString('base64'));
    const before = bytes();
    for (const [method, below, body] of [
      ['GET', '', undefined],
      ['POST', '', { title: 'T', rationale: 'R' }],
      ['POST', '/search', { query: 'x' }],
      ['GET', '/export', undefined],
      ['POST', '/scan', { wait: true }],
    ] as const) {
      const reply = await project.ask(method, below, body);
      if (below === '/scan') continue;
      expect(refusal(reply), `${kind} ${method} ${below}`).toMatch(/^503 unavailable (foreign|newer|damaged)/);
    }
    expect(bytes(), kind).toBe(before);
  }
  expect((await live.ask('GET', '/v1/status')).status).toBe(200);
});

/** Nothing is read-only for root. */
const isRoot = process.getuid?.() === 0;

test.skipIf(isRoot)('LS57 a folder that may not be written is a clear refusal, and reading goes on', async () => {
  const project = await live.project('read-only');
  const closed = await live.project('read-only-new');
  await project.add({ id: 'kept' });
  await live.restart();
  const folder = path.dirname(project.file);
  chmodSync(closed.root, 0o500);
  chmodSync(project.file, 0o400);
  chmodSync(folder, 0o500);
  try {
    expect(refusal(await closed.ask('POST', '', { title: 'T', rationale: 'R' }))).toBe('503 unavailable unreadable');
    expect(await closed.all()).toEqual([]);
    expect(refusal(await project.ask('POST', '', { title: 'T', rationale: 'R' }))).toBe('503 unavailable unreadable');
  } finally {
    chmodSync(folder, 0o700);
    chmodSync(project.file, 0o600);
    chmodSync(closed.root, 0o700);
  }
  expect((await project.all()).map(({ id }) => id)).toEqual(['kept']);
});

test('LS57 a place where no folder can be is a clear refusal, and the project goes on once it is free', async () => {
  const project = await live.project('in-the-way');
  writeFileSync(path.dirname(project.file), 'a file');
  expect(refusal(await project.ask('POST', '', { title: 'T', rationale: 'R' }))).toBe('503 unavailable unreadable');
  rmSync(path.dirname(project.file));
  await project.add({ id: 'kept' });
  expect((await project.all()).map(({ id }) => id)).toEqual(['kept']);
});

test('LS60 a link that a repository brings along leads to no other store', async () => {
  const owner = await live.project('link-owner');
  await owner.add({ id: 'private' });
  const places: Record<string, (root: string) => void> = {
    folder: (root) => symlinkSync(path.dirname(owner.file), path.join(root, '.neuralmind')),
    file: (root) => {
      mkdirSync(path.join(root, '.neuralmind'));
      symlinkSync(owner.file, path.join(root, '.neuralmind', 'memory.db'));
    },
    dangling: (root) => {
      mkdirSync(path.join(root, '.neuralmind'));
      symlinkSync(path.join(owner.root, 'made.db'), path.join(root, '.neuralmind', 'memory.db'));
    },
  };
  for (const [kind, plant] of Object.entries(places)) {
    const project = await live.project(`link-${kind}`);
    plant(project.root);
    for (const reply of [await project.ask('GET', ''), await project.ask('POST', '', { title: 'T', rationale: 'R' })]) {
      expect(refusal(reply), kind).toBe('503 unavailable foreign');
    }
  }
  expect((await owner.all()).map(({ id }) => id)).toEqual(['private']);
  expect(existsSync(path.join(owner.root, 'made.db'))).toBe(false);
});

test('LS58 reserved places are never a project, whatever leads to them, and each spelling of a folder is one project', async () => {
  const home = live.daemon.home;
  mkdirSync(path.join(home, '.ssh', 'keys'), { recursive: true });
  const links = { root: '/', etc: '/etc', ssh: path.join(home, '.ssh'), home, proc: '/proc/self' };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(home, `link-${name}`));
  const reserved = [
    '/',
    '//',
    '/etc',
    '/etc/',
    '/etc/../etc',
    '/proc',
    '/proc/self/cwd/../..',
    '/dev/shm',
    '/sys',
    home,
    `${home}/`,
    `${home}/.`,
    `${home}/x/..`,
    path.join(home, '.ssh'),
    path.join(home, '.ssh/keys'),
    ...Object.keys(links).map((name) => path.join(home, `link-${name}`)),
  ];
  for (const folder of reserved) {
    const reply = await live.ask('POST', '/v1/projects', { path: folder });
    expect(refusal(reply), folder).toMatch(/^422 validation_error path:/);
  }
  for (const folder of ['', 'relative', './x', '~', `${home}/nothing`, `${home}/\u0000`, 'x'.repeat(10_000), 7, null]) {
    expect(refusal(await live.ask('POST', '/v1/projects', { path: folder })), String(folder)).toMatch(
      /^422 validation_error path:/,
    );
  }
  const repository = tempRepository(live.daemon.folder('spelt'));
  const { id } = await live.at(repository.root);
  for (const spelling of [
    `${repository.root}/`,
    `${repository.root}/.`,
    `${repository.root}//`,
    `${repository.root}/.git/..`,
  ]) {
    const reply = await live.ask('POST', '/v1/projects', { path: spelling });
    expect([reply.status, reply.json['id']], spelling).toEqual([200, id]);
  }
  const upper = await live.ask('POST', '/v1/projects', { path: repository.root.replace('spelt', 'SPELT') });
  // Where names differ by case only there is no such folder; where they do not it is the same one.
  expect(upper.status === 422 || upper.json['id'] === id, upper.text).toBe(true);
  const listed = objects((await live.ask('GET', '/v1/projects')).json['items']).map(({ path: shown }) => text(shown));
  expect(listed.filter((shown) => reserved.includes(shown))).toEqual([]);
});

test('LS59 a wrong token, a strange host or half a request gets no further, and the daemon goes on', async () => {
  const project = await live.project('door');
  const target = `/v1/projects/${project.id}/memories`;
  for (const token of ['', 'wrong', live.token().slice(0, -1), `${live.token()} `.repeat(2)]) {
    expect(refusal(await send(live.url(), token, 'POST', target, { title: 'T', rationale: 'R' }))).toBe(
      '401 unauthorized',
    );
  }
  expect((await live.ask('POST', `${target}?token=${live.token()}`, { title: 'T', rationale: 'R' })).status).toBe(401);
  for (const body of [
    '{"title": "T"',
    '[]',
    'null',
    '"x"',
    '{"title": "T", "rationale": "R"} {}',
    '\ufeff{}',
    '{"title": NaN}',
  ]) {
    expect((await project.ask('POST', '', body)).status, body).toBeGreaterThanOrEqual(400);
  }
  expect(await project.all()).toEqual([]);
});
