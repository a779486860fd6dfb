import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { faultyFileSystem, recordedLog, sampleRecord, temporaryFolder } from '../../../test/notebook/fixture.ts';
import { openFileStore } from './file-store.ts';
import { type FileSystem, nodeFileSystem } from './file-system.ts';
import { encodeOwner, type LockOwner, thisProcess } from './lock-owner.ts';
import { ok } from './outcome.ts';
import { acquireRootLock, type RootLock } from './root-lock.ts';

let folder: ReturnType<typeof temporaryFolder>;
let root: string;
let log: ReturnType<typeof recordedLog>;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = temporaryFolder();
  root = join(folder.path, 'root');
  mkdirSync(root);
  log = recordedLog();
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
  folder.remove();
});

function acquire(waitMs = 0, fileSystem: FileSystem = nodeFileSystem): Promise<RootLock | null> {
  return acquireRootLock({ fileSystem, root, deadline: performance.now() + waitMs, log });
}

async function mustAcquire(waitMs = 0, fileSystem: FileSystem = nodeFileSystem): Promise<RootLock> {
  const lock = await acquire(waitMs, fileSystem);
  if (lock === null) throw new Error(`no lock: ${log.lines.join(', ')}`);
  return lock;
}

const token = (digit: string) => digit.repeat(32);
const lockFile = () => join(root, '.lock');

function plant(owner: LockOwner, name = '.lock'): void {
  writeFileSync(join(root, name), encodeOwner(owner));
}

/** A process that has ended: its id means nobody now, or somebody else later. */
async function deadOwner(digit = 'd'): Promise<LockOwner> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return { ...thisProcess(token(digit)), pid: child.pid ?? 0, startTime: '1' };
}

describe('taking and letting go', () => {
  test('NF41 the lock is one file while it is held and none afterwards', async () => {
    const lock = await mustAcquire();
    expect(readdirSync(root)).toEqual(['.lock']);
    expect(lock.isOurs()).toBe(true);
    expect(await acquire(20)).toBeNull();
    expect(log.lines).toEqual(['timed_out']);
    lock.release();
    expect(readdirSync(root)).toEqual([]);
    (await mustAcquire()).release();
  });

  test('NF41 a waiting writer gets the lock soon after it is free', async () => {
    const lock = await mustAcquire();
    const next = mustAcquire(5_000);
    await sleep(60);
    const freedAt = performance.now();
    lock.release();
    (await next).release();
    expect(performance.now() - freedAt).toBeLessThan(200);
    expect(readdirSync(root)).toEqual([]);
  });

  test('NF42 a lock that is no longer ours is neither trusted nor removed', async () => {
    const lock = await mustAcquire();
    unlinkSync(lockFile());
    expect(lock.isOurs()).toBe(false);
    const other = await mustAcquire();
    expect(lock.isOurs()).toBe(false);
    lock.release();
    expect(other.isOurs()).toBe(true);
    other.release();
  });

  test('NF42 a write whose lock was lost on the way is refused', async () => {
    const store = openFileStore({ root: () => root, log });
    const result = await store.exclusively({ createRoot: true }, (writer) => {
      unlinkSync(lockFile());
      return writer.create(sampleRecord());
    });
    expect(result.ok ? 'ok' : result.failure.code).toBe('memory_source_unavailable');
    expect(log.lines).toEqual(['unusable']);
    expect(readdirSync(join(root, 'project', 'demo', 'decisions'))).toEqual([]);
  });

  test('NF43 a lock file that cannot be removed is cleared by the next writer of the process', async () => {
    let broken = true;
    const lock = await mustAcquire(
      0,
      faultyFileSystem(({ name, target }) =>
        broken && name === 'unlink' && String(target).endsWith('.lock') ? 'before' : undefined,
      ),
    );
    lock.release();
    expect(log.lines).toEqual(['unusable']);
    expect(existsSync(lockFile())).toBe(true);
    broken = false;
    (await mustAcquire()).release();
    expect(log.lines).toEqual(['unusable', 'cleared_stale']);
    expect(readdirSync(root)).toEqual([]);
  });

  test('NF43 and it is tried again for the sake of other processes', async () => {
    let failures = 1;
    const lock = await mustAcquire(
      0,
      faultyFileSystem(({ name, target }) =>
        name === 'unlink' && String(target).endsWith('.lock') && failures-- > 0 ? 'before' : undefined,
      ),
    );
    lock.release();
    await expect.poll(() => existsSync(lockFile()), { timeout: 5_000 }).toBe(false);
  });

  test.each(['link', 'directory'])(
    'NF44 a %s in the place of the lock file is refused and left alone',
    async (kind) => {
      if (kind === 'link') symlinkSync(join(folder.path, 'elsewhere'), lockFile());
      else mkdirSync(lockFile());
      expect(await acquire()).toBeNull();
      expect(log.lines).toEqual(['unusable']);
      expect(readdirSync(root)).toEqual(['.lock']);
      expect(existsSync(join(folder.path, 'elsewhere'))).toBe(false);
    },
  );
});

