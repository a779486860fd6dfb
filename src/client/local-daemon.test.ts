import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { writeDiscovery } from '../server/discovery.ts';
import { NeuralMindConnectionError } from './errors.ts';
import { findLocalDaemon } from './local-daemon.ts';

let home: string;
const token = 'token-that-must-never-show';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'client-home-'));
  vi.stubEnv('HOME', home);
  vi.stubEnv('NEURALMIND_DAEMON_HOME', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

function announce(folder = join(home, '.neuralmind'), host = '127.0.0.1'): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeDiscovery(folder, { host, port: 4321, version: '0.2.0', started_at: '2026-10-02T12:00:00Z', token });
  return join(folder, 'daemon.json');
}

function rewrite(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
}

function problemOf(daemonHome?: string): string {
  try {
    findLocalDaemon(daemonHome);
  } catch (error) {
    if (!(error instanceof NeuralMindConnectionError)) throw error;
    expect(error.message).not.toContain(token);
    return error.reason;
  }
  return 'found';
}

test('CT14 the daemon is found in ~/.neuralmind, in NEURALMIND_DAEMON_HOME or where the caller says', () => {
  announce();
  expect(findLocalDaemon(undefined)).toEqual({ base: 'http://127.0.0.1:4321', token });
  announce(join(home, 'elsewhere'), '::1');
  vi.stubEnv('NEURALMIND_DAEMON_HOME', '~/elsewhere');
  expect(findLocalDaemon(undefined)).toEqual({ base: 'http://[::1]:4321', token });
  expect(findLocalDaemon(join(home, '.neuralmind')).base).toBe('http://127.0.0.1:4321');
});

test('CT15 without an announcement the error says how to start a daemon', () => {
  expect(() => findLocalDaemon(undefined)).toThrow(/mnemosyne daemon start/);
  expect(problemOf()).toBe('no_daemon');
  mkdirSync(join(home, '.neuralmind'), { mode: 0o700 });
  expect(problemOf()).toBe('no_daemon');
});

test('CT16 a file or home that others could have changed, or a link, is not believed', () => {
  const file = announce();
  for (const mode of [0o640, 0o604, 0o620, 0o602]) {
    chmodSync(file, mode);
    expect(problemOf()).toBe('unsafe_discovery');
  }
  chmodSync(file, 0o600);
  expect(problemOf()).toBe('found');
  for (const mode of [0o770, 0o777, 0o702]) {
    chmodSync(join(home, '.neuralmind'), mode);
    expect(problemOf()).toBe('unsafe_discovery');
  }
  chmodSync(join(home, '.neuralmind'), 0o700);
  renameSync(file, `${file}.moved`);
  symlinkSync(`${file}.moved`, file);
  expect(problemOf()).toBe('unsafe_discovery');
  rmSync(file);
  mkdirSync(file);
  expect(problemOf()).toBe('unsafe_discovery');
  symlinkSync(join(home, '.neuralmind'), join(home, 'linked'));
  expect(problemOf(join(home, 'linked'))).toBe('unsafe_discovery');
});

test('CT17 an announcement that points away from this machine is not believed', () => {
  for (const host of ['192.168.0.1', '0.0.0.0', '::', 'example.com', '127.evil.example', 'localhost.evil', '127.1']) {
    announce(undefined, host);
    expect(problemOf()).toBe('unsafe_discovery');
  }
});

test('CT18 a file left behind by a daemon that is gone is told as such, also when its pid lives again', () => {
  const file = announce();
  const facts = { host: '127.0.0.1', port: 4321, version: '0', started_at: '', token, pid: process.pid };
  rewrite(file, JSON.stringify({ ...facts, process_begun: 'another boot:1' }));
  expect(problemOf()).toBe('stale_discovery');
  rewrite(file, JSON.stringify({ ...facts, pid: 2 ** 30, process_begun: '' }));
  expect(problemOf()).toBe('stale_discovery');
  expect(() => findLocalDaemon(undefined)).toThrow(/no longer runs; start it with/);
  for (const text of ['', 'null', '[]', '{"host":', JSON.stringify({ ...facts, port: 0, process_begun: '' })]) {
    rewrite(file, text);
    expect(problemOf()).toBe('stale_discovery');
  }
});
