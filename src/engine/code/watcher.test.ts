import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { watchLimits } from '../../base/limits.ts';
import { watchFolder } from './watch-folders.ts';
import { readWatchState, watchStatePath } from './watch-state.ts';
import { type Watching, type WatchOptions, watchProject } from './watcher.ts';

const roots: string[] = [];
const open: Watching[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((watching) => watching.close()));
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

function project(files: Readonly<Record<string, string>> = { 'a.ts': 'export const a = 1;\n' }): string {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'watched-')));
  roots.push(root);
  for (const [file, text] of Object.entries(files)) write(root, file, text);
  return root;
}

function write(root: string, file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

function git(root: string, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.org', '-c', 'init.defaultBranch=main'];
  execFileSync('git', [...identity, ...args], {
    cwd: root,
    stdio: 'pipe',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
  });
}

interface Watched {
  readonly watching: Watching;
  readonly told: () => number;
  /** Waits for one more call than there were, and then until it has been quiet for a while. */
  readonly next: () => Promise<void>;
}

async function watched(root: string, options: WatchOptions = {}): Promise<Watched> {
  let told = 0;
  const outcome = await watchProject(
    root,
    () => {
      told += 1;
    },
    { userHome: '/nonexistent', ...options },
  );
  if (outcome.kind !== 'watching') throw new Error(outcome.reason);
  open.push(outcome.watching);
  let seen = 0;
  return {
    watching: outcome.watching,
    told: () => told,
    next: async () => {
      await until(() => told > seen);
      for (let before = -1; before !== told; ) {
        before = told;
        await sleep(watchLimits.quietMs * 1.5);
      }
      seen = told;
    },
  };
}

async function until(isSo: () => boolean, msMax = 15_000): Promise<void> {
  const end = performance.now() + msMax;
  while (!isSo()) {
    if (performance.now() > end) throw new Error('it did not happen in time');
    await sleep(20);
  }
}

/** Long enough for a change to be told. */
const silence = () => sleep(watchLimits.quietMs * 3);

test('WT1: a change, a new file and a removed one are each told', async () => {
  const root = project();
  const { next, told, watching } = await watched(root);
  expect(watching).toMatchObject({ method: 'events', pollingReason: null, folders: 1 });
  write(root, 'a.ts', 'export const a = 2;\n');
  await next();
  write(root, 'b.ts', 'export const b = 2;\n');
  await next();
  rmSync(path.join(root, 'a.ts'));
  await next();
  expect(told()).toBe(3);
});

test('WT2: a thousand files made at once are told a few times', async () => {
  const root = project();
  const { next, told, watching } = await watched(root);
  for (let at = 0; at < 1_000; at += 1) write(root, `d${at % 20}/f${at}.ts`, `export const x${at} = 1;\n`);
  await next();
  expect(told()).toBeGreaterThan(0);
  expect(told()).toBeLessThanOrEqual(4);
  expect(watching.folders).toBe(21);
});

test('WT2: changes that never end are told all the same', async () => {
  const root = project();
  const { told } = await watched(root);
  const begun = performance.now();
  while (told() === 0 && performance.now() - begun < 10_000) {
    write(root, 'a.ts', `export const a = ${performance.now()};\n`);
    await sleep(watchLimits.quietMs / 5);
  }
  expect(told()).toBe(1);
  expect(performance.now() - begun).toBeGreaterThan(watchLimits.waitMsMax - 100);
});

test('WT3: folders that are ignored, excluded or hidden cost no watch and are not heard', async () => {
  const root = project({
    'src/a.ts': 'export const a = 1;\n',
    '.gitignore': 'data/\n*.gen.ts\n',
    '.neuralmindignore': 'big/\n',
  });
  git(root, 'init', '--quiet');
  for (let at = 0; at < 1_000; at += 1) mkdirSync(path.join(root, `data/n${at}`), { recursive: true });
  write(root, 'data/n1/a.ts', 'x');
  write(root, 'data/n999/a.ts', 'x');
  write(root, 'big/one/two/a.ts', 'export const a = 1;\n');
  write(root, 'node_modules/left/a.js', 'export const a = 1;\n');
  write(root, '.cache/x/a.js', 'export const a = 1;\n');
  const { told, watching } = await watched(root, { foldersMax: 2 });
  expect(watching.folders).toBe(2);
  expect(watching.method).toBe('events');
  if (process.platform === 'linux') expect(systemWatches()).toBeLessThan(10);
  write(root, 'data/n7/b.ts', 'export const b = 1;\n');
  write(root, 'node_modules/left/b.js', 'export const b = 1;\n');
  write(root, '.cache/x/b.js', 'export const b = 1;\n');
  write(root, '.neuralmind/index.db', 'x');
  write(root, '.neuralmind/index.db', 'y');
  write(root, 'src/b.gen.ts', 'x');
  await silence();
  const first = told();
  // A file that was new to the ignore rules is told once; then it is known to be ignored.
  expect(first).toBeLessThanOrEqual(1);
  write(root, 'src/notes.png', 'x');
  await silence();
  expect(told()).toBe(first);
});

test('WT4: new folders are watched as deep as they are, removed and moved ones no longer', async () => {
  const root = project();
  const { next, told, watching } = await watched(root);
  write(root, 'one/two/three/b.ts', 'export const b = 1;\n');
  await next();
  expect(watching.folders).toBe(4);
  write(root, 'one/two/three/b.ts', 'export const b = 2;\n');
  await next();
  renameSync(path.join(root, 'one/two'), path.join(root, 'one/other'));
  await next();
  expect(watching.folders).toBe(4);
  const before = told();
  write(root, 'one/other/three/b.ts', 'export const b = 3;\n');
  await next();
  expect(told()).toBe(before + 1);
  rmSync(path.join(root, 'one'), { recursive: true });
  await next();
  expect(watching.folders).toBe(1);
  // One with the name of a source file.
  mkdirSync(path.join(root, 'next.js'));
  await next();
  write(root, 'next.js/c.ts', 'export const c = 1;\n');
  await next();
  expect(watching.folders).toBe(2);
});

test('WT5: a change of the ignore rules is told, and the watches follow it', async () => {
  const root = project({ 'a.ts': 'x', 'data/one/b.ts': 'x' });
  const { next, told, watching } = await watched(root);
  expect(watching.folders).toBe(3);
  write(root, '.neuralmindignore', 'data/\n');
  await next();
  expect(watching.folders).toBe(1);
  rmSync(path.join(root, '.neuralmindignore'));
  await next();
  expect(watching.folders).toBe(3);
  const before = told();
  write(root, 'data/one/b.ts', 'y');
  await next();
  expect(told()).toBe(before + 1);
});

test('WT6: a switch to another branch is told once', async () => {
  const root = project();
  git(root, 'init', '--quiet');
  git(root, 'add', '.');
  git(root, 'commit', '--quiet', '-m', 'one');
  git(root, 'checkout', '--quiet', '-b', 'other');
  for (let at = 0; at < 300; at += 1) write(root, `p${at % 10}/f${at}.ts`, `export const x${at} = 1;\n`);
  git(root, 'add', '.');
  git(root, 'commit', '--quiet', '-m', 'two');
  const { next, told, watching } = await watched(root);
  git(root, 'checkout', '--quiet', 'main');
  await next();
  expect(told()).toBe(1);
  expect(watching.folders).toBe(1);
  git(root, 'checkout', '--quiet', 'other');
  await next();
  expect(told()).toBe(2);
  expect(watching.folders).toBe(11);
  // HEAD alone, without any file.
  git(root, 'checkout', '--quiet', '-b', 'third');
  await next();
  expect(told()).toBe(3);
});

test('WT6: while git holds its lock nothing is told', async () => {
  const root = project();
  git(root, 'init', '--quiet');
  const { next, told } = await watched(root);
  write(root, '.git/index.lock', '');
  write(root, 'a.ts', 'y');
  await silence();
  expect(told()).toBe(0);
  rmSync(path.join(root, '.git/index.lock'));
  await next();
  expect(told()).toBe(1);
});

test('WT7: links are not followed', async () => {
  const elsewhere = project({ 'x/c.ts': 'x' });
  const root = project();
  symlinkSync(elsewhere, path.join(root, 'linked'));
  symlinkSync(root, path.join(root, 'loop'));
  const { told, watching } = await watched(root);
  expect(watching.folders).toBe(1);
  write(elsewhere, 'x/c.ts', 'y');
  await silence();
  expect(told()).toBe(0);
});

test('WT8: above the limit the files are listed again and again, and the watcher says so', async () => {
  const root = project({ 'a/a.ts': 'x', 'b/b.ts': 'x', 'c/c.ts': 'x' });
  const { next, told, watching } = await watched(root, { foldersMax: 3, pollMs: 50 });
  expect(watching).toMatchObject({ method: 'polling', pollingReason: 'too-many-folders', folders: 0 });
  expect(readWatchState(root)).toMatchObject({ kind: 'running', method: 'polling' });
  write(root, 'a/a.ts', 'longer');
  await next();
  write(root, 'a/new.ts', 'x');
  await next();
  expect(watching.method).toBe('polling');
  const before = told();
  await silence();
  expect(told()).toBe(before);
  // With fewer folders to watch there are events again.
  write(root, '.gitignore', 'b/\n');
  await next();
  expect(watching).toMatchObject({ method: 'events', pollingReason: null, folders: 3 });
  expect(readWatchState(root)).toMatchObject({ kind: 'running', method: 'events' });
  write(root, 'c/c.ts', 'again');
  await next();
});

test.each(['ENOSPC', 'EMFILE'])(
  'WT8: when the system has no watches left (%s) the files are listed again and again',
  async (code) => {
    const root = project({ 'a/a.ts': 'x', 'b/b.ts': 'x' });
    let left = 2;
    const { next, watching } = await watched(root, {
      pollMs: 50,
      watchFolder: (folder, listener) => {
        left -= 1;
        if (left < 0) throw Object.assign(new Error(code), { code });
        return watchFolder(folder, listener);
      },
    });
    expect(watching).toMatchObject({ method: 'polling', pollingReason: 'refused-by-system', folders: 0 });
    await sleep(200);
    write(root, 'a/a.ts', 'longer');
    await next();
  },
);

test('WT9: a project whose folder vanishes and comes back is followed again', async () => {
  const root = project();
  const { next, watching } = await watched(root, { pollMs: 50 });
  renameSync(root, `${root}-away`);
  roots.push(`${root}-away`);
  await until(() => watching.method === 'polling');
  expect(watching.pollingReason).toBe('folder-gone');
  renameSync(`${root}-away`, root);
  await until(() => watching.method === 'events');
  await next();
  write(root, 'a.ts', 'z');
  await next();
});

test('WT9: so is one that is back before polling has seen it gone', async () => {
  const root = project();
  let listings = 0;
  const { watching } = await watched(root, {
    pollMs: 50,
    ownFolders: () => {
      listings += 1;
      // The first listing is that of the beginning, the second finds the folder gone, the third begins polling.
      if (listings === 3) renameSync(`${root}-away`, root);
      return [];
    },
  });
  renameSync(root, `${root}-away`);
  await until(() => listings >= 3);
  await until(() => watching.method === 'events');
});

test('WT10: callers of one process share a watcher, and the last one frees everything', async () => {
  const root = project({ 'a/a.ts': 'x' });
  const before = systemWatches();
  const [one, two] = await Promise.all([watched(root), watched(root)]);
  if (process.platform === 'linux') expect(systemWatches()).toBe(before + 2);
  write(root, 'a/a.ts', 'y');
  await Promise.all([one.next(), two.next()]);
  await one.watching.close();
  await one.watching.close();
  write(root, 'a/a.ts', 'z');
  await two.next();
  expect([one.told(), two.told()]).toEqual([1, 2]);
  await two.watching.close();
  expect(systemWatches()).toBe(before);
  expect(existsSync(watchStatePath(root))).toBe(false);
  const again = await watched(root);
  write(root, 'a/a.ts', 'again');
  await again.next();
});

test('WT11: an open watcher does not keep its process alive', async () => {
  const root = project({ 'a/a.ts': 'x' });
  const source = `const { watchProject } = await import(${JSON.stringify(path.resolve('src/engine/code/watcher.ts'))});
    const outcome = await watchProject(${JSON.stringify(root)}, () => {}, { userHome: '/nonexistent' });
    process.stdout.write(outcome.kind);`;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', source]);
  let said = '';
  child.stdout.on('data', (text) => {
    said += String(text);
  });
  const code = await new Promise((resolve) => child.on('exit', resolve));
  expect([code, said]).toEqual([0, 'watching']);
  // It ended without closing, so what it left tells of a dead watcher.
  expect(readWatchState(root)).toMatchObject({ kind: 'dead', pid: child.pid });
  await watched(root);
  expect(readWatchState(root)).toMatchObject({ kind: 'running', pid: process.pid });
});

test('WT12: the state file says who watches, is private, and is left alone when it is not ours', async () => {
  const root = project();
  expect(readWatchState(root)).toEqual({ kind: 'none' });
  const { watching } = await watched(root);
  expect(readWatchState(root)).toMatchObject({ kind: 'running', pid: process.pid, method: 'events' });
  expect(readdirSync(path.join(root, '.neuralmind')).sort()).toEqual(['.gitignore', 'watch.json']);
  const other = { pid: process.ppid, begun: 'another', method: 'events', at: '2026-01-01T00:00:00.000Z' };
  writeFileSync(watchStatePath(root), JSON.stringify(other), { mode: 0o600 });
  await watching.close();
  expect(JSON.parse(readFileSync(watchStatePath(root), 'utf8'))).toEqual(other);
  writeFileSync(watchStatePath(root), '{"pid"');
  expect(readWatchState(root)).toEqual({ kind: 'unreadable', fault: 'is not understood' });
});

test('WT12: nothing is written through a linked folder', async () => {
  const elsewhere = project();
  const root = project();
  symlinkSync(elsewhere, path.join(root, '.neuralmind'));
  const { next } = await watched(root);
  write(root, 'a.ts', 'y');
  await next();
  expect(readdirSync(elsewhere)).toEqual(['a.ts']);
});

test('WT13: the root of the file system, the home folder and what is no folder are refused', async () => {
  const root = project();
  const home = await watchProject(root, () => {}, { userHome: root });
  expect(home).toEqual({ kind: 'refused', reason: 'home-folder' });
  expect(await watchProject('/', () => {})).toEqual({ kind: 'refused', reason: 'file-system-root' });
  expect(await watchProject(path.join(root, 'none'), () => {})).toEqual({ kind: 'refused', reason: 'not-a-folder' });
  expect(existsSync(path.join(root, '.neuralmind'))).toBe(false);
});

test('WT14: a document that was added by hand is heard wherever it lies', async () => {
  const root = project({ 'a.ts': 'x', 'kept/manual.pdf': 'x', '.gitignore': 'kept/\n' });
  const { next, watching } = await watched(root);
  expect(watching.folders).toBe(1);
  const entry = { path: 'kept/manual.pdf', content_type: 'auto', added_at: '2026-01-01T00:00:00Z' };
  write(root, '.neuralmind/documents.json', JSON.stringify({ version: 1, documents: [entry] }));
  watching.refresh();
  await next();
  expect(watching.folders).toBe(2);
  write(root, 'kept/manual.pdf', 'y');
  await next();
});

/** Watches that the system holds for this process. */
function systemWatches(): number {
  if (process.platform !== 'linux') return 0;
  const told = readdirSync('/proc/self/fdinfo').map((name) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${name}`, 'utf8');
    } catch {
      // The handle that lists the folder is gone by now.
      return '';
    }
  });
  return told.join('\n').match(/^inotify wd/gm)?.length ?? 0;
}
