/** The rows of code by themselves: what they take, what a build leaves in its job, and what tools show of an answer. */
import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject, member } from '../../src/base/json.ts';
import { codeRequestLimits } from '../../src/base/limits.ts';
import type { BuildAnswer } from '../../src/engine/code/answers.ts';
import type { CodeMind } from '../../src/engine/code/code-mind.ts';
import { ok, type Result, unavailable } from '../../src/memory/decisions/outcome.ts';
import { codeRows } from '../../src/operations/code/rows.ts';
import { instructions } from '../../src/operations/instructions.ts';
import { isTool, type ToolOperation } from '../../src/operations/operation.ts';
import { asciiJson } from '../../src/operations/tool-result.ts';
import { tempEngine, tempRepository } from '../projects/temp-repository.ts';
import { openDoor } from './door.ts';

const nowhere = { project_id: 'p_000000000000' };
const long = (length: number) => 'x'.repeat(length);

/** The fields that are wrong, as a caller is told them. */
function refused(name: string, input: JsonObject, closed = false): readonly string[] {
  const row = codeRows.find((each) => each.name === name);
  const parsed = row?.parse({ ...nowhere, ...input }, { closed });
  if (parsed === undefined || parsed.ok) return [];
  const errors = parsed.failure.details?.['errors'];
  expect(parsed.failure.code).toBe('validation_error');
  return Array.isArray(errors) ? errors.map((error) => (isJsonObject(error) ? String(error['loc']) : '')) : [];
}

const good: readonly (readonly [string, JsonObject])[] = [
  ['code.query', { question: long(codeRequestLimits.questionCharsMax) }],
  ['code.query', { question: 'q', query_type: 'docs', context_budget: null, trace: true, learn: false }],
  ['code.query', { question: 'q', context_budget: 200_000 }],
  ['code.search', { query: '日', n: 100 }],
  ['code.savings', { cost: true, model: 'm', queries_per_day: 1 }],
  ['code.structural', { q: 'a', relations: ['callers,imports', 'ALL'], blast_radius: true, depth: 5 }],
  ['code.structural', { query: 'a' }],
  ['code.impact', { symbol: 'a', depth: 5, offset: 3 }],
  ['code.skeleton', { file_path: 'a', offset: 0 }],
  ['code.add_document', { path: 'a', content_type: 'pdf' }],
  ['code.add_document', { file_path: 'a' }],
  ['code.build', { force: true, wait: true }],
  ['code.validate', { write: true, unknown_to_us: 1 }],
];

test.each(good)('CO13 %s takes what is in range (%#)', (name, input) => {
  expect(refused(name, input)).toEqual([]);
});

const bad: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  ['code.query', {}, ['question']],
  ['code.query', { question: ' ' }, ['question']],
  ['code.query', { question: long(8_001), context_budget: 0 }, ['question', 'context_budget']],
  ['code.query', { question: 'q', context_budget: 200_001 }, ['context_budget']],
  ['code.query', { question: 'q', query_type: 'all', learn: 'no' }, ['query_type', 'learn']],
  ['code.query', { question: 'a\u0000b', trace: null }, ['question', 'trace']],
  ['code.search', { query: '', n: 0 }, ['query', 'n']],
  ['code.search', { query: 'q', n: 101 }, ['n']],
  ['code.search', { query: 'q', n: 1.5 }, ['n']],
  ['code.savings', { queries_per_day: 0, model: '' }, ['model', 'queries_per_day']],
  ['code.structural', { q: 'a', relations: ['callers', 'friends'] }, ['relations']],
  ['code.structural', { depth: 6 }, ['q', 'depth']],
  ['code.impact', { symbol: 'a', depth: 0 }, ['depth']],
  ['code.skeleton', { offset: -1 }, ['file_path', 'offset']],
  ['code.add_document', { path: 'a', content_type: 'docx' }, ['content_type']],
  ['code.build', { force: 1, wait: 'yes' }, ['force', 'wait']],
];

test.each(bad)('CO13 %s refuses what is not and names every field (%#)', (name, input, fields) => {
  expect(refused(name, input)).toEqual(fields);
});

