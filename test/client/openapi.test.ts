/**
 * The client and the published document say the same: every route has a verb, every input that the document names can
 * be given, nothing else is ever sent, and every answer of the document's examples is understood.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts';
import { type Memory, NeuralMindClient, type NewMemory, type Project } from '../../src/client/index.ts';
import { createRegistry } from '../../src/operations/registry.ts';
import { openApiDocument } from '../../src/transports/api/openapi.ts';
import { type Asked, type RecordingServer, type Reply, recordingServer } from './recording-server.ts';

const registry = createRegistry({ remember: false, archive_restore: false, revise: false, forget: false });
const openapi = openApiDocument(registry);

/** What stands at the end of a way through the document; references are followed. */
function at(value: JsonValue | undefined, ...way: readonly (string | number)[]): JsonValue | undefined {
  let here = value;
  for (const step of way) {
    here = resolved(here);
    if (Array.isArray(here)) here = here[Number(step)];
    else here = isJsonObject(here) && Object.hasOwn(here, String(step)) ? here[String(step)] : undefined;
  }
  return resolved(here);
}

function resolved(value: JsonValue | undefined): JsonValue | undefined {
  const reference = isJsonObject(value) ? value['$ref'] : undefined;
  return typeof reference === 'string' ? at(openapi, ...reference.split('/').slice(1)) : value;
}

function keysOf(value: JsonValue | undefined): readonly string[] {
  return isJsonObject(value) ? Object.keys(value).sort() : [];
}

interface Route {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: JsonObject;
}

const routes: readonly Route[] = keysOf(at(openapi, 'paths')).flatMap((path) =>
  keysOf(at(openapi, 'paths', path)).flatMap((method): readonly Route[] => {
    const operation = at(openapi, 'paths', path, method);
    if (!isJsonObject(operation)) return [];
    return [{ name: String(operation['operationId']), method: method.toUpperCase(), path, operation }];
  }),
);

const fields = {
  commitSha: 'abcdef1',
  files: ['a.ts'],
  type: 'TEST',
  confidence: 0.5,
  author: 'the team',
  tags: ['a'],
  rejectedAlternatives: ['r'],
  dependencyConstraints: ['d'],
  evidence: ['e'],
  agent: 'codex',
  sessionId: 's',
  reviewBy: '2999-01-01',
} as const;
const created = { ...fields, title: 't', rationale: 'r', id: 'i', status: 'ACTIVE' } as const satisfies NewMemory;
const patch = { ...fields, title: 't', rationale: 'r', evidenceAppend: ['e'], rejectedAppend: ['r'] } as const;
const filters = {
  status: 'ALL',
  files: ['a.ts'],
  tags: ['a'],
  type: 'TEST',
  author: 'the team',
  agent: 'codex',
  sessionId: 's',
  createdAfter: '2026-01-01',
  createdBefore: '2026-12-31',
  minConfidence: 0.1,
  asOf: '2026-10-02',
} as const;
const key = { idempotencyKey: 'k' };

type Verb = (nm: NeuralMindClient, repo: Project) => Promise<unknown>;

