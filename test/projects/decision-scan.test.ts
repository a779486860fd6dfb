import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import type { Project } from '../../src/engine/projects/projects.ts';
import type { Decision } from '../../src/memory/decisions/decision.ts';
import type { Result } from '../../src/memory/decisions/outcome.ts';
import { parseCreate } from '../../src/memory/decisions/parse-write.ts';
import { runGit, type TempRepository, tempEngine, tempFolder, tempRepository } from './temp-repository.ts';

interface Fixture {
  readonly engine: Engine;
  readonly repository: TempRepository;
  readonly project: Project;
  record(fields: Record<string, unknown>): Promise<Decision>;
  /** Ids that this scan marked, and how. */
  scan(): Promise<readonly string[]>;
  show(id: string): Promise<Decision>;
}

async function fixture(repository = tempRepository()): Promise<Fixture> {
  const engine = tempEngine({ scanOnOpen: false });
  const located = await engine.projects.locate(repository.root);
  if (!located.ok) throw new Error('no project');
  const project = located.value;
  return {
    engine,
    repository,
    project,
    async record(fields) {
      const request = must(parseCreate({ title: 'T', rationale: 'R', ...fields }));
      return must(await (await engine.decisions(project)).create(request)).answer.memory;
    },
    async scan() {
      return must(await engine.scanDecisions(project)).marked.map(({ id, triggeredBy }) => `${id} ${triggeredBy}`);
    },
    show: async (id) => must(await (await engine.decisions(project)).get(id)),
  };
}

function must<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

test('MR1 a decision whose file a later commit changed goes STALE, once, with the commit and the file as the reason', async () => {
  const { repository, record, scan, show } = await fixture();
  repository.commit({ 'src/a.ts': '1', 'src/b.ts': '1' });
  await record({ id: 'a', files_affected: ['src/a.ts'] });
  await record({ id: 'b', files_affected: ['src/b.ts'] });
  await record({ id: 'none' });
  expect(await scan()).toEqual([]);
  const head = repository.commit({ 'src/a.ts': '2' });
  expect(await scan()).toEqual(['a file_change']);
  const stale = await show('a');
  expect(stale.status).toBe('STALE');
  expect(stale.evidence.at(-1)).toBe(`Marked STALE: commit ${head} changed src/a.ts since this decision was recorded`);
  expect((await show('b')).status).toBe('ACTIVE');
  expect(await scan()).toEqual([]);
  expect(await show('a')).toEqual(stale);
});

test('MR2 a decision recorded together with its change stays ACTIVE when that change is committed', async () => {
  const { repository, record, scan, show } = await fixture();
  repository.commit({ 'src/a.ts': '1' });
  repository.write('src/a.ts', '2');
  await record({ id: 'a', files_affected: ['src/a.ts'] });
  repository.write('src/new.ts', 'new');
  await record({ id: 'new', files_affected: ['src/new.ts'] });
  repository.commit({});
  expect(await scan()).toEqual([]);
  repository.commit({ 'src/a.ts': '3' });
  expect(await scan()).toEqual(['a file_change']);
  expect((await show('new')).status).toBe('ACTIVE');
});

test('MR2 a decision anchored to HEAD stays ACTIVE, whatever its files held', async () => {
  const { repository, record, scan } = await fixture();
  repository.commit({ 'src/a.ts': '1' });
  const head = repository.commit({ 'src/a.ts': '2' });
  repository.write('src/a.ts', 'not committed');
  await record({ id: 'a', files_affected: ['src/a.ts'], commit_sha: head.slice(0, 12) });
  expect(await scan()).toEqual([]);
});

test('MR3 a change in the work tree that is not committed makes nothing stale', async () => {
  const { repository, record, scan } = await fixture();
  repository.commit({ 'src/a.ts': '1', 'other.ts': '1' });
  await record({ id: 'a', files_affected: ['src/a.ts'] });
  repository.write('src/a.ts', 'dirty');
  await record({ id: 'dirty', files_affected: ['src/a.ts'] });
  expect(await scan()).toEqual([]);
  repository.write('other.ts', '2');
  repository.git('commit', '-q', '-m', 'other', 'other.ts');
  expect(await scan()).toEqual([]);
});

test('MR4 a renamed, a deleted and a moved-into file count with both names', async () => {
  const { repository, record, scan } = await fixture();
  repository.commit({ 'old.ts': 'same text that git would call a rename', 'gone.ts': '1' });
  await record({ id: 'old', files_affected: ['old.ts'] });
  await record({ id: 'target', files_affected: ['new.ts'] });
  await record({ id: 'gone', files_affected: ['gone.ts'] });
  repository.git('mv', 'old.ts', 'new.ts');
  rmSync(path.join(repository.root, 'gone.ts'));
  repository.commit({});
  expect((await scan()).slice().sort()).toEqual(['gone file_change', 'old file_change', 'target file_change']);
});