describe('clearing what the dead left', () => {
  test('NF45 the lock of a process that ended is cleared at once', async () => {
    plant(await deadOwner());
    (await mustAcquire()).release();
    expect(log.lines).toEqual(['cleared_stale']);
    expect(readdirSync(root)).toEqual([]);
  });

  test.runIf(process.platform === 'linux')('NF45 so is one whose process id is used again', async () => {
    plant({ ...thisProcess(token('a')), startTime: '12345' });
    (await mustAcquire()).release();
    expect(log.lines).toEqual(['cleared_stale']);
  });

  test.runIf(process.platform === 'linux')(
    'NF45 the lock of a live process is never cleared, however old',
    async () => {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      children.push(child);
      const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
      const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
      plant({ ...thisProcess(token('a')), pid: child.pid ?? 0, startTime });
      utimesSync(lockFile(), 1, 1);
      expect(await acquire(50)).toBeNull();
      expect(log.lines).toEqual(['timed_out']);
      child.kill('SIGKILL');
      await once(child, 'exit');
      (await mustAcquire()).release();
    },
  );

  test.each([
    ['of another host', () => encodeOwner({ ...thisProcess(token('a')), host: 'elsewhere', pid: 1 })],
    ['of another boot', () => encodeOwner({ ...thisProcess(token('a')), bootId: 'earlier' })],
    ['of another process namespace', () => encodeOwner({ ...thisProcess(token('a')), pidNamespace: 'pid:[1]' })],
    ['that is empty', () => Buffer.alloc(0)],
    ['that was cut short', () => encodeOwner(thisProcess(token('a'))).subarray(0, 40)],
    ['that is no owner at all', () => Buffer.from('{"token":"../../x"}')],
    ['that is far too long', () => Buffer.alloc(10_000, 0x20)],
  ])('NF46 a lock %s is respected while young and cleared when old', async (_title, bytes) => {
    writeFileSync(lockFile(), bytes());
    expect(await acquire(20)).toBeNull();
    const past = Date.now() / 1000 - 29;
    utimesSync(lockFile(), past, past);
    expect(await acquire()).toBeNull();
    expect(log.lines).toEqual(['timed_out', 'timed_out']);
    utimesSync(lockFile(), past - 5, past - 5);
    (await mustAcquire()).release();
    expect(log.lines).toEqual(['timed_out', 'timed_out', 'cleared_stale']);
    expect(readdirSync(root)).toEqual([]);
  });

  test('NF46 a time in the future does not keep a lock for ever', async () => {
    writeFileSync(lockFile(), '');
    utimesSync(lockFile(), Date.now() / 1000 + 3600, Date.now() / 1000 + 3600);
    (await mustAcquire()).release();
  });

  test('NF47 a slow clearer never removes the lock of a successor', async () => {
    plant(await deadOwner());
    let overtaken = false;
    const slow: FileSystem = {
      ...nodeFileSystem,
      link(existing, name) {
        // It has judged the lock stale and is about to take the right to clear it: somebody quick is done by then.
        if (name.endsWith('.break') && !overtaken) {
          overtaken = true;
          unlinkSync(lockFile());
          plant(thisProcess(token('b')));
        }
        nodeFileSystem.link(existing, name);
      },
    };
    expect(await acquire(60, slow)).toBeNull();
    expect(overtaken).toBe(true);
    expect(readFileSync(lockFile(), 'utf8')).toContain(token('b'));
    expect(readdirSync(root)).toEqual(['.lock']);
    expect(log.lines).toEqual(['timed_out']);
  });

  test('NF47 of many that find a stale lock, one at a time gets in', async () => {
    const dead = await deadOwner();
    for (let round = 0; round < 20; round++) {
      plant(round % 2 === 0 ? dead : { ...dead, token: token('e') });
      let inside = 0;
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          const lock = await mustAcquire(10_000);
          expect(++inside).toBe(1);
          await sleep(1);
          expect(lock.isOurs()).toBe(true);
          inside -= 1;
          lock.release();
        }),
      );
      expect(readdirSync(root)).toEqual([]);
    }
  });

  test('NF48 a process that died while clearing is cleared after in turn', async () => {
    const first = await deadOwner('1');
    const second = await deadOwner('2');
    const third = await deadOwner('3');
    plant(first);
    plant(second, `.lock-${first.token}.break`);
    plant(third, `.lock-${second.token}.break`);
    (await mustAcquire(1_000)).release();
    expect(readdirSync(root)).toEqual([]);
  });

  test('NF48 files of waiting processes that died are found and removed', async () => {
    const dead = await deadOwner('1');
    plant(dead, `.lock-${dead.token}.tmp`);
    plant(dead, `.lock-${token('9')}.break`);
    const lock = await mustAcquire();
    expect(readdirSync(root)).toEqual(['.lock']);
    plant(dead, `.lock-${dead.token}.tmp`);
    expect(lock.isWantedByOthers()).toBe(false);
    expect(readdirSync(root)).toEqual(['.lock']);
    const other = acquire(500);
    expect(lock.isWantedByOthers()).toBe(true);
    lock.release();
    (await other)?.release();
  });
});