/** Calls that together give every input. */
const verbs: Readonly<Record<string, readonly Verb[]>> = {
  'server.describe': [(nm) => nm.info()],
  'server.health': [(nm) => nm.health()],
  'server.status': [(nm) => nm.status()],
  'server.openapi': [(nm) => nm.openapi()],
  'server.shutdown': [(nm) => nm.shutdown()],
  'projects.list': [(nm) => nm.projects()],
  'projects.register': [(nm) => nm.project('.')],
  'projects.get': [(nm) => nm.projectById('p')],
  'jobs.list': [(nm) => nm.jobs.list()],
  'jobs.get': [(nm) => nm.jobs.get('j')],
  'memories.create': [(_nm, { memories }) => memories.add({ ...created, supersedes: 'o' }, key)],
  'memories.supersede': [(_nm, { memories }) => memories.supersede('m', { ...created, reason: 'r' }, key)],
  'memories.list': [(_nm, { memories }) => memories.list({ ...filters, pageSize: 9 }).toArray()],
  'memories.search': [
    (_nm, { memories }) =>
      memories.search('q', { ...filters, limit: 3, mode: 'keyword', view: 'full', explain: true, includeWeak: false }),
  ],
  'memories.get': [(_nm, { memories }) => memories.get('m', { asOf: '2026-10-02' })],
  'memories.amend': [(_nm, { memories }) => memories.update('m', patch, { ifMatch: 'then' })],
  'memories.invalidate': [(_nm, { memories }) => memories.invalidate('m', 'r')],
  'memories.restore': [(_nm, { memories }) => memories.restore('m', { commitSha: 'abcdef1' })],
  'memories.delete': [(_nm, { memories }) => memories.delete('m')],
  'memories.history': [(_nm, { memories }) => memories.history('m', { pageSize: 9 }).toArray()],
  'memories.timeline': [(_nm, { memories }) => memories.timeline('m', { before: 1, after: 1 })],
  'memories.feedback': [(_nm, { memories }) => memories.feedback('m', 'helpful', 'n')],
  'memories.batch': [
    (_nm, { memories }) =>
      memories.batch(
        [
          { op: 'create', ...created, supersedes: 'o' },
          { op: 'invalidate', id: 'm', reason: 'r' },
        ],
        key,
      ),
  ],
  'memories.export': [
    (_nm, { memories }) => memories.export('json', { status: 'ALL', events: true, asOf: '2026-10-02' }),
  ],
  'memories.import': [
    (_nm, { memories }) => memories.import([], { dryRun: true, onConflict: 'keep' }),
    (_nm, { memories }) => memories.importAdrs('docs/adr'),
  ],
  'memories.audit': [(_nm, { memories }) => memories.audit({ age: true, orphaned: true })],
  'memories.scan': [(_nm, { memories }) => memories.scan({ wait: true })],
  'code.build': [(_nm, project) => project.build({ force: true, wait: true })],
  'code.query': [
    (_nm, project) =>
      project.query('q', { queryType: 'code', contextBudget: 9, trace: true, traceVerbose: true, learn: false }),
  ],
  'code.search': [(_nm, project) => project.search('q', { n: 3 })],
  'code.wakeup': [(_nm, project) => project.wakeup()],
  'code.stats': [(_nm, project) => project.stats()],
  'code.savings': [(_nm, project) => project.savings({ cost: true, model: 'm', queriesPerDay: 3 })],
  'code.validate': [(_nm, project) => project.validate({ write: false })],
  'code.health': [(_nm, project) => project.health()],
  'code.skeleton': [(_nm, project) => project.skeleton('a.ts', { offset: 3 })],
  'code.structural': [
    (_nm, { neighbors }) => neighbors.structural('q', { relations: ['callers', 'all'], blastRadius: true, depth: 2 }),
  ],
  'code.impact': [(_nm, project) => project.impact('s', { depth: 2 })],
  'code.add_document': [(_nm, { documents }) => documents.add('a.md', { contentType: 'markdown' })],
  'code.list_documents': [(_nm, { documents }) => documents.list()],
  'code.remove_document': [(_nm, { documents }) => documents.remove('a.md')],
};

let server: RecordingServer;
let nm: NeuralMindClient;
let repo: Project;
beforeAll(async () => {
  server = await recordingServer();
  nm = new NeuralMindClient({ url: server.url, token: 'a-token' });
  server.next({ json: { id: 'p', name: 'p', path: '/p', built: false, warm: false } });
  repo = await nm.projectById('p');
});
afterAll(() => server.close());
beforeEach(() => server.clear());

function exampleOf({ operation }: Route): Reply {
  const statuses = keysOf(operation['responses']).filter((status) => status.startsWith('2'));
  const status = Number(statuses[0]);
  const json = at(operation, 'responses', String(status), 'content', 'application/json', 'example');
  return json === undefined ? { status } : { status, json };
}

