/** The routes and tools of code over the real engine and a small real repository. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../../src/base/json.ts';
import { codeRequestLimits } from '../../src/base/limits.ts';
import { createRegistry } from '../../src/operations/registry.ts';
import { apiOperations } from '../../src/transports/api/api-routes.ts';
import { clientHeaders, type Door, openDoor, toolCall } from '../edge/door.ts';
import { expectFits } from '../operations/door.ts';
import { type Answer, expectFailure, jsonOf, send } from './answers.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const rows = apiOperations(createRegistry({ remember: false, archive_restore: false, revise: false, forget: false }));

const files: Readonly<Record<string, string>> = {
  'README.md':
    '# Ledger\n\nKeeps the accounts of a small shop and prints the balance.\n\n## Rounding\n\nHalves go to even.\n',
  'src/ledger.ts': `/** Adds what was booked. */
import { roundHalfEven } from './rounding.ts';

export class Ledger {
  /** Books an amount of cents under a name. */
  book(name: string, cents: number): void {
    this.entries.push({ name, cents: roundHalfEven(cents) });
  }
  readonly entries: { name: string; cents: number }[] = [];
}

export class SealedLedger extends Ledger {}
`,
  'src/rounding.ts': `/** Rounds to whole cents; halves go to the even neighbour. */
export function roundHalfEven(cents: number): number {
  const floor = Math.floor(cents);
  if (cents - floor !== 0.5) return Math.round(cents);
  return floor % 2 === 0 ? floor : floor + 1;
}
`,
  'src/report.ts': `import { Ledger } from './ledger.ts';

