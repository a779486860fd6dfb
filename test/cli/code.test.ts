/** The commands of the code mind on a real repository: with and without a daemon, for programs and for people. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { afterThis } from '../after-this.ts';
import { type CommandBox, commandBox, type Ran, settled } from './command-box.ts';

vi.setConfig({ testTimeout: 300_000 });

const files = {
  'README.md': '# Atlas\n\nKeeps the maps of a fleet.\n\n## Tiles and layers\n\nA tile is cut from a layer.\n',
  'docs/guide.txt': 'Vehicles report their position every minute.\n',
  'src/store.ts': [
    '/** Opens the store of maps and brings it up to date. */',
    'export function openStore(file: string): Store {',
    '  return new Store(file);',
    '}',
    '',
    'export class Store {',
    '  readonly file: string;',
    '  constructor(file: string) {',
    '    this.file = file;',
    '  }',
    '  /** Removes tiles that nobody asked for lately. */',
    '  evictOldTiles(): number {',
    '    return 0;',
    '  }',
    '}',
    '',
  ].join('\n'),
  'src/main.ts': [
    "import { openStore } from './store.ts';",
    '',
    'export function main(): void {',
    "  openStore('maps').evictOldTiles();",
    '}',
    '',
  ].join('\n'),
  'src/run.ts': ["import { main } from './main.ts';", '', 'export function run(): void {', '  main();', '}', ''].join(
    '\n',
  ),
};

interface CodeBox extends CommandBox {
  /** A command on the repository, named where it takes it. */
  code(...args: readonly string[]): Promise<Ran>;
}

const withOption = ['query', 'search', 'skeleton', 'neighbors', 'impact', 'documents'];

function codeBox(): CodeBox {
  const box = commandBox();
  rmSync(path.join(box.repository.root, 'src', 'tree'), { recursive: true });
  box.repository.commit(files);
  return {
    ...box,
    code: (...args) => {
      const named = withOption.includes(args[0] ?? '') ? ['--project', box.repository.root] : [box.repository.root];
      return box.cli([...args, ...named]);
    },
  };
}

function write(box: CodeBox, name: string, text: string): void {
  writeFileSync(path.join(box.repository.root, name), text);
}

/** What differs between two runs of the same command. */
function plain(text: string, box: CodeBox): string {
  return settled(text, box)
    .replaceAll(/"duration_seconds":[\d.]+/g, '"duration_seconds":SECONDS')
    .replaceAll(/"(db_bytes)":\d+/g, '"$1":BYTES')
    .replaceAll(/"(built_at|indexed_at|created_at|at)":"[^"]+"/g, '"$1":"TIME"')
    .replaceAll(/\(built [^)]+\)/g, '(built TIME)');
}

async function story(box: CodeBox): Promise<readonly string[]> {
  const told: string[] = [];
  const run = async (...args: readonly string[]) => {
    const ran = await box.code(...args, '--json');
    told.push(plain(`${args.join(' ')} → ${ran.code}\n${ran.stdout}${ran.stderr}`, box));
  };
  await run('health');
  await run('stats');
  await run('build');
  await run('build');
  await run('build', '--force');
  await run('stats');
  await run('health');
  await run('query', 'where', 'are old tiles removed?');
  await run('query', 'tiles', '--budget', '60', '--type', 'docs', '--no-learn');
  await run('query', 'tiles', '--budget', '0');
  await run('search', 'openStore', '--limit', '2');
  await run('wakeup');
  await run('skeleton', 'src/store.ts');
  await run('skeleton', 'src/none.ts');
  await run('neighbors', 'openStore', '--relations', 'callers', '--relations', 'callees');
  await run('neighbors', 'openStore', '--relations', 'friends');
  await run('impact', 'openStore', '--depth', '3');
  await run('impact', 'noSuchThing');
  await run('validate');
  await run('documents', 'add', 'docs/guide.txt');
  await run('documents', 'add', '../outside.txt');
  await run('documents', 'list');
  write(box, 'src/run.ts', 'export const nothing = 1;\n');
  rmSync(path.join(box.repository.root, 'src/main.ts'));
  await run('health');
  await run('search', 'evict', '--limit', '1');
  await run('build');
  await run('search', 'main', '--limit', '1');
  await run('health');
  await run('savings', '--cost', '--queries-per-day', '10');
  rmSync(path.join(box.repository.root, 'docs/guide.txt'));
  await run('documents', 'list');
  await run('documents', 'remove', 'docs/guide.txt');
  await run('documents', 'remove', 'docs/guide.txt');
  await run('documents', 'remove', '../outside.txt');
  await run('documents', 'list');
  return told;
}

