import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject, member } from '../../src/base/json.ts';
import { type Call, createDispatcher } from '../../src/operations/dispatch.ts';
import { HTTP_SELECTION, isInGroup } from '../../src/transports/mcp/profile.ts';
import { afterThis } from '../after-this.ts';
import { type TempRepository, tempEngine, tempFolder, tempRepository } from '../projects/temp-repository.ts';
import { type Door, openDoor, registry } from './door.ts';

interface Fixture extends Door {
  readonly repository: TempRepository;
  readonly id: string;
  /** A row of this project, called as its route does. */
  on(name: string, input?: object): Promise<JsonObject>;
  refused(name: string, input?: object): Promise<string>;
}

async function fixture(): Promise<Fixture> {
  const repository = tempRepository();
  const door = openDoor(tempEngine());
  const { id } = await door.call('projects.register', { path: repository.root });
  if (typeof id !== 'string') throw new Error('no id');
  return {
    ...door,
    repository,
    id,
    on: (name, input = {}) => door.call(name, { ...input, project_id: id }),
    refused: async (name, input = {}) => (await door.failure(name, { ...input, project_id: id })).code,
  };
}

const draft = { title: 'Use WAL', rationale: 'Writers do not stop readers.' };

/** A value for every field that a caller can set. */
const everyField = {
  id: 'full',
  title: 'Use one store for each project',
  rationale: 'It moves with the folder.',
  commit_sha: 'abc1234',
  files_affected: ['src/a.ts', 'src/dir'],
  decision_type: 'CONFIG',
  confidence: 0.75,
  status: 'STALE',
  author: 'Ada',
  evidence: ['measured'],
  rejected_alternatives: ['one store for all'],
  dependency_constraints: ['other'],
  tags: ['storage', 'layout'],
  agent: 'agent-1',
  session_id: 'session-1',
  review_by: '2999-12-31',
};

function items(value: JsonObject, key = 'items'): readonly JsonObject[] {
  const list = member(value, key);
  if (!Array.isArray(list) || !list.every(isJsonObject)) throw new Error(`no list ${key}`);
  return list;
}

test('MR30 reading, searching and failing make nothing in the project; the first write makes a folder kept out of commits', async () => {
  const { repository, on, refused } = await fixture();
  expect(await on('memories.list')).toEqual({ items: [], next_cursor: null, total: 0 });
  await on('memories.search', { query: 'x' });
  await on('memories.audit');
  await on('memories.export');
  expect(await refused('memories.get', { memory_id: 'x' })).toBe('memory_not_found');
  expect(await refused('memories.create', {})).toBe('validation_error');
  expect(existsSync(path.join(repository.root, '.neuralmind'))).toBe(false);
  await on('memories.create', draft);
  expect(readFileSync(path.join(repository.root, '.neuralmind', '.gitignore'), 'utf8')).toBe('*\n');
  expect(repository.git('status', '--porcelain')).toBe('');
});

test('MR31 every field of a record can be set through the route and through the tool, and comes back', async () => {
  const { on, call, repository } = await fixture();
  await on('memories.create', { id: 'other', ...draft });
  const byRoute = await on('memories.create', everyField);
  expect(byRoute).toMatchObject({ ...everyField, supersedes: null, superseded_by: null });
  const place = { project_path: repository.root };
  await call('neuralmind_record_decision', { ...everyField, ...place, id: 'by-tool', title: 'Another' });
  const { items: found } = await call('neuralmind_memory_get', { ids: ['by-tool', 'full', 'x'], ...place });
  expect(found).toMatchObject([{ ...everyField, id: 'by-tool', title: 'Another' }, everyField]);
  const patch = { ...everyField, confidence: 0.5, agent: null, evidence_append: ['again'] };
  const { id: _id, status: _status, evidence: _evidence, ...fields } = patch;
  await call('neuralmind_update_decision', { memory_id: 'full', ...fields, ...place });
  expect(await on('memories.get', { memory_id: 'full' })).toMatchObject({
    ...everyField,
    confidence: 0.5,
    agent: null,
    evidence: ['measured', 'again'],
  });
});

