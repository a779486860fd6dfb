/** Plants one fault after the other in a real project and looks whether the doctor finds it, and nothing else. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { ownIdentity } from '../../src/base/process-identity.ts';
import { diagnose, type Finding } from '../../src/engine/code/doctor.ts';
import { watchProject } from '../../src/engine/code/watcher.ts';
import { openDecisionStores } from '../../src/engine/decision-stores.ts';
import { git as realGit } from '../../src/engine/git.ts';
import { projectIdOf } from '../../src/engine/projects/project-id.ts';
import type { Project } from '../../src/engine/projects/projects.ts';
import { appendUsage } from '../../src/retrieval/context/usage-log.ts';
import { applicationId, schemaVersion } from '../../src/retrieval/index/schema.ts';
import { IndexBox, newPool, type Pool } from '../index/index-box.ts';

let pool: Pool;
let built: IndexBox;
let box: IndexBox;
let home: string;
/** The program with small grammars under the names of all: to check the real ones each time would take long. */
let program: string;

beforeAll(async () => {
  pool = newPool();
  built = new IndexBox(pool, {
    'src/main.ts': "import { add } from './add.ts';\nexport const two = add(1, 1);\n",
    'src/add.ts': 'export function add(a: number, b: number): number {\n  return a + b;\n}\n',
    'README.md': '# A project\n\nIt adds.\n',
    '.gitignore': '.neuralmind/\n',
  });
  // Enough for an index of many pages.
  for (let at = 0; at < 20; at += 1) {
    const lines = Array.from(
      { length: 30 },
      (_, line) => `export function made${at}n${line}(): number { return ${line}; }`,
    );
    built.write(`src/many/m${at}.ts`, `${lines.join('\n')}\n`);
  }
  execFileSync('git', ['init', '--quiet', '--template='], { cwd: built.root, stdio: 'pipe' });
  await built.build();
  program = programIn(realpathSync(mkdtempSync(path.join(tmpdir(), 'doctor-program-'))), 'go');
});

afterAll(async () => {
  await pool.close();
  built.dispose();
  rmSync(program, { recursive: true, force: true });
});

beforeEach(() => {
  box = new IndexBox(pool);
  cpSync(built.root, box.root, { recursive: true });
  home = realpathSync(mkdtempSync(path.join(tmpdir(), 'doctor-home-')));
  mkdirSync(path.join(home, '.neuralmind'), { mode: 0o700 });
});

afterEach(() => {
  if (existsSync(folder()) && !lstatSync(folder()).isSymbolicLink()) chmodSync(folder(), 0o700);
  box.dispose();
  rmSync(home, { recursive: true, force: true });
});

/** A copy of the program, as far as it is looked at, with each grammar or with one under all names. */
function programIn(top: string, grammar: string | null): string {
  const real = path.resolve('node_modules/@vscode/tree-sitter-wasm');
  const wasm = path.join(top, 'node_modules/@vscode/tree-sitter-wasm');
  mkdirSync(path.join(wasm, 'wasm'), { recursive: true });
  mkdirSync(path.join(top, 'assets'));
  copyFileSync('package.json', path.join(top, 'package.json'));
  copyFileSync(path.join(real, 'package.json'), path.join(wasm, 'package.json'));
  for (const name of ['related-words', 'static-table', 'token-table']) {
    symlinkSync(path.resolve('assets', name), path.join(top, 'assets', name));
  }
  for (const name of readdirSync(path.join(real, 'wasm')).filter((file) => file.endsWith('.wasm'))) {
    const from = grammar === null ? name : `tree-sitter-${grammar}.wasm`;
    symlinkSync(path.join(real, 'wasm', from), path.join(wasm, 'wasm', name));
  }
  return top;
}

const folder = (name = '') => path.join(box.root, '.neuralmind', name);
const daemonHome = () => path.join(home, '.neuralmind');

/** A process that is over. */
function deadProcess(): { readonly pid: number; readonly begun: string } {
  return { pid: spawnSync(process.execPath, ['-e', '']).pid, begun: ownIdentity().begun };
}

