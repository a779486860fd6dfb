/** What each verb sends, and what it makes of the answer. That the real server agrees is proved in `daemon.test.ts`. */
import { resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { NeuralMindClient, type Project } from '../../src/client/index.ts';
import { type RecordingServer, recordingServer } from './recording-server.ts';

const project = { id: 'p_0123456789ab', name: 'shop', path: '/srv/shop', built: false, warm: true };
const record = {
  id: 'd1',
  title: 'Use WAL',
  rationale: 'Readers proceed while one writes.',
  commit_sha: '39617aa',
  files_affected: ['src/store.ts'],
  decision_type: 'ARCHITECTURE',
  confidence: 0.9,
  status: 'ACTIVE',
  author: 'the team',
  evidence: ['bench'],
  rejected_alternatives: ['rollback journal'],
  dependency_constraints: ['d0'],
  tags: ['storage'],
  created_at: '2026-10-02T12:00:00Z',
  updated_at: '2026-10-02T12:00:00.000001Z',
  agent: 'codex',
  session_id: 's1',
  review_by: '2027-01-01',
  supersedes: 'd0',
  superseded_by: 'd2',
  field_of_a_later_server: { kept: true },
};
const memory = {
  id: 'd1',
  title: 'Use WAL',
  rationale: 'Readers proceed while one writes.',
  commitSha: '39617aa',
  files: ['src/store.ts'],
  type: 'ARCHITECTURE',
  confidence: 0.9,
  status: 'ACTIVE',
  author: 'the team',
  evidence: ['bench'],
  rejectedAlternatives: ['rollback journal'],
  dependencyConstraints: ['d0'],
  tags: ['storage'],
  createdAt: '2026-10-02T12:00:00Z',
  updatedAt: '2026-10-02T12:00:00.000001Z',
  agent: 'codex',
  sessionId: 's1',
  reviewBy: '2027-01-01',
  supersedes: 'd0',
  supersededBy: 'd2',
  raw: record,
};
const base = `/projects/${project.id}/memories`;

let server: RecordingServer;
let nm: NeuralMindClient;
let repo: Project;
beforeAll(async () => {
  server = await recordingServer();
  nm = new NeuralMindClient({ url: server.url, token: 'a-token' });
  server.next({ json: project });
  repo = await nm.project('.');
});
afterAll(() => server.close());
beforeEach(() => server.clear());

function asked(): { method: string; target: string; body: unknown } {
  const [first, second] = server.asked.splice(0);
  if (first === undefined || second !== undefined) throw new Error('not exactly one request');
  return { method: first.method, target: first.target, body: first.body };
}

test('CT20 project registers the absolute path and answers a handle; known ones are listed and found by id', async () => {
  server.next({ json: project, status: 201 }, { json: { items: [project], next_cursor: null } }, { json: project });
  const handle = await nm.project('../shop');
  expect(asked()).toEqual({ method: 'POST', target: '/projects', body: { path: resolve('../shop') } });
  const doors = { memories: null, neighbors: null, documents: null };
  expect({ ...handle, ...doors }).toEqual({ ...project, ...doors, missing: false, raw: project });
  expect((await nm.projects()).map((one) => one.id)).toEqual([project.id]);
  expect(asked()).toEqual({ method: 'GET', target: '/projects', body: null });
  expect((await nm.projectById(project.id)).path).toBe('/srv/shop');
  expect(asked().target).toBe(`/projects/${project.id}`);
  await expect(nm.project('')).rejects.toThrow(TypeError);
});

test('CT21 health, info, status, openapi and shutdown are asked where the contract says', async () => {
  server.next(
    { json: { ok: true, api_version: '1' } },
    { json: { api_version: '1', neuralmind_version: '0.2.0', mode: 'loopback', openapi_url: '/v1/openapi.json' } },
    {
      json: { pid: 7, uptime_seconds: 1.5, mode: 'loopback', version: '0.2.0', projects: [project], jobs_active: 2 },
    },
    { json: { openapi: '3.1.0' } },
    { status: 202, json: {} },
  );
  expect(await nm.health()).toMatchObject({ ok: true, apiVersion: '1' });
  expect(await nm.info()).toMatchObject({ version: '0.2.0', openapiUrl: '/v1/openapi.json' });
  expect(await nm.status()).toMatchObject({ pid: 7, uptimeSeconds: 1.5, jobsActive: 2, projects: [{ name: 'shop' }] });
  expect(await nm.openapi()).toEqual({ openapi: '3.1.0' });
  await nm.shutdown();
  expect(server.asked.map(({ method, target }) => `${method} ${target}`)).toEqual([
    'GET /health',
    'GET ',
    'GET /status',
    'GET /openapi.json',
    'POST /admin/shutdown',
  ]);
});

test('CT22 add sends every field under its wire name and answers the record with hints of duplicates', async () => {
  const hint = { id: 'd0', title: 'Use WAL?', status: 'ACTIVE', score: 1.5 };
  server.next({ status: 201, json: { ...record, possible_duplicates: [hint] } });
  const added = await repo.memories.add(
    {
      id: 'd1',
      title: 'Use WAL',
      rationale: 'Readers proceed.',
      status: 'ACTIVE',
      commitSha: '39617aa',
      files: ['src/store.ts'],
      type: 'ARCHITECTURE',
      confidence: 0.9,
      author: null,
      tags: ['storage'],
      rejectedAlternatives: ['rollback journal'],
      dependencyConstraints: ['d0'],
      evidence: ['bench'],
      agent: 'codex',
      sessionId: 's1',
      reviewBy: '2027-01-01',
      supersedes: null,
    },
    { idempotencyKey: 'once' },
  );
  expect(server.asked[0]?.headers['idempotency-key']).toBe('once');
  expect(asked()).toEqual({
    method: 'POST',
    target: base,
    body: {
      id: 'd1',
      title: 'Use WAL',
      rationale: 'Readers proceed.',
      status: 'ACTIVE',
      commit_sha: '39617aa',
      files_affected: ['src/store.ts'],
      decision_type: 'ARCHITECTURE',
      confidence: 0.9,
      author: null,
      tags: ['storage'],
      rejected_alternatives: ['rollback journal'],
      dependency_constraints: ['d0'],
      evidence: ['bench'],
      agent: 'codex',
      session_id: 's1',
      review_by: '2027-01-01',
      supersedes: null,
    },
  });
  expect(added).toEqual({
    ...memory,
    possibleDuplicates: [hint],
    replayed: false,
    raw: { ...record, possible_duplicates: [hint] },
  });
  expect(Object.isFrozen(added) && Object.isFrozen(added.files) && Object.isFrozen(added.possibleDuplicates)).toBe(
    true,
  );
});

test('CT23 a field that the server would drop is refused here, with the right name where there is one', async () => {
  const add = (fields: object) => repo.memories.add({ title: 't', rationale: 'r', ...fields });
  await expect(add({ files_affected: ['a'] })).rejects.toThrow(/it is called files here/);
  await expect(add({ mood: 'good' })).rejects.toThrow(/a new memory has no field "mood"/);
  await expect(add({ constructor: 'x' })).rejects.toThrow(/no field "constructor"/);
  const patch: object = { status: 'STALE' };
  await expect(repo.memories.update('d1', patch)).rejects.toThrow(/a patch has no field "status"/);
  const filters: object = { tag: 'a' };
  expect(() => repo.memories.list(filters)).toThrow(/it is called tags here/);
  await expect(repo.memories.search('q', filters)).rejects.toThrow(/it is called tags here/);
  const operation = { op: 'delete', id: 'd1' } as never;
  await expect(repo.memories.batch([operation])).rejects.toThrow(/create, update or invalidate/);
  expect(server.asked).toEqual([]);
});

test('CT24 search sends its filters and is iterated in the order of the answer', async () => {
  const answer = {
    query: 'q',
    mode: 'keyword',
    requested_mode: 'hybrid',
    notice: 'no model',
    results: [] as unknown[],
  };
  const explained = { explanation: { matched: ['wal'] } };
  server.next({
    json: {
      ...answer,
      results: [
        { ...record, score: 2, strength: 'strong', ...explained },
        { ...record, id: 'd2', score: null, strength: 'weak' },
      ],
    },
  });
  const found = await repo.memories.search('q', {
    status: 'ALL',
    files: 'src/store.ts',
    tags: ['a', 'b'],
    createdAfter: new Date('2026-01-01T00:00:00Z'),
    createdBefore: '2026-12-31',
    minConfidence: 0.5,
    asOf: '2026-10-03',
    limit: 5,
    mode: 'hybrid',
    explain: true,
  });
  expect(asked()).toEqual({
    method: 'POST',
    target: `${base}/search`,
    body: {
      query: 'q',
      status: 'ALL',
      file: ['src/store.ts'],
      tag: ['a', 'b'],
      created_after: '2026-01-01T00:00:00.000Z',
      created_before: '2026-12-31',
      min_confidence: 0.5,
      as_of: '2026-10-03',
      limit: 5,
      mode: 'hybrid',
      explain: true,
    },
  });
  expect([...found].map((hit) => [hit.id, hit.score, hit.strength])).toEqual([
    ['d1', 2, 'strong'],
    ['d2', null, 'weak'],
  ]);
  expect(found).toMatchObject({ mode: 'keyword', requestedMode: 'hybrid', notice: 'no model' });
  expect(found.results[0]?.explanation).toEqual({ matched: ['wal'] });

  const row = { id: 'd1', title: 'Use WAL', status: 'ACTIVE', type: 'TEST', commit: '39617aa', updated: '2026-10-02' };
  server.next({ json: { ...answer, results: [{ ...row, files: 3, score: 1, strength: 'strong' }] } });
  const [compact] = (await repo.memories.search('q', { view: 'compact' })).results;
  expect(compact).toMatchObject({ ...row, files: 3, score: 1 });
});

test('CT25 list goes through all pages, sends its filters with each, and stops when it is left', async () => {
  const page = (id: string, next: string | null) => ({
    json: { items: [{ ...record, id }], next_cursor: next, total: 3 },
  });
  server.next(page('a', 'c1'), page('b', 'c2'), page('c', null));
  const list = repo.memories.list({ files: ['x', 'y'], tags: 't', type: 'TEST', pageSize: 1 });
  expect((await list.toArray()).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  const query = 'file=x&file=y&tag=t&type=TEST&limit=1';
  expect(server.asked.splice(0).map(({ target }) => target)).toEqual([
    `${base}?${query}`,
    `${base}?${query}&cursor=c1`,
    `${base}?${query}&cursor=c2`,
  ]);

  server.next(page('a', 'c1'), page('b', 'c2'));
  for await (const one of list) if (one.id === 'b') break;
  expect(server.asked.splice(0)).toHaveLength(2);

  server.next(page('a', 'c1'), page('b', null));
  const pages = [];
  for await (const one of list.pages()) pages.push([one.items.length, one.total, one.nextCursor]);
  expect(pages).toEqual([
    [1, 3, 'c1'],
    [1, 3, null],
  ]);
  server.next(page('a', 'c1'), page('a', 'c1'));
  await expect(list.toArray()).rejects.toMatchObject({ reason: 'unexpected_answer' });
});

test('CT26 get, update, invalidate, restore, feedback and delete name the decision in the path', async () => {
  const id = 'old/id ü';
  const at = `${base}/old%2Fid%20%C3%BC`;
  const calls: [() => Promise<unknown>, string, string, unknown][] = [
    [() => repo.memories.get(id), 'GET', at, null],
    [() => repo.memories.get(id, { asOf: '2026-10-02' }), 'GET', `${at}?as_of=2026-10-02`, null],
    [
      () => repo.memories.update(id, { title: 't', evidenceAppend: ['e'], rejectedAppend: ['r'] }),
      'PATCH',
      at,
      { title: 't', evidence_append: ['e'], rejected_append: ['r'] },
    ],
    [() => repo.memories.invalidate(id, 'moved'), 'POST', `${at}/invalidate`, { reason: 'moved' }],
    [() => repo.memories.restore(id), 'POST', `${at}/restore`, {}],
    [() => repo.memories.restore(id, { commitSha: 'abc' }), 'POST', `${at}/restore`, { commit_sha: 'abc' }],
    [() => repo.memories.feedback(id, 'helpful', 'yes'), 'POST', `${at}/feedback`, { signal: 'helpful', note: 'yes' }],
  ];
  for (const [call, method, target, body] of calls) {
    server.next({ json: record });
    expect(await call()).toEqual(memory);
    expect(asked()).toEqual({ method, target, body });
  }
  server.next({ status: 204 });
  expect(await repo.memories.delete(id)).toBeUndefined();
  expect(asked()).toEqual({ method: 'DELETE', target: at, body: null });
});

test('CT27 ifMatch travels as an entity tag', async () => {
  server.next({ json: record });
  await repo.memories.update('d1', { title: 't' }, { ifMatch: memory.updatedAt });
  expect(server.asked[0]?.headers['if-match']).toBe(`"${record.updated_at}"`);
});

test('CT28 history, timeline, audit and scan give what the server tells', async () => {
  const event = {
    id: 4,
    decision_id: 'd1',
    at: '2026-10-02T12:00:00Z',
    kind: 'kind_of_a_later_server',
    actor: 'local',
    changes: { tags: [[], ['storage']], __proto__: undefined },
    note: null,
  };
  server.next({ json: { id: 'd1', deleted: false, items: [event], next_cursor: null, total: 1 } });
  const [first] = await repo.memories.history('d1', { pageSize: 9 }).toArray();
  expect(asked().target).toBe(`${base}/d1/history?limit=9`);
  expect(first).toMatchObject({ id: 4, memoryId: 'd1', kind: event.kind, changes: { tags: [[], ['storage']] } });

  server.next({ json: { anchor: record, before: [{ ...record, id: 'a' }], after: [] } });
  const timeline = await repo.memories.timeline('d1', { before: 1, after: 0 });
  expect(asked().target).toBe(`${base}/d1/timeline?before=1&after=0`);
  expect([timeline.anchor.id, timeline.before.map(({ id }) => id), timeline.after]).toEqual(['d1', ['a'], []]);

  server.next({ json: { items: [{ memory: record, reasons: ['age'] }], checked: ['age'], active: 5 } });
  const audit = await repo.memories.audit({ age: true });
  expect(asked().target).toBe(`${base}/audit?age=true`);
  expect(audit).toMatchObject({ items: [{ memory: { id: 'd1' }, reasons: ['age'] }], checked: ['age'], active: 5 });
});

test('CT29 jobs are listed, looked at and waited for', async () => {
  const job = (status: string, finished: string | null) => ({
    id: 'a1b2c3d4e5f6',
    kind: 'scan',
    project_id: project.id,
    status,
    result: finished === null ? null : { stale: 1 },
    error: null,
    created_at: '2026-10-02T12:00:00Z',
    finished_at: finished,
  });
  server.next({ status: 202, json: { job: job('queued', null) } });
  const scan = await repo.memories.scan({ wait: false });
  expect(asked()).toEqual({ method: 'POST', target: `${base}/scan`, body: { wait: false } });
  server.next({ json: { items: [job('running', null)], next_cursor: null } });
  expect((await nm.jobs.list()).map(({ status }) => status)).toEqual(['running']);
  server.next({ json: job('running', null) }, { json: job('done', '2026-10-02T12:00:01Z') });
  const ended = await nm.jobs.wait(scan.id, { pollMs: 5 });
  expect(ended).toMatchObject({ status: 'done', projectId: project.id, result: { stale: 1 } });
  server.next(...Array.from({ length: 60 }, () => ({ json: job('running', null) })));
  const waiting = nm.jobs.wait(scan.id, { pollMs: 20, timeoutMs: 100 });
  await expect(waiting).rejects.toMatchObject({ reason: 'timeout' });
  const stopped = nm.jobs.wait(scan.id, { pollMs: 10_000, signal: AbortSignal.timeout(30) });
  await expect(stopped).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('CT34 batch, export and import send and read what the contract says', async () => {
  const error = { code: 'memory_not_found', message: 'none', status: 404, details: { id: 'x' } };
  server.next({
    json: {
      results: [
        { index: 0, op: 'create', ok: true, memory: record },
        { index: 1, op: 'update', ok: false, error },
      ],
    },
  });
  const results = await repo.memories.batch([
    { op: 'create', title: 't', rationale: 'r', type: 'TEST' },
    { op: 'update', id: 'x', files: ['a'], ifMatch: 'then' },
  ]);
  expect(asked()).toEqual({
    method: 'POST',
    target: `${base}/batch`,
    body: {
      operations: [
        { op: 'create', title: 't', rationale: 'r', decision_type: 'TEST' },
        { op: 'update', id: 'x', files_affected: ['a'], if_match: 'then' },
      ],
    },
  });
  expect(results[0]).toEqual({ index: 0, op: 'create', ok: true, memory });
  expect(results[1]?.ok === false && results[1].error).toMatchObject({ name: 'NotFound', ...error });

  server.next(
    { json: [record] },
    { text: '# Decisions' },
    { text: 'not JSON' },
    { json: [] },
    { json: { results: [] } },
  );
  expect(await repo.memories.export('json', { status: 'ALL', asOf: '2026-10-02' })).toEqual([record]);
  expect(await repo.memories.export('md')).toBe('# Decisions');
  await expect(repo.memories.export('json')).rejects.toMatchObject({ reason: 'unexpected_answer' });
  await expect(repo.memories.export('md')).rejects.toMatchObject({ reason: 'unexpected_answer' });
  const short = repo.memories.batch([{ op: 'invalidate', id: 'd1' }]);
  await expect(short).rejects.toMatchObject({ reason: 'unexpected_answer' });
  expect(server.asked.splice(0).map(({ target }) => target)).toEqual([
    `${base}/export?format=json&status=ALL&as_of=2026-10-02`,
    `${base}/export?format=md`,
    `${base}/export?format=json`,
    `${base}/export?format=md`,
    `${base}/batch`,
  ]);

  const counts = { created: 1, replaced: 0, kept: 0, unchanged: 0, histories: 0 };
  const report = { dry_run: true, ...counts, skipped: [] };
  server.next({ json: report }, { json: report });
  expect(await repo.memories.import([record], { dryRun: true, onConflict: 'keep' })).toMatchObject({
    dryRun: true,
    ...counts,
  });
  expect(asked()).toEqual({
    method: 'POST',
    target: `${base}/import`,
    body: { export: [record], dry_run: true, on_conflict: 'keep' },
  });
  await repo.memories.importAdrs('docs/adr');
  expect(asked().body).toEqual({ adr_folder: 'docs/adr' });
});

const answered = {
  'code.query': {
    project_id: project.id,
    question: 'q',
    context: 'Where to look:',
    tokens: { total: 4, l0: 1, l1: 1, l2: 1, l3: 1 },
    budget: 9,
    layers_used: ['L0'],
    reduction_ratio: 2,
    search_hits: 0,
    top_search_hits: [],
    cut: { l0: 0, l1: 0, l2: 0, l3: 1 },
    freshness: null,
    trace: null,
    field_of_a_later_server: { kept: true },
  },
  node: {
    id: 'symbol:a.ts#f',
    label: 'f()',
    qualified_name: 'f',
    kind: 'function',
    path: 'a.ts',
    start_line: 1,
    end_line: 2,
  },
};

test('CO20 a question sends its options under their wire names, and its answer is frozen with everything in raw', async () => {
  const json = answered['code.query'];
  server.next({ json }, { json });
  const answer = await repo.query('q', { queryType: 'docs', contextBudget: null, traceVerbose: true, learn: false });
  expect(asked()).toEqual({
    method: 'POST',
    target: `/projects/${project.id}/query`,
    body: { question: 'q', query_type: 'docs', context_budget: null, trace_verbose: true, learn: false },
  });
  expect(answer).toMatchObject({
    context: 'Where to look:',
    tokens: { total: 4, l3: 1 },
    cut: { l3: 1 },
    freshness: null,
  });
  expect(answer.raw).toEqual(json);
  expect(Object.isFrozen(answer) && Object.isFrozen(answer.tokens) && Object.isFrozen(answer.raw)).toBe(true);
  await repo.query('q');
  expect(asked().body).toEqual({ question: 'q' });
  const options: object = { context_budget: 5 };
  await expect(repo.query('q', options)).rejects.toThrow(/it is called contextBudget here/);
});

test('CO21 neighbours and impact repeat relations and read nodes of any later kind', async () => {
  const { node } = answered;
  const resolved = { resolution: 'exact', resolved_node: node, candidates: [], candidates_count: 0, note: null };
  const neighbour = { ...node, edge_path: null, edge_line: 3, confidence: 0.5, inferred: true };
  server.next(
    {
      json: {
        ...resolved,
        query: 'f',
        relations: [{ relation: 'friends', neighbours: [neighbour], count: 7, truncated: true }],
        blast_radius: null,
      },
    },
    {
      json: {
        ...resolved,
        suggestions: ['fold'],
        symbol: 'f',
        depth: 2,
        dependents: [{ ...node, path: null, relation: 'callers', hop: 2, chain: ['a', 'b'], inferred: false }],
        count: 1,
      },
    },
  );
  const views = await repo.neighbors.structural('f', { relations: ['callers', 'uses'], blastRadius: true });
  expect(asked().target).toBe(
    `/projects/${project.id}/neighbors/structural?q=f&relations=callers&relations=uses&blast_radius=true`,
  );
  expect(views.resolvedNode).toMatchObject({ qualifiedName: 'f', startLine: 1 });
  expect(views.relations[0]).toMatchObject({ relation: 'friends', count: 7, neighbours: [{ inferred: true }] });
  const impact = await repo.impact('f', { depth: 2 });
  expect(asked().target).toBe(`/projects/${project.id}/impact?symbol=f&depth=2`);
  expect([views.suggestions, impact.suggestions]).toEqual([[], ['fold']]);
  expect(impact.dependents[0]).toMatchObject({ path: null, hop: 2, chain: ['a', 'b'] });
});

test('CO22 a build gives its job, with how far it has come', async () => {
  const job = {
    id: 'a1b2c3d4e5f6',
    kind: 'build',
    project_id: project.id,
    status: 'running',
    progress: { phase: 'read', done: 3, total: 9 },
    result: null,
    error: null,
    created_at: '2026-10-02T12:00:00Z',
    finished_at: null,
  };
  const { progress: _progress, ...older } = job;
  server.next({ status: 202, json: { job } }, { json: { job: older } });
  expect(await repo.build({ force: true })).toMatchObject({ progress: { phase: 'read', done: 3, total: 9 } });
  expect(asked()).toEqual({ method: 'POST', target: `/projects/${project.id}/build`, body: { force: true } });
  expect((await repo.build({ wait: true })).progress).toBeNull();
  server.next({ json: { project: 'shop', built: false } });
  expect(await repo.stats()).toEqual({ built: false, project: 'shop', raw: { project: 'shop', built: false } });
});

async function readAll(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

test('CO24 every verb refuses an option that it does not know, and asks nothing', async () => {
  const { memories } = repo;
  const wrong: object = { timeout: 5, pageSize: 1, dept: 2, ofset: 1, waits: true, dry_run: true };
  const only = (name: string): object => ({ [name]: Reflect.get(wrong, name) });
  const verbs: readonly (() => unknown)[] = [
    () => repo.build(only('waits')),
    () => repo.impact('s', only('dept')),
    () => repo.impact('s', {}, only('timeout')),
    () => repo.skeleton('a.ts', only('ofset')),
    () => repo.validate(only('waits')),
    () => repo.search('q', only('pageSize')),
    () => repo.savings(only('dept')),
    () => repo.neighbors.structural('q', only('dept')),
    () => repo.documents.add('a.md', only('dept')),
    () => repo.documents.list(only('dept')),
    () => repo.documents.remove('a.md', only('timeout')),
    () => repo.stats(only('timeout')),
    () => repo.health(only('timeout')),
    () => repo.wakeup(only('timeout')),
    () => memories.get('d1', only('timeout')),
    () => memories.update('d1', { confidence: 1 }, only('waits')),
    () => memories.restore('d1', only('waits')),
    () => memories.invalidate('d1', 'r', { idempotencyKey: 'k' } as object),
    () => memories.delete('d1', only('timeout')),
    () => readAll(memories.history('d1', only('dept'))),
    () => readAll(memories.list({}, only('timeout'))),
    () => memories.timeline('d1', only('dept')),
    () => memories.feedback('d1', 'helpful', 'n', only('waits')),
    () => memories.add({ title: 't', rationale: 'r' }, only('timeout')),
    () => memories.batch([], only('timeout')),
    () => memories.import([], only('dry_run')),
    () => memories.importAdrs('docs', only('dry_run')),
    () => memories.audit(only('waits')),
    () => memories.scan(only('waits')),
    () => nm.jobs.get('x', only('timeout')),
    () => nm.jobs.wait('x', only('timeout')),
    () => nm.status(only('timeout')),
    () => nm.project('.', only('timeout')),
  ];
  for (const verb of verbs) await expect((async () => verb())(), verb.toString()).rejects.toThrow(/has no field/);
  await expect(repo.memories.import([], only('dry_run'))).rejects.toThrow(/it is called dryRun here/);
  expect(server.asked).toEqual([]);
});
