/** Several processes on one notebook: they wait for each other, nothing of either is lost, and the dead block nobody. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFileStore } from '../../src/memory/notebook/file-store.ts';
import type { StoredRecord } from '../../src/memory/notebook/store.ts';
import { placeRecord, recordedLog, sampleRecord, temporaryFolder } from '../notebook/fixture.ts';
import { startNotebookChild } from './notebook-child.ts';

let folder: ReturnType<typeof temporaryFolder>;
let root: string;
let log: ReturnType<typeof recordedLog>;

beforeEach(() => {
  folder = temporaryFolder();
  root = join(folder.path, 'root');
  log = recordedLog();
});

afterEach(() => folder.remove());

async function records(): Promise<readonly StoredRecord[]> {
  const store = openFileStore({ root: () => root, log });
  const scanned = await store.scan({ kind: 'scope', scope: 'project' }, 'is-unavailable');
  await store.close();
  if (!scanned.ok) throw new Error(scanned.failure.code);
  return scanned.value;
}

async function create(lockWaitMs: number): Promise<string> {
  const store = openFileStore({ root: () => root, log, lockWaitMs });
  const result = await store.exclusively({ createRoot: true }, (writer) => writer.create(sampleRecord()));
  await store.close();
  return result.ok ? 'ok' : result.failure.code;
}

test('NF51 two processes that start on a missing notebook and write twenty records each make forty', async () => {
  const children = [startNotebookChild(root, 'create', 20), startNotebookChild(root, 'create', 20)];
  expect(await Promise.all(children.map(({ ended }) => ended))).toEqual(['0', '0']);
  expect(await records()).toHaveLength(40);
  expect(log.lines).toEqual([]);
  expect(readdirSync(root)).toEqual(['project']);
});

test('NF52 three processes that count in one record lose no step', async () => {
  placeRecord(root, sampleRecord({ content: '0' }));
  const children = [1, 2, 3].map(() => startNotebookChild(root, 'count', 40));
  expect(await Promise.all(children.map(({ ended }) => ended))).toEqual(['0', '0', '0']);
  expect((await records()).map(({ record }) => record.content)).toEqual(['120']);
});

test('NF53 a process that holds the notebook makes others wait, and those that cannot wait are told', async () => {
  const child = startNotebookChild(root, 'hold', 600);
  await child.said('holding');
  expect(await create(100)).toBe('memory_source_unavailable');
  expect(log.lines).toEqual(['timed_out']);
  expect(await records()).toEqual([]);
  expect(await create(5_000)).toBe('ok');
  expect(await child.ended).toBe('0');
  expect(child.lines).toEqual([{ holding: true }, { released: true }]);
});

test('NF54 the lock of a killed process is cleared at once, that of a stopped one never', async () => {
  mkdirSync(root);
  const child = startNotebookChild(root, 'hold', 60_000);
  await child.said('holding');
  child.process.kill('SIGSTOP');
  expect(await create(200)).toBe('memory_source_unavailable');
  child.process.kill('SIGKILL');
  await child.ended;
  expect(await create(200)).toBe('ok');
  expect(log.lines).toEqual(['timed_out', 'cleared_stale']);
  expect(readdirSync(root)).toEqual(['project']);
});