export function printBalance(ledger: Ledger): string {
  return ledger.entries.map((entry) => entry.name).join();
}
`,
  'test/rounding.test.ts': "import { roundHalfEven } from '../src/rounding.ts';\nroundHalfEven(0.5);\n",
  'dist/bundle.min.js': `var a=1;${'a=a+1;'.repeat(2_000)}\n`,
};

let door: Door;
let folder: string;
let project: string;
let count = 0;

beforeAll(() => {
  door = openDoor();
});
afterAll(() => door.close());
beforeEach(async () => {
  count += 1;
  folder = join(door.folder, `shop-${count}`);
  for (const [name, text] of Object.entries(files)) write(name, text);
  execFileSync('git', ['init', '--quiet', folder]);
  project = String(jsonOf(await send(door, 'POST', '/v1/projects', { path: folder }))['id']);
});

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** One request to the project; a success must have the shape that its row declares. */
async function call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> {
  const answer = await send(door, method, `/v1/projects/${project}/${path}`, body);
  const place = `/v1/projects/{project_id}/${path.split('?')[0]}`;
  const row = rows.find(({ http }) => http.path === place && http.method === method);
  if (row === undefined) throw new Error(`no route ${place}`);
  if (answer.status < 300) expectFits(row.http.output, jsonOf(answer) as JsonObject);
  else expect(row.errors).toContain(member((jsonOf(answer) as JsonObject)['error'] as JsonObject, 'code'));
  return answer;
}

async function got(path: string): Promise<JsonObject> {
  const answer = await call('GET', path);
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, answer.text.slice(0, 300)]);
  return jsonOf(answer) as JsonObject;
}

async function posted(path: string, body: unknown = {}): Promise<JsonObject> {
  const answer = await call('POST', path, body);
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, answer.text.slice(0, 300)]);
  return jsonOf(answer) as JsonObject;
}

function list(value: JsonObject, name: string): readonly JsonObject[] {
  const found = member(value, name);
  if (!Array.isArray(found) || !found.every(isJsonObject)) throw new Error(`no list ${name}`);
  return found;
}

async function finished(job: string): Promise<JsonObject> {
  for (;;) {
    const answer = jsonOf(await send(door, 'GET', `/v1/jobs/${job}`)) as JsonObject;
    if (answer['finished_at'] !== null) return answer;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const inFolder = (name: string) => existsSync(join(folder, '.neuralmind', name));

test('CO1 a build answers 202 with its job; waited for, it answers 200 with the ended job', async () => {
  const begun = await call('POST', 'build');
  expect(begun.status).toBe(202);
  const job = jsonOf(begun)['job'] as JsonObject;
  expect(begun.headers['location']).toBe(`/v1/jobs/${job['id']}`);
  expect(job).toMatchObject({ kind: 'build', project_id: project, error: null });
  const ended = await finished(String(job['id']));
  expect(ended).toMatchObject({ status: 'done', result: { success: true, backend: 'sqlite', changed: true } });
  expect(ended['progress']).toMatchObject({ phase: expect.any(String), total: expect.any(Number) });

  const again = await posted('build', { wait: true });
  expect(again['job']).toMatchObject({ status: 'done', result: { files_read: 0 } });
  const third = await posted('build', { wait: true });
  expect(third['job']).toMatchObject({ status: 'done', result: { changed: false } });
  const forced = await posted('build', { wait: true, force: true });
  expect(forced['job']).toMatchObject({ status: 'done', result: { files_reused: 0 } });
  expect(jsonOf(await send(door, 'GET', `/v1/projects/${project}`))).toMatchObject({ built: true });
});

test('CO4 the first question builds; two at once build once, and looking at the state builds nothing', async () => {
  expect(await got('stats')).toEqual({ project_id: project, project: `shop-${count}`, built: false });
  expect(await got('health')).toMatchObject({ state: 'missing', freshness: null, building: false });
  expect(await got('savings')).toMatchObject({ total_queries: 0, total_tokens_saved: 0, recent_queries: [] });
  expect(jsonOf(await send(door, 'GET', `/v1/projects/${project}`))).toMatchObject({ built: false });
  expect(inFolder('index.db')).toBe(false);
  const [one, other] = await Promise.all([
    posted('search', { query: 'rounding' }),
    posted('query', { question: 'How are cents rounded?' }),
  ]);
  expect(list(one, 'results').length).toBeGreaterThan(0);
  expect(other['search_hits']).toBeGreaterThan(0);
  const stats = await got('stats');
  expect(stats).toMatchObject({ built: true, build_stats: { generation: 1 }, freshness: { state: 'fresh' } });
  expect(await got('health')).toMatchObject({ state: 'ok' });
});

test('CO5 a query answers the places to read within its budget, and what it cut', async () => {
  const whole = await posted('query', { question: 'How are halves of a cent rounded?', trace: true });
  expect(whole).toMatchObject({ project_id: project, budget: 1500, freshness: null, cut: { l3: 0 } });
  expect(whole['context']).toContain('src/rounding.ts:2');
  expect(whole['layers_used']).toEqual(expect.arrayContaining(['L0', 'L3']));
  expect(isJsonObject(whole['trace'])).toBe(true);
  const [first] = list(whole, 'top_search_hits');
  expect(first).toMatchObject({ source_file: 'src/rounding.ts', kind: 'function', start_line: 2, end_line: 6 });
  expect(first?.['why']).toMatchObject({ lexical: expect.any(Array) });
  const tokens = whole['tokens'] as Record<string, number>;
  expect(tokens['total']).toBe((tokens['l0'] ?? 0) + (tokens['l1'] ?? 0) + (tokens['l2'] ?? 0) + (tokens['l3'] ?? 0));
  for (const budget of [1, 20, 60]) {
    const small = await posted('query', { question: 'How are halves rounded?', context_budget: budget });
    expect((small['tokens'] as Record<string, number>)['total']).toBeLessThanOrEqual(budget);
    expect(small).toMatchObject({ budget, trace: null });
  }
  expect(await posted('query', { question: 'halves', query_type: 'docs' })).toMatchObject({
    search_hits: expect.any(Number),
  });
});

test('CO6 a search answers at most n hits, each with its place and reason', async () => {
  const found = await posted('search', { query: 'ledger', n: 2 });
  expect(found).toMatchObject({ project_id: project, query: 'ledger', freshness: null });
  const results = list(found, 'results');
  expect(results).toHaveLength(2);
  for (const hit of results) {
    expect(Object.hasOwn(files, String(hit['source_file']))).toBe(true);
    expect(hit['score']).toBe(Math.round(Number(hit['score']) * 1000) / 1000);
  }
});

test('CO26 no two results of a search are of one file or symbol, and their places go to others', async () => {
  const paragraph = (at: number) => `Paragraph ${at} about the freight of parcels. ${'It is long. '.repeat(40)}\n\n`;
  write('notes.txt', Array.from({ length: 150 }, (_, at) => paragraph(at)).join(''));
  for (let at = 0; at < 12; at += 1)
    write(`src/port-${at}.ts`, `// The freight of parcels.\nexport const p${at} = ${at};\n`);
  await call('POST', 'documents', { path: 'notes.txt' });
  await posted('build', { wait: true });
  for (const n of [3, 10, 100]) {
    const ids = list(await posted('search', { query: 'freight of parcels', n }), 'results').map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(Math.min(n, 13));
  }
});