test('CC1 CC2 every command prints the same JSON and ends with the same code with and without a daemon', async () => {
  const direct = codeBox();
  const served = codeBox();
  await served.serve();
  const here = await story(direct);
  const there = await story(served);
  expect(there).toEqual(here);
  expect(here.map((told) => told.split('\n', 1)[0])).toEqual([
    'health → 2',
    'stats → 0',
    'build → 0',
    'build → 0',
    'build --force → 0',
    'stats → 0',
    'health → 0',
    'query where are old tiles removed? → 0',
    'query tiles --budget 60 --type docs --no-learn → 0',
    'query tiles --budget 0 → 2',
    'search openStore --limit 2 → 0',
    'wakeup → 0',
    'skeleton src/store.ts → 0',
    'skeleton src/none.ts → 2',
    'neighbors openStore --relations callers --relations callees → 0',
    'neighbors openStore --relations friends → 2',
    'impact openStore --depth 3 → 0',
    'impact noSuchThing → 0',
    'validate → 0',
    'documents add docs/guide.txt → 0',
    'documents add ../outside.txt → 2',
    'documents list → 0',
    'health → 1',
    'search evict --limit 1 → 0',
    'build → 0',
    'search main --limit 1 → 0',
    'health → 0',
    'savings --cost --queries-per-day 10 → 0',
    'documents list → 0',
    'documents remove docs/guide.txt → 0',
    'documents remove docs/guide.txt → 5',
    'documents remove ../outside.txt → 2',
    'documents list → 0',
  ]);
  expect(here.slice(-5).map((told) => told.replace(/^.*\n/, ''))).toEqual([
    expect.stringContaining('"state":"gone"'),
    '{"removed":"docs/guide.txt"}\n',
    expect.stringContaining('"code":"document_not_found"'),
    expect.stringContaining('"type":"path_outside"'),
    '{"items":[],"next_cursor":null}\n',
  ]);
});

test('CC3 the project is a folder, an id, a name, or the current folder', async () => {
  const box = codeBox();
  const asked = async (...args: readonly string[]) => {
    const ran = await box.cli(['health', ...args, '--json']);
    return ran.code === 2 && ran.stdout !== '' ? JSON.parse(ran.stdout).project : ran.stderr;
  };
  const { id } = JSON.parse((await box.cli(['projects', 'add', box.repository.root, '--json'])).stdout);
  expect(await asked(path.join(box.repository.root, 'src'))).toBe('atlas');
  expect(await asked(id)).toBe('atlas');
  expect(await asked('atlas')).toBe('atlas');
  expect(await asked('nowhere')).toContain('no such folder');
  expect((await box.run(['health', '--json'])).stderr).toContain('reserved place');
  expect((await box.cli(['search', 'tile', '-p', 'atlas', '--json'])).code).toBe(0);
});

