/** What the commands print for people, what they refuse, and how they end. */
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { openRowCaller } from '../../src/cli/rows/caller.ts';
import { fileInProject, locateProject } from '../../src/cli/rows/place.ts';
import { tempFolder } from '../projects/temp-repository.ts';
import { type CommandBox, commandBox, readText, settled } from './command-box.ts';

vi.setConfig({ testTimeout: 300_000 });

const storeOf = (box: CommandBox) => path.join(box.repository.root, '.neuralmind', 'memory.db');

async function withThree(box: CommandBox): Promise<void> {
  await box.json(
    'record',
    'Use a write-ahead log',
    '--rationale',
    'Readers go on.',
    '--id',
    'wal',
    '--file',
    'src/store.ts',
  );
  await box.json(
    'record',
    '木の葉は一つの文件に入れる 🍃',
    '--rationale',
    '短い。',
    '--id',
    'leaf',
    '--file',
    'src/tree/',
    '--tag',
    'tree',
  );
  await box.json('record', 'Old way', '--rationale', 'It was.', '--id', 'old');
  await box.json('invalidate', 'old', '--reason', 'Overtaken');
}

test('CD5 lists, search results, one decision, history and reports as people read them', async () => {
  const box = commandBox();
  await withThree(box);
  const shown: string[] = [];
  for (const args of [
    ['list'],
    ['query', 'log', '--mode', 'keyword'],
    ['show', 'wal'],
    ['show', 'leaf'],
    ['history', 'old'],
    ['timeline', 'leaf'],
    ['audit'],
    ['amend', 'wal', '--confidence', '0.8'],
    ['feedback', 'wal', 'helpful'],
    ['supersede', 'wal', 'Use two logs', '--rationale', 'One is not enough.', '--file', 'src/store.ts', '--id', 'two'],
    ['restore', 'old'],
  ]) {
    const ran = await box.decisions(...args);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    shown.push(`$ mnemosyne decisions ${args.join(' ')}`, settled(ran.stdout, box));
  }
  expect(shown.join('\n')).toMatchSnapshot();
});

test('CD6 an empty answer says what to try', async () => {
  const box = commandBox();
  expect((await box.decisions('list')).stdout).toContain('Record one with: mnemosyne decisions record');
  expect((await box.decisions('list', '--tag', 'x')).stdout).toContain('Try fewer conditions');
  expect((await box.decisions('query', 'nothing')).stdout).toContain('Try other words');
  expect((await box.cli(['projects', 'list'])).stdout).toContain('mnemosyne projects add');
  expect(existsSync(path.dirname(storeOf(box)))).toBe(false);
});

test('CD7 a failure ends with the code of the catalogue, goes to standard error and says what to do', async () => {
  const box = commandBox();
  await withThree(box);
  const fails = async (code: number, words: string, ...args: readonly string[]) => {
    const ran = await box.decisions(...args);
    expect({ args, ...ran }).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(words) });
  };
  await fails(5, 'memory_not_found: no memory with id nope\nFind its id with: ', 'show', 'nope');
  await fails(
    2,
    '--rationale: is missing; --tag (number 2): must not be blank',
    'record',
    'x',
    '--tag',
    'a',
    '--tag',
    ' ',
  );
  await fails(7, 'conflict: ', 'record', 'x', '--rationale', 'y', '--id', 'wal');
  await fails(7, 'precondition_failed: ', 'amend', 'wal', '--title', 'x', '--if-match', '2020-01-01T00:00:00Z');
  await fails(2, 'names no field', 'amend', 'wal');
  await fails(2, 'give the title once', 'record', 'x', '--title', 'y', '--rationale', 'z');
  await fails(2, 'is no field that can be empty', 'amend', 'wal', '--clear', 'title');
  await fails(2, 'outside the project', 'record', 'x', '--rationale', 'y', '--file', '../other/x');
  await fails(5, 'there is no file or folder', 'import', path.join(box.home, 'none'));
  await fails(2, 'is not JSON', 'import', path.join(box.repository.root, 'README.md'));
  writeFileSync(storeOf(box), 'no database at all');
  await fails(4, 'unavailable: ', 'list');
  const asked = await box.cli(['decisions', 'list', '--project', box.home]);
  expect(asked).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`--project ${box.home}: is a reserved place`),
  });
});

test('CD8 a misspelt command or option names the nearest, a wrong value names the right ones', async () => {
  const box = commandBox();
  const says = async (words: string, ...args: readonly string[]) =>
    expect(await box.cli(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) });
  await says('Did you mean query?', 'decisions', 'qeury');
  await says('Did you mean --status?', 'decisions', 'list', '--stauts', 'x');
  await says('Did you mean decisions?', 'desicions', 'list');
  await says('known: start', 'xyzzy');
  await says('ARCHITECTURE', 'decisions', 'list', '--type', 'IDEA');
  await says('whole number', 'decisions', 'list', '--limit', '1.5');
  await says('decimal number', 'decisions', 'amend', 'x', '--confidence', 'high');
  await says('helpful, unhelpful', 'decisions', 'feedback', 'x', 'good');
  await says('It may be given once', 'decisions', 'record', 'x', '--rationale', 'a', '--rationale', 'b');
  expect((await box.cli(['decisions', 'record', '--help'])).stdout).toContain('--depends-on <id>');
});