test('MR32 a creation answers 201 with its place, defaults to HEAD, and repeats its answer for a repeated key', async () => {
  const { answer, on, refused, repository, id } = await fixture();
  const head = repository.commit({ 'a.ts': '1' });
  const request = { ...draft, id: 'a:1', project_id: id, idempotency_key: 'k' };
  const first = await answer('memories.create', request);
  expect(first).toMatchObject({ status: 201, location: `/v1/projects/${id}/memories/a%3A1` });
  expect(first.body).toMatchObject({ commit_sha: head, project_id: id, possible_duplicates: [] });
  const again = await answer('memories.create', request);
  expect(again).toEqual({ ...first, replayed: true });
  expect(await refused('memories.create', { ...request, title: 'Other' })).toBe('conflict');
  expect(await refused('memories.create', { ...draft, id: 'a:1' })).toBe('conflict');
  const hinted = await on('memories.create', { ...draft, title: 'Use WAL again' });
  expect(member(hinted, 'possible_duplicates')).toMatchObject([{ id: 'a:1', status: 'ACTIVE' }]);
});

test('MR33 everything that is wrong with a call is told at once, by place', async () => {
  const { failure, id } = await fixture();
  const refusal = await failure('memories.create', {
    project_id: id,
    title: ' ',
    confidence: 2,
    decision_type: 'MOOD',
    idempotency_key: '',
  });
  expect(refusal).toMatchObject({ status: 'invalid_request', code: 'validation_error' });
  const errors = items(refusal.details ?? {}, 'errors');
  expect(errors.map((error) => JSON.stringify(error['loc'])).sort()).toEqual([
    '["confidence"]',
    '["decision_type"]',
    '["idempotency_key"]',
    '["rationale"]',
    '["title"]',
  ]);
  expect(errors.find((error) => JSON.stringify(error['loc']) === '["rationale"]')).toEqual({
    loc: ['rationale'],
    msg: 'Field required',
    type: 'missing',
  });
});

test('MR34 an unknown project, an unknown decision and a moved folder are told apart', async () => {
  const { failure, refused, repository, id, on } = await fixture();
  expect(await failure('memories.list', { project_id: 'p_000000000000' })).toMatchObject({
    code: 'project_not_found',
    details: { id: 'p_000000000000' },
  });
  for (const name of ['get', 'amend', 'invalidate', 'restore', 'delete', 'history', 'timeline', 'feedback']) {
    const input = { memory_id: 'nothing', signal: 'helpful', title: 'T' };
    expect([name, await refused(`memories.${name}`, input)]).toEqual([name, 'memory_not_found']);
  }
  expect(await refused('memories.supersede', { ...draft, memory_id: 'nothing' })).toBe('memory_not_found');
  await on('memories.create', draft);
  renameSync(repository.root, `${repository.root}-moved`);
  afterThis(() => rmSync(`${repository.root}-moved`, { recursive: true, force: true }));
  const gone = await failure('memories.list', { project_id: id });
  expect(gone.code).toBe('project_not_found');
  expect(gone.message).toBe(`the folder of this project is gone: ${repository.root}`);
});

test('MR35 a whole life: amend under a condition, invalidate, restore, feedback, delete, and a history of all of it', async () => {
  const { on, answer, refused, id } = await fixture();
  const born = await on('memories.create', { ...draft, id: 'one' });
  const one = { memory_id: 'one' };
  const got = await answer('memories.get', { project_id: id, ...one });
  expect(got).toMatchObject({ status: 200, etag: `"${born['updated_at']}"` });
  const amended = await on('memories.amend', { ...one, title: 'Use WAL mode', if_match: got.etag });
  expect(amended['title']).toBe('Use WAL mode');
  expect(await refused('memories.amend', { ...one, title: 'Late', if_match: got.etag })).toBe('precondition_failed');
  expect(await refused('memories.amend', one)).toBe('validation_error');
  expect(await refused('memories.amend', { ...one, status: 'STALE' })).toBe('validation_error');
  expect((await on('memories.invalidate', { ...one, reason: 'moved' }))['status']).toBe('INVALIDATED');
  expect((await on('memories.restore', one))['status']).toBe('ACTIVE');
  expect((await on('memories.feedback', { ...one, signal: 'unhelpful' }))['confidence']).toBe(0.9);
  expect(await answer('memories.delete', { project_id: id, ...one })).toEqual({ status: 204 });
  expect(await refused('memories.delete', one)).toBe('memory_not_found');
  const history = await on('memories.history', one);
  expect(history['deleted']).toBe(true);
  expect(items(history).map((event) => event['kind'])).toEqual([
    'created',
    'amended',
    'invalidated',
    'restored',
    'feedback',
    'deleted',
  ]);
  const page = await on('memories.history', { ...one, limit: 4 });
  const rest = await on('memories.history', { ...one, limit: 4, cursor: page['next_cursor'] ?? '' });
  expect(items(rest).map((event) => event['kind'])).toEqual(['feedback', 'deleted']);
  expect(await refused('memories.list', { cursor: page['next_cursor'] })).toBe('invalid_request');
});