test('CO7 wake-up, statistics and health speak of this project and say when it is stale', async () => {
  const wakeup = await got('wakeup');
  expect(wakeup).toMatchObject({ project_id: project, freshness: null, layers_used: expect.arrayContaining(['L0']) });
  expect(wakeup['context']).toContain('Keeps the accounts of a small shop');
  const stats = await got('stats');
  expect(stats).toMatchObject({ languages: { typescript: 4, markdown: 1 } });
  write('src/tax.ts', 'export const taxRate = 0.19;\n');
  rmSync(join(folder, 'src/report.ts'));
  await expect.poll(() => got('health'), { timeout: 10_000 }).toMatchObject({ state: 'stale' });
  expect((await got('stats'))['freshness']).toMatchObject({ state: 'stale', added: 1, removed: 1 });
  expect((await got('wakeup'))['freshness']).toMatchObject({ state: 'stale' });
  await posted('build', { wait: true });
  expect(await got('health')).toMatchObject({ state: 'ok' });
  expect(JSON.stringify(await posted('search', { query: 'printBalance' }))).not.toContain('src/report.ts');
});

test('CO8 savings count what was asked, without what is not to be learned, and reckon the cost on request', async () => {
  await posted('query', { question: 'rounding' });
  await posted('query', { question: 'rounding', learn: false });
  await got('wakeup');
  const plain = await got('savings');
  expect(plain).toMatchObject({ total_queries: 1, total_wakeups: 1, dollar_savings: null });
  const priced = await got('savings?cost=true&model=claude-haiku-4-5&queries_per_day=7');
  expect(priced['dollar_savings']).toMatchObject({ model: 'claude-haiku-4-5', price_per_mtok: 1, queries_per_day: 7 });
});

test('CO9 a validation finds the index whole, and writes documents only when told to', async () => {
  expect(await posted('validate')).toMatchObject({ validation: { ok: true, errors: [] }, written_to: null });
  expect(inFolder('index_ir.json')).toBe(false);
  const written = await posted('validate', { write: true });
  expect(written).toMatchObject({ written_to: { ir: join(folder, '.neuralmind', 'index_ir.json') } });
  expect(JSON.parse(readFileSync(join(folder, '.neuralmind', 'index_ir.json'), 'utf8'))).toMatchObject({
    ir_version: 1,
  });
  expect(inFolder('ir_meta.json')).toBe(true);
});

