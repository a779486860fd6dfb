/** Writing decisions: what is accepted, what is refused, and the event that every write leaves. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Decision } from '../../src/memory/decisions/decision.ts';
import type { Result } from '../../src/memory/decisions/outcome.ts';
import { parseAmend, parseBatch, parseCreate, parseSupersede } from '../../src/memory/decisions/parse-write.ts';
import { createIn, must, problems, refusal, type TempProject, tempProject } from './temp-project.ts';

const full = {
  id: 'wal-1',
  title: 'Use a write-ahead log',
  rationale: 'Hooks and the watcher write at the same moment.',
  commit_sha: 'a'.repeat(40),
  files_affected: ['src/store.ts'],
  decision_type: 'BUGFIX',
  confidence: 0.75,
  author: 'ada',
  evidence: ['Measured.'],
  rejected_alternatives: ['One big lock'],
  dependency_constraints: ['other'],
  tags: ['storage', 'constructor', '__proto__', 'toString'],
  agent: 'agent-1',
  session_id: 's-1',
  review_by: '2026-10-02',
};

async function kinds(project: TempProject, id: string): Promise<readonly string[]> {
  return must(await project.decisions.history(id)).items.map((event) => event.kind);
}

test('DC1 every field comes back as it was given, after a reopening too', async () => {
  const project = tempProject();
  const created = await project.create(full);
  const expected: Decision = {
    ...created,
    ...full,
    decision_type: 'BUGFIX',
    status: 'ACTIVE',
    supersedes: null,
    superseded_by: null,
  };
  expect(created).toEqual(expected);
  expect(created.created_at).toBe('2026-10-02T12:00:00.000000Z');
  expect(must(await project.open().get('wal-1'))).toEqual(created);
});

test('DC2 defaults: a random id, HEAD as the commit, ARCHITECTURE, confidence 1, ACTIVE', async () => {
  const head = 'b'.repeat(40);
  const project = tempProject({ git: { headCommit: async () => head, allCommits: async () => new Set([head]) } });
  const created = await project.create({ title: 'T' });
  expect(created.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(created).toMatchObject({ commit_sha: head, decision_type: 'ARCHITECTURE', confidence: 1, status: 'ACTIVE' });
  expect((await tempProject().create({ title: 'T' })).commit_sha).toBe('');
});

test('DC3 wrong fields are all named, each with its place and kind', () => {
  const raw = {
    title: '  ',
    files_affected: ['a', 7],
    decision_type: 'architecture',
    confidence: 1.2,
    review_by: '2026-02-30',
    tags: 'x',
    id: 'no spaces',
    status: 'GONE',
    author: 'a\ud800',
  };
  expect(problems(parseCreate(raw))).toEqual([
    ['id', 'string_pattern_mismatch'],
    ['title', 'string_too_short'],
    ['rationale', 'missing'],
    ['status', 'enum'],
    ['files_affected.1', 'string_type'],
    ['decision_type', 'enum'],
    ['confidence', 'less_than_equal'],
    ['author', 'string_unicode'],
    ['tags', 'array_type'],
    ['review_by', 'date_type'],
  ]);
  expect(problems(parseCreate([]))).toEqual([['', 'object_type']]);
  expect(problems(parseCreate(null))).toEqual([['', 'object_type']]);
  expect(problems(parseCreate({ title: 'x'.repeat(501), rationale: 'r' }))).toEqual([['title', 'string_too_long']]);
  expect(parseCreate({ title: '𝒳'.repeat(500), rationale: 'r', unknown: 1, __proto__: null }).ok).toBe(true);
});

test('DC4 ids of callers follow the pattern, words of routes are reserved, an id that exists is a conflict', async () => {
  for (const id of ['search', 'batch', 'export', 'import']) {
    expect(problems(parseCreate({ id, title: 't', rationale: 'r' }))).toEqual([['id', 'reserved']]);
  }
  for (const id of ['', '-a', 'a/b', 'a b', 'é', 'x'.repeat(129)]) {
    expect(problems(parseCreate({ id, title: 't', rationale: 'r' }))[0]?.[0]).toBe('id');
  }
  const project = tempProject();
  await project.create({ id: 'a:b.c_d-1', title: 'first' });
  const again = await project.decisions.create({ id: 'a:b.c_d-1', title: 'second', rationale: 'r' });
  expect(refusal(again)).toMatchObject({ code: 'conflict', ids: ['a:b.c_d-1'] });
  expect(must(await project.decisions.get('a:b.c_d-1')).title).toBe('first');
  expect(await kinds(project, 'a:b.c_d-1')).toEqual(['created']);
});

test('DC5 files become project-relative with slashes, each once; outside the project is refused', async () => {
  const project = tempProject();
  const files = [path.join(project.root, 'src/a.ts'), 'src\\a.ts', './src//b/../a.ts', 'docs/'];
  expect((await project.create({ title: 't', files_affected: files })).files_affected).toEqual(['src/a.ts', 'docs']);
  const outside = [
    '../x',
    '/etc/passwd',
    `${project.root}-other/x`,
    `${project.root}/../x`,
    'a/../../x',
    '.',
    project.root,
  ];
  const request = must(parseCreate({ title: 't', rationale: 'r', files_affected: outside }));
  expect(problems(await project.decisions.create(request))).toEqual(
    outside.map((_, index) => [`files_affected.${index}`, 'path_outside_project']),
  );
});

test('DC6 a review day before today (UTC) is refused, today is not', async () => {
  const project = tempProject();
  const past = must(parseCreate({ title: 't', rationale: 'r', review_by: '2026-10-01' }));
  expect(problems(await project.decisions.create(past))).toEqual([['review_by', 'date_past']]);
  expect((await project.create({ title: 't', review_by: '2026-10-02' })).review_by).toBe('2026-10-02');
});

test('DC7 amending changes what is named, appends where asked, and leaves one event with the difference', async () => {
  const project = tempProject();
  const before = await project.create(full);
  project.clock.forward(1000);
  const after = await project.amend('wal-1', {
    title: 'New title',
    rationale: 'New reason',
    evidence_append: ['More.'],
    rejected_append: ['Threads'],
    author: null,
    review_by: null,
  });
  expect(after).toEqual({
    ...before,
    title: 'New title',
    rationale: 'New reason',
    evidence: ['Measured.', 'More.'],
    rejected_alternatives: ['One big lock', 'Threads'],
    author: null,
    review_by: null,
    updated_at: '2026-10-02T12:00:01.000000Z',
  });
  const events = must(await project.decisions.history('wal-1')).items;
  expect(events.map((event) => event.kind)).toEqual(['created', 'amended']);
  expect(events[1]).toMatchObject({
    actor: 'ada',
    at: '2026-10-02T12:00:01.000000Z',
    changes: {
      title: ['Use a write-ahead log', 'New title'],
      rationale: ['Hooks and the watcher write at the same moment.', 'New reason'],
      evidence: [['Measured.'], ['Measured.', 'More.']],
      rejected_alternatives: [['One big lock'], ['One big lock', 'Threads']],
      author: ['ada', null],
      review_by: ['2026-10-02', null],
      updated_at: ['2026-10-02T12:00:00.000000Z', '2026-10-02T12:00:01.000000Z'],
    },
  });
  expect(Object.keys(events[1]?.changes ?? {})).toHaveLength(7);
});

test('DC8 an empty patch and a status in a patch are refused; a patch without effect writes nothing', async () => {
  expect(problems(parseAmend({}))).toEqual([['', 'empty_patch']]);
  expect(problems(parseAmend({ nonsense: 1, id: 'x' }))).toEqual([['', 'empty_patch']]);
  expect(problems(parseAmend({ status: 'ACTIVE' }))[0]?.[0]).toBe('status');
  const project = tempProject();
  const before = await project.create(full);
  project.clock.forward(1000);
  expect(await project.amend('wal-1', { title: full.title })).toEqual(before);
  expect(await kinds(project, 'wal-1')).toEqual(['created']);
});

test('DC9 a patch with If-Match is made only to the state that was seen; two states never share a time', async () => {
  const project = tempProject();
  const first = await project.create(full);
  const second = await project.amend('wal-1', { title: 'second' });
  expect(second.updated_at).toBe('2026-10-02T12:00:00.000001Z');
  const patch = must(parseAmend({ title: 'third' }));
  const stale = await project.decisions.amend('wal-1', patch, { actor: null }, first.updated_at);
  expect(refusal(stale)).toMatchObject({ code: 'precondition_failed', updatedAt: second.updated_at });
  const seen = await project.decisions.amend('wal-1', patch, { actor: null }, `"${second.updated_at}"`);
  expect(must(seen).title).toBe('third');
});

test('DC10 invalidate, restore, stale, active, feedback and delete each leave their event with the actor', async () => {
  const project = tempProject();
  await project.create(full);
  const { decisions } = project;
  const by = { actor: 'token-user' };
  expect(must(await decisions.invalidate('wal-1', { reason: 'Wrong.' }, by)).evidence.at(-1)).toBe(
    'Invalidated: Wrong.',
  );
  const restored = must(await decisions.restore('wal-1', { commit_sha: 'c0ffee1' }, by));
  expect(restored).toMatchObject({ status: 'ACTIVE', commit_sha: 'c0ffee1' });
  expect(restored.evidence.at(-1)).toBe('Restored at commit c0ffee1');
  expect(
    must(
      await decisions.markStale([
        { id: 'wal-1', reason: 'Files.' },
        { id: 'none', reason: '' },
      ]),
    ),
  ).toHaveLength(1);
  expect(must(await decisions.markStale([{ id: 'wal-1', reason: 'Again.' }]))).toEqual([]);
  expect(must(await decisions.markActive('wal-1', 'Undone.')).status).toBe('ACTIVE');
  must(await decisions.feedback('wal-1', { signal: 'unhelpful', note: 'Too old.' }, by));
  must(await decisions.invalidate('wal-1', {}, by));
  must(await decisions.remove('wal-1', by));
  const events = must(await decisions.history('wal-1'));
  expect(events.deleted).toBe(true);
  expect(events.items.map((event) => [event.kind, event.actor, event.note])).toEqual([
    ['created', 'ada', null],
    ['invalidated', 'token-user', 'Wrong.'],
    ['restored', 'token-user', null],
    ['stale', 'system', 'Files.'],
    ['active', 'system', 'Undone.'],
    ['feedback', 'token-user', 'unhelpful: Too old.'],
    ['invalidated', 'token-user', null],
    ['deleted', 'token-user', null],
  ]);
});

test('DC11 an unknown id is not found, whatever the verb, and nothing is written', async () => {
  const project = tempProject();
  await project.create({ id: 'here', title: 't' });
  const { decisions } = project;
  const results: readonly Result<unknown>[] = await Promise.all([
    decisions.get('gone'),
    decisions.amend('gone', { title: 'x' }),
    decisions.invalidate('gone', {}),
    decisions.restore('gone', {}),
    decisions.remove('gone'),
    decisions.feedback('gone', { signal: 'helpful' }),
    decisions.history('gone'),
    decisions.timeline('gone'),
    decisions.markActive('gone', ''),
  ]);
  expect(results.map((result) => refusal(result).code)).toEqual(results.map(() => 'memory_not_found'));
  expect(project.rows('SELECT decision_id FROM decision_events')).toEqual([{ decision_id: 'here' }]);
});

test('DC12 a delete removes the record from every table but its events', async () => {
  const project = tempProject();
  await project.create({ id: 'gone', title: 'unique word xylophone', files_affected: ['a.ts'] });
  must(await project.decisions.remove('gone'));
  expect(refusal(await project.decisions.remove('gone')).code).toBe('memory_not_found');
  const tables = ['decisions', 'decision_search', 'decision_search_rows', 'decision_files', 'decision_vectors'];
  for (const table of [...tables, 'decision_fingerprints']) {
    expect(project.rows(`SELECT * FROM ${table}`)).toEqual([]);
  }
  expect(await project.titles('xylophone', { status: 'ALL' })).toEqual([]);
  expect(await kinds(project, 'gone')).toEqual(['created', 'deleted']);
  await project.create({ id: 'gone', title: 'again' });
  expect(await kinds(project, 'gone')).toEqual(['created', 'deleted', 'created']);
});

test('DC13 feedback moves confidence by +0.05 and -0.10 within its bounds, and keeps the signal at a bound', async () => {
  const project = tempProject();
  await project.create({ id: 'a', title: 't', confidence: 0.97 });
  const give = async (id: string, signal: 'helpful' | 'unhelpful') =>
    must(await project.decisions.feedback(id, { signal })).confidence;
  expect(await give('a', 'helpful')).toBe(1);
  expect(await give('a', 'helpful')).toBe(1);
  expect(await kinds(project, 'a')).toEqual(['created', 'feedback', 'feedback']);
  for (const expected of [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.1]) {
    expect(await give('a', 'unhelpful')).toBe(expected);
  }
  await project.create({ id: 'low', title: 't', confidence: 0.04 });
  expect(await give('low', 'unhelpful')).toBe(0.04);
});

test('DC14 a replacement invalidates the old decision and both name each other', async () => {
  const project = tempProject();
  await project.create({ id: 'old', title: 'Old way' });
  const request = must(
    parseSupersede({ id: 'new', title: 'New way', rationale: 'r', supersedes: 'old', reason: 'Faster' }),
  );
  expect(must(await project.decisions.supersede(request)).answer.memory).toMatchObject({
    id: 'new',
    supersedes: 'old',
  });
  const old = must(await project.decisions.get('old'));
  expect(old).toMatchObject({ status: 'INVALIDATED', superseded_by: 'new', evidence: ['Superseded by new: Faster'] });
  expect(await kinds(project, 'old')).toEqual(['created', 'superseded']);
  const twice = await project.decisions.supersede({ ...request, id: 'newer' });
  expect(refusal(twice)).toMatchObject({ code: 'conflict', ids: ['new'] });
  const unknown = await project.decisions.supersede({ ...request, id: 'newer', supersedes: 'nothing' });
  expect(refusal(unknown)).toMatchObject({ code: 'memory_not_found', id: 'nothing' });
  const field = await project.decisions.create({ title: 't', rationale: 'r', supersedes: 'nothing' });
  expect(problems(field)).toEqual([['supersedes', 'memory_not_found']]);
  expect(must(await project.decisions.list({})).total).toBe(2);
});

test('DC15 links of a replacement never dangle: restoring or deleting either side takes them off both', async () => {
  const project = tempProject();
  const link = async (old: string, newer: string) => {
    await project.create({ id: old, title: 'old' });
    await project.create({ id: newer, title: 'new', supersedes: old });
  };
  await link('a', 'b');
  must(await project.decisions.restore('a', {}));
  expect(must(await project.decisions.get('a'))).toMatchObject({ status: 'ACTIVE', superseded_by: null });
  expect(must(await project.decisions.get('b')).supersedes).toBeNull();
  await link('c', 'd');
  must(await project.decisions.remove('d'));
  expect(must(await project.decisions.get('c'))).toMatchObject({ status: 'INVALIDATED', superseded_by: null });
  await link('e', 'f');
  must(await project.decisions.remove('e'));
  expect(must(await project.decisions.get('f')).supersedes).toBeNull();
});

test('DC16 restoring takes off a review day that is past and keeps one that is not', async () => {
  const project = tempProject();
  await project.create({ id: 'past', title: 't', review_by: '2026-10-03' });
  await project.create({ id: 'ahead', title: 't', review_by: '2027-01-01' });
  project.clock.set('2026-10-04T00:00:00Z');
  expect(must(await project.decisions.restore('past', {}))).toMatchObject({ status: 'ACTIVE', review_by: null });
  expect(must(await project.decisions.restore('ahead', {})).review_by).toBe('2027-01-01');
});

test('DC17 duplicate hints: a shared file and a word of the title, or without files half of the title', async () => {
  const project = tempProject();
  await project.create({ id: 'limit', title: 'The limit is 100 req/min', files_affected: ['src/limit.ts'] });
  await project.create({ id: 'old', title: 'Limit requests', files_affected: ['src/limit.ts'], status: 'INVALIDATED' });
  await project.create({ id: 'far', title: 'Write the changelog by hand' });
  const hints = async (fields: Record<string, unknown>) =>
    (await createIn(project.decisions, fields)).possible_duplicates.map(({ id }) => id);
  const near = await createIn(project.decisions, {
    id: 'near',
    title: 'The limit is 1000 req/min',
    files_affected: ['src/limit.ts'],
  });
  expect(near.possible_duplicates).toEqual([
    { id: 'limit', title: 'The limit is 100 req/min', status: 'ACTIVE', score: expect.any(Number) },
  ]);
  expect(await hints({ title: 'Limit everything', files_affected: ['src/other.ts'] })).toEqual([]);
  expect(await hints({ title: 'Write reports and invoices' })).toEqual([]);
  expect(await hints({ title: 'Changelog by hand' })).toEqual(['far']);
  for (let n = 0; n < 5; n += 1) await project.create({ title: `Same title ${n}`, files_affected: ['src/x.ts'] });
  expect(await hints({ title: 'Same title', files_affected: ['src/x.ts'] })).toHaveLength(3);
  expect(must(await project.decisions.list({ status: 'ALL' })).total).toBe(13);
});

test('DC18 the same request with the same key is answered once; another request with it is a conflict', async () => {
  const project = tempProject();
  const key = { principal: 'p', key: 'k-1' };
  const request = must(parseCreate({ title: 't', rationale: 'r' }));
  const by = { actor: null };
  const first = must(await project.decisions.create(request, by, key));
  const again = must(await project.open().create(request, by, key));
  expect(again).toEqual({ answer: first.answer, replayed: true });
  expect(must(await project.decisions.list({})).total).toBe(1);
  const other = await project.decisions.create({ ...request, title: 'u' }, by, key);
  expect(refusal(other).code).toBe('conflict');
  must(await project.decisions.create(request, by, { principal: 'q', key: 'k-1' }));
  expect(must(await project.decisions.list({})).total).toBe(2);
  project.clock.forward(24 * 3_600_000 + 1);
  expect(must(await project.decisions.create(request, by, key)).replayed).toBe(false);
});

test('DC19 a batch answers per operation, keeps what worked and sees its own earlier operations', async () => {
  const project = tempProject();
  await project.create({ id: 'there', title: 't' });
  const operations = [
    { op: 'create', id: 'n1', title: 'New', rationale: 'r', files_affected: ['a\\b.ts'] },
    { op: 'update', id: 'n1', tags: ['x'] },
    { op: 'create', id: 'there', title: 'Dup', rationale: 'r' },
    { op: 'update', id: 'there', confidence: 7 },
    { op: 'invalidate', id: 'there', reason: 'Done.' },
    { op: 'invalidate', id: 'nobody' },
    { op: 'update', title: 'No id' },
    { op: 'create', title: 'Bad path', rationale: 'r', files_affected: ['/etc/x'] },
    { op: 'update', id: 'n1', title: 'y', if_match: '2020-01-01T00:00:00Z' },
  ];
  const request = must(parseBatch({ operations }));
  const key = { principal: 'p', key: 'b' };
  const { answer } = must(await project.decisions.batch(request, { actor: 'ci' }, key));
  expect(answer.map((item) => (item.ok ? item.memory.status : item.failure.code))).toEqual([
    'ACTIVE',
    'ACTIVE',
    'conflict',
    'validation_error',
    'INVALIDATED',
    'memory_not_found',
    'validation_error',
    'validation_error',
    'precondition_failed',
  ]);
  expect(answer.map(({ index, op }) => [index, op])).toEqual(operations.map(({ op }, index) => [index, op]));
  expect(must(await project.decisions.get('n1'))).toMatchObject({
    tags: ['x'],
    files_affected: ['a/b.ts'],
    title: 'New',
  });
  expect(must(await project.decisions.batch(request, { actor: 'ci' }, key))).toEqual({ answer, replayed: true });
  expect(await kinds(project, 'there')).toEqual(['created', 'invalidated']);
  expect(problems(parseBatch({ operations: [] }))[0]?.[0]).toBe('operations');
  expect(problems(parseBatch({ operations: Array(101).fill({ op: 'create' }) }))[0]?.[0]).toBe('operations');
  expect(problems(parseBatch({ operations: [{ op: 'drop' }] }))).toEqual([['operations.0.op', 'enum']]);
});

test('DC20 the store is made by the first write, private, with a .gitignore; reading makes nothing', async () => {
  const project = tempProject();
  expect(must(await project.decisions.list({}))).toEqual({ items: [], next_cursor: null, total: 0 });
  expect((await project.search('anything')).results).toEqual([]);
  expect(refusal(await project.decisions.get('x')).code).toBe('memory_not_found');
  expect(existsSync(path.dirname(project.file))).toBe(false);
  await project.create({ title: 't' });
  expect(statSync(project.file).mode & 0o777).toBe(0o600);
  expect(readFileSync(path.join(path.dirname(project.file), '.gitignore'), 'utf8')).toBe('*\n');
});

test('DC21 fingerprints follow the files of a decision when it is made, amended and restored', async () => {
  const blobs = new Map([
    ['a.ts', '1'.repeat(40)],
    ['b.ts', '2'.repeat(40)],
  ]);
  const project = tempProject({
    git: {
      headCommit: async () => null,
      allCommits: async () => null,
      blobIds: async (paths) => new Map([...blobs].filter(([file]) => paths.includes(file))),
    },
  });
  await project.create({ id: 'd', title: 't', files_affected: ['a.ts', 'missing.ts'] });
  const prints = async () => [...must(await project.decisions.fingerprints('d'))];
  expect(await prints()).toEqual([['a.ts', '1'.repeat(40)]]);
  await project.amend('d', { files_affected: ['a.ts', 'b.ts'] });
  expect(await prints()).toHaveLength(2);
  blobs.set('a.ts', '3'.repeat(40));
  must(await project.decisions.restore('d', {}));
  expect((await prints())[0]).toEqual(['a.ts', '3'.repeat(40)]);
  const batch = must(parseBatch({ operations: [{ op: 'update', id: 'd', files_affected: ['b.ts'] }] }));
  must(await project.decisions.batch(batch));
  expect(await prints()).toEqual([['b.ts', '2'.repeat(40)]]);
});