test('MR36 a superseding decision links both, through the route and through the tool', async () => {
  const { on, call, repository } = await fixture();
  await on('memories.create', { ...draft, id: 'old' });
  const second = await on('memories.supersede', { ...draft, id: 'new', memory_id: 'old', supersedes: 'elsewhere' });
  expect(second).toMatchObject({ id: 'new', supersedes: 'old' });
  const place = { project_path: repository.root };
  await call('neuralmind_supersede_decision', { ...draft, id: 'newest', memory_id: 'new', reason: 'better', ...place });
  const { items: found } = await call('neuralmind_memory_get', { ids: ['old', 'new', 'newest'], ...place });
  expect(found).toMatchObject([
    { status: 'INVALIDATED', superseded_by: 'new' },
    { status: 'INVALIDATED', supersedes: 'old', superseded_by: 'newest' },
    { status: 'ACTIVE', supersedes: 'new' },
  ]);
});

test('MR37 a batch answers each operation on its own', async () => {
  const { on, answer, refused, id } = await fixture();
  const operations = [
    { op: 'create', id: 'a', ...draft },
    { op: 'update', id: 'a', title: 'Changed' },
    { op: 'update', id: 'nothing', title: 'Changed' },
    { op: 'create', title: 'No rationale' },
    { op: 'invalidate', id: 'a', reason: 'done' },
  ];
  const request = { operations, idempotency_key: 'batch', project_id: id };
  const { body } = await answer('memories.batch', request);
  expect(body).toMatchObject({
    results: [
      { index: 0, op: 'create', ok: true, memory: { id: 'a' } },
      { index: 1, ok: true, memory: { title: 'Changed' } },
      { index: 2, ok: false, error: { code: 'memory_not_found', status: 404 } },
      {
        index: 3,
        ok: false,
        error: { code: 'validation_error', status: 422, details: { errors: [{ loc: ['rationale'] }] } },
      },
      { index: 4, ok: true, memory: { status: 'INVALIDATED' } },
    ],
  });
  expect(await answer('memories.batch', request)).toEqual({ status: 200, body, replayed: true });
  expect(await on('memories.list')).toMatchObject({ total: 1 });
  expect(await refused('memories.batch', { operations: [] })).toBe('validation_error');
});

test('MR38 an export is brought into another project without loss, twice without a change, and refuses what differs', async () => {
  const from = await fixture();
  const to = await fixture();
  await from.on('memories.create', { ...everyField, dependency_constraints: [] });
  await from.on('memories.create', { ...draft, id: 'gone' });
  await from.on('memories.delete', { memory_id: 'gone' });
  const { content } = await from.on('memories.export', { events: true });
  expect(await to.on('memories.import', { export: content, dry_run: true })).toMatchObject({
    dry_run: true,
    created: 1,
  });
  expect(await to.on('memories.list', { status: 'ALL' })).toMatchObject({ total: 0 });
  expect(await to.on('memories.import', { export: content })).toMatchObject({ created: 1, histories: 1 });
  expect((await to.on('memories.export', { events: true }))['content']).toEqual(content);
  expect(await to.on('memories.import', { export: content })).toMatchObject({ created: 0, unchanged: 1, histories: 0 });
  await to.on('memories.amend', { memory_id: 'full', title: 'Mine' });
  expect(await to.refused('memories.import', { export: content })).toBe('conflict');
  expect(await to.on('memories.import', { export: content, on_conflict: 'keep' })).toMatchObject({ kept: 1 });
  for (const wrong of [{}, { export: 'text' }, { export: [], adr_folder: 'docs' }, { export: [{}] }]) {
    expect(await to.refused('memories.import', wrong)).toBe('validation_error');
  }
});