test('CO10 neighbours and impact follow the edges of the code, relation by relation', async () => {
  const views = await got('neighbors/structural?q=roundHalfEven&relations=callers&relations=importers');
  expect(views).toMatchObject({ resolution: 'exact', resolved_node: { path: 'src/rounding.ts' }, blast_radius: null });
  const [callers] = list(views, 'relations');
  const names = list(callers ?? {}, 'neighbours').map((one) => one['path']);
  expect(names).toEqual(expect.arrayContaining(['src/ledger.ts', 'test/rounding.test.ts']));
  const classes = await got('neighbors/structural?q=Ledger&relations=subclasses&blast_radius=true&depth=3');
  expect(JSON.stringify(classes['relations'])).toContain('SealedLedger');
  expect(classes['blast_radius']).toMatchObject({ depth: 3 });
  const impact = await got('impact?symbol=roundHalfEven&depth=2');
  expect(list(impact, 'dependents').map((one) => one['qualified_name'])).toContain('Ledger.book');
  for (const one of list(impact, 'dependents')) expect(Array.isArray(one['chain'])).toBe(true);
  const none = await got('impact?symbol=thereIsNothingOfThisName');
  expect(none['note']).toEqual(expect.any(String));
  const unknown = await call('GET', 'neighbors/structural?q=Ledger&relations=friends');
  expect(JSON.stringify(expectFailure(unknown, 'validation_error'))).toContain('"loc":["relations"]');
});

