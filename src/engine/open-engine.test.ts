import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { ok } from '../memory/notebook/outcome.ts';
import { openEngine } from './open-engine.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engine-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () =>
  openEngine({
    memoryRoot: () => join(folder, 'memory'),
    clock: systemClock,
    notebookLog: { skipped: () => {}, lock: () => {} },
  });

test('CL11 opening, reading and closing make nothing', async () => {
  const engine = open();
  expect(await engine.notebook.store.scan({ kind: 'scope', scope: 'self' }, 'is-empty')).toEqual(ok([]));
  await engine.close();
  await engine.close();
  expect(existsSync(join(folder, 'memory'))).toBe(false);
});

test('CL11 closing waits for each running write and lets no new one begin', async () => {
  const engine = open();
  const { store } = engine.notebook;
  let finish = (): void => {};
  const running = store.exclusively({ createRoot: true }, async () => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return ok('written');
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  let closed = false;
  const closing = engine.close().then(() => {
    closed = true;
  });
  const late = await store.exclusively({ createRoot: true }, async () => ok('late'));
  expect(late).toMatchObject({ ok: false, failure: { code: 'memory_source_unavailable' } });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(closed).toBe(false);
  finish();
  expect(await running).toEqual(ok('written'));
  await closing;
  expect(closed).toBe(true);
});