test('MR38 Markdown goes out as text, JSON as the decisions themselves', async () => {
  const { on, answer, id } = await fixture();
  await on('memories.create', { ...draft, id: 'a' });
  const asText = await answer('memories.export', { project_id: id, format: 'md' });
  expect(asText).toMatchObject({ status: 200, contentType: 'text/markdown; charset=utf-8' });
  expect(asText.body).toContain('## Use WAL');
  expect((await answer('memories.export', { project_id: id })).body).toMatchObject([{ id: 'a' }]);
});

test('MR39 a folder of decision records is read from inside the project, and from nowhere else', async () => {
  const { on, refused, repository } = await fixture();
  repository.write('docs/adr/0001-wal.md', '# 1. Use WAL\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use WAL.\n');
  repository.write('docs/adr/notes.txt', '# Not one\n');
  repository.write('docs/adr/empty.md', 'no title\n');
  const outside = tempFolder();
  writeFileSync(path.join(outside, 'secret.md'), '# Secret\n\nText.\n');
  symlinkSync(outside, path.join(repository.root, 'docs', 'link'));
  symlinkSync(path.join(outside, 'secret.md'), path.join(repository.root, 'docs', 'adr', 'linked.md'));
  const report = await on('memories.import', { adr_folder: 'docs/adr' });
  expect(report).toMatchObject({ created: 1, ids: { created: ['adr:docs:adr:0001-wal'] } });
  expect(items(report, 'skipped').map((one) => one['path'])).toEqual(['docs/adr/empty.md']);
  expect(await on('memories.import', { adr_folder: path.join(repository.root, 'docs/adr/') })).toMatchObject({
    unchanged: 1,
  });
  for (const folder of ['docs/link', outside, '..', 'nowhere', 'docs/adr/notes.txt']) {
    expect([folder, await refused('memories.import', { adr_folder: folder })]).toEqual([folder, 'validation_error']);
  }
});

test('MR40 lists and searches honour their filters; an absolute file inside the project is the relative one', async () => {
  const { on, repository, refused } = await fixture();
  mkdirSync(path.join(repository.root, 'src'));
  const file = path.join(repository.root, 'src', 'a.ts');
  await on('memories.create', { ...draft, id: 'a', files_affected: [file], tags: ['x'], agent: 'me' });
  await on('memories.create', { ...draft, id: 'b', title: 'Other', tags: ['y'] });
  await on('memories.invalidate', { memory_id: 'b' });
  const ids = async (input: object) => items(await on('memories.list', input)).map((one) => one['id']);
  expect(await ids({})).toEqual(['b', 'a']);
  expect(await ids({ status: 'active' })).toEqual(['a']);
  expect(await ids({ file: ['src/a.ts'] })).toEqual(['a']);
  expect(await ids({ file: [file], tag: ['y'] })).toEqual([]);
  expect(await ids({ agent: 'me' })).toEqual(['a']);
  const found = await on('memories.search', { query: 'readers', explain: true });
  expect(items(found, 'results').map((one) => one['id'])).toEqual(['a']);
  expect(found).toMatchObject({ mode: 'keyword', requested_mode: 'hybrid' });
  expect(await refused('memories.search', { query: 'x', mode: 'semantic' })).toBe('unavailable');
  expect(await refused('memories.create', { ...draft, files_affected: ['/elsewhere'] })).toBe('validation_error');
});

test('MR41 a scan answers at once with a job, or with its end; jobs can be looked at', async () => {
  const { on, answer, repository, id, call, failure } = await fixture();
  repository.commit({ 'a.ts': '1' });
  await on('memories.create', { ...draft, id: 'a', files_affected: ['a.ts'] });
  repository.commit({ 'a.ts': '2' });
  const waited = await answer('memories.scan', { project_id: id, wait: true });
  expect(waited.status).toBe(200);
  const { job } = await on('memories.scan', { wait: true });
  expect(job).toMatchObject({ kind: 'scan', project_id: id, status: 'done', result: { scanned: 0, marked: [] } });
  expect((await on('memories.get', { memory_id: 'a' }))['status']).toBe('STALE');
  const early = await answer('memories.scan', { project_id: id });
  expect(early).toMatchObject({ status: 202, location: expect.stringMatching(/^\/v1\/jobs\/[0-9a-f]{12}$/) });
  const jobId = early.location?.split('/').at(-1);
  expect(await call('jobs.get', { job_id: jobId })).toMatchObject({ id: jobId });
  expect(items(await call('jobs.list', {}))).toHaveLength(3);
  expect(await failure('jobs.get', { job_id: 'x' })).toMatchObject({ code: 'job_not_found', details: { id: 'x' } });
});

