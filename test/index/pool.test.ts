/** Threads that read ahead: every file has one answer, also those that waited behind one that ended its thread. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { type FileFailure, FilePool } from '../../src/retrieval/code/parse-pool.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pool-'));
const pools: FilePool<string>[] = [];

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

function poolOf(threads: number): FilePool<string> {
  const pool = new FilePool<string>(new URL('./pool-child.ts', import.meta.url), threads);
  pools.push(pool);
  return pool;
}

async function answersOf(pool: FilePool<string>, names: readonly string[]): Promise<readonly string[]> {
  for (const name of names) writeFileSync(path.join(folder, name), '');
  const told: string[] = [];
  for await (const { path: name, outcome } of pool.parseAll(folder, names)) told.push(`${name}: ${shown(outcome)}`);
  return told.sort();
}

function shown(outcome: string | FileFailure): string {
  return typeof outcome === 'string' ? 'read' : outcome.reason;
}

test.each([1, 2])('IX15: a file that ends its thread takes no other with it (%i threads)', async (threads) => {
  const names = Array.from({ length: 30 }, (_, at) => {
    const fate = at % 7 === 3 ? 'end' : at % 5 === 1 ? 'throw' : at % 4 === 0 ? 'slow' : 'file';
    return `${String(at).padStart(2, '0')}-${fate}`;
  });
  const expected = names.map((name) => `${name}: ${/end|throw/.test(name) ? 'crashed' : 'read'}`);
  expect(await answersOf(poolOf(threads), names)).toEqual(expected);
});

test('IX15: an answer that was given before its thread ended counts, however late it comes', async () => {
  const names = Array.from(
    { length: 40 },
    (_, at) => `${String(at).padStart(2, '0')}-${at % 2 === 0 ? 'file' : 'fall'}`,
  );
  const expected = names.map((name) => `${name}: ${name.endsWith('fall') ? 'crashed' : 'read'}`);
  expect(await answersOf(poolOf(2), names)).toEqual(expected);
});

test('IX15: when a pool is closed, every file that waits is answered', async () => {
  const pool = poolOf(1);
  writeFileSync(path.join(folder, 'slow'), '');
  const waiting = [pool.parse(folder, 'slow'), pool.parse(folder, 'slow')];
  await pool.close();
  expect((await Promise.all(waiting)).map(shown)).toEqual(['crashed', 'crashed']);
});