test('CO11 an outline lists the symbols of a file with their lines; a file that is not indexed is refused by name', async () => {
  const outline = await got('skeleton?file_path=src/ledger.ts');
  expect(outline).toMatchObject({ source_file: 'src/ledger.ts', language: 'typescript', next_offset: null });
  expect(String(outline['outline'])).toMatch(/^4-10 .*class.*Ledger[\s\S]*\n {2}6-8 .*book\(/);
  const rest = await got('skeleton?file_path=src/ledger.ts&offset=1');
  expect(String(outline['outline']).endsWith(String(rest['outline']))).toBe(true);
  expect((await got(`skeleton?file_path=${encodeURIComponent(join(folder, 'src/ledger.ts'))}`))['lines']).toBe(
    outline['lines'],
  );
  for (const file of ['src/none.ts', '../shop-1/src/ledger.ts', '/etc/passwd']) {
    const answer = await call('GET', `skeleton?file_path=${encodeURIComponent(file)}`);
    expect(JSON.stringify(expectFailure(answer, 'validation_error'))).toContain('"loc":["file_path"]');
  }
});

test('CO25 what is searched by its text alone says so where symbols are missing', async () => {
  write('gen/api.ts', `// Code generated by a tool. DO NOT EDIT.\nexport function generated(): void {}\n`);
  write('src/empty.ts', '// nothing here\n');
  await posted('build', { wait: true });
  const note = async (file: string) => member(await got(`skeleton?file_path=${file}`), 'note');
  expect(await note('gen/api.ts')).toBe(
    'symbols are not read: the file says that it is generated; its text is searched all the same',
  );
  expect(await note('src/empty.ts')).toBe('no definition was found in it');
  expect(await note('src/ledger.ts')).toBeNull();
  expect(await got('stats')).toMatchObject({ text_only: { generated: 1 } });
});

test('CO12 a document inside the project is added once, and nothing outside it ever', async () => {
  write('docs/policy.txt', 'Refunds of a purchase are paid out within fourteen days.\n');
  const added = await call('POST', 'documents', { path: 'docs/policy.txt' });
  expect(added.status).toBe(201);
  expect(jsonOf(added)).toMatchObject({ file_path: 'docs/policy.txt', content_type: 'text', already_indexed: false });
  expect((await call('POST', 'documents', { path: join(folder, 'docs/policy.txt') })).status).toBe(200);
  const [hit] = list(await posted('search', { query: 'refunds purchase' }), 'results');
  expect(hit).toMatchObject({ source_file: 'docs/policy.txt', file_type: 'document' });
  symlinkSync('/etc/hosts', join(folder, 'docs/link.txt'));
  write('.env', 'TOKEN=1\n');
  const withheld = ['.neuralmind/audit_events.jsonl', '.neuralmind/documents.json', '.git/config', '.env'];
  expect(existsSync(join(folder, '.neuralmind/documents.json'))).toBe(true);
  for (const path of ['../outside.txt', '/etc/hosts', 'docs/link.txt', 'docs/none.txt', ...withheld]) {
    const answer = await call('POST', 'documents', { path });
    expect(JSON.stringify(expectFailure(answer, 'validation_error'))).toContain('"loc":["path"]');
  }
});

test('DO31 DO32 documents are listed as they stand and removed by their path, once', async () => {
  write('docs/guide.md', '# Zeppelin guide\n\nHow airships are moored.\n');
  write('docs/plain.note', 'Moorings of airships are inspected every spring.\n');
  write('gone.note', 'Ballast is dropped over water.\n');
  const empty = { items: [], next_cursor: null };
  for (const one of await documents()) await send(door, 'DELETE', removal(String(member(one, 'file_path'))));
  expect(await got('documents')).toEqual(empty);
  for (const path of ['docs/plain.note', 'docs/guide.md', 'gone.note']) await call('POST', 'documents', { path });
  rmSync(join(folder, 'gone.note'));
  write('docs/plain.note', 'Moorings of airships are inspected every autumn, and by night.\n');
  expect(await documents()).toMatchObject([
    { file_path: 'docs/plain.note', content_type: 'auto', kind: 'text', title: null, state: 'changed' },
    { file_path: 'docs/guide.md', kind: 'markdown', title: 'Zeppelin guide', bytes: 43, state: 'fresh' },
    { file_path: 'gone.note', state: 'gone' },
  ]);
  expect((await send(door, 'DELETE', removal('docs/plain.note'))).status).toBe(204);
  expect(await searched('moorings airships autumn')).not.toContain('docs/plain.note');
  expect((await send(door, 'DELETE', removal(join(folder, 'gone.note')))).status).toBe(204);
  for (const path of ['docs/plain.note', 'gone.note', 'none.txt', 'src/ledger.ts']) {
    const failure = expectFailure(await send(door, 'DELETE', removal(path)), 'document_not_found');
    expect(failure).toMatchObject({ details: { path } });
  }
  expectFailure(await send(door, 'DELETE', removal('../outside.txt')), 'validation_error');
  expectFailure(await send(door, 'DELETE', removal('')), 'validation_error');
  // A file of the project is one still.
  expect((await send(door, 'DELETE', removal('docs/guide.md'))).status).toBe(204);
  expect(await searched('zeppelin airships moored')).toContain('docs/guide.md');
  expect(await got('documents')).toEqual(empty);
});

const removal = (path: string): string => `/v1/projects/${project}/documents?path=${encodeURIComponent(path)}`;
const documents = async (): Promise<readonly JsonObject[]> => list(await got('documents'), 'items');
const searched = async (query: string): Promise<readonly (JsonValue | undefined)[]> =>
  list(await posted('search', { query }), 'results').map((hit) => member(hit, 'source_file'));

test('CO14 what is wrong with a call is told before the project is looked for, and an unknown project is 404', async () => {
  const real = project;
  for (const row of rows.filter(({ name }) => name.startsWith('code.'))) {
    const url = row.http.path.replace('{project_id}', 'p_000000000000');
    const required = row.http.body ? '' : '?q=a&symbol=a&file_path=a&path=a';
    const body = { question: 'q', query: 'q', path: 'a' };
    const answer = await send(door, row.http.method, `${url}${required}`, row.http.body ? body : undefined);
    expectFailure(answer, 'project_not_found');
  }
  project = 'p_000000000000';
  expectFailure(await call('POST', 'query', { question: '' }), 'validation_error');
  expectFailure(await call('GET', 'impact'), 'validation_error');
  expectFailure(await send(door, 'GET', `/v1/projects/${real}/impact?symbol=a&depth=x`), 'invalid_request');
});

test('CO15 a project without anything to index answers 503 to questions and never a made-up context', async () => {
  for (const name of Object.keys(files)) rmSync(join(folder, name), { force: true });
  for (const answer of [
    await call('POST', 'query', { question: 'anything' }),
    await call('GET', 'wakeup'),
    await call('GET', 'impact?symbol=a'),
  ]) {
    expectFailure(answer, 'unavailable');
  }
});

test('CO16 questions about code never make a store of decisions, and one in the place of the index is left alone', async () => {
  await posted('query', { question: 'rounding' });
  expect(inFolder('memory.db')).toBe(false);
  expect(readFileSync(join(folder, '.neuralmind', '.gitignore'), 'utf8')).toBe('*\n');
  mkdirSync(join(door.folder, `foreign-${count}`, '.neuralmind'), { recursive: true });
  folder = join(door.folder, `foreign-${count}`);
  write('a.ts', 'export const a = 1;\n');
  write('.neuralmind/index.db', 'this is no index');
  project = String(jsonOf(await send(door, 'POST', '/v1/projects', { path: folder }))['id']);
  expectFailure(await call('POST', 'search', { query: 'a' }), 'unavailable');
  expect(await got('health')).toMatchObject({ state: 'unusable' });
  const failed = await posted('build', { wait: true });
  expect(failed['job']).toMatchObject({ status: 'error', error: expect.any(String), result: null });
  expect(readFileSync(join(folder, '.neuralmind/index.db'), 'utf8')).toBe('this is no index');
});

async function tool(
  name: string,
  args: JsonObject = {},
): Promise<{ readonly value: JsonObject; readonly text: string }> {
  const answer = await door.app.inject({
    method: 'POST',
    url: '/mcp?tools=code',
    headers: clientHeaders(),
    payload: toolCall(name, { project_path: folder, ...args }),
  });
  const { result } = JSON.parse(answer.body) as {
    result: { content: { text: string }[]; structuredContent?: JsonObject };
  };
  const text = result.content[0]?.text ?? '';
  if (result.structuredContent !== undefined) expect(JSON.parse(text)).toEqual(result.structuredContent);
  return { value: result.structuredContent ?? (JSON.parse(text) as JsonObject), text };
}

test('CM1 every tool answers for the project at its path, and an unnamed one is told how to name it', async () => {
  expect((await tool('neuralmind_build', { force: true })).value).toMatchObject({ success: true, files_reused: 0 });
  const { value: asked } = await tool('neuralmind_query', { question: 'How are halves rounded?' });
  expect(asked['context']).toContain('src/rounding.ts:2');
  expect(asked).not.toHaveProperty('top_search_hits');
  const withHits = { question: 'How are halves rounded?', include_relevance: true };
  expect((await tool('neuralmind_query', withHits)).value).toHaveProperty('top_search_hits');
  expect((await tool('neuralmind_wakeup')).value['context']).toContain('Keeps the accounts');
  expect((await tool('neuralmind_search', { query: 'ledger' })).value).toMatchObject({ truncated: false });
  expect((await tool('neuralmind_stats')).value).toMatchObject({ built: true });
  expect((await tool('neuralmind_health')).value).toMatchObject({ state: 'ok' });
  expect((await tool('neuralmind_savings', { cost: true })).value).toMatchObject({ total_wakeups: 1 });
  expect((await tool('neuralmind_skeleton', { file_path: 'src/ledger.ts' })).value['outline']).toContain('book(');
  expect((await tool('neuralmind_impact', { symbol: 'roundHalfEven' })).value['count']).toBeGreaterThan(0);
  const views = await tool('neuralmind_structural_neighbors', { query: 'Ledger', relations: ['subclasses'] });
  expect(views.text).toContain('SealedLedger');
  expect((await tool('neuralmind_ingest_document', { file_path: 'README.md' })).value).toMatchObject({ success: true });
  expect((await tool('neuralmind_validate')).value).toMatchObject({ validation: { ok: true } });
  const unnamed = await tool('neuralmind_stats', { project_path: '' });
  expect(unnamed.value).toMatchObject({ code: 'validation_error', details: { errors: [{ loc: ['project_path'] }] } });
});

const unknownArguments: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  ['neuralmind_wakeup', { verbose: true }, ['verbose']],
  ['neuralmind_query', { question: 'q', contextBudget: 5, trace: true }, ['contextBudget', 'trace']],
  ['neuralmind_search', { query: 'q', limit: 5 }, ['limit']],
  ['neuralmind_build', { Force: true }, ['Force']],
  ['neuralmind_stats', { file: 'a' }, ['file']],
  ['neuralmind_health', { deep: true }, ['deep']],
  ['neuralmind_savings', { days: 3 }, ['days']],
  ['neuralmind_skeleton', { path: 'src/ledger.ts' }, ['path', 'file_path']],
  ['neuralmind_structural_neighbors', { query: 'q', relation: 'callers' }, ['relation']],
  ['neuralmind_impact', { symbol: 's', dept: 2, __proto_: 1 }, ['dept', '__proto_']],
  ['neuralmind_ingest_document', { file_path: 'README.md', type: 'text' }, ['type']],
  ['neuralmind_validate', { write_files: true }, ['write_files']],
  ['neuralmind_record_decision', { title: 't', rationale: 'r', files: ['a'] }, ['files']],
  ['neuralmind_query_decisions', { query: 'q' }, ['query']],
];