/** Records one decision in the project. */
async function decide(): Promise<void> {
  const project: Project = { id: projectIdOf(box.root), name: 'p', path: box.root };
  const spellings = () => [box.root];
  const stores = openDecisionStores({
    clock: systemClock,
    git: realGit,
    embedder: () => null,
    spellings,
    scanOnOpen: false,
  });
  const made = await (await stores.open(project)).create({
    title: 'Use SQLite',
    rationale: 'It is one file. '.repeat(3_000),
  });
  expect(made.ok).toBe(true);
  await stores.close();
}

function look(options: Partial<Parameters<typeof diagnose>[1]> = {}): Promise<readonly Finding[]> {
  return diagnose(box.root, { daemonHome: daemonHome(), userHome: home, packageRoot: program, ...options });
}

const troubleIn = (findings: readonly Finding[]) => findings.filter((finding) => finding.state !== 'ok');

/** What is found, by check, beside the state that the project had before; nothing may have been touched. */
async function found(
  options: Partial<Parameters<typeof diagnose>[1]> = {},
): Promise<Readonly<Record<string, Finding>>> {
  const before = [contentOf(box.root), contentOf(home)];
  const findings = await look(options);
  expect([contentOf(box.root), contentOf(home)]).toEqual(before);
  for (const { state, cure } of findings) {
    if (state === 'fault') expect(cure).toMatch(/^[A-Z][^\n]*\.$/);
  }
  return Object.fromEntries(troubleIn(findings).map((finding) => [finding.check, finding]));
}

/** Every entry below a folder with kind, mode, times and bytes. */
function contentOf(top: string): readonly string[] {
  const entries = readdirSync(top, { recursive: true, withFileTypes: true });
  return ['', ...entries.map((entry) => path.relative(top, path.join(entry.parentPath, entry.name)))]
    .sort()
    .map((name) => {
      const stats = lstatSync(path.join(top, name));
      const facts = `${name} ${stats.ino} ${stats.mode.toString(8)} ${stats.mtimeMs} ${stats.ctimeMs}`;
      if (stats.isSymbolicLink()) return `${facts} ${readlinkSync(path.join(top, name))}`;
      return stats.isFile() ? `${facts} ${readFileSync(path.join(top, name)).toString('base64')}` : facts;
    });
}

test('DR1: a healthy project has no trouble, and every check says what it saw', async () => {
  await decide();
  appendUsage(folder(), { at: '2026-01-01T00:00:00Z', kind: 'query', tokens: 10, baseline: 100 });
  expect(await found()).toEqual({});
  const findings = await look({ packageRoot: path.resolve('.') });
  expect(findings.map(({ check }) => check)).toEqual([
    'project',
    'git',
    'links',
    'permissions',
    'index',
    'index-pages',
    'index-log',
    'locks',
    'files',
    'freshness',
    'documents',
    'decisions',
    'usage-log',
    'watcher',
    'node',
    'grammars',
    'static-table',
    'packaged-tables',
    'daemon-home',
    'daemon',
  ]);
  for (const finding of findings)
    expect(finding).toMatchObject({ message: expect.stringMatching(/^\S.*\.$/), cure: null });
});

test('DR2: no index', async () => {
  rmSync(folder(), { recursive: true });
  const trouble = await found();
  expect(Object.keys(trouble)).toEqual(['index']);
  expect(trouble['index']).toMatchObject({ state: 'fault', cure: `Make one with \`mnemosyne build ${box.root}\`.` });
  mkdirSync(folder());
});