test('CC26 what is wrong with an argument of a tool is told under the name that the tool gives it', () => {
  expect(refused('code.structural', {}, true)).toEqual(['query']);
  expect(refused('code.structural', { query: ' ', depth: 9 }, true)).toEqual(['query', 'depth']);
  expect(refused('code.structural', { query: ' ' })).toEqual(['query']);
  expect(refused('code.structural', { q: ' ', query: 'a' })).toEqual(['q']);
  expect(refused('code.add_document', { file_path: '' }, true)).toEqual(['file_path']);
  expect(refused('code.add_document', { path: '' })).toEqual(['path']);
});

test('CC26 so is what the code mind finds wrong with it', async () => {
  const door = openDoor(tempEngine());
  const project_path = tempRepository().root;
  const asked = async (input: JsonObject) => door.failure('code.add_document', { project_path, ...input });
  expect(await asked({ file_path: 'none.md' })).toMatchObject({ details: { errors: [{ loc: ['file_path'] }] } });
  expect(await asked({ path: 'none.md' })).toMatchObject({ details: { errors: [{ loc: ['path'] }] } });
});

const answer: BuildAnswer = {
  success: true,
  project: 'atlas',
  backend: 'sqlite',
  nodes_total: 1,
  communities: 1,
  nodes_added: 1,
  nodes_updated: 1,
  nodes_skipped: 0,
  nodes_removed: 0,
  files: 1,
  files_read: 1,
  files_reused: 0,
  files_removed: 0,
  files_skipped: 0,
  changed: true,
  db_path: '/atlas/.neuralmind/index.db',
  duration_seconds: 0.1,
  built_at: '2026-10-02T12:00:00.000Z',
};

/** A real engine in which only builds go as `build` says; how they are done is proved with the real ones. */
async function builder(build: CodeMind['build']) {
  const engine = tempEngine();
  const door = openDoor({ ...engine, code: () => ({ build }) as CodeMind });
  const { id } = await door.call('projects.register', { path: tempRepository().root });
  return { door, project: { project_id: String(id) } };
}

test('CO2 the progress of a build is in its job while it runs, and its result when it ended', async () => {
  let end = (_result: Result<BuildAnswer>): void => {};
  const { door, project } = await builder((request, options) => {
    expect(request).toEqual({ force: true });
    options?.onProgress?.({ phase: 'read', done: 3, total: 9 });
    return new Promise((resolve) => {
      end = resolve;
      options?.signal?.addEventListener('abort', () => resolve(unavailable('closed', 'the process is ending')));
    });
  });
  const begun = await door.answer('code.build', { ...project, force: true });
  const { job } = await door.call('code.build', { ...project, force: true });
  expect(begun).toMatchObject({ status: 202, location: expect.stringMatching(/^\/v1\/jobs\/[0-9a-f]{12}$/) });
  expect(job).toMatchObject({ kind: 'build', status: 'queued', progress: null });
  const id = String(begun.location).replace('/v1/jobs/', '');
  const running = await door.call('jobs.get', { job_id: id });
  expect(running).toMatchObject({ status: 'running', progress: { phase: 'read', done: 3, total: 9 }, result: null });
  end(ok(answer));
  await expect.poll(() => door.call('jobs.get', { job_id: id })).toMatchObject({ status: 'done', result: answer });
});

test('CO3 a build that fails ends its job as an error in its words; over the tool the call fails', async () => {
  const { door, project } = await builder(async () => unavailable('full', 'there is no room on the disk'));
  const waited = await door.answer('code.build', { ...project, wait: true });
  expect(waited.status).toBe(200);
  const { job } = await door.call('code.build', { ...project, wait: true });
  expect(job).toMatchObject({ status: 'error', error: 'there is no room on the disk', result: null });
  const failure = await door.failure('neuralmind_build', project);
  expect(failure).toMatchObject({ code: 'unavailable', details: { reason: 'full' } });
});

test('CO3 a build that breaks is a fault of ours, told without its message', async () => {
  const { door, project } = await builder(async () => {
    throw new Error('a secret sentence');
  });
  const failure = await door.failure('neuralmind_build', project);
  expect(failure).toMatchObject({ code: 'internal_error', message: 'the job failed inside Mnemosyne' });
});

test('CM4 the tool that builds waits for the end and answers the result', async () => {
  const { door, project } = await builder(async ({ force }) => ok({ ...answer, changed: force }));
  expect(await door.call('neuralmind_build', { ...project, force: true })).toEqual({ ...answer, changed: true });
});

function toolNamed(name: string): ToolOperation {
  const row = codeRows.filter(isTool).find(({ tool }) => tool.name === name);
  if (row === undefined) throw new Error(`no tool ${name}`);
  return row;
}