async function callsOf(route: Route): Promise<readonly Asked[]> {
  const example = exampleOf(route);
  const { json } = example;
  for (const verb of verbs[route.name] ?? []) {
    if (isJsonObject(json) && Object.hasOwn(json, 'next_cursor') && route.name.startsWith('memories.')) {
      server.next({ ...example, json: { ...json, next_cursor: 'more' } });
    }
    server.next(example);
    await verb(nm, repo);
  }
  return server.asked.splice(0);
}

function declared(route: Route, place: string): readonly string[] {
  const parameters = at(route.operation, 'parameters');
  return (Array.isArray(parameters) ? parameters : [])
    .filter((parameter) => at(parameter, 'in') === place)
    .map((parameter) => String(at(parameter, 'name')))
    .sort();
}

function united(lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())].sort();
}

test('CT35 the client has a verb for every route of the document and no other', () => {
  expect(Object.keys(verbs).sort()).toEqual(routes.map(({ name }) => name).sort());
});

test.each(routes.map((route) => [route.name, route] as const))(
  'CT36 %s is asked where and with what the document says, and its example answer is understood',
  async (_name, route) => {
    const asked = await callsOf(route);
    expect(asked.length).toBeGreaterThan(0);
    const path = new RegExp(`^${route.path.replace('/v1', '').replaceAll(/\{[a-z_]+\}/g, '[^/]+')}$`);
    for (const { method, target } of asked) {
      expect(method).toBe(route.method);
      expect(target.split('?')[0]).toMatch(path);
    }
    const query = asked.map(({ target }) => [...new URL(target || '/', 'http://localhost').searchParams.keys()]);
    expect(united(query)).toEqual(declared(route, 'query'));
    for (const header of declared(route, 'header')) {
      expect(asked.every(({ headers }) => headers[header] !== undefined)).toBe(true);
    }
    const schema = at(route.operation, 'requestBody', 'content', 'application/json', 'schema');
    const bodies = asked.map(({ body }) => Object.keys(body ?? {}));
    expect(united(bodies)).toEqual(keysOf(at(schema, 'properties')));
  },
);

test('CT37 the operations of a batch take every field that the document gives them', async () => {
  const route = routes.find(({ name }) => name === 'memories.batch');
  const kinds = at(
    route?.operation,
    ...['requestBody', 'content', 'application/json', 'schema', 'properties', 'operations', 'items', 'oneOf'],
  );
  const declaredOf = new Map(
    (Array.isArray(kinds) ? kinds : []).map((kind) => [
      String(at(kind, 'properties', 'op', 'const')),
      keysOf(at(kind, 'properties')),
    ]),
  );
  server.next({ json: { results: [] } });
  const sent = repo.memories.batch([
    { op: 'create', ...created, supersedes: 'o' },
    { op: 'update', id: 'm', ifMatch: 'then', ...patch },
    { op: 'invalidate', id: 'm', reason: 'r' },
  ]);
  await expect(sent).rejects.toMatchObject({ reason: 'unexpected_answer' });
  const body = server.asked[0]?.body as { operations: { op: string }[] };
  for (const operation of body.operations) {
    expect([operation.op, Object.keys(operation).sort()]).toEqual([operation.op, declaredOf.get(operation.op)]);
  }
  expect(declaredOf.size).toBe(3);
});

test('CT38 every member of a decision in the document has its place in a Memory', async () => {
  const names: Readonly<Record<string, string>> = { files: 'files_affected', type: 'decision_type' };
  const route = routes.find(({ name }) => name === 'memories.get');
  const example = route === undefined ? { status: 404 } : exampleOf(route);
  server.next(example);
  const { raw, ...memory }: Memory = await repo.memories.get('m');
  expect(raw).toEqual(example.json);
  const wire = Object.entries(memory).map(([field, value]): [string, unknown] => [
    names[field] ?? field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  expect(Object.fromEntries(wire)).toEqual(example.json);
  expect(wire.map(([name]) => name).sort()).toEqual(
    keysOf(at(openapi, 'components', 'schemas', 'Memory', 'properties')),
  );
});