test('MR5 a merge counts all it brought, and several commits are caught up at once', async () => {
  const { repository, record, scan } = await fixture();
  repository.commit({ 'a.ts': '1', 'b.ts': '1', 'c.ts': '1' });
  for (const name of ['a', 'b', 'c']) await record({ id: name, files_affected: [`${name}.ts`] });
  repository.git('checkout', '-q', '-b', 'side');
  repository.commit({ 'a.ts': '2' });
  repository.commit({ 'b.ts': '2' });
  repository.git('checkout', '-q', 'main');
  expect(await scan()).toEqual([]);
  repository.git('merge', '-q', '--no-ff', '-m', 'merge', 'side');
  expect((await scan()).slice().sort()).toEqual(['a file_change', 'b file_change']);
});

test('MR5 a file that was changed and changed back before the scan is unchanged', async () => {
  const { repository, record, scan } = await fixture();
  repository.commit({ 'a.ts': '1' });
  await record({ id: 'a', files_affected: ['a.ts'] });
  repository.commit({ 'a.ts': '2' });
  repository.commit({ 'a.ts': '1' });
  expect(await scan()).toEqual([]);
});

test('MR6 a rebase that keeps the content keeps the decision, one that brings a change does not', async () => {
  const { repository, record, scan } = await fixture();
  repository.commit({ 'a.ts': '1', 'b.ts': '1' });
  repository.git('checkout', '-q', '-b', 'work');
  repository.commit({ 'a.ts': '2' });
  await record({ id: 'a', files_affected: ['a.ts'] });
  await record({ id: 'b', files_affected: ['b.ts'] });
  repository.git('checkout', '-q', 'main');
  repository.commit({ 'b.ts': '2' });
  repository.git('checkout', '-q', 'work');
  repository.git('rebase', '-q', 'main');
  expect(await scan()).toEqual(['b file_change']);
});

test('MR6 leaving a branch makes the decisions of its files not stale', async () => {
  const { repository, record, scan, show } = await fixture();
  repository.commit({ 'a.ts': '1' });
  repository.git('checkout', '-q', '-b', 'work');
  repository.commit({ 'a.ts': '2', 'new.ts': '1' });
  await record({ id: 'a', files_affected: ['a.ts', 'new.ts'] });
  repository.git('checkout', '-q', 'main');
  expect(await scan()).toEqual([]);
  expect((await show('a')).status).toBe('ACTIVE');
});

test('MR7 an anchor that the repository does not have gives way to the commit before the last change', async () => {
  const { repository, record, scan } = await fixture();
  repository.commit({ 'a.ts': '1', 'b.ts': '1' });
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  await record({ id: 'lost', files_affected: ['a.ts'], commit_sha: 'f'.repeat(40) });
  await record({ id: 'word', files_affected: ['b.ts'], commit_sha: 'main' });
  expect(await scan()).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  repository.commit({ 'a.ts': '2' });
  expect(await scan()).toEqual(['lost file_change']);
});

test('MR7 before the first commit there is nothing to scan; the first commit is held against what was there', async () => {
  const { repository, record, scan } = await fixture();
  repository.write('same.ts', '1');
  repository.write('edited.ts', '1');
  await record({ id: 'same', files_affected: ['same.ts'] });
  await record({ id: 'edited', files_affected: ['edited.ts'] });
  expect(await scan()).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  repository.commit({ 'edited.ts': '2' });
  expect(await scan()).toEqual(['edited file_change']);
});

test('MR8 dependents become stale with what they depend on, however long or circular the chain', async () => {
  const { repository, record, scan, show } = await fixture();
  repository.commit({ 'a.ts': '1' });
  await record({ id: 'a', files_affected: ['a.ts'], dependency_constraints: ['c'] });
  await record({ id: 'b', dependency_constraints: ['a'] });
  await record({ id: 'c', dependency_constraints: ['b'] });
  await record({ id: 'dead', dependency_constraints: ['a'], status: 'INVALIDATED' });
  await record({ id: 'free' });
  repository.commit({ 'a.ts': '2' });
  expect(await scan()).toEqual(['a file_change', 'b cascade', 'c cascade']);
  expect((await show('b')).evidence.at(-1)).toBe('Marked STALE: depends on stale decision a');
  expect((await show('dead')).status).toBe('INVALIDATED');
  expect((await show('free')).status).toBe('ACTIVE');
});