describe('under load', () => {
  test('NF49 the lock is kept between queued writers, and given away when another process waits', async () => {
    const store = openFileStore({ root: () => root, log });
    let taken = 0;
    const counted = openFileStore({
      root: () => root,
      log,
      fileSystem: {
        ...nodeFileSystem,
        link(existing, name) {
          if (name.endsWith('.lock')) taken += 1;
          nodeFileSystem.link(existing, name);
        },
      },
    });
    const burst = (ms: number) =>
      Promise.all(
        Array.from({ length: 100 }, () =>
          counted.exclusively({ createRoot: true }, async () => {
            await sleep(ms);
            return ok(null);
          }),
        ),
      );
    await burst(1);
    expect(taken).toBe(1);
    let finished = false;
    const busy = burst(4).then(() => {
      finished = true;
    });
    await sleep(20);
    // Not through the gate of this process: as another process would.
    const lock = await mustAcquire(5_000);
    expect(finished).toBe(false);
    lock.release();
    await busy;
    expect(readdirSync(root)).toEqual([]);
    await store.close();
  });

  test('NF49 those who queued behind a lock that cannot be had do not wait once more each', async () => {
    const lock = await mustAcquire();
    const store = openFileStore({ root: () => root, log, lockWaitMs: 300 });
    const startedAt = performance.now();
    const results = await Promise.all(
      Array.from({ length: 10 }, () => store.exclusively({ createRoot: false }, async () => ok(null))),
    );
    expect(results.map((result) => (result.ok ? 'ok' : result.failure.code))).toEqual(
      Array.from({ length: 10 }, () => 'memory_source_unavailable'),
    );
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    lock.release();
  });
});
