/** What hurt the users of other decision memories, tried on ours through the API of a running daemon. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { scanLimits } from '../../src/base/limits.ts';
import { tempRepository } from '../projects/temp-repository.ts';
import { type LiveProject, liveDaemon, objects, refusal, text } from './live.ts';

vi.setConfig({ testTimeout: 240_000 });

const live = liveDaemon();

test('LS1 a natural question needs only some of its words to find its decision, in keyword search too', async () => {
  const project = await live.project('questions');
  const records: JsonObject[] = [
    { id: 'wal', title: 'Use a write-ahead log for the store', rationale: 'Readers must not wait for the writer.' },
    { id: 'uuid', title: 'Random ids for orders', rationale: 'Counting up told competitors our volume.' },
    { id: 'retry', title: 'Retry payments three times', rationale: 'The bank drops one call in a hundred.' },
    { id: 'esm', title: 'Ship modules only', rationale: 'Two builds doubled the size of the package.' },
    { id: 'pin', title: 'Pin the compiler version', rationale: 'A minor release broke the generated code.' },
  ];
  for (const record of records) await project.add(record);
  const asked: readonly (readonly [string, string])[] = [
    ['why did we choose a write-ahead log instead of something simpler?', 'wal'],
    ['how many times should a failed payment be retried by the worker?', 'retry'],
    ['what was the reason that the compiler version is pinned in this repository?', 'pin'],
    ['does anybody remember why order ids are random and not ascending?', 'uuid'],
    ['is there a build for old module loaders in the package?', 'esm'],
  ];
  for (const [question, id] of asked) {
    for (const mode of ['keyword', 'hybrid']) expect((await project.find(question, { mode }))[0], question).toBe(id);
  }
});

test('LS2 ALL means every status in any case and everywhere, and an unknown word is an error, not an empty answer', async () => {
  const project = await live.project('status');
  for (const id of ['active', 'dead']) await project.add({ id, title: `Tune the ${id} cache` });
  await project.ask('POST', '/dead/invalidate', { reason: 'over' });
  for (const status of ['all', 'All', 'ALL', '']) {
    expect((await project.all(`&status=${status}`)).length, status).toBe(2);
    expect((await project.find('cache', { status, mode: 'keyword' })).length, status).toBe(2);
    const exported = await project.ask('GET', `/export?status=${status}`);
    expect(JSON.parse(exported.text), status).toHaveLength(2);
  }
  expect(await project.find('cache', { status: null, mode: 'keyword' })).toHaveLength(2);
  expect((await project.all('&status=invalidated')).map(({ id }) => id)).toEqual(['dead']);
  expect(await project.find('cache', { mode: 'keyword' })).toEqual(['active']);
  for (const status of ['CLOSED', 'al', 'ACTIVE,STALE', ' ACTIVE']) {
    const encoded = encodeURIComponent(status);
    expect(refusal(await project.ask('GET', `?status=${encoded}`))).toBe('422 validation_error status:enum');
    expect(refusal(await project.ask('GET', `/export?status=${encoded}`))).toBe('422 validation_error status:enum');
    const search = await project.ask('POST', '/search', { query: 'cache', status });
    expect(refusal(search)).toBe('422 validation_error status:enum');
  }
  expect(refusal(await project.ask('GET', '?type=WHIM'))).toBe('422 validation_error type:enum');
});

test('LS3 every field that is recorded comes back through every surface', async () => {
  const project = await live.project('fields');
  await project.add({ id: 'base', title: 'Base' });
  const fields = {
    title: 'Keep one writer',
    rationale: 'Two writers lose each other’s changes.',
    commit_sha: 'abcdef1',
    files_affected: ['src/writer.ts'],
    decision_type: 'REFACTOR',
    confidence: 0.75,
    status: 'ACTIVE',
    author: 'the team',
    evidence: ['a crash test'],
    rejected_alternatives: ['a lock file'],
    dependency_constraints: ['base'],
    tags: ['storage', 'writer'],
    agent: 'codex',
    session_id: 's-1',
    review_by: '2999-12-31',
    supersedes: null,
  };
  const operations = [{ op: 'create', id: 'by-batch', ...fields }];
  await project.add({ id: 'rest', ...fields });
  expect((await project.ask('POST', '/batch', { operations })).json['results']).toMatchObject([{ ok: true }]);
  const recorded = await live.tool('neuralmind_record_decision', { project_path: project.root, id: 'tool', ...fields });
  expect(recorded).not.toContain('"isError":true');
  for (const id of ['rest', 'by-batch', 'tool']) {
    expect((await project.ask('GET', `/${id}`)).json, id).toMatchObject({ id, ...fields });
    expect((await project.all()).find((found) => found['id'] === id)).toMatchObject(fields);
    const found = await project.ask('POST', '/search', { query: 'one writer', mode: 'keyword' });
    expect(objects(found.json['results']).find((hit) => hit['id'] === id)).toMatchObject(fields);
    const exported: unknown = JSON.parse((await project.ask('GET', '/export')).text);
    expect(exported).toContainEqual(expect.objectContaining({ id, ...fields }));
    const told = await live.tool('neuralmind_memory_get', { project_path: project.root, ids: [id] });
    for (const value of ['a crash test', 'a lock file', 'REFACTOR', '0.75', 'storage', 's-1', '2999-12-31']) {
      expect(told, `${id} ${value}`).toContain(value);
    }
  }
});

/** What the store says about decisions, read past our code; vectors are derived. */
function truth(project: LiveProject): string {
  const tables = ['decisions', 'decision_events', 'decision_fingerprints', 'decision_requests'];
  return JSON.stringify(tables.map((table) => project.rows(`SELECT * FROM ${table} ORDER BY rowid`)));
}