test('CC4 CC5 CC9 what people see: the build, a question, the outline, the neighbours and the impact', async () => {
  const box = codeBox();
  const built = await box.code('build');
  expect(built.stderr).toBe('');
  expect(built.stdout).toMatch(/^Indexed atlas in [\d.]+ s: \d files \(\d read\), \d+ symbols, \d+ edges\.\n/);
  expect((await box.code('build')).stdout).toMatch(
    /^Nothing has changed in atlas: \d files looked at in [\d.]+ s\.\n$/,
  );
  const query = await box.code('query', 'which code removes tiles that nobody asked for');
  expect(query.stdout).toMatch(
    /^src\/store\.ts:12-14 {2}method Store\.evictOldTiles\n {4}evictOldTiles\(\): number\n {4}words: /m,
  );
  expect(query.stdout).toMatch(/^\d+ of 1,500 tokens/m);
  const context = await box.code('query', 'which code removes old tiles', '--context');
  expect(context.stdout).toContain('Project: atlas');
  const skeleton = await box.code('skeleton', 'src/store.ts');
  expect(skeleton.stdout).toMatch(/^src\/store\.ts {2}typescript, 15 lines, 5 symbols\n/);
  const impact = await box.code('impact', 'openStore', '--depth', '2');
  expect(impact.stdout.split('\n').slice(0, 6)).toEqual([
    'openStore()  function  src/store.ts:2-4',
    '├─ main.ts  imports  src/main.ts:1',
    '│  └─ run.ts  imports  src/run.ts:1',
    '└─ main()  calls  src/main.ts:4',
    '   └─ run()  calls  src/run.ts:4',
    '4 dependents within 2 hops',
  ]);
  const neighbors = await box.code('neighbors', 'openStore');
  expect(neighbors.stdout).toContain('callers (1)\n  main()  function  src/main.ts:3-5  line 4\n');
  const stats = await box.code('stats');
  expect(stats.stdout).toMatch(/^project +atlas\nstate +fresh\nfiles +\d\n/);
  expect((await box.code('wakeup')).stdout).toContain('Keeps the maps of a fleet.');
});

test('CC16 an error names what was typed as it was typed, with its value and the range', async () => {
  const box = codeBox();
  await box.code('build');
  const said = async (...args: readonly string[]) => {
    const ran = await box.code(...args);
    expect({ args, code: ran.code, stdout: ran.stdout }).toEqual({ args, code: 2, stdout: '' });
    return ran.stderr.trimEnd().replaceAll(box.repository.root, '/atlas');
  };
  const wrong = 'mnemosyne: validation_error: ';
  expect(await said('query', 'tiles', '--budget', '0')).toBe(`${wrong}--budget 0: must be 1 to 200,000`);
  expect(await said('impact', 'openStore', '--depth', '99')).toBe(`${wrong}--depth 99: must be 1 to 5`);
  expect(await said('skeleton', 'src/none.ts')).toBe(`${wrong}<file> src/none.ts: there is no such file`);
  expect(await said('documents', 'add', 'none.md')).toBe(`${wrong}<file> none.md: there is no such file`);
  expect(await said('search', ' ')).toMatch(/<words> +: must not be blank$/);
  expect(await said('search', 'x'.repeat(90_000))).toMatch(/validation_error: <words>: at most /);
  const none = path.join(box.home, 'none');
  const asked = async (...args: readonly string[]) => (await box.cli(args)).stderr.trimEnd();
  expect(await asked('stats', none)).toBe(`${wrong}<project> ${none}: no such folder`);
  expect(await asked('search', 'x', '-p', none)).toBe(`${wrong}--project ${none}: no such folder`);
  expect(await asked('projects', 'add', none)).toBe(`${wrong}<path> ${none}: no such folder`);
  const decisions = await box.decisions('record', 'One', '--rationale', 'why', '--confidence', '3');
  expect(decisions.stderr.trimEnd()).toBe(`${wrong}--confidence 3: must be 0 to 1`);
  expect((await box.decisions('record', ' ', '--rationale', 'why')).stderr).toMatch(/<title> +: must not be blank/);
});

