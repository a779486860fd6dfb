/** The client against the real daemon: every verb once, and what happens when the daemon comes and goes. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  Conflict,
  NeuralMindClient,
  NotFound,
  PreconditionFailed,
  type Project,
  Unauthorized,
  ValidationFailed,
} from '../../src/client/index.ts';
import { type DaemonProcess, daemonProcess } from './daemon-process.ts';

/** For tests that start processes: the machine may be busy. */
const timeout = 90_000;

let daemon: DaemonProcess;
let url: string;
let nm: NeuralMindClient;
let repo: Project;

beforeAll(async () => {
  daemon = daemonProcess();
  ({ url } = await daemon.start());
  nm = new NeuralMindClient({ daemonHome: daemon.daemonHome });
  repo = await nm.project(daemon.folder('shop'));
});
afterAll(() => daemon.dispose());

const wal = {
  title: 'Use SQLite WAL for the synapse store',
  rationale: 'Hooks, the watcher and MCP write concurrently; WAL lets readers proceed.',
  files: ['neuralmind/synapses.py'],
};

/** A project of its own, so that no test sees what another one wrote. */
function freshProject(name: string): Promise<Project> {
  return nm.project(daemon.folder(name));
}

test('CT40 the example program runs against a daemon that it finds itself', { timeout }, async () => {
  const { code, output } = await daemon.run('examples/decisions.ts', daemon.folder('example'));
  expect(output).toContain('created → amended → invalidated');
  expect(output).toContain('# Decision Store');
  expect(code).toBe(0);
});

test('CT41 a project is registered once, found again by path and id, and listed', async () => {
  expect(repo).toMatchObject({ name: 'shop', built: false, missing: false });
  expect((await nm.project(path.join(daemon.home, 'shop'))).id).toBe(repo.id);
  expect((await nm.projectById(repo.id)).path).toBe(repo.path);
  expect((await nm.projects()).map(({ id }) => id)).toContain(repo.id);
  await expect(nm.project('/')).rejects.toBeInstanceOf(ValidationFailed);
  await expect(nm.projectById('p_000000000000')).rejects.toMatchObject({ code: 'project_not_found' });
});

test('CT42 the server tells its health without a token and its state with one', async () => {
  expect(await new NeuralMindClient({ url }).health()).toMatchObject({ ok: true, apiVersion: '1' });
  expect(await nm.info()).toMatchObject({ apiVersion: '1', mode: 'loopback' });
  const status = await nm.status();
  expect(status.projects.map(({ name }) => name)).toContain('shop');
  expect(status.pid).toBeGreaterThan(0);
  await expect(new NeuralMindClient({ url }).status()).rejects.toBeInstanceOf(Unauthorized);
  await expect(new NeuralMindClient({ url, token: 'wrong' }).status()).rejects.toBeInstanceOf(Unauthorized);
});