test('LS4 looking never writes: no read makes a store, and none changes what one says', async () => {
  const [empty, project] = [await live.project('untouched'), await live.project('looked-at')];
  await project.add({ id: 'a', title: 'Tune the cache', files_affected: ['README.md'] });
  const before = truth(project);
  const exported: unknown = JSON.parse((await project.ask('GET', '/export?events=true')).text);
  for (const looked of [project, empty]) {
    for (const below of ['', '/a', '/a/history', '/a/timeline', '/export', '/export?format=md', '/audit']) {
      await looked.ask('GET', below);
    }
    for (const mode of ['keyword', 'semantic', 'hybrid']) await looked.find('cache', { mode });
    const dry = await looked.ask('POST', '/import', { export: exported, dry_run: true });
    expect(dry.status, dry.text).toBe(200);
    await looked.ask('POST', '/scan', { wait: true });
    await live.tool('neuralmind_memory_search', { project_path: looked.root, query: 'cache' });
  }
  await live.ask('GET', '/v1/status');
  expect(truth(project)).toBe(before);
  expect(existsSync(path.join(empty.root, '.neuralmind'))).toBe(false);
});

test('LS5 a write that is answered is on the disk, and one on an unknown id says so', async () => {
  const project = await live.project('certain');
  for (const [method, below, body] of [
    ['GET', '/nobody', undefined],
    ['PATCH', '/nobody', { confidence: 0.5 }],
    ['POST', '/nobody/invalidate', { reason: 'r' }],
    ['POST', '/nobody/restore', {}],
    ['POST', '/nobody/feedback', { signal: 'helpful' }],
    ['POST', '/nobody/supersede', { title: 'T', rationale: 'R' }],
    ['DELETE', '/nobody', undefined],
    ['GET', '/nobody/history', undefined],
    ['GET', '/nobody/timeline', undefined],
  ] as const) {
    expect(refusal(await project.ask(method, below, body)), `${method} ${below}`).toBe('404 memory_not_found');
  }
  expect(await project.all()).toEqual([]);
  await project.add({ id: 'kept', title: 'Kept' });
  await project.ask('PATCH', '/kept', { confidence: 0.5 });
  await live.restart('SIGKILL');
  expect((await project.ask('GET', '/kept')).json).toMatchObject({ title: 'Kept', confidence: 0.5 });
  expect(objects((await project.ask('GET', '/kept/history')).json['items'])).toHaveLength(2);
});

