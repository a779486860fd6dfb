/**
 * Every disk call of a creation, a replacement and a removal fails once, in turn: without doing anything, and after
 * having done its work. Each time the caller must hear the truth, and the notebook must open clean.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type DiskCall,
  type Fault,
  faultyFileSystem,
  fileOf,
  placeRecord,
  recordedLog,
  revised,
  sampleRecord,
  temporaryFolder,
} from '../../../test/notebook/fixture.ts';
import { type FileStore, openFileStore } from './file-store.ts';
import type { FileSystem } from './file-system.ts';
import { ok, type Result } from './outcome.ts';
import { serialiseRecord } from './parse-record.ts';
import { type CanonicalRecord, referenceOf } from './record.ts';
import type { NotebookWriter } from './store.ts';

let folder: ReturnType<typeof temporaryFolder>;

beforeEach(() => {
  folder = temporaryFolder();
});

afterEach(() => folder.remove());

/** What there is before, what is tried, and the bytes of the target record before and after. */
interface Change {
  readonly target: CanonicalRecord;
  readonly before: string | null;
  readonly after: string | null;
  readonly uncertain: string;
  run(writer: NotebookWriter): Promise<Result<null>>;
}

const kept = sampleRecord({ content: 'Acknowledged long ago.' });

function creation(): Change {
  const target = sampleRecord();
  return {
    target,
    before: null,
    after: serialiseRecord(target),
    uncertain: 'uncertain creation_outcome_uncertain',
    run: (writer) => writer.create(target),
  };
}

function replacement(): Change {
  const target = sampleRecord();
  const next = revised(target, 'Second thoughts.');
  return {
    target,
    before: serialiseRecord(target),
    after: serialiseRecord(next),
    uncertain: 'uncertain replacement_outcome_uncertain',
    run: (writer) => onCurrent(writer, target, (current) => writer.replace(current, next)),
  };
}

function removal(): Change {
  const target = sampleRecord();
  return {
    target,
    before: serialiseRecord(target),
    after: null,
    uncertain: 'uncertain deletion_outcome_uncertain',
    run: (writer) => onCurrent(writer, target, (current) => writer.remove(current)),
  };
}

async function onCurrent(
  writer: NotebookWriter,
  target: CanonicalRecord,
  change: (current: Parameters<NotebookWriter['remove']>[0]) => Promise<Result<null>>,
): Promise<Result<null>> {
  const read = await writer.read(referenceOf(target));
  if (!read.ok) return read;
  if (read.value === null) throw new Error('the record is not there');
  return await change(read.value);
}

describe.each([
  ['the first creation', creation, false],
  ['a creation', creation, true],
  ['a replacement', replacement, true],
  ['a removal', removal, true],
] as const)('%s', (_title, makeChange, populated) => {
  test.each(['before', 'after'] as const)('NF30 every disk call failing once, %s its work', async (mode) => {
    const calls = await countCalls(makeChange(), populated);
    // All at once, each on a notebook of its own: they wait for the disk most of the time.
    const outcomes = new Set(
      await Promise.all(
        calls.map(({ name, target }, index) =>
          failOnce(makeChange(), populated, index, mode, `call ${index}: ${name} ${basename(String(target))}`),
        ),
      ),
    );
    // The sweep reached all three ends.
    expect([...outcomes].sort()).toEqual(
      ['ok', 'storage_error memory_source_unavailable', makeChange().uncertain].sort(),
    );
  });

  test('NF31 a directory that cannot be synced afterwards makes the outcome uncertain, never a plain failure', async () => {
    const change = makeChange();
    const calls = await countCalls(change, populated);
    const last = calls.findLastIndex(({ name }) => name === 'sync');
    const root = join(folder.path, 'uncertain');
    prepare(root, change, populated);
    const result = await attempt(root, change, (call) => (call.index === last ? 'before' : undefined));
    expect(codeOf(result)).toBe(change.uncertain);
    expect(bytesAt(root, change.target)).toBe(change.after);
  });
});