test('CT43 what is added is found, read, changed and told in its history, every field of it', async () => {
  const { memories } = await freshProject('fields');
  const first = await memories.add(wal);
  const whole = {
    title: 'Keep one writer',
    rationale: 'Two writers lose each other’s changes.',
    id: 'one-writer',
    status: 'ACTIVE',
    commitSha: 'abcdef1',
    files: ['src/writer.ts', 'src/queue.ts'],
    type: 'REFACTOR',
    confidence: 0.75,
    author: 'the team',
    tags: ['storage', 'constructor'],
    rejectedAlternatives: ['a lock file'],
    dependencyConstraints: [first.id],
    evidence: ['a crash test'],
    agent: 'codex',
    sessionId: 'session-1',
    reviewBy: '2999-12-31',
  } as const;
  const added = await memories.add(whole);
  expect(added).toMatchObject({ ...whole, possibleDuplicates: [], replayed: false });
  const { possibleDuplicates: _hints, replayed: _replayed, raw: _raw, ...plain } = added;
  expect(await memories.get(added.id)).toMatchObject(plain);

  const found = await memories.search('who may write', { tags: 'constructor', mode: 'keyword' });
  expect([...found].map(({ id }) => id)).toEqual([added.id]);
  expect(found.mode).toBe('keyword');
  const compact = await memories.search('writer', { view: 'compact', explain: true, mode: 'keyword' });
  expect(compact.results[0]).toMatchObject({ id: added.id, files: 2, type: 'REFACTOR' });

  const updated = await memories.update(added.id, { confidence: 0.5 }, { ifMatch: added.updatedAt });
  expect(updated.confidence).toBe(0.5);
  const late = memories.update(added.id, { confidence: 0.6 }, { ifMatch: added.updatedAt });
  await expect(late).rejects.toBeInstanceOf(PreconditionFailed);
  expect((await memories.feedback(added.id, 'helpful', 'saved a day')).confidence).toBeCloseTo(0.55);
  expect((await memories.invalidate(added.id, 'no longer')).status).toBe('INVALIDATED');
  expect((await memories.restore(added.id, { commitSha: 'abcdef2' })).status).toBe('ACTIVE');
  await memories.delete(added.id);
  await expect(memories.get(added.id)).rejects.toBeInstanceOf(NotFound);
  const events = await memories.history(added.id, { pageSize: 2 }).toArray();
  expect(events.map(({ kind }) => kind)).toEqual([
    'created',
    'amended',
    'feedback',
    'invalidated',
    'restored',
    'deleted',
  ]);
  expect(events[1]?.changes['confidence']).toEqual([0.75, 0.5]);
  expect(events[3]?.note).toContain('no longer');
});

test('CT44 lists are complete and filtered, whatever the size of a page', async () => {
  const { memories } = await freshProject('lists');
  for (let index = 0; index < 7; index += 1) {
    const even = index % 2 === 0;
    await memories.add({ ...wal, title: `Decision ${index}`, tags: [even ? 'even' : 'odd'], files: [`${index}.ts`] });
  }
  const titles = async (options: Parameters<typeof memories.list>[0]) =>
    (await memories.list(options).toArray()).map(({ title }) => title);
  const all = ['6', '5', '4', '3', '2', '1', '0'].map((index) => `Decision ${index}`);
  for (const pageSize of [1, 2, 3, 7, 200]) expect(await titles({ pageSize })).toEqual(all);
  expect(await titles({ tags: 'odd', pageSize: 2 })).toEqual(['Decision 5', 'Decision 3', 'Decision 1']);
  expect(await titles({ files: ['0.ts', '6.ts'] })).toEqual(['Decision 6', 'Decision 0']);
  expect(await titles({ createdAfter: new Date(Date.now() + 60_000) })).toEqual([]);
  await expect(titles({ pageSize: 201 })).rejects.toBeInstanceOf(ValidationFailed);
  const timeline = memories.timeline((await memories.list({ files: '3.ts' }).toArray())[0]?.id ?? '', { before: 2 });
  expect((await timeline).before.map(({ title }) => title)).toEqual(['Decision 1', 'Decision 2']);
});

test('CT45 a repeated key adds nothing twice, a taken id and a key used otherwise are conflicts', async () => {
  const { memories } = await freshProject('repeats');
  const first = await memories.add(wal, { idempotencyKey: 'key-1' });
  const second = await memories.add(wal, { idempotencyKey: 'key-1' });
  expect([second.id, first.replayed, second.replayed]).toEqual([first.id, false, true]);
  await expect(memories.add({ ...wal, title: 'Other' }, { idempotencyKey: 'key-1' })).rejects.toBeInstanceOf(Conflict);
  await expect(memories.add({ ...wal, id: first.id })).rejects.toBeInstanceOf(Conflict);
  expect(await memories.list().toArray()).toHaveLength(1);
  expect((await memories.add(wal)).possibleDuplicates.map(({ id }) => id)).toEqual([first.id]);
});

test('CT46 a decision replaces another, and both know it', async () => {
  const { memories } = await freshProject('supersede');
  const old = await memories.add(wal);
  const made = await memories.supersede(old.id, { ...wal, title: 'Use one log', reason: 'simpler' });
  expect(made.supersedes).toBe(old.id);
  expect(await memories.get(old.id)).toMatchObject({ status: 'INVALIDATED', supersededBy: made.id });
  await expect(memories.supersede('nobody', wal)).rejects.toBeInstanceOf(NotFound);
});