test('MR42 registering says whether the project was new; status and shutdown speak for the process', async () => {
  const { answer, call, failure, repository, id } = await fixture();
  expect(await answer('projects.register', { path: repository.root })).toMatchObject({ status: 200 });
  const other = tempRepository().root;
  const fresh = await answer('projects.register', { path: other });
  expect(fresh).toMatchObject({ status: 201, location: expect.stringMatching(/^\/v1\/projects\/p_[0-9a-f]{12}$/) });
  expect(await call('projects.get', { project_id: id })).toMatchObject({ path: repository.root, built: false });
  expect(items(await call('projects.list', {}))).toHaveLength(2);
  const status = await call('server.status', {});
  expect(status).toMatchObject({ pid: process.pid, mode: 'loopback', jobs_active: 0 });
  expect(items(status, 'projects')[0]).toEqual({ id, name: path.basename(repository.root), built: false, warm: false });
  expect(await failure('server.shutdown', {})).toMatchObject({ code: 'unavailable' });
  expect(await failure('server.openapi', {})).toMatchObject({ code: 'unavailable' });
  expect(await call('server.openapi', {}, { openapi: () => ({ openapi: '3.1.1' }) })).toEqual({ openapi: '3.1.1' });
  const place = await failure('projects.register', { path: '/etc' });
  expect(place).toMatchObject({
    code: 'validation_error',
    details: { errors: [{ loc: ['path'], type: 'path_reserved' }] },
  });
  const userHome = tempFolder('home-');
  const kept = path.join(userHome, '.neuralmind', 'deep');
  mkdirSync(kept, { recursive: true });
  const own = await openDoor(tempEngine({ userHome })).failure('projects.register', { path: kept });
  expect(own).toMatchObject({
    code: 'validation_error',
    message: expect.stringContaining('where Mnemosyne keeps its own data'),
    details: { errors: [{ loc: ['path'], type: 'path_reserved' }] },
  });
  let asked = 0;
  const listening = openDoor(tempEngine({ shutdown: () => (asked += 1) }));
  expect(await listening.call('server.shutdown', {})).toEqual({ stopping: true });
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(asked).toBe(1);
});

test('MR43 the log of a call names the project and counts, and nothing that was said', async () => {
  const { on, refused, events, id } = await fixture();
  const secret = 'sentence-that-must-not-leak';
  await on('memories.create', { ...draft, title: secret, rationale: secret, id: secret, tags: [secret] });
  await on('memories.search', { query: secret });
  await on('memories.list', { tag: [secret] });
  await on('memories.get', { memory_id: secret });
  await on('memories.history', { memory_id: secret });
  await refused('memories.create', { title: secret, review_by: secret });
  await refused('memories.get', { memory_id: `${secret}-2` });
  const logged = events.map(({ outcome, fields, failure }) => ({ outcome, fields, code: failure?.code }));
  expect(JSON.stringify(logged)).not.toContain(secret);
  expect(logged.at(2)).toEqual({ outcome: 'ok', fields: { project: id, returned_count: 1, mode: 'keyword' } });
});

test('MT20 a tool finds its project by path, by the folder of its door, and by nothing it would have to guess', async () => {
  const { call, failure, repository } = await fixture();
  const record = (input: object, folder?: string) =>
    call('neuralmind_record_decision', { ...draft, ...input }, folder === undefined ? {} : { folder });
  mkdirSync(path.join(repository.root, 'src', 'deep'), { recursive: true });
  await record({ id: 'a', project_path: repository.root });
  await record({ id: 'b', project_path: path.join(repository.root, 'src') });
  await record({ id: 'c' }, path.join(repository.root, 'src', 'deep'));
  await record({ id: 'd', project_path: '..' }, path.join(repository.root, 'src'));
  const listed = await call('neuralmind_query_decisions', { project_path: repository.root });
  expect(items(listed).map((one) => one['id'])).toEqual(['d', 'c', 'b', 'a']);
  const refusals: readonly (readonly [object, string | undefined, string])[] = [
    [{}, undefined, 'missing'],
    [{}, tempFolder(), 'project_unknown'],
    [{}, '/', 'path_reserved'],
    [{ project_path: 'src' }, undefined, 'path_relative'],
    [{ project_path: '/nowhere/at/all' }, undefined, 'path_not_found'],
    [{ project_path: '/etc' }, undefined, 'path_reserved'],
    [{ project_path: '' }, undefined, 'string_too_short'],
  ];
  for (const [input, folder, type] of refusals) {
    const refusal = await failure(
      'neuralmind_record_decision',
      { ...draft, ...input },
      folder === undefined ? {} : { folder },
    );
    expect([input, items(refusal.details ?? {}, 'errors').map((error) => error['type'])]).toEqual([input, [type]]);
  }
});