test('DR3: an index that is out of date names the files, by their contents alone', async () => {
  const at = new Date('2026-02-02T00:00:00Z');
  utimesSync(path.join(box.root, 'README.md'), at, at);
  expect(await found()).toEqual({});
  box.write('src/add.ts', 'export const add = 1;\n');
  box.write('src/new.ts', 'export const fresh = 1;\n');
  box.remove('src/many/m3.ts');
  const { freshness, ...others } = await found();
  expect(others).toEqual({});
  expect(freshness).toMatchObject({
    state: 'fault',
    message: 'The index is out of date: 1 changed, 1 added, 1 removed (src/add.ts, src/new.ts, src/many/m3.ts).',
    cure: `Bring 3 files up to date with \`mnemosyne build ${box.root}\`.`,
  });
  await box.build();
  expect(await found()).toEqual({});
});

test('DR4: an index of another version, and a database of another program', async () => {
  const db = new Database(box.indexFile);
  db.pragma(`user_version = ${schemaVersion + 1}`);
  db.close();
  const other = await found();
  expect(other['index']?.message).toBe('The index was made by another version of the program.');
  expect(other['index']?.cure).toContain(`mnemosyne build ${box.root}`);
  for (const plant of [
    () => {
      const stranger = new Database(box.indexFile);
      stranger.exec('CREATE TABLE theirs (a)');
      stranger.close();
    },
    () => writeFileSync(box.indexFile, 'something else entirely'),
    () => mkdirSync(box.indexFile),
  ]) {
    for (const ending of ['', '-wal', '-shm']) rmSync(`${box.indexFile}${ending}`, { recursive: true, force: true });
    plant();
    const { index } = await found();
    expect(index?.state).toBe('fault');
    expect(index?.message).toContain('belongs to another program');
    expect(index?.cure).toContain(`mv ${box.indexFile} ${box.indexFile}.other && mnemosyne build ${box.root}`);
  }
});

test.each([
  [
    'flipped',
    (bytes: Buffer, page: number) =>
      bytes.subarray(page, page + 4096).forEach((byte, at) => {
        bytes[page + at] = byte ^ 0xff;
      }),
  ],
  ['emptied', (bytes: Buffer, page: number) => bytes.fill(0, page, page + 4096)],
  ['overwritten', (bytes: Buffer, page: number) => bytes.fill('x', page, page + 4096)],
] as const)('DR5: pages in the middle of the index that were %s', async (_, damage) => {
  const size = statSync(box.indexFile).size;
  const whole = readFileSync(box.indexFile);
  for (const share of [0.25, 0.5, 0.75]) {
    const bytes = Buffer.from(whole);
    damage(bytes, Math.floor((size * share) / 4096) * 4096);
    writeFileSync(box.indexFile, bytes);
    const trouble = await found();
    expect(trouble['index-pages']?.message).toContain('The index is damaged');
    expect(trouble['index-pages']?.cure).toBe(
      `Remove it and build it anew with \`rm ${box.indexFile} && mnemosyne build ${box.root}\`.`,
    );
  }
});

test('DR5: an index that was cut off', async () => {
  truncateSync(box.indexFile, Math.floor(statSync(box.indexFile).size / 2));
  expect((await found())['index-pages']?.state).toBe('fault');
});

test('DR6: a grammar that is gone or damaged, and the whole package', async () => {
  const copy = programIn(path.join(home, 'program'), null);
  const wasm = path.join(copy, 'node_modules/@vscode/tree-sitter-wasm');
  expect(await found({ packageRoot: copy })).toEqual({});
  rmSync(path.join(wasm, 'wasm/tree-sitter-go.wasm'));
  const python = path.join(wasm, 'wasm/tree-sitter-python.wasm');
  const bytes = readFileSync(python);
  rmSync(python);
  writeFileSync(python, bytes.subarray(0, bytes.length / 2));
  const { grammars } = await found({ packageRoot: copy });
  expect(grammars).toMatchObject({
    state: 'fault',
    message: 'The grammar go is missing. The grammar python is damaged.',
    cure: 'Install the program anew with `npm install --global mnemosyne@0.2.0`.',
  });
  writeFileSync(path.join(copy, 'package-lock.json'), '{}');
  rmSync(path.join(copy, 'node_modules'), { recursive: true });
  const without = await found({ packageRoot: copy });
  expect(without['grammars']?.message).toContain('@vscode/tree-sitter-wasm');
  expect(without['grammars']?.cure).toContain(`npm ci --prefix ${copy}`);
});