describe('a creation whose disk fails for good', () => {
  test.each(['makeDirectory', 'createFile', 'write', 'link', 'openDirectory', 'sync'])(
    'NF32 %s never working leaves nothing half done and works again once repaired',
    async (broken) => {
      const root = join(folder.path, 'root');
      const change = creation();
      const result = await attempt(root, change, ({ name }) => (name === broken ? 'before' : undefined));
      expect(result.ok).toBe(false);
      expect(bytesAt(root, change.target)).toBeNull();
      expect(filesBelow(root)).toEqual([]);
      expect(codeOf(await attempt(root, change, () => undefined))).toBe('ok');
    },
  );
});

describe('the order of a durable write', () => {
  test.each([
    ['a creation', creation, ['link record']],
    ['a replacement', replacement, ['rename temporary']],
  ] as const)('NF33 %s: content on the disk, then the name, then the directory', async (_title, makeChange, commit) => {
    const change = makeChange();
    const calls = await countCalls(change, true);
    // The lock and the search for what killed writers left are not part of it.
    const steps = stepsOf(calls, change.target).filter((step) => !/^(lock|lstat|stat|fstat|read|close)/.test(step));
    const created = steps.indexOf('createFile temporary');
    const synced = steps.indexOf('sync', created);
    const committed = steps.indexOf(commit[0]);
    expect(created).toBeGreaterThan(-1);
    expect(steps.slice(created, synced)).toContain('write');
    expect(committed).toBeGreaterThan(synced);
    expect(steps.slice(committed + 1).filter((step) => step !== 'unlink temporary')).toEqual([
      'openDirectory decisions',
      'sync',
    ]);
  });

  test('NF33 before the first record of a directory every step that leads to it is made to last', async () => {
    const change = creation();
    const steps = stepsOf(await countCalls(change, false), change.target);
    const first = steps.indexOf('createFile temporary');
    const opened = steps.slice(0, first).filter((step) => step.startsWith('openDirectory'));
    expect(opened.slice(-3)).toEqual([
      expect.stringMatching(/^openDirectory count-/),
      'openDirectory project',
      'openDirectory demo',
    ]);
  });
});

let roots = 0;

async function countCalls(change: Change, populated: boolean): Promise<readonly DiskCall[]> {
  const root = join(folder.path, `count-${roots++}`);
  prepare(root, change, populated);
  const calls: DiskCall[] = [];
  const result = await attempt(root, change, (call) => {
    calls.push(call);
    return undefined;
  });
  expect(codeOf(result)).toBe('ok');
  return calls;
}

/** Calls in short: `link record`, `unlink temporary`, `openDirectory demo`, `sync`. Those on the lock say `lock`. */
function stepsOf(calls: readonly DiskCall[], target: CanonicalRecord): string[] {
  return calls.map(({ name, target: given, second }) => {
    if (typeof given !== 'string') return name;
    const file = basename(name === 'link' && typeof second === 'string' ? second : given);
    if (file.startsWith('.lock')) return `lock ${name}`;
    if (file.endsWith('.tmp')) return `${name} temporary`;
    return `${name} ${file === `${target.id}.json` ? 'record' : file}`;
  });
}

async function failOnce(
  change: Change,
  populated: boolean,
  index: number,
  mode: 'before' | 'after',
  where: string,
): Promise<string> {
  const root = join(folder.path, `fault-${roots++}`);
  prepare(root, change, populated);
  const result = await attempt(root, change, (call) => (call.index === index ? mode : undefined));
  const outcome = codeOf(result);
  const bytes = bytesAt(root, change.target);
  if (result.ok) expect(bytes, where).toBe(change.after);
  else if (outcome === 'storage_error memory_source_unavailable') expect(bytes, where).toBe(change.before);
  else {
    expect(outcome, where).toBe(change.uncertain);
    expect([change.before, change.after], where).toContain(bytes);
  }
  await expectClean(root, populated, bytes, where);
  return outcome;
}