test('MT21 the reading tools answer short rows, full records, missing ids, neighbours and reports', async () => {
  const { call, repository } = await fixture();
  repository.commit({ 'a.ts': '1' });
  const at = { project_path: repository.root };
  for (const id of ['a', 'b', 'c'])
    await call('neuralmind_record_decision', { ...draft, id, title: `Use ${id}`, ...at });
  const found = await call('neuralmind_memory_search', { query: 'use b', ...at });
  expect(items(found, 'results')[0]).toMatchObject({ id: 'b', title: 'Use b', files: 0 });
  expect(items(found, 'results')[0]).not.toHaveProperty('rationale');
  expect(await call('neuralmind_memory_get', { ids: ['x', 'b'], ...at })).toMatchObject({
    items: [{ id: 'b', rationale: draft.rationale }],
    missing: ['x'],
  });
  expect(await call('neuralmind_memory_timeline', { memory_id: 'b', before: 1, ...at })).toMatchObject({
    anchor: { id: 'b' },
    before: [{ id: 'a' }],
    after: [{ id: 'c' }],
  });
  expect(await call('neuralmind_memory_history', { memory_id: 'b', ...at })).toMatchObject({ total: 1 });
  await call('neuralmind_record_decision', { ...draft, id: 'lost', commit_sha: 'f'.repeat(40), ...at });
  expect(await call('neuralmind_audit_decisions', { orphaned: true, ...at })).toMatchObject({
    items: [{ memory: { id: 'lost' }, reasons: ['orphaned'] }],
    checked: ['orphaned'],
  });
  expect(await call('neuralmind_invalidate_decision', { memory_id: 'b', reason: 'x', ...at })).toMatchObject({
    status: 'INVALIDATED',
  });
  expect(await call('neuralmind_restore_decision', { memory_id: 'b', ...at })).toMatchObject({ status: 'ACTIVE' });
});

test('MT22 an id of a project wins over a path, and nobody can name himself as the writer', async () => {
  const { call, on, repository } = await fixture();
  const other = tempRepository();
  await on('memories.create', { ...draft, id: 'a', project_path: other.root, actor: 'root', principal: 'root' });
  expect(await call('neuralmind_query_decisions', { project_path: other.root })).toMatchObject({ total: 0 });
  const history = await call('neuralmind_memory_history', { memory_id: 'a', project_path: repository.root });
  expect(items(history)[0]?.['actor']).toBeNull();
});

test('MT23 list_tools names the tools that its door shows, and every enabled tool is callable all the same', async () => {
  const { events, repository } = await fixture();
  const dispatcher = createDispatcher(tempEngine(), registry, (event) => events.push(event));
  const say = async (more: Partial<Call>) => {
    const operation = registry.findTool('list_tools');
    if (operation === undefined) throw new Error('no list_tools');
    const caller = { kind: 'stdio', principal: 'test' } as const;
    const result = await dispatcher.dispatch({
      operation,
      arguments: {},
      caller,
      signal: AbortSignal.timeout(9_000),
      ...more,
    });
    return result.ok ? result.value : '';
  };
  const bare = await say({ isListed: (row) => isInGroup(row, HTTP_SELECTION.group) });
  expect(bare).toContain('memory_forget');
  expect(bare).not.toContain('neuralmind_');
  expect(await say({})).toContain('neuralmind_record_decision');
  const door = openDoor(tempEngine());
  const shown = { isListed: () => false };
  await door.call('neuralmind_record_decision', { ...draft, project_path: repository.root }, shown);
});