test('CD9 a long text comes from standard input, as UTF-8 and without the line breaks at its end', async () => {
  const box = commandBox();
  const ran = await box.run(
    ['decisions', 'record', 'From a pipe', '--rationale', '-', '--project', box.repository.root, '--json'],
    {},
    'Línea "uno"\n\n日本\r\n',
  );
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(ran.stdout)).toMatchObject({ rationale: 'Línea "uno"\n\n日本' });
  expect((await box.decisions('record', 'x', '--rationale', '-')).stderr).toContain('no standard input');
});

test('CD10 delete asks a person and needs --yes from everybody else', async () => {
  const box = commandBox();
  await withThree(box);
  expect(await box.decisions('delete', 'wal')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  const questions: string[] = [];
  const answering = (yes: boolean) => ({
    confirm: async (question: string) => {
      questions.push(question);
      return yes;
    },
  });
  const args = ['decisions', 'delete', 'wal', '--project', box.repository.root];
  expect(await box.cli(args, answering(false))).toEqual({ code: 0, stdout: '', stderr: 'Nothing was deleted.\n' });
  expect(await box.decisions('show', 'wal')).toMatchObject({ code: 0 });
  expect(await box.cli(args, answering(true))).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Deleted wal'),
  });
  expect(questions[0]).toBe('Delete "Use a write-ahead log" for good?');
  expect(await box.decisions('show', 'wal')).toMatchObject({ code: 5 });
});

test('CD11 colours and wrapped lines are for terminals only', async () => {
  const box = commandBox();
  await withThree(box);
  await box.json('amend', 'wal', '--rationale', 'Readers go on while one process writes. '.repeat(4).trim());
  const args = ['decisions', 'show', 'wal', '--project', box.repository.root];
  const plain = await box.cli(args);
  expect(plain.stdout).not.toContain('\u001b');
  const narrow = await box.cli(args, { screen: { columns: 50, colours: false } });
  const rationale = narrow.stdout.split('\n').slice(3, 8);
  expect(rationale.every((line) => line.length <= 50)).toBe(true);
  const coloured = await box.cli(args, { screen: { columns: 80, colours: true } });
  expect(coloured.stdout).toContain('\u001b[32mACTIVE\u001b[39m');
});

test('CD12 stored control characters never reach a terminal', async () => {
  const box = commandBox();
  await box.json(
    'record',
    'a\u001b]0;owned\u0007b\nc',
    '--rationale',
    'x\u001b[2Jy\u202ez',
    '--id',
    'evil',
    '--tag',
    '\u009b1m',
  );
  for (const verb of ['list', 'show', 'history']) {
    const { stdout } = await box.decisions(verb, ...(verb === 'list' ? [] : ['evil']));
    expect(stdout).toContain('a�]0;owned�b c');
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  }
  expect(await box.json('show', 'evil')).toMatchObject({ title: 'a\u001b]0;owned\u0007b\nc' });
});

test('CD13 an export file appears whole, keeps its mode and its link, and can be imported again', async () => {
  const box = commandBox();
  await withThree(box);
  const file = path.join(box.home, 'decisions.json');
  const link = path.join(box.home, 'link.json');
  writeFileSync(file, 'before');
  chmodSync(file, 0o640);
  symlinkSync(file, link);
  expect(await box.decisions('export', '--events', '--output', link)).toMatchObject({ code: 0 });
  expect(JSON.parse(readText(file))).toMatchObject({ format: 'mnemosyne.decisions' });
  expect(readdirSync(box.home).filter((name) => name.includes('.tmp'))).toEqual([]);
  const printed = await box.decisions('export', '--events');
  expect(printed.stdout).toBe(readText(file));
  // Outside a repository no commit can overtake what is imported.
  const other = (...args: readonly string[]) => box.cli(['decisions', ...args, '--project', plain]);
  const plain = tempFolder();
  expect((await other('import', file)).stdout).toBe('Imported: 3 new, 0 replaced, 0 kept, 0 unchanged.\n');
  expect((await other('import', file)).stdout).toBe('Imported: 0 new, 0 replaced, 0 kept, 3 unchanged.\n');
  expect(await box.decisions('export', '--output', box.home)).toMatchObject({ code: 2 });
  expect(await box.decisions('export', '--output', '/dev/null')).toMatchObject({ code: 2 });
  expect(await box.decisions('export', '--output', path.join(box.home, 'no', 'x'))).toMatchObject({ code: 2 });
});