test.each(unknownArguments)('CM7 %s refuses arguments that it has not (%#)', async (name, args, fields) => {
  const { value } = await tool(name, args);
  expect(value).toMatchObject({ status: 'invalid_request', code: 'validation_error' });
  const told = list(member(value, 'details') as JsonObject, 'errors');
  expect(told.map((error) => error['loc'])).toEqual(fields.map((field) => [field]));
  expect(told[0]).toMatchObject({ type: 'extra_forbidden', msg: expect.stringContaining('project_path') });
  expect(existsSync(join(folder, '.neuralmind'))).toBe(false);
});

test('CM7 very many and very long names are not repeated at length', async () => {
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`n${index}${'x'.repeat(300)}`, 1]));
  const { text } = await tool('neuralmind_wakeup', many);
  expect(text.length).toBeLessThan(10_000);
});

test('CM7 who a call says it comes from is taken and not believed, and a project may be named by its id', async () => {
  const said = { actor: 'root', role: 'admin', project_id: project };
  expect((await tool('neuralmind_stats', said)).value).toMatchObject({ built: false });
});

test('CM7 a route takes no notice of fields that it does not know', async () => {
  expect(await posted('search', { query: 'ledger', limit: 5 })).toHaveProperty('results');
});

test('CM2 the answer to a search of many results is read on to the last of them', async () => {
  for (let index = 0; index < 120; index += 1) {
    write(
      `src/generated-${index}.ts`,
      `/** Buchungssätze für Geschäftsjahr ${index}. */\nexport function booking${index}(): void {}\n`,
    );
  }
  await tool('neuralmind_build');
  const seen: unknown[] = [];
  let offset: number | null = 0;
  let windows = 0;
  while (offset !== null) {
    const { value, text }: { value: JsonObject; text: string } = await tool('neuralmind_search', {
      query: 'Buchungssätze Geschäftsjahr',
      n: 100,
      offset,
    });
    expect(text.length).toBeLessThanOrEqual(codeRequestLimits.toolAnswerBytesMax);
    seen.push(...list(value, 'results').map((hit) => hit['id']));
    const next = value['next_offset'];
    offset = typeof next === 'number' ? next : null;
    windows += 1;
  }
  expect(windows).toBeGreaterThan(1);
  expect(new Set(seen).size).toBe(100);
  expect(seen).toHaveLength(100);
});
