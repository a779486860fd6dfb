/**
 * The black-box cases of the notebook against the real program: every case on a real process, over HTTP, with real
 * files. The runner and the format are described in `notebook/README.md`.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkoutRoot } from '../source-files.ts';

const cases = path.join(import.meta.dirname, 'notebook');
const server = `"${process.execPath}" --disable-warning=ExperimentalWarning "${checkoutRoot}/src/main.ts" --port $PORT --mcp-auth none`;

test('CS1 every black-box case of the notebook passes over HTTP', { timeout: 300_000 }, async () => {
  const { code, output } = await runCases();
  expect(output.split('\n').filter((line) => line.startsWith('FAIL'))).toEqual([]);
  const passed = Number(/^(\d+) passed, 0 failed$/m.exec(output)?.[1] ?? 0);
  expect(passed).toBeGreaterThan(300);
  expect(code).toBe(0);
});

/** Cases marked optional describe the original's quirks; the ones we decided against are named here, with the reason. */
const declined = new Map([
  ['protocol.ping-null-id', 'an id of null is a malformed envelope: -32600'],
  ['inspect.ref-version-float', 'JavaScript cannot tell 2.0 from 2'],
]);

test('CS2 the optional cases that fail are exactly those decided against', { timeout: 300_000 }, async () => {
  const { output } = await runCases();
  const notes = [...output.matchAll(/^note (\S+)/gm)].map((match) => match[1] ?? '');
  expect(notes.sort()).toEqual([...declined.keys()].sort());
});

let kept: Promise<{ readonly code: number | null; readonly output: string }> | undefined;

/** One run serves both tests. */
function runCases(): Promise<{ readonly code: number | null; readonly output: string }> {
  kept ??= new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [
      path.join(cases, 'run-cases.mjs'),
      '--cases',
      cases,
      '--server-cmd',
      server,
    ]);
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      output += String(chunk);
    });
    child.on('error', reject);
    child.on('exit', (code) => resolve({ code, output }));
  });
  return kept;
}
