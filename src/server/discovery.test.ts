import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isRunning, ownIdentity } from '../base/process-identity.ts';
import { acquireDaemonLock } from './daemon-lock.ts';
import { baseUrl, discoveryPath, readDiscovery, removeOwnDiscovery, writeDiscovery } from './discovery.ts';

let home: string;
const announcement = {
  host: '127.0.0.1',
  port: 8123,
  version: '1.2.3',
  started_at: '2026-01-02T03:04:05Z',
  token: 't'.repeat(43),
};

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'discovery-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function rewrite(change: Readonly<Record<string, unknown>>): void {
  const before: unknown = JSON.parse(readFileSync(discoveryPath(home), 'utf8'));
  if (typeof before !== 'object') throw new Error('no object');
  writeFileSync(discoveryPath(home), JSON.stringify({ ...before, ...change }));
}

/** A pid whose process has just ended. */
async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  if (child.pid === undefined) throw new Error('no pid');
  return child.pid;
}

test('CL4 the announcement is private, complete and read back as running', () => {
  writeDiscovery(home, announcement);
  expect(lstatSync(discoveryPath(home)).mode & 0o777).toBe(0o600);
  const daemon = { ...announcement, pid: process.pid, process_begun: ownIdentity().begun };
  expect(readDiscovery(home)).toEqual({ kind: 'running', daemon });
  expect(baseUrl(daemon)).toBe('http://127.0.0.1:8123');
  expect(baseUrl({ host: '::1', port: 1 })).toBe('http://[::1]:1');
});

test('CL4 nothing, rubbish, a dead process and a reused pid are no daemon', async () => {
  expect(readDiscovery(home)).toEqual({ kind: 'none' });
  writeDiscovery(home, announcement);
  rewrite({ pid: await endedPid() });
  expect(readDiscovery(home)).toEqual({ kind: 'stale' });
  writeDiscovery(home, announcement);
  rewrite({ process_begun: 'another boot:1' });
  expect(readDiscovery(home)).toEqual({ kind: 'stale' });
  for (const text of ['', '{', '[]', 'null', '{"pid":1}']) {
    writeFileSync(discoveryPath(home), text);
    expect(readDiscovery(home)).toEqual({ kind: 'stale' });
  }
  writeDiscovery(home, announcement);
  expect(readDiscovery(home).kind).toBe('running');
});

test('CL4 a file that others could have changed is not believed', () => {
  writeDiscovery(home, announcement);
  chmodSync(discoveryPath(home), 0o644);
  expect(readDiscovery(home).kind).toBe('unsafe');
  rmSync(discoveryPath(home));
  writeFileSync(join(home, 'real'), '{}', { mode: 0o600 });
  symlinkSync(join(home, 'real'), discoveryPath(home));
  expect(readDiscovery(home)).toEqual({ kind: 'unsafe', fault: 'is a symbolic link' });
  writeDiscovery(home, announcement);
  expect(readFileSync(join(home, 'real'), 'utf8')).toBe('{}');
  expect(readDiscovery(home).kind).toBe('running');
});

test('CL4 only the own announcement is taken back', () => {
  writeDiscovery(home, announcement);
  rewrite({ process_begun: 'another' });
  removeOwnDiscovery(home);
  expect(existsSync(discoveryPath(home))).toBe(true);
  writeDiscovery(home, announcement);
  removeOwnDiscovery(home);
  expect(existsSync(discoveryPath(home))).toBe(false);
  removeOwnDiscovery(home);
});

test('CL5 one lock per home, released once, by its holder alone', async () => {
  const first = await acquireDaemonLock(home);
  if (first.kind !== 'acquired') throw new Error('not acquired');
  expect(await acquireDaemonLock(home)).toEqual({ kind: 'held', pid: process.pid });
  first.lock.release();
  const second = await acquireDaemonLock(home);
  expect(second.kind).toBe('acquired');
  first.lock.release();
  expect((await acquireDaemonLock(home)).kind).toBe('held');
});

test('CL5 a lock of a dead process, rubbish in its place and a leftover of breaking stop nobody', async () => {
  const dead = JSON.stringify({ pid: await endedPid(), begun: 'x', nonce: 'n' });
  for (const text of [dead, JSON.stringify({ pid: process.pid, begun: 'x', nonce: 'n' }), '', '{']) {
    writeFileSync(join(home, 'daemon.lock'), text, { mode: 0o600 });
    writeFileSync(join(home, 'daemon.lock.break'), dead, { mode: 0o600 });
    const attempt = await acquireDaemonLock(home);
    if (attempt.kind !== 'acquired') throw new Error('not acquired');
    attempt.lock.release();
    expect(existsSync(join(home, 'daemon.lock'))).toBe(false);
    expect(existsSync(join(home, 'daemon.lock.break'))).toBe(false);
  }
});

test('CL5 of many processes that find one leftover exactly one gets the lock', { timeout: 30_000 }, async () => {
  const module = new URL('./daemon-lock.ts', import.meta.url).href;
  const program = `
    const { acquireDaemonLock } = await import(${JSON.stringify(module)});
    process.stdout.write('ready');
    process.stdin.once('data', async () => {
      const { kind } = await acquireDaemonLock(${JSON.stringify(home)});
      process.stdout.write(kind);
      process.stdin.once('data', () => process.exit());
    });`;
  const dead = JSON.stringify({ pid: await endedPid(), begun: 'x', nonce: 'n' });
  writeFileSync(join(home, 'daemon.lock'), dead, { mode: 0o600 });
  const children = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  try {
    await Promise.all(children.map((child) => once(child.stdout, 'data')));
    const answers = children.map((child) => once(child.stdout, 'data').then(([text]) => String(text)));
    for (const child of children) child.stdin.write('go');
    const kinds = await Promise.all(answers);
    expect(kinds.toSorted()).toEqual(['acquired', 'held', 'held', 'held', 'held', 'held']);
  } finally {
    for (const child of children) child.kill('SIGKILL');
  }
});

test('CL6 a process is told from a later one with the same pid', async () => {
  const own = ownIdentity();
  expect(isRunning(own)).toBe(true);
  expect(isRunning({ ...own, begun: `${own.begun}0` })).toBe(false);
  expect(isRunning({ pid: await endedPid(), begun: own.begun })).toBe(false);
  for (const pid of [0, -1, 1.5, Number.NaN]) expect(isRunning({ pid, begun: own.begun })).toBe(false);
});