test('CT47 the operations of a batch succeed and fail one by one', async () => {
  const { memories } = await freshProject('batch');
  const results = await memories.batch([
    { op: 'create', id: 'a', ...wal },
    { op: 'update', id: 'a', confidence: 0.5 },
    { op: 'update', id: 'nobody', confidence: 0.5 },
    { op: 'create', title: ' ', rationale: 'r' },
    { op: 'invalidate', id: 'a', reason: 'over' },
  ]);
  expect(results.map((result) => (result.ok ? result.memory.status : result.error.code))).toEqual([
    'ACTIVE',
    'ACTIVE',
    'memory_not_found',
    'validation_error',
    'INVALIDATED',
  ]);
  const [, , missing, wrong] = results;
  expect(missing?.ok === false && missing.error).toBeInstanceOf(NotFound);
  expect(wrong?.ok === false && wrong.error instanceof ValidationFailed && wrong.error.problems).toHaveLength(1);
});

test('CT48 an export is taken in by another project without a loss, and a second time without a change', async () => {
  const from = (await freshProject('export-from')).memories;
  const into = (await freshProject('export-into')).memories;
  const { id } = await from.add(wal);
  await from.update(id, { tags: ['storage'] });
  const readable = await from.export('json');
  expect(Array.isArray(readable) && readable.map((record) => record['id'])).toEqual([id]);
  expect(await from.export('md')).toContain(wal.title);
  const lossless = await from.export('json', { events: true });
  expect(await into.import(lossless, { dryRun: true })).toMatchObject({ dryRun: true, created: 1 });
  expect(await into.list().toArray()).toEqual([]);
  expect(await into.import(lossless)).toMatchObject({ dryRun: false, created: 1 });
  expect(await into.import(lossless)).toMatchObject({ created: 0, unchanged: 1 });
  expect(await into.export('json', { events: true })).toEqual(lossless);
  await into.update(id, { title: 'Changed here' });
  await expect(into.import(lossless)).rejects.toBeInstanceOf(Conflict);
  expect(await into.import(lossless, { onConflict: 'keep' })).toMatchObject({ kept: 1 });
});

test('CT48 a folder of decision records is taken in, and what is none is named', async () => {
  const project = await freshProject('records');
  const folder = daemon.folder('records/docs/adr');
  const record =
    '# 1. Keep one writer\n\n## Status\n\nAccepted\n\n## Context\n\nTwo lose writes.\n\n## Decision\n\nOne.\n';
  writeFileSync(path.join(folder, '0001-one-writer.md'), record);
  writeFileSync(path.join(folder, 'empty.md'), '');
  const report = await project.memories.importAdrs('docs/adr');
  expect(report).toMatchObject({ created: 1, skipped: [{ path: 'docs/adr/empty.md' }] });
  expect((await project.memories.list().toArray()).map(({ title }) => title)).toEqual([
    expect.stringContaining('Keep one writer'),
  ]);
  await expect(project.memories.importAdrs('../shop')).rejects.toBeInstanceOf(ValidationFailed);
});

test('CT49 audit reports and scan ends as a job that can be looked at', async () => {
  const project = await freshProject('audit');
  await project.memories.add(wal);
  expect(await project.memories.audit({ age: true })).toMatchObject({ items: [], checked: ['age'], active: 1 });
  const job = await project.memories.scan({ wait: true });
  expect(job).toMatchObject({ kind: 'scan', projectId: project.id });
  expect(job.finishedAt).not.toBeNull();
  const later = await project.memories.scan();
  expect((await nm.jobs.wait(later.id)).finishedAt).not.toBeNull();
  expect((await nm.jobs.list()).map(({ id }) => id)).toEqual(expect.arrayContaining([job.id, later.id]));
  await expect(nm.jobs.get('000000000000')).rejects.toMatchObject({ code: 'job_not_found' });
});