test('CD14 files are named from the folder that the person stands in, and a subfolder reaches the same project', async () => {
  const box = commandBox();
  const { root } = box.repository;
  const inside = path.join(root, 'src', 'tree');
  const project = await locateProject({ HOME: box.home }, undefined, inside);
  expect(project.path).toBe(root);
  expect(fileInProject(project, inside, 'leaf.ts')).toBe('src/tree/leaf.ts');
  expect(fileInProject(project, inside, '../store.ts')).toBe('src/store.ts');
  expect(fileInProject(project, inside, '../../..')).toBe('../../..');
  expect(fileInProject(project, inside, '../..')).toBe('../..');
  expect(fileInProject(project, box.home, 'src/store.ts')).toBe('src/store.ts');
  const elsewhere = tempFolder();
  await expect(locateProject({ HOME: box.home }, undefined, elsewhere)).rejects.toThrow('project_path');
  expect((await locateProject({ HOME: box.home }, elsewhere, '/')).path).toBe(elsewhere);
});

test('CD15 the installed hook marks what a commit overtook, and says nothing', async () => {
  const box = commandBox();
  const { root } = box.repository;
  await withThree(box);
  const hook = (verb: string) => box.cli(['decisions', 'hook', verb, '--project', root]);
  expect(await hook('install')).toMatchObject({ code: 0, stdout: expect.stringContaining('post-commit') });
  expect((await hook('install')).stdout).toContain('there already');
  const home = process.env['HOME'];
  process.env['HOME'] = box.home;
  box.repository.commit({ 'src/store.ts': 'two' });
  if (home === undefined) delete process.env['HOME'];
  else process.env['HOME'] = home;
  let history = '';
  for (let tries = 0; tries < 300 && !history.includes('"kind":"stale"'); tries += 1) {
    await sleep(50);
    // A command would scan by itself, so the history is read without that.
    const caller = openRowCaller({ HOME: box.home }, { scanOnOpen: false });
    const project = await locateProject({ HOME: box.home }, root, root);
    history = JSON.stringify(await caller.call('memories.history', { memory_id: 'wal' }, project));
    await caller.close();
  }
  expect(history).toContain('"kind":"stale"');
  expect(await hook('uninstall')).toMatchObject({ code: 0, stdout: expect.stringContaining('gone') });
  expect(existsSync(path.join(root, '.git', 'hooks', 'post-commit'))).toBe(false);
  const outside = tempFolder();
  expect(await box.cli(['decisions', 'hook', 'install', '--project', outside])).toMatchObject({ code: 2 });
});

test('CD16 the scan of the hook makes no store, prints nothing and ends with 0, whatever happens', async () => {
  const box = commandBox();
  const silent = { code: 0, stdout: '', stderr: '' };
  const scan = (...args: readonly string[]) => box.decisions('scan', '--hook', ...args);
  expect(await scan()).toEqual(silent);
  expect(existsSync(path.dirname(storeOf(box)))).toBe(false);
  expect(await box.cli(['decisions', 'scan', '--hook', '--project', path.join(box.home, 'none')])).toEqual(silent);
  await withThree(box);
  box.repository.commit({ 'src/store.ts': 'two' });
  const off = { NEURALMIND_DECISION_SCAN: '0' };
  expect(await box.cli(['decisions', 'scan', '--hook', '--project', box.repository.root], {}, off)).toEqual(silent);
  const reported = await box.decisions('scan');
  expect(reported.stdout).toMatch(/STALE {3}wal {2}commit [0-9a-f]+ changed src\/store\.ts/);
  expect((await box.decisions('scan')).stdout).toContain('none is stale');
  mkdirSync(path.join(box.home, 'broken', '.neuralmind'), { recursive: true });
  writeFileSync(path.join(box.home, 'broken', '.neuralmind', 'memory.db'), 'no database');
  expect(await box.cli(['decisions', 'scan', '--hook', '--project', path.join(box.home, 'broken')])).toEqual(silent);
});

test('CD17 a reader that stops early ends the command without a word', async () => {
  const box = commandBox();
  for (const id of ['a', 'b', 'c']) await box.json('record', id, '--rationale', 'word '.repeat(13_000), '--id', id);
  const { child, finished } = box.start(['decisions', 'export', '--project', box.repository.root]);
  child.stdout?.once('data', () => child.stdout?.destroy());
  const ended = await finished;
  expect(ended).toMatchObject({ code: 0, stderr: '' });
});

test('CD18 a home that others could change is refused before anything is asked', async () => {
  const box = commandBox();
  mkdirSync(box.daemonHome, { mode: 0o777 });
  chmodSync(box.daemonHome, 0o777);
  expect(await box.decisions('list')).toMatchObject({ code: 1, stderr: expect.stringContaining('unsafe_home') });
});
