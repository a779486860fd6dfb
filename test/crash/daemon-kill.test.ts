/** The daemon killed while clients write: what they were told is kept is there, with its events, whole and once. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  type Memories,
  NeuralMindAPIError,
  NeuralMindClient,
  NeuralMindConnectionError,
} from '../../src/client/index.ts';
import { daemonProcess } from '../client/daemon-process.ts';
import { rowsOf } from '../lessons/live.ts';
import { tempRepository } from '../projects/temp-repository.ts';

const clients = 4;
const writesEach = 125;
const kills = 3;

/** Numbers from a seed, so that a failure can be run again. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Told {
  /** `kind id`, as the events say it. */
  readonly kept: Set<string>;
  /** Sent, and the connection ended before the answer. */
  readonly unknown: Set<string>;
}

/** One client: adds, amends and invalidates, and writes down only what it was told. */
async function write(memories: Memories, name: string, from: { next: number }, told: Told): Promise<void> {
  while (from.next < writesEach) {
    const n = from.next;
    from.next += 1;
    const id = `${name}-${n - (n % 3)}`;
    const kind = (['created', 'amended', 'invalidated'] as const)[n % 3] ?? 'created';
    try {
      if (kind === 'created') await memories.add({ id, title: `Title ${id}`, rationale: 'text '.repeat(50) });
      else if (kind === 'amended') await memories.update(id, { title: `Amended ${id}` });
      else await memories.invalidate(id, `reason of ${id}`);
      told.kept.add(`${kind} ${id}`);
    } catch (error) {
      if (error instanceof NeuralMindAPIError && error.code === 'memory_not_found') continue;
      if (!(error instanceof NeuralMindConnectionError)) throw error;
      told.unknown.add(`${kind} ${id}`);
      return;
    }
  }
}

test('CR1 kill -9 of the daemon during 500 writes of four clients, seed 20261130, loses no acknowledged write and no event', {
  timeout: 300_000,
}, async () => {
  const random = randomFrom(20_261_130);
  const daemon = daemonProcess();
  try {
    const repository = tempRepository(daemon.folder('shop'));
    repository.commit({ 'README.md': 'shop' });
    const told: Told = { kept: new Set(), unknown: new Set() };
    const positions = Array.from({ length: clients }, () => ({ next: 0 }));
    for (let round = 0; round <= kills; round += 1) {
      await daemon.start();
      const before = told.kept.size;
      const target = before + 20 + Math.floor(random() * 100);
      const running = Promise.all(
        positions.map(async (position, lane) => {
          const client = new NeuralMindClient({ daemonHome: daemon.daemonHome });
          const { memories } = await client.project(repository.root);
          await write(memories, `c${lane}`, position, told);
        }),
      );
      // In the middle of the writes, wherever that is on this machine.
      if (round < kills) {
        while (told.kept.size < target) await sleep(1);
        await daemon.stop('SIGKILL');
      }
      await running;
      if (round < kills) expect(told.kept.size).toBeGreaterThan(before);
    }
    expect(positions.map(({ next }) => next)).toEqual(positions.map(() => writesEach));
    expect(told.kept.size).toBeGreaterThan(400);

    const { memories } = await new NeuralMindClient({ daemonHome: daemon.daemonHome }).project(repository.root);
    const listed = new Map((await memories.list().toArray()).map((memory) => [memory.id, memory]));
    const file = path.join(repository.root, '.neuralmind', 'memory.db');
    const events = rowsOf(file, 'SELECT kind, decision_id FROM decision_events').map(
      ({ kind, decision_id }) => `${String(kind)} ${String(decision_id)}`,
    );
    const happened = new Set(events);
    expect(happened.size).toBe(events.length);
    expect([...told.kept].filter((write) => !happened.has(write))).toEqual([]);
    expect([...happened].filter((write) => !told.kept.has(write) && !told.unknown.has(write))).toEqual([]);
    for (const [id, memory] of listed) {
      expect(happened.has(`created ${id}`)).toBe(true);
      expect(memory.title).toBe(happened.has(`amended ${id}`) ? `Amended ${id}` : `Title ${id}`);
      expect(memory.status).toBe(happened.has(`invalidated ${id}`) ? 'INVALIDATED' : 'ACTIVE');
    }
    expect(listed.size).toBe(events.filter((event) => event.startsWith('created ')).length);
    expect(rowsOf(file, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  } finally {
    await daemon.dispose();
  }
});