test('CO23 the code of a project is indexed and asked about by every verb', { timeout }, async () => {
  const folder = daemon.folder('code');
  writeFileSync(path.join(folder, 'README.md'), '# Ledger\n\nKeeps the accounts of a small shop.\n');
  writeFileSync(
    path.join(folder, 'money.ts'),
    '/** Rounds to cents. */\nexport function cents(value: number): void {}\n',
  );
  writeFileSync(
    path.join(folder, 'shop.ts'),
    "import { cents } from './money.ts';\nexport const price = () => cents(1);\n",
  );
  const project = await nm.project(folder);
  expect(await project.stats()).toMatchObject({ built: false });
  const job = await project.build({ wait: true });
  expect(job).toMatchObject({ kind: 'build', status: 'done', result: { files: 3 } });
  expect((await nm.projectById(project.id)).built).toBe(true);
  expect((await project.query('Where are cents rounded?')).context).toContain('money.ts:2');
  const found = await project.search('cents', { n: 1 });
  expect([...found]).toMatchObject([{ sourceFile: 'money.ts' }]);
  expect((await project.wakeup()).context).toContain('Keeps the accounts');
  expect(await project.stats()).toMatchObject({ built: true, files: 3, freshness: { state: 'fresh' } });
  expect(await project.health()).toMatchObject({ state: 'ok', building: false });
  expect(await project.savings({ cost: true })).toMatchObject({ totalQueries: 1, totalWakeups: 1 });
  expect(await project.validate()).toMatchObject({ ok: true, errors: [] });
  expect((await project.skeleton('money.ts')).outline).toContain('cents');
  const callers = await project.neighbors.structural('cents', { relations: 'callers' });
  expect(callers.relations[0]?.neighbours).toMatchObject([{ path: 'shop.ts' }]);
  expect((await project.impact('cents')).dependents.map((one) => one.path)).toContain('shop.ts');
  writeFileSync(path.join(folder, 'terms.txt'), 'Refunds are paid within fourteen days.\n');
  expect(await project.documents.add('terms.txt')).toMatchObject({ contentType: 'text', alreadyIndexed: false });
  await expect(project.documents.add('../shop/terms.txt')).rejects.toBeInstanceOf(ValidationFailed);
  const listed = await project.documents.list();
  expect(listed).toMatchObject([{ filePath: 'terms.txt', kind: 'text', state: 'fresh', skipReason: null }]);
  await project.documents.remove('terms.txt');
  expect(await project.documents.list()).toEqual([]);
  await expect(project.documents.remove('terms.txt')).rejects.toMatchObject({ code: 'document_not_found' });
  await expect(project.query('')).rejects.toBeInstanceOf(ValidationFailed);
});

test('CT50 the client follows a daemon that is restarted, and sends nothing to what took the place of a dead one', {
  timeout,
}, async () => {
  const own = daemonProcess();
  try {
    await own.start();
    const client = new NeuralMindClient({ daemonHome: own.daemonHome });
    const { memories } = await client.project(own.folder('kept'));
    await memories.add(wal);
    await own.stop();
    await expect(client.health()).rejects.toMatchObject({ reason: 'no_daemon' });
    const again = await own.start();
    expect(await memories.list().toArray()).toHaveLength(1);
    await own.stop('SIGKILL');
    const heard: string[] = [];
    const impostor = createServer((request, response) => {
      heard.push(request.headers.authorization ?? '');
      response.end('{}');
    });
    await new Promise<void>((resolve) => impostor.listen(Number(new URL(again.url).port), '127.0.0.1', resolve));
    await expect(client.status()).rejects.toMatchObject({ reason: 'stale_discovery' });
    impostor.close();
    expect(heard).toEqual([]);
  } finally {
    await own.dispose();
  }
});

test('CT51 shutdown ends the daemon', { timeout }, async () => {
  const own = daemonProcess();
  try {
    await own.start();
    const client = new NeuralMindClient({ daemonHome: own.daemonHome });
    await client.shutdown();
    await expect
      .poll(() => client.health().catch((error: unknown) => error), { timeout: 10_000 })
      .toMatchObject({
        reason: 'no_daemon',
      });
  } finally {
    await own.dispose();
  }
});