test('DR7: a static table that is gone or not the one of its header', async () => {
  const copy = programIn(path.join(home, 'program'), 'go');
  rmSync(path.join(copy, 'assets/static-table'));
  mkdirSync(path.join(copy, 'assets/static-table'));
  const gone = await found({ packageRoot: copy });
  expect(gone['static-table']).toMatchObject({ state: 'fault' });
  expect(gone['static-table']?.message).toContain('missing');
  for (const name of readdirSync('assets/static-table')) {
    copyFileSync(path.join('assets/static-table', name), path.join(copy, 'assets/static-table', name));
  }
  expect(await found({ packageRoot: copy })).toEqual({});
  const table = path.join(copy, 'assets/static-table/table.bin');
  const bytes = readFileSync(table);
  bytes[500_000] = (bytes[500_000] ?? 0) ^ 1;
  writeFileSync(table, bytes);
  mkdirSync(path.join(copy, '.git'));
  const { 'static-table': wrong } = await found({ packageRoot: copy });
  expect(wrong?.message).toContain('not the one its header describes');
  expect(wrong?.cure).toContain(`git -C ${copy} checkout -- assets/static-table`);
});

test('DR23: a table of the package that is gone, cut off or overwritten', async () => {
  const copy = programIn(path.join(home, 'program'), 'go');
  const [words, tokens] = ['related-words/words.txt', 'token-table/table.bin'].map((name) => {
    const file = path.join(copy, 'assets', name);
    rmSync(path.dirname(file));
    mkdirSync(path.dirname(file));
    return { file, whole: readFileSync(path.join('assets', name)) };
  });
  if (words === undefined || tokens === undefined) throw new Error('There are two tables.');
  const install = '`npm install --global mnemosyne@0.2.0`';
  expect((await found({ packageRoot: copy }))['packaged-tables']).toEqual({
    check: 'packaged-tables',
    state: 'fault',
    message: 'assets/related-words/words.txt is missing; assets/token-table/table.bin is missing.',
    cure: `Put them back with ${install}.`,
  });
  for (const { file, whole } of [words, tokens]) writeFileSync(file, whole);
  expect(await found({ packageRoot: copy })).toEqual({});
  const flipped = (whole: Buffer): Buffer => {
    const bytes = Buffer.from(whole);
    const at = whole.length >> 1;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  };
  for (const damage of [(whole: Buffer) => whole.subarray(0, -100), (whole: Buffer) => whole.fill(0, 0, 9), flipped]) {
    for (const { file, whole } of [words, tokens]) writeFileSync(file, damage(Buffer.from(whole)));
    const { 'packaged-tables': tables, ...others } = await found({ packageRoot: copy });
    expect(others).toEqual({});
    expect(tables?.message).toBe(
      'assets/related-words/words.txt is not the file that was shipped; assets/token-table/table.bin is not the file that was shipped.',
    );
  }
  writeFileSync(words.file, words.whole);
  mkdirSync(path.join(copy, '.git'));
  rmSync(tokens.file);
  const { 'packaged-tables': tables } = await found({ packageRoot: copy });
  expect(tables?.cure).toBe(`Put it back with \`git -C ${copy} checkout -- assets/token-table/table.bin\`.`);
});