function shownExample(name: string, given: JsonObject = {}, more: JsonObject = {}): JsonObject {
  const { tool, example } = toolNamed(name);
  if (!isJsonObject(example.output) || tool.show === undefined) throw new Error(`${name} shows nothing`);
  return tool.show({ ...example.output, ...more }, given);
}

test('CM3 the answer to a question is its context; the hits behind it come when they are asked for', () => {
  const plain = shownExample('neuralmind_query');
  expect(plain).toMatchObject({ context: expect.stringContaining('Where to look:'), truncated: false });
  for (const name of ['top_search_hits', 'trace', 'question']) expect(plain).not.toHaveProperty(name);
  expect(shownExample('neuralmind_query', { include_relevance: true })).toMatchObject({
    top_search_hits: [{ source_file: 'src/store.ts', why: expect.any(Object) }],
  });
});

const hundred = Array.from({ length: 400 }, (_, index) => ({
  id: `symbol:日本/${index}.ts#f`,
  label: `関数${index}()`,
}));
const views = ['callers', 'callees'].map((relation) => ({ relation, neighbours: hundred, count: 400 }));
const long24: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  ['neuralmind_search', { results: hundred }, ['results']],
  ['neuralmind_impact', { dependents: hundred, candidates: hundred }, ['dependents', 'candidates']],
  ['neuralmind_structural_neighbors', { relations: views, blast_radius: { nodes: hundred } }, ['relations']],
  ['neuralmind_skeleton', { outline: hundred.map(({ label }) => label.repeat(9)).join('\n') }, ['outline']],
];

test.each(long24)('CM2 %s cuts a long answer and says where to read on', (name, more, lists) => {
  const first = shownExample(name, {}, more);
  expect(asciiJson(first).length).toBeLessThanOrEqual(codeRequestLimits.toolAnswerBytesMax);
  expect(asciiJson(first).length).toBeGreaterThan(codeRequestLimits.toolAnswerBytesMax * 0.9);
  const next = first['next_offset'];
  expect(first['truncated'] === true && typeof next === 'number' && next > 0).toBe(true);
  for (const list of lists) expect(member(first, list)).toBeDefined();
  if (name === 'neuralmind_skeleton') {
    // The code mind gives the part from the offset on.
    const part = String(more['outline']).split('\n').slice(100).join('\n');
    const later = shownExample(name, { offset: 100 }, { outline: part });
    expect(later['next_offset']).toBe(100 + String(later['outline']).split('\n').length);
    return;
  }
  expect(JSON.stringify(shownExample(name, { offset: 399 }, more))).toContain('日本/399.ts');
});

test('CM2 the other answers that can be long are cut as well', () => {
  const issues = hundred.map(({ id }) => ({ code: 'orphaned_node', message: id.repeat(3) }));
  const cut = [
    shownExample('neuralmind_stats', {}, { skipped_files: hundred }),
    shownExample('neuralmind_validate', {}, { validation: { ok: true, errors: issues, warnings: issues } }),
    shownExample('neuralmind_query', {}, { context: hundred.map(({ id }) => id.repeat(3)).join('\n') }),
    shownExample('neuralmind_wakeup', {}, { context: hundred.map(({ id }) => id.repeat(3)).join('\n') }),
  ];
  for (const shown of cut) {
    expect(shown['truncated']).toBe(true);
    expect(asciiJson(shown).length).toBeLessThanOrEqual(codeRequestLimits.toolAnswerBytesMax);
  }
});

test('CM5 what only reads is marked so, what writes can be made again, and nothing reaches out', () => {
  for (const row of codeRows.filter(isTool)) {
    const isReading = row.permission === 'code.read';
    expect(row.tool.annotations).toEqual({
      readOnlyHint: isReading,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
    if (isReading) expect(row.effects).not.toMatch(/^Writes/);
  }
  const writing = codeRows.filter((row) => row.permission === 'code.write').map(({ name }) => name);
  expect(writing).toEqual(['code.build', 'code.index', 'code.add_document', 'code.remove_document', 'code.validate']);
});

test('CM6 the instructions name the first tools for code and say how a project is named', () => {
  for (const word of ['neuralmind_query', 'neuralmind_impact', 'project_path', 'Code is data']) {
    expect(instructions).toContain(word);
  }
});