/** Opened again on a good disk: everything acknowledged is there, nothing is half there, and writing works. */
async function expectClean(root: string, populated: boolean, bytes: string | null, where: string): Promise<void> {
  const log = recordedLog();
  const store = open(root, log);
  const expected = Number(populated) + Number(bytes !== null);
  const scanned = await store.scan({ kind: 'scope', scope: 'project' }, 'is-unavailable');
  expect(scanned.ok && scanned.value.length, where).toBe(expected);
  expect(log.lines, where).toEqual([]);
  if (populated) expect(bytesAt(root, kept), where).toBe(serialiseRecord(kept));
  const another = sampleRecord();
  const written = await store.exclusively({ createRoot: true }, (writer) => writer.create(another));
  expect(codeOf(written), where).toBe('ok');
  expect(existsSync(join(root, '.lock')), where).toBe(false);
  await store.close();
}

describe('a notebook that takes no new file', () => {
  test.each(['ENOSPC', 'EROFS', 'EACCES', 'EPERM', 'EDQUOT'])(
    'NF55 on %s a change still reads, and only its writing is unavailable',
    async (code) => {
      const root = join(folder.path, 'root');
      placeRecord(root, kept);
      const log = recordedLog();
      const store = open(
        root,
        log,
        faultyFileSystem(({ name }) => (name === 'createFile' ? 'before' : undefined), code),
      );
      const answers = await store.exclusively({ createRoot: true }, async (writer) => {
        const [found, missing, all] = [
          await writer.read(referenceOf(kept)),
          await writer.read(referenceOf(sampleRecord())),
          await writer.scan({ kind: 'scope', scope: 'project' }, 'is-unavailable'),
        ];
        if (!found.ok || found.value === null) throw new Error('the record was not read');
        const written = [
          await writer.create(sampleRecord()),
          await writer.replace(found.value, revised(kept, 'Second thoughts.')),
          await writer.remove(found.value),
        ];
        return ok([missing.ok && missing.value, all.ok && all.value.length, ...written.map(codeOf)]);
      });
      const unavailable = 'storage_error memory_source_unavailable';
      expect(answers).toEqual(ok([null, 1, unavailable, unavailable, unavailable]));
      expect(log.lines).toEqual(['unusable']);
      expect(bytesAt(root, kept)).toBe(serialiseRecord(kept));
      expect(filesBelow(root)).toHaveLength(1);
      await store.close();
    },
  );

  test('NF55 any other fault of the lock file stops the call', async () => {
    const root = join(folder.path, 'root');
    placeRecord(root, kept);
    const store = open(
      root,
      recordedLog(),
      faultyFileSystem(({ name }) => (name === 'createFile' ? 'before' : undefined)),
    );
    let reached = false;
    const result = await store.exclusively({ createRoot: true }, async () => {
      reached = true;
      return ok(null);
    });
    expect([codeOf(result), reached]).toEqual(['storage_error memory_source_unavailable', false]);
    await store.close();
  });
});

function prepare(root: string, change: Change, populated: boolean): void {
  if (populated) placeRecord(root, kept);
  if (change.before !== null) placeRecord(root, change.target);
}

async function attempt(root: string, change: Change, fault: (call: DiskCall) => Fault): Promise<Result<null>> {
  const store = open(root, recordedLog(), faultyFileSystem(fault));
  const result = await store.exclusively({ createRoot: true }, (writer) => change.run(writer));
  await store.close();
  return result;
}

function open(root: string, log: ReturnType<typeof recordedLog>, fileSystem?: FileSystem): FileStore {
  return openFileStore({ root: () => root, log, ...(fileSystem === undefined ? {} : { fileSystem }) });
}

function codeOf(result: Result<unknown>): string {
  return result.ok ? 'ok' : `${result.failure.status} ${result.failure.code}`;
}

function bytesAt(root: string, record: CanonicalRecord): string | null {
  const path = join(root, fileOf(record));
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function filesBelow(root: string): string[] {
  if (!existsSync(dirname(root)) || !existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
}
