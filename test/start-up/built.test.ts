/** The program as it is built and shipped: the same answers from few files, and what Node compiled is kept. */
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { checkoutRoot } from '../source-files.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let folder = '';
let root = '';
let project = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'built-'));
  root = path.join(folder, 'package');
  project = path.join(folder, 'project');
  mkdirSync(root);
  for (const name of ['bin', 'package.json'])
    cpSync(path.join(checkoutRoot, name), path.join(root, name), { recursive: true });
  for (const name of ['assets', 'node_modules', 'src'])
    symlinkSync(path.join(checkoutRoot, name), path.join(root, name));
  const made = ran([path.join(checkoutRoot, 'scripts/bundle.mjs'), root]);
  expect({ status: made.status, stderr: made.stderr }).toEqual({ status: 0, stderr: '' });
  // The sources are not there for what is built.
  rmSync(path.join(root, 'src'));
  mkdirSync(project);
  writeFileSync(path.join(project, 'store.ts'), 'export function openStore(file: string) {\n  return file;\n}\n');
  writeFileSync(path.join(project, 'notes.md'), '# Notes\n\nThe store keeps maps.\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Nothing that is there for the tests alone may change what is seen. */
function environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: path.join(folder, 'home'), ...more };
}

function ran(args: readonly string[], more?: Readonly<Record<string, string>>): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, args, { cwd: folder, env: environment(more), encoding: 'utf8' });
}

function built(args: readonly string[], more?: Readonly<Record<string, string>>): SpawnSyncReturns<string> {
  return ran([path.join(root, 'bin/mnemosyne.mjs'), ...args], more);
}

/** Names of the files of the build that a command loads, and of packages. */
function loadedBy(args: readonly string[]): readonly string[] {
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) { if (url.startsWith('file:')) console.error('loaded ' + url); return next(url, context); } });`;
  const url = `data:text/javascript,${encodeURIComponent(hook)}`;
  const { stderr } = ran(['--import', url, path.join(root, 'bin/mnemosyne.mjs'), ...args]);
  const urls = [...stderr.matchAll(/^loaded (.*)$/gm)].map((match) => match[1] ?? '');
  return urls.map((one) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(one)?.[1] ?? path.basename(one));
}

test('SU1 help loads a handful of files, and a question nothing of the server, of decisions or of parsing', () => {
  expect(built(['build', project]).status).toBe(0);
  expect(loadedBy(['--help'])).toEqual(['mnemosyne.mjs', 'main.js', 'base.js', 'rolldown-runtime.js']);
  const loaded = new Set(loadedBy(['query', 'where is the store opened', '--project', project]));
  const own = [...loaded].filter((name) => name.endsWith('.js'));
  expect(own).toContain('question.js');
  expect(own.length).toBeLessThan(9);
  expect([...loaded].filter((name) => !/\.m?js$/.test(name))).toEqual(['better-sqlite3']);
});

test('SU2 the built command indexes, reads documents and answers as the sources do', () => {
  expect(built(['build', '--force', project]).stdout).toContain('2 files');
  expect(built(['documents', 'add', 'notes.md', '--project', project]).stdout).toContain('Added notes.md');
  const source = path.join(checkoutRoot, 'src/main.ts');
  for (const question of [
    ['query', 'where is the store opened', '--no-learn', '--project', project],
    ['search', 'keeps maps', '--project', project],
    ['skeleton', 'store.ts', '--project', project],
  ]) {
    const args = [...question, '--json'];
    const answer = built(args);
    expect({ status: answer.status, stderr: answer.stderr }).toEqual({ status: 0, stderr: '' });
    const expected = ran(['--disable-warning=ExperimentalWarning', source, ...args]);
    expect(JSON.parse(answer.stdout)).toEqual(JSON.parse(expected.stdout));
  }
});

test('SU2 the built server publishes the whole table and ends when it is asked to', async () => {
  const server = spawn(process.execPath, [path.join(root, 'bin/mnemosyne.mjs'), '--port', '0'], {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(server, 'exit');
  try {
    const [said] = await once(server.stdout, 'data');
    const url = /listens on (http:\S+)/.exec(String(said))?.[1];
    const token = readFileSync(path.join(folder, 'home/.neuralmind/token'), 'utf8');
    const answer = await fetch(`${url}/v1/openapi.json`, { headers: { authorization: `Bearer ${token}` } });
    expect(await answer.json()).toEqual(JSON.parse(readFileSync(path.join(checkoutRoot, 'docs/openapi.json'), 'utf8')));
  } finally {
    server.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);
});

test('SU3 what Node compiled is kept beside the build, else in the cache of the user, else not at all', () => {
  const beside = path.join(root, 'dist/.compiled');
  rmSync(beside, { recursive: true, force: true });
  const cache = path.join(folder, 'cache');
  const question = (): number | null => built(['--version'], { XDG_CACHE_HOME: cache }).status;
  expect([question(), existsSync(cache)]).toEqual([0, false]);
  expect(readdirSync(beside)).toHaveLength(1);
  rmSync(beside, { recursive: true });
  writeFileSync(beside, 'in the way');
  expect(question()).toBe(0);
  expect(readdirSync(path.join(cache, 'mnemosyne'))).toHaveLength(1);
  rmSync(cache, { recursive: true });
  writeFileSync(cache, 'in the way');
  expect(question()).toBe(0);
  // Neither one that lies in the folder one works in, nor one in which nothing can be made.
  for (const wrong of ['cache-here', '/proc']) {
    const home = path.join(folder, 'home-of-cache');
    expect(built(['--version'], { XDG_CACHE_HOME: wrong, HOME: home }).status).toBe(0);
  }
  expect(existsSync(path.join(folder, 'cache-here'))).toBe(false);
  rmSync(beside);
});

test('SU5 a table of the package that is damaged fails the build and says so; no file is blamed or lost', () => {
  const assets = path.join(root, 'assets');
  rmSync(assets);
  cpSync(path.join(checkoutRoot, 'assets'), assets, { recursive: true });
  const table = path.join(assets, 'static-table/table.bin');
  const whole = readFileSync(table);
  expect(built(['build', project]).status).toBe(0);
  writeFileSync(path.join(project, 'store.ts'), 'export function shutStore(file: string) {\n  return file;\n}\n');
  writeFileSync(table, Buffer.concat([whole.subarray(0, 100), Buffer.from('ZZZZ'), whole.subarray(104)]));
  const failed = built(['build', project]);
  expect(failed.status).not.toBe(0);
  expect(failed.stderr).toMatch(/a table of the package cannot be used .*install Mnemosyne again/);
  expect(built(['health', project]).stdout).toContain('stale');
  expect(built(['skeleton', 'store.ts', '--project', project]).stdout).toContain('openStore');
  writeFileSync(table, whole);
  expect(built(['build', project]).status).toBe(0);
  expect(built(['skeleton', 'store.ts', '--project', project]).stdout).toContain('shutStore');
});

test('SU4 the terms of every package that became part of the build are in it', () => {
  const licences = readFileSync(path.join(root, 'dist/LICENSES'), 'utf8');
  for (const name of ['zod', 'commander', 'fastify', 'pino', 'stemmer', '@modelcontextprotocol/server']) {
    expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\([A-Za-z0-9.-]+\\)$`, 'm'));
  }
  expect(licences).not.toMatch(/^better-sqlite3 /m);
  const manifest: unknown = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ files: expect.arrayContaining(['dist', '!dist/.compiled']) });
});