test('MR9 a restored decision holds again until the next change', async () => {
  const { engine, project, repository, record, scan, show } = await fixture();
  repository.commit({ 'a.ts': '1' });
  await record({ id: 'a', files_affected: ['a.ts'] });
  repository.commit({ 'a.ts': '2' });
  await scan();
  must(await (await engine.decisions(project)).restore('a', {}));
  expect(await scan()).toEqual([]);
  repository.commit({ 'a.ts': '3' });
  expect(await scan()).toEqual(['a file_change']);
  expect((await show('a')).status).toBe('STALE');
});

test('MR10 a decision that names a folder is touched by every file below it and by no neighbour', async () => {
  const { repository, record, scan } = await fixture();
  repository.commit({ 'src/deep/a.ts': '1', 'src-other.ts': '1', 'srcs/a.ts': '1' });
  await record({ id: 'folder', files_affected: ['src'] });
  repository.commit({ 'src-other.ts': '2', 'srcs/a.ts': '2' });
  expect(await scan()).toEqual([]);
  repository.commit({ 'src/deep/a.ts': '2' });
  expect(await scan()).toEqual(['folder file_change']);
});

test('MR11 a project inside a repository is scanned by its own paths', async () => {
  const repository = tempRepository();
  mkdirSync(path.join(repository.root, 'packages', 'one', '.neuralmind'), { recursive: true });
  repository.commit({ '.gitignore': '.neuralmind\n', 'packages/one/a.ts': '1', 'a.ts': '1' });
  const { record, scan } = await fixture({ ...repository, root: path.join(repository.root, 'packages', 'one') });
  await record({ id: 'inner', files_affected: ['a.ts'] });
  repository.commit({ 'a.ts': '2' });
  expect(await scan()).toEqual([]);
  repository.commit({ 'packages/one/a.ts': '2' });
  expect(await scan()).toEqual(['inner file_change']);
});

test('MR12 a scan makes no store, and outside a repository it finds nothing', async () => {
  const { repository, scan } = await fixture();
  repository.commit({ 'a.ts': '1' });
  expect(await scan()).toEqual([]);
  expect(existsSync(path.join(repository.root, '.neuralmind'))).toBe(false);
  const folder = tempFolder();
  const plain = await fixture({ ...repository, root: folder });
  expect(await plain.scan()).toEqual([]);
  await plain.record({ id: 'a', files_affected: ['a.ts'] });
  expect(await plain.scan()).toEqual([]);
});

test('MR13 opening a store catches up with commits that nobody announced', async () => {
  const { repository, record } = await fixture();
  repository.commit({ 'a.ts': '1' });
  await record({ id: 'a', files_affected: ['a.ts'] });
  repository.commit({ 'a.ts': '2' });
  const later = tempEngine();
  const located = await later.projects.locate(repository.root);
  if (!located.ok) throw new Error('no project');
  expect(later.isWarm(located.value)).toBe(false);
  const decisions = await later.decisions(located.value);
  expect(must(await decisions.get('a')).status).toBe('STALE');
  expect(later.isWarm(located.value)).toBe(true);
});

test('MR13 an open store notices that HEAD moved, at the next call after two seconds', async () => {
  const { repository, record } = await fixture();
  repository.commit({ 'a.ts': '1' });
  await record({ id: 'a', files_affected: ['a.ts'] });
  const engine = tempEngine();
  const located = await engine.projects.locate(repository.root);
  if (!located.ok) throw new Error('no project');
  const status = async () => must(await (await engine.decisions(located.value)).get('a')).status;
  expect(await status()).toBe('ACTIVE');
  repository.commit({ 'a.ts': '2' });
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  expect(await status()).toBe('STALE');
});

test('MR14 names with quotes, spaces, dashes and letters of any script are followed', async () => {
  const { repository, record, scan } = await fixture();
  const names = [
    '"quoted".ts',
    "it's.ts",
    '-dash.ts',
    ' lead.ts',
    'ünïcode/日本.ts',
    'star*?.ts',
    ':(top)x.ts',
    '$(id).ts',
  ];
  repository.commit(Object.fromEntries(names.map((name) => [name, '1'])));
  for (const name of names) await record({ id: `d${names.indexOf(name)}`, files_affected: [name] });
  repository.commit({ 'unrelated.ts': '1' });
  expect(await scan()).toEqual([]);
  repository.commit(Object.fromEntries(names.map((name) => [name, '2'])));
  expect(await scan()).toHaveLength(names.length);
});

test('MR15 the filters of the repository apply to fingerprints, so checked-out line ends change nothing', async () => {
  const { repository, record, scan } = await fixture();
  repository.commit({ '.gitattributes': '*.txt text eol=crlf\n', 'a.txt': 'one\r\n' });
  repository.write('a.txt', 'two\r\n');
  await record({ id: 'a', files_affected: ['a.txt'] });
  repository.commit({});
  expect(runGit(repository.root, 'cat-file', '-s', 'HEAD:a.txt')).toBe('4');
  expect(await scan()).toEqual([]);
});