test('DR8: rights that keep this user out or let others in', async () => {
  const cases: readonly (readonly [string, number, RegExp])[] = [
    ['', 0o777, /^\.neuralmind can be written by every user/],
    ['', 0o500, /^\.neuralmind cannot be read and written/],
    ['index.db', 0o666, /^\.neuralmind\/index\.db can be written by every user/],
    ['index.db', 0o200, /^\.neuralmind\/index\.db cannot be read and written/],
  ];
  for (const [name, mode, message] of cases) {
    chmodSync(folder(name), mode);
    const { permissions } = await found();
    expect(permissions?.state).toBe('fault');
    expect(permissions?.message).toMatch(message);
    expect(permissions?.cure).toMatch(/`chmod (u\+rwx?|o-w) \//);
    chmodSync(folder(name), name === '' ? 0o700 : 0o600);
  }
});

test('DR8: a daemon home that others can write or list', async () => {
  chmodSync(daemonHome(), 0o770);
  const written = await found();
  expect(written['daemon-home']).toMatchObject({
    state: 'fault',
    cure: `Close it to others with \`chmod 700 ${daemonHome()}\`.`,
  });
  chmodSync(daemonHome(), 0o755);
  expect((await found())['daemon-home']).toMatchObject({ state: 'warning' });
  rmSync(daemonHome(), { recursive: true });
  symlinkSync(program, daemonHome());
  expect((await found())['daemon-home']?.message).toContain('is a link');
});

test('DR9: the state file of a watcher whose process is gone, and not of one that lives or ended', async () => {
  const { pid, begun } = deadProcess();
  const state = { pid, begun, method: 'events', at: '2026-01-01T00:00:00.000Z' };
  writeFileSync(folder('watch.json'), JSON.stringify(state), { mode: 0o600 });
  const { watcher, ...others } = await found();
  expect(others).toEqual({});
  expect(watcher).toMatchObject({ state: 'fault', cure: `Watch them again with \`mnemosyne watch ${box.root}\`.` });
  expect(watcher?.message).toContain(`Process ${pid}`);
  const begunWatching = await watchProject(box.root, () => {}, { userHome: home });
  if (begunWatching.kind !== 'watching') throw new Error(begunWatching.reason);
  expect((await look()).find(({ check }) => check === 'watcher')?.message).toContain(`Process ${process.pid} watches`);
  await begunWatching.watching.close();
  expect(await found()).toEqual({});
});

test('DR10: the folder or the index is a link', async () => {
  const elsewhere = path.join(home, 'elsewhere');
  renameSync(folder(), elsewhere);
  symlinkSync(elsewhere, folder());
  const linked = await found();
  expect(linked['links']).toMatchObject({
    state: 'fault',
    cure: `Remove the link with \`rm ${path.join(box.root, '.neuralmind')}\`.`,
  });
  expect(linked['index']?.message).toContain('is a link');
  rmSync(folder());
  renameSync(elsewhere, folder());
  renameSync(box.indexFile, path.join(home, 'index.db'));
  symlinkSync(path.join(home, 'index.db'), box.indexFile);
  const { index } = await found();
  expect(index?.cure).toBe(
    `Remove the link and make the index anew with \`rm ${box.indexFile} && mnemosyne build ${box.root}\`.`,
  );
});

test('DR11: decisions that are damaged, of a later release, or of another program', async () => {
  await decide();
  const whole = readFileSync(folder('memory.db'));
  expect(await found()).toEqual({});
  const broken = Buffer.from(whole);
  broken.fill('x', 4096, 4096 * 6);
  writeFileSync(folder('memory.db'), broken);
  const damaged = (await found())['decisions'];
  expect(damaged?.message).toContain('damaged');
  expect(damaged?.cure).toContain('.recover');
  writeFileSync(folder('memory.db'), whole);
  const db = new Database(folder('memory.db'));
  db.prepare("UPDATE meta SET value = '99' WHERE key = 'decision_store_schema_version'").run();
  db.close();
  for (const ending of ['-wal', '-shm']) rmSync(folder(`memory.db${ending}`), { force: true });
  expect((await found())['decisions']?.message).toContain('format 99');
  writeFileSync(folder('memory.db'), 'no database');
  expect((await found())['decisions']?.message).toContain('not a decision store');
});