async function statuses(project: LiveProject): Promise<Record<string, unknown>> {
  return Object.fromEntries((await project.all()).map(({ id, status }) => [text(id), status]));
}

test('LS6 what a commit overtakes goes stale without a hook, folders included, and a commit does not overtake its own decision', async () => {
  const project = await live.project('stale');
  project.repository.commit({ 'src/a.ts': '1', 'src/deep/b.ts': '1', 'other.ts': '1' });
  project.repository.write('src/a.ts', '2');
  await project.add({ id: 'fresh', title: 'Fresh', files_affected: ['src/a.ts'] });
  await project.add({ id: 'folder', title: 'Folder', files_affected: ['src/deep'] });
  await project.add({ id: 'depends', title: 'Depends', dependency_constraints: ['folder'] });
  await project.add({ id: 'other', title: 'Other', files_affected: ['other.ts'] });
  project.repository.commit({});
  await sleep(scanLimits.headCheckMs + 50);
  expect(new Set(Object.values(await statuses(project)))).toEqual(new Set(['ACTIVE']));
  // As a pull brings it: commits that no hook of ours has seen.
  const clone = tempRepository(live.daemon.folder('stale-clone'));
  clone.git('pull', '-q', project.root, 'main');
  clone.commit({ 'src/deep/b.ts': '2' });
  clone.commit({ 'src/deep/new.ts': '1' });
  project.repository.git('pull', '-q', clone.root, 'main');
  await sleep(scanLimits.headCheckMs + 50);
  const expected = { fresh: 'ACTIVE', other: 'ACTIVE', folder: 'STALE', depends: 'STALE' };
  expect(await statuses(project)).toEqual(expected);
  await live.restart();
  expect(await statuses(project)).toEqual(expected);
});

test('LS7 saving twice keeps both and says so, editing keeps the versions, and nothing merges or goes by itself', async () => {
  const project = await live.project('versions');
  const same = { title: 'Cache for a minute', rationale: 'Prices change hourly.', files_affected: ['src/price.ts'] };
  const first = await project.add(same);
  const second = await project.ask('POST', '', same);
  expect(objects(second.json['possible_duplicates']).map(({ id }) => id)).toEqual([first]);
  expect(await project.all()).toHaveLength(2);
  await project.ask('PATCH', `/${first}`, { title: 'Cache for an hour' });
  await project.ask('PATCH', `/${first}`, { rationale: 'Prices change daily.' });
  const history = objects((await project.ask('GET', `/${first}/history`)).json['items']);
  expect(history.map(({ kind }) => kind)).toEqual(['created', 'amended', 'amended']);
  expect(history[1]?.['changes']).toMatchObject({ title: ['Cache for a minute', 'Cache for an hour'] });
  expect((await project.ask('GET', `/${text(second.json['id'])}`)).json).toMatchObject(same);
});

