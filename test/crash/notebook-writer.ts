/**
 * A process that writes to a notebook and says so, one JSON line at a time, to be killed by a test at any moment.
 *
 *     node notebook-writer.ts ROOT COMMAND [ARGUMENT]
 *
 * `mutate SEED`: random changes without end. `create N`: N records. `count N`: N times one more in the record that the
 * test has made. `hold MS`: keeps the notebook for itself.
 */
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openFileStore } from '../../src/memory/notebook/file-store.ts';
import { ok, type Result } from '../../src/memory/notebook/outcome.ts';
import { type CanonicalRecord, referenceOf } from '../../src/memory/notebook/record.ts';
import type { NotebookWriter, StoredRecord } from '../../src/memory/notebook/store.ts';
import { revised, sampleRecord } from '../notebook/fixture.ts';

const [root = '', command = '', argument = '0'] = process.argv.slice(2);

const store = openFileStore({
  root: () => root,
  log: {
    skipped: (_scope, reason) => say({ skipped: reason }),
    lock: (event) => say({ lock: event }),
  },
});

switch (command) {
  case 'mutate':
    await mutate(Number(argument));
    break;
  case 'create':
    for (let index = 0; index < Number(argument); index++) {
      expectOk(await store.exclusively({ createRoot: true }, (writer) => writer.create(sampleRecord())));
      say({ done: index });
    }
    break;
  case 'count':
    for (let index = 0; index < Number(argument); index++) {
      expectOk(await store.exclusively({ createRoot: false }, countOnce));
    }
    break;
  case 'hold':
    await store.exclusively({ createRoot: true }, async () => {
      say({ holding: true });
      await sleep(Number(argument));
      return ok(null);
    });
    say({ released: true });
    break;
  default:
    throw new Error(`unknown command ${command}`);
}
await store.close();

/** Says what it is about to do (`start`), does it, and says that it was acknowledged (`done`). */
async function mutate(seed: number): Promise<void> {
  const random = randomFrom(seed);
  for (let index = 0; ; index++) {
    const result = await store.exclusively({ createRoot: true }, async (writer) => {
      const scanned = await writer.scan({ kind: 'scope', scope: 'project' }, 'is-unavailable');
      if (!scanned.ok) return scanned;
      const known = scanned.value.filter(isCanonical);
      const chosen = known[Math.floor(random() * known.length)];
      const dice = random();
      if (chosen === undefined || (dice < 0.4 && known.length < 40)) return await create(writer, index);
      return dice < 0.8 ? await replace(writer, chosen, index) : await remove(writer, chosen);
    });
    expectOk(result);
    say({ done: true });
  }
}

async function create(writer: NotebookWriter, index: number): Promise<Result<null>> {
  const record = sampleRecord({ content: longContent(index) });
  say({ start: 'create', id: record.id, content: record.content });
  return await writer.create(record);
}

async function replace(
  writer: NotebookWriter,
  current: StoredRecord<CanonicalRecord>,
  index: number,
): Promise<Result<null>> {
  const next = revised(current.record, longContent(index));
  say({ start: 'replace', id: next.id, content: next.content });
  return await writer.replace(current, next);
}

async function remove(writer: NotebookWriter, current: StoredRecord<CanonicalRecord>): Promise<Result<null>> {
  say({ start: 'remove', id: current.record.id });
  return await writer.remove(current);
}

async function countOnce(writer: NotebookWriter): Promise<Result<null>> {
  const scanned = await writer.scan({ kind: 'scope', scope: 'project' }, 'is-unavailable');
  if (!scanned.ok) return scanned;
  const record = scanned.value.find(isCanonical)?.record;
  if (record === undefined) throw new Error('the counter is not there');
  const read = await writer.read(referenceOf(record));
  if (!read.ok) return read;
  if (read.value === null) throw new Error('the counter is not there');
  return await writer.replace(read.value, revised(read.value.record, String(Number(read.value.record.content) + 1)));
}

function isCanonical(stored: StoredRecord): stored is StoredRecord<CanonicalRecord> {
  return stored.record.schema_version === 2;
}

/** Long enough to be cut in the middle, if anything ever were. */
function longContent(index: number): string {
  return `${process.pid}/${index} ${'words '.repeat(600)}end`;
}

function expectOk(result: Result<unknown>): void {
  if (!result.ok) throw new Error(result.failure.code);
}

/** At once and without a buffer: what was said was said before the kill. */
function say(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

/** Mulberry32: small, seeded, good enough to choose. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