test('CC24 in a folder without git the error says what to type, and after that it is a project', async () => {
  const box = codeBox();
  const plainFolder = path.join(box.home, 'plain');
  mkdirSync(path.join(plainFolder, 'deep'), { recursive: true });
  writeFileSync(path.join(plainFolder, 'deep', 'store.py'), 'def open_store(): pass\n');
  const here = process.cwd();
  afterThis(() => process.chdir(here));
  process.chdir(path.join(plainFolder, 'deep'));
  expect(await box.cli(['search', 'open_store'])).toEqual({
    code: 2,
    stdout: '',
    stderr: [
      'mnemosyne: validation_error: name the project: the current folder is in no repository and in no project that was indexed',
      'Index this folder as a project of its own with: mnemosyne build .',
      'or go into a repository, or name one: --project <path>',
      '',
    ].join('\n'),
  });
  expect((await box.cli(['stats'])).stderr).toContain('or name one: <project>\n');
  process.chdir(plainFolder);
  expect((await box.cli(['build', '.'])).code).toBe(0);
  process.chdir(path.join(plainFolder, 'deep'));
  expect((await box.cli(['search', 'open_store'])).stdout).toMatch(/^deep\/store\.py:1 {2}function open_store/);
});

test('CC29 a word that names no project is told with the projects that are known', async () => {
  const box = codeBox();
  const said = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await box.cli(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    return stderr.trimEnd().split('\n');
  };
  const wrong = 'no such folder, and no known project has this id or name';
  expect(await said('search', 'x', '-p', 'atlsa')).toEqual([
    `mnemosyne: validation_error: --project atlsa: ${wrong}`,
    'No project is known by name yet: mnemosyne projects add <path>',
  ]);
  await box.cli(['projects', 'add', box.repository.root]);
  expect(await said('stats', 'atlsa')).toEqual([
    `mnemosyne: validation_error: <project> atlsa: ${wrong}; did you mean atlas?`,
    'Known are: atlas. See all of them with: mnemosyne projects list',
  ]);
  expect(await said('decisions', 'list', '--project', 'atlsa')).toContain(
    'Known are: atlas. See all of them with: mnemosyne projects list',
  );
  expect(JSON.parse((await said('stats', 'elsewhere', '--json')).join('\n'))).toMatchObject({
    error: { code: 'validation_error', details: { errors: [{ msg: wrong }], known_projects: ['atlas'] } },
  });
  expect(await said('stats', './atlsa')).toEqual(['mnemosyne: validation_error: <project> ./atlsa: no such folder']);
});

test('CC30 that a question made a folder a project is said once, and how to undo it', async () => {
  const box = codeBox();
  const folder = path.join(box.home, 'one');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'store.py'), 'def open_store(): pass\n');
  const index = path.join(folder, '.neuralmind');
  const first = await box.cli(['search', 'open_store', '-p', folder]);
  expect(first.stderr).toBe(`one is a project now: its index lies in ${index}. Delete that folder to undo it.\n`);
  expect(first.stdout).toContain('function open_store');
  expect(await box.cli(['search', 'open_store', '-p', folder])).toEqual({ ...first, stderr: '' });
  rmSync(index, { recursive: true });
  expect((await box.cli(['search', 'open_store', '-p', folder, '--json'])).stderr).toBe('');
  rmSync(index, { recursive: true });
  // Looking makes nothing.
  expect((await box.cli(['stats', folder])).stderr).toBe('');
  expect(existsSync(index)).toBe(false);
});

test('CC31 where there is nothing to index it is said with the reason, and no command sends to one that fails', async () => {
  const box = codeBox();
  const empty = path.join(box.home, 'empty');
  mkdirSync(path.join(empty, '.cache'), { recursive: true });
  const here = process.cwd();
  afterThis(() => process.chdir(here));
  process.chdir(empty);
  const asked = await box.cli(['query', 'hello']);
  expect(asked).toEqual({
    code: 2,
    stdout: '',
    stderr: [
      'mnemosyne: validation_error: the current folder is empty: there is nothing to index in it',
      'Go where source code or documents are, or name that folder: --project <path>',
      '',
    ].join('\n'),
  });
  writeFileSync(path.join(empty, 'picture.xyz'), 'none');
  const built = await box.cli(['build', '.']);
  expect(built).toMatchObject({ code: 4, stdout: '' });
  expect(built.stderr).toContain('no file of this project can be indexed: 1 excluded-folder, 1 unknown-language\n');
  expect((await box.cli(['query', 'hello', '-p', '.'])).stderr).toMatch(
    /1 unknown-language\nGo where source code or documents are, or name that folder\. /,
  );
  expect(existsSync(path.join(empty, '.neuralmind'))).toBe(false);
});