test('DR12: a line of the usage log that was torn', async () => {
  appendUsage(folder(), { at: '2026-01-01T00:00:00Z', kind: 'query', tokens: 10, baseline: 100 });
  writeFileSync(folder('audit_events.jsonl'), '{"at":"2026-01-01T00', { flag: 'a' });
  const { 'usage-log': log, ...others } = await found();
  expect(others).toEqual({});
  expect(log).toMatchObject({ state: 'warning' });
  expect(log?.message).toContain('1 line of the usage log cannot be read');
});

test('DR13: a folder without git, and a machine without git, are warnings', async () => {
  rmSync(path.join(box.root, '.git'), { recursive: true });
  const { git: none, ...others } = await found();
  expect(others).toEqual({});
  expect(none).toMatchObject({ state: 'warning', cure: `Make it one with \`git init ${box.root}\`.` });
  const searched = process.env['PATH'];
  process.env['PATH'] = home;
  try {
    expect((await found())['git']?.message).toContain('not installed');
  } finally {
    process.env['PATH'] = searched;
  }
});

test('DR14: files beside the index that do not belong to it', async () => {
  const wal = `${box.indexFile}-wal`;
  // The log of an index as it was before, with every page of it.
  const old = path.join(home, 'old.db');
  const writer = new Database(old);
  writer.pragma('journal_mode = WAL');
  writer.pragma('wal_autocheckpoint = 0');
  writer.pragma(`application_id = ${applicationId}`);
  writer.exec('CREATE TABLE a (b)');
  for (let at = 0; at < 200; at += 1) writer.prepare('INSERT INTO a VALUES (?)').run('x'.repeat(500));
  copyFileSync(`${old}-wal`, wal);
  writer.close();
  const { 'index-log': log } = await found();
  expect(log).toMatchObject({ state: 'fault' });
  expect(log?.message).toContain('index.db-wal belongs to another file');
  renameSync(box.indexFile, `${box.indexFile}.gone`);
  const alone = await found();
  expect(alone['index-log']?.message).toBe('index.db-wal lies there without its index.');
  expect(alone['index-log']?.cure).toContain(`mnemosyne build ${box.root}`);
  writeFileSync(`${box.indexFile}-shm`, 'x');
  expect((await found())['index-log']?.message).toBe('index.db-wal and index.db-shm lie there without their index.');
  // Another process begins to write it.
  writeFileSync(box.indexFile, '');
  expect((await found())['index-log']).toMatchObject({
    state: 'warning',
    message: 'Not checked, because there is nothing in index.db yet.',
  });
  for (const ending of ['', '-shm']) rmSync(`${box.indexFile}${ending}`);
  rmSync(`${box.indexFile}.gone`);
  await box.build();
  expect(await found()).toEqual({});
});

test('DR14: a log that belongs to the index is read with it', async () => {
  const writer = new Database(box.indexFile);
  writer.pragma('wal_autocheckpoint = 0');
  writer.exec("INSERT INTO meta (key, value) VALUES ('more', 1)");
  expect(statSync(`${box.indexFile}-wal`).size).toBeGreaterThan(0);
  expect(await found()).toEqual({});
  writer.close();
});

test('DR15: a lock that a dead process left, and not one that is held', async () => {
  writeFileSync(folder('index.lock'), JSON.stringify({ ...ownIdentity(), nonce: 'a' }), { mode: 0o600 });
  expect(await found()).toEqual({});
  writeFileSync(folder('index.lock'), JSON.stringify({ ...deadProcess(), nonce: 'a' }), { mode: 0o600 });
  const { locks, ...others } = await found();
  expect(others).toEqual({});
  expect(locks).toMatchObject({ state: 'fault', cure: `Remove it with \`rm ${folder('index.lock')}\`.` });
});

test('DR16: a Node that the program was not made for', async () => {
  for (const version of ['22.5.0', '23.1.0']) {
    expect((await found({ nodeVersion: version }))['node']).toMatchObject({ state: 'fault' });
  }
  for (const version of ['24.15.0', '27.0.0']) {
    expect(await found({ nodeVersion: version })).toEqual({});
  }
});