test('LS8 an imported decision goes stale when its files change after it, never because it was imported', async () => {
  const source = await live.project('import-from');
  source.repository.commit({ 'a.ts': '1', 'b.ts': '1' });
  source.repository.write('a.ts', '2');
  // Recorded together with a change that is committed after it.
  await source.add({ id: 'with-change', title: 'A', files_affected: ['a.ts'] });
  source.repository.commit({});
  await source.add({ id: 'at-head', title: 'B', files_affected: ['b.ts'] });
  const exports = {
    lossless: JSON.parse((await source.ask('GET', '/export?events=true')).text) as unknown,
    plain: [{ ...(await source.ask('GET', '/at-head')).json }],
  };
  for (const [form, content] of Object.entries(exports)) {
    const folder = live.daemon.folder(`import-${form}`);
    source.repository.git('clone', '-q', source.root, folder);
    const clone = await live.at(folder);
    // A change of the importer that is not committed yet, as when a decision is recorded.
    if (form === 'plain') clone.repository.write('b.ts', '2');
    expect((await clone.ask('POST', '/import', { export: content })).status).toBe(200);
    await clone.ask('POST', '/scan', { wait: true });
    expect(new Set(Object.values(await statuses(clone))), form).toEqual(new Set(['ACTIVE']));
    clone.repository.commit({ 'README.md': 'more' });
    await clone.ask('POST', '/scan', { wait: true });
    expect(new Set(Object.values(await statuses(clone))), form).toEqual(new Set(['ACTIVE']));
    clone.repository.commit({ 'b.ts': '3' });
    await clone.ask('POST', '/scan', { wait: true });
    expect((await statuses(clone))['at-head'], form).toBe('STALE');
  }
  // A repository that is younger than the decision and knows nothing of its commit.
  const young = await live.project('import-young');
  young.repository.commit({ 'old.ts': '1' });
  const at = '2020-01-01T00:00:00Z';
  const old = { id: 'old', title: 'Old', rationale: 'R', files_affected: ['old.ts'], created_at: at, updated_at: at };
  const unknown = { ...old, id: 'unknown', commit_sha: 'f'.repeat(40) };
  expect((await young.ask('POST', '/import', { export: [old, unknown] })).status).toBe(200);
  await young.ask('POST', '/scan', { wait: true });
  expect(await statuses(young)).toEqual({ old: 'ACTIVE', unknown: 'ACTIVE' });
  young.repository.commit({ 'old.ts': '2' });
  await young.ask('POST', '/scan', { wait: true });
  expect(await statuses(young)).toEqual({ old: 'STALE', unknown: 'STALE' });
  // What was changed between its commit and the import has overtaken it, imported or not.
  const late = await live.project('import-late');
  const commit_sha = late.repository.commit({ 'c.ts': '1' });
  late.repository.commit({ 'c.ts': '2' });
  const overtaken = { ...old, id: 'overtaken', commit_sha, files_affected: ['c.ts'] };
  expect((await late.ask('POST', '/import', { export: [overtaken] })).status).toBe(200);
  await late.ask('POST', '/scan', { wait: true });
  expect(await statuses(late)).toEqual({ overtaken: 'STALE' });
});

test('LS9 an export of five MiB comes back, one over the bound of its route is refused before it is read', async () => {
  const project = await live.project('large');
  const at = '2026-01-01T00:00:00Z';
  const records = Array.from({ length: 400 }, (_, n) => ({
    id: `r${n}`,
    title: `Record ${n}`,
    rationale: `${n} `.padEnd(14_000, 'word '),
    created_at: at,
    updated_at: at,
  }));
  const body = JSON.stringify({ export: records });
  expect(body.length).toBeGreaterThan(5 * 1024 * 1024);
  expect((await project.ask('POST', '/import', body)).json).toMatchObject({ created: 400 });
  const exported = await project.ask('GET', '/export?events=true');
  const other = await live.project('large-copy');
  expect((await other.ask('POST', '/import', `{"export": ${exported.text}}`)).json).toMatchObject({ created: 400 });
  expect((await other.ask('GET', '/export?events=true')).text).toBe(exported.text);
  expect(refusal(await project.ask('POST', '', body))).toBe('413 payload_too_large');
  const tooLarge = await project.ask('POST', '/import', ' '.repeat(64 * 1024 * 1024 + 1));
  expect(refusal(tooLarge)).toBe('413 payload_too_large');
  const document = (await live.ask('GET', '/v1/openapi.json')).json;
  expect(JSON.stringify(document)).toContain('At most 64 MiB.');
});

test('LS10 a required word that is missing is missing, one that is wrong is not of the set', async () => {
  const project = await live.project('missing');
  await project.add({ id: 'a', title: 'A' });
  expect(refusal(await project.ask('POST', '/a/feedback', {}))).toBe('422 validation_error signal:missing');
  expect(refusal(await project.ask('POST', '/a/feedback', { signal: 'meh' }))).toBe('422 validation_error signal:enum');
  const operations = await project.ask('POST', '/batch', { operations: [{ title: 'T' }] });
  expect(refusal(operations)).toBe('422 validation_error operations.0.op:missing');
});