test('CC27 neighbours of a name are those of every relation, unless some are asked for', async () => {
  const box = codeBox();
  const users = Array.from({ length: 12 }, (_, at) => `@register\ndef user_${at}(): pass\n`).join('\n');
  box.repository.commit({ 'src/hooks.py': `def register(f): return f\n\n${users}` });
  const all = await box.code('neighbors', 'register');
  expect(all.stdout).toContain('used by (12)\n');
  expect(all.stdout).toContain('  … 2 more: --relations used_by\n');
  expect(all.stdout).toContain('container (1)\n');
  const named = await box.code('neighbors', 'register', '--relations', 'used_by');
  expect(named.stdout).toContain('  user_11()');
  expect(named.stdout).not.toContain('container');
  const { relations } = JSON.parse((await box.code('neighbors', 'register', '--json')).stdout);
  expect(relations).toHaveLength(12);
  expect((await box.code('neighbors', '--help')).stdout.replaceAll(/\s+/g, ' ')).toContain(
    'Default: all, the first 10 of each.',
  );
});

test('CC28 a budget bounds the places that are printed', async () => {
  const box = codeBox();
  const printed = async (budget: string) => {
    const { stdout } = await box.code('query', 'tiles', '--budget', budget, '--no-learn');
    const { search_hits } = JSON.parse(
      (await box.code('query', 'tiles', '--budget', budget, '--no-learn', '--json')).stdout,
    );
    const places = stdout.split('\n').filter((line) => /^(src|docs)\/|^README/.test(line)).length;
    expect(places).toBe(search_hits);
    return places;
  };
  const few = await printed('40');
  expect(few).toBeGreaterThan(0);
  expect(await printed('400')).toBeGreaterThan(few);
  expect(await printed('1')).toBe(0);
});

test('CC34 a build, the numbers and a wake-up count the same symbols', async () => {
  const box = codeBox();
  box.repository.commit({ 'src/outside.ts': "import { join } from 'node:path';\nexport const at = join('a', 'b');\n" });
  const built = /(\d+) symbols/.exec((await box.code('build')).stdout)?.[1];
  expect(/(\d+) symbols/.exec((await box.code('wakeup')).stdout)?.[1]).toBe(built);
  expect(/^symbols +(\d+)$/m.exec((await box.code('stats')).stdout)?.[1]).toBe(built);
});

test('CC4 in front of a person a build is a job with a bar on standard error, and the answer is the same', async () => {
  const box = codeBox();
  const watched = await box.cli(['build', box.repository.root, '--json'], { statusLine: { columns: 80 } });
  expect(watched.code).toBe(0);
  expect(JSON.parse(watched.stdout)).toMatchObject({ job: { status: 'done', result: { changed: true } } });
  expect(watched.stderr.replaceAll(/\r\u001b\[K[^\r\n]*/g, '')).toBe('');
  const served = codeBox();
  await served.serve();
  const there = await served.cli(['build', served.repository.root, '--json'], { statusLine: { columns: 80 } });
  expect(plain(there.stdout, served).replace(/"progress":\{[^}]*\}/, '')).toBe(
    plain(watched.stdout, box).replace(/"progress":\{[^}]*\}/, ''),
  );
});