test('DR17: a list of documents that is not understood', async () => {
  writeFileSync(folder('documents.json'), '{"version":1,"documents":[');
  const { documents } = await found();
  expect(documents).toMatchObject({ state: 'fault' });
  expect(documents?.cure).toContain(`mv ${folder('documents.json')} ${folder('documents.json')}.damaged`);
});

test('DR18: what can be no project is told, and nothing in it is looked at', async () => {
  for (const [root, message] of [
    ['/', /root of the file system/],
    [home, /home folder/],
    [path.join(home, 'nothing'), /is no folder/],
  ] as const) {
    const findings = await diagnose(root, { daemonHome: daemonHome(), userHome: home, packageRoot: program });
    expect(findings[0]).toMatchObject({ check: 'project', state: 'fault', message: expect.stringMatching(message) });
    expect(findings.map(({ check }) => check)).toEqual([
      'project',
      'node',
      'grammars',
      'static-table',
      'packaged-tables',
      'daemon-home',
      'daemon',
    ]);
  }
});

test('DR19: when everything is ignored the rule is named', async () => {
  box.write('.gitignore', '# all of it\n*\n');
  const { files } = await found();
  expect(files).toMatchObject({
    state: 'fault',
    cure: `Take line 2 out of .gitignore and run \`mnemosyne build ${box.root}\`.`,
  });
  expect(files?.message).toContain('the rule `*` in line 2 of .gitignore');
  rmSync(path.join(box.root, '.git'), { recursive: true });
  expect((await found())['files']?.message).toContain('the rule `*` in line 2 of .gitignore');
  box.write('.gitignore', '');
  box.write('.neuralmindignore', 'src/\n*.md\n');
  expect((await found())['files']?.message).toMatch(/the rule `(src\/|\*\.md)` in line [12] of \.neuralmindignore/);
});

test('DR19: a project without anything to index says what there is', async () => {
  rmSync(path.join(box.root, 'src'), { recursive: true });
  rmSync(path.join(box.root, 'README.md'));
  box.write('picture.png', 'x');
  expect((await found())['files']?.message).toContain('unknown-language');
});

test('DR20: the discovery file of a daemon that is gone, or open to others', async () => {
  const file = path.join(daemonHome(), 'daemon.json');
  const facts = { host: '127.0.0.1', port: 1, version: '0.2.0', started_at: '2026-01-01T00:00:00Z', token: 't' };
  const { pid, begun } = ownIdentity();
  writeFileSync(file, JSON.stringify({ ...facts, pid, process_begun: begun }), { mode: 0o600 });
  expect(await found()).toEqual({});
  chmodSync(file, 0o644);
  expect((await found())['daemon']?.cure).toBe(`Close it to others with \`chmod 600 ${file}\`.`);
  chmodSync(file, 0o600);
  const dead = deadProcess();
  writeFileSync(file, JSON.stringify({ ...facts, pid: dead.pid, process_begun: dead.begun }));
  const { daemon, ...others } = await found();
  expect(others).toEqual({});
  expect(daemon).toMatchObject({ state: 'fault', cure: 'Start it again with `mnemosyne daemon start`.' });
  expect(daemon?.message).toContain(`process ${dead.pid}`);
});

test('DR21: a path with spaces and quotes is one word of the command', async () => {
  const odd = path.join(home, "it's a project");
  mkdirSync(odd);
  const findings = await diagnose(odd, {
    daemonHome: daemonHome(),
    userHome: path.join(home, 'none'),
    packageRoot: program,
  });
  const cure = findings.find(({ check }) => check === 'index')?.cure ?? '';
  const command = /`(.+)`/.exec(cure)?.[1] ?? '';
  const words = execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
  expect(words).toEqual(['mnemosyne', 'build', odd]);
});

test('DR22: nothing is left in the folder for temporary files', async () => {
  const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('mnemosyne-doctor-'));
  const before = left();
  await look();
  expect(left()).toEqual(before);
  expect(existsSync(`${box.indexFile}-shm`)).toBe(false);
});
