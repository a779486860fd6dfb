/**
 * A writing process is killed at random moments, again and again on the same notebook. After each kill every
 * acknowledged change is there, the one that was under way is there wholly or not at all, and writing goes on.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { openFileStore } from '../../src/memory/notebook/file-store.ts';
import { ok } from '../../src/memory/notebook/outcome.ts';
import { recordedLog, temporaryFolder } from '../notebook/fixture.ts';
import { startNotebookChild } from './notebook-child.ts';

const mutationsMin = 200;
const killsMin = 12;
const seed = 20260720;

test(`NF50 nothing acknowledged is lost when the writer is killed (seed ${seed})`, { timeout: 120_000 }, async () => {
  const folder = temporaryFolder();
  const root = join(folder.path, 'root');
  /** Content by id, as acknowledged. */
  const acknowledged = new Map<string, string>();
  let mutations = 0;
  let locksCleared = 0;
  for (let kills = 0; kills < killsMin || mutations < mutationsMin; kills++) {
    const child = startNotebookChild(root, 'mutate', seed + kills);
    const moment = momentOf(kills);
    await child.said('done', moment.changes);
    await sleep(moment.ms);
    child.process.kill('SIGKILL');
    expect(await child.ended).toBe('SIGKILL');
    const story = `kill ${kills} at ${moment.changes} changes and ${moment.ms} ms: ${JSON.stringify(child.lines.map(brief))}`;
    expect(
      child.lines.filter((line) => Object.hasOwn(line, 'skipped')),
      story,
    ).toEqual([]);
    let pending: JsonObject | undefined;
    for (const line of child.lines) {
      if (Object.hasOwn(line, 'start')) pending = line;
      if (!Object.hasOwn(line, 'done') || pending === undefined) continue;
      apply(acknowledged, pending);
      pending = undefined;
      mutations += 1;
    }
    const log = recordedLog();
    const found = await recordsOf(root, log);
    const withPending = new Map(acknowledged);
    if (pending !== undefined) apply(withPending, pending);
    expect([[...acknowledged].sort(), [...withPending].sort()], story).toContainEqual([...found].sort());
    expect(
      log.lines.filter((line) => line !== 'cleared_stale'),
      story,
    ).toEqual([]);
    locksCleared += log.lines.length;
    // What was under way is decided now.
    acknowledged.clear();
    for (const [id, content] of found) acknowledged.set(id, content);
  }
  // The kills did hit writers in the middle of something.
  expect(locksCleared).toBeGreaterThan(0);
  // A writer killed on its way to the lock leaves its own owner file, which a later search for such files removes.
  expect(readdirSync(root).filter((name) => !/^\.lock-[0-9a-f]{32}\.tmp$/.test(name))).toEqual(['project']);
  folder.remove();
});

/** How many changes a child may make, and how far into the next ones it gets. Spread evenly. */
function momentOf(kill: number): { readonly changes: number; readonly ms: number } {
  const spread = (offset: number) => (kill * 0.618_033_988_75 + offset) % 1;
  return { changes: 1 + Math.floor(spread(0.13) * 36), ms: Math.round(spread(0.71) * 6) };
}

function apply(records: Map<string, string>, change: JsonObject): void {
  const { start, id, content } = change;
  if (typeof id !== 'string') throw new Error('a change without an id');
  if (start === 'remove') records.delete(id);
  else if (typeof content === 'string') records.set(id, content);
  else throw new Error('a change without content');
}

/** Read as the next process would, which also has to get past the lock of the dead one. */
async function recordsOf(root: string, log: ReturnType<typeof recordedLog>): Promise<Map<string, string>> {
  const store = openFileStore({ root: () => root, log, lockWaitMs: 2_000 });
  const result = await store.exclusively({ createRoot: false }, async (writer) => {
    const scanned = await writer.scan({ kind: 'scope', scope: 'project' }, 'is-unavailable');
    return scanned.ok ? ok(new Map(scanned.value.map(({ record }) => [record.id, record.content]))) : scanned;
  });
  await store.close();
  if (!result.ok) throw new Error(result.failure.code);
  return result.value;
}

function brief(line: JsonObject): unknown {
  return line['start'] ?? (Object.hasOwn(line, 'done') ? 'done' : line);
}