test('CC10 doctor looks at a project, built or not, and at a folder that can be none', async () => {
  const box = codeBox();
  await box.code('build');
  const sound = await box.code('doctor', '--json');
  const { path: root, findings } = JSON.parse(sound.stdout) as { path: string; findings: { state: string }[] };
  expect({ root, code: sound.code }).toEqual({ root: box.repository.root, code: 0 });
  expect(findings.length).toBeGreaterThan(5);
  expect(findings.filter(({ state }) => state === 'fault')).toEqual([]);
  writeFileSync(path.join(box.repository.root, '.neuralmind', 'index.db'), 'no database');
  const broken = await box.code('doctor');
  expect(broken.code).toBe(1);
  expect(broken.stdout).toMatch(/^fault +.+\n +→ .+/m);
  expect((await box.cli(['doctor', path.join(box.home, 'none')])).code).toBe(1);
});

test('CC11 watch tells each update in one line and ends with 0 on Ctrl-C', async () => {
  const box = codeBox();
  const watching = box.start(['watch', box.repository.root]);
  await said(watching, 'Watching');
  await sleep(200);
  write(box, 'src/new.ts', 'export function brandNew(): void {}\n');
  await said(watching, 'src/new.ts');
  watching.child.kill('SIGINT');
  const { code, stdout } = await watching.finished;
  expect(code).toBe(0);
  expect(stdout).toMatch(/^[\d:]{8} {2}1 file read \(src\/new\.ts\), \d files in the index, [\d.]+ s\n/m);
  expect((await box.code('health')).code).toBe(0);
});

test('CC12 CC14 start --once serves, indexes, asks three questions, says how to connect, and ends', async () => {
  const box = codeBox();
  const { code, stdout, stderr } = await box.run(['start', box.repository.root, '--once', '--port', '0']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/listens on http:/);
  expect(stdout).toContain('Indexed atlas');
  expect(stdout.match(/^\? .+\?$/gm)).toHaveLength(3);
  expect(stdout).toContain('"mcpServers"');
  expect(existsSync(path.join(box.daemonHome, 'daemon.json'))).toBe(false);
  expect((await box.cli(['projects', 'list'])).stdout).toContain(box.repository.root);
});

test('CC12 start goes on serving until it is ended; a second one uses the first', async () => {
  const box = codeBox();
  const server = box.start(['start', box.repository.root, '--port', '0']);
  await said(server, 'Serving until Ctrl-C');
  const [, url] = /listens on (http:\/\/\S+)/.exec(server.output()) ?? [];
  expect((await fetch(`${url}/health`)).ok).toBe(true);
  const second = await box.run(['start', box.repository.root]);
  expect(second).toMatchObject({ code: 0, stderr: '' });
  expect(second.stdout).toContain(`runs already at ${url}`);
  expect(second.stdout).toContain('Nothing has changed in atlas');
  server.child.kill('SIGTERM');
  expect(await server.finished).toMatchObject({ code: 0, stderr: '' });
});

test('CC12 a path that is none starts nothing; a usual port that is taken is exchanged, one that was asked for is not', async () => {
  const box = codeBox();
  const none = await box.run(['start', path.join(box.home, 'none'), '--once']);
  expect(none).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('no such folder') });
  expect(existsSync(path.join(box.daemonHome, 'daemon.json'))).toBe(false);
  const holder = createServer();
  // Somebody else may hold it already, which serves as well.
  await new Promise<void>((resolve) => {
    holder.once('error', () => resolve());
    holder.listen(8000, '127.0.0.1', resolve);
  });
  afterThis(() => void holder.close());
  const moved = await box.run(['start', box.repository.root, '--once']);
  expect(moved).toMatchObject({ code: 0, stderr: expect.stringContaining('Port 8000 is in use') });
  expect(moved.stdout).not.toContain('127.0.0.1:8000');
  expect(await box.run(['start', box.repository.root, '--once', '--port', '8000'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('port_in_use'),
  });
});

async function said(started: { output(): string; finished: Promise<unknown> }, words: string): Promise<void> {
  let ended = false;
  void started.finished.then(() => {
    ended = true;
  });
  while (!started.output().includes(words)) {
    if (ended) throw new Error(`ended without saying "${words}": ${started.output()}`);
    await sleep(20);
  }
}
