import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { placeText, temporaryFolder } from '../../../test/notebook/fixture.ts';
import { nodeFileSystem } from './file-system.ts';
import { type FilePlace, RecordCache } from './record-cache.ts';

let folder: ReturnType<typeof temporaryFolder>;

beforeEach(() => {
  folder = temporaryFolder();
});

afterEach(() => folder.remove());

function place(name: string, bytes = 60): FilePlace {
  const text = JSON.stringify({ schema_version: 1, id: name, content: 'x' }).padEnd(bytes);
  return { scope: 'self', path: `${name}.json`, absolute: placeText(folder.path, `${name}.json`, text) };
}

test('NF16 what is remembered is bounded in files and in bytes, the least recently used goes first', async () => {
  const [a, b, c, big] = [place('a'), place('b'), place('c'), place('big', 200)];
  await sleep(150);
  const cache = new RecordCache(nodeFileSystem, { cachedRecordsMax: 2, cachedBytesMax: 250 });
  const isKept = (file: FilePlace) => cache.get(file).fresh !== true;
  for (const file of [a, b]) cache.get(file);
  expect(isKept(a)).toBe(true);
  cache.get(c);
  expect(cache.size).toBe(2);
  expect(isKept(a)).toBe(true);
  expect(isKept(b)).toBe(false);
  cache.get(big);
  expect(cache.size).toBe(1);
  expect(isKept(big)).toBe(true);
});

test('NF17 nothing of a file that is gone stays in memory', async () => {
  const [a, b, other] = [place('in/a'), place('in/b'), place('beside')];
  await sleep(150);
  const cache = new RecordCache(nodeFileSystem);
  for (const file of [a, b, other]) cache.get(file);
  rmSync(a.absolute);
  expect(cache.get(a)).toEqual({ kind: 'absent' });
  expect(cache.size).toBe(2);
  rmSync(b.absolute);
  const scan = cache.beginScan();
  cache.forgetUnseen(join(folder.path, 'in/'), scan);
  expect(cache.size).toBe(1);
  cache.forget(other.absolute);
  expect(cache.size).toBe(0);
});
