/**
 * The lock that keeps a second process off a notebook root: the file `.lock`, there only while somebody writes.
 *
 * Taking it: the owner is written to a file of its own, which is then hard-linked to `.lock`. Linking is atomic and
 * fails if the name is taken, so a lock file is never seen empty or half written. Letting go: the name is removed after
 * a look that it is still ours.
 *
 * A lock whose owner died must be cleared, by one process only, however slow it is and however many try. Whoever wants
 * to clear the lock with token T first takes the right to do so: it links its own owner file to `.lock-T.break`. While
 * it has that right nobody else removes T's lock, and T cannot let go of it either; so if `.lock` still carries T, it
 * may be removed. A latecomer that takes the right after that finds another token and leaves the lock alone. The right
 * is a lock itself, with an owner that can die: it is cleared in the same way.
 *
 * Refused: a `.lock` that is no regular file, and file systems without hard links.
 */
import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { notebookFileLimits, rootLockLimits } from '../../base/limits.ts';
import { type FileSystem, isDiskError, tryUnlink } from './file-system.ts';
import { decodeOwner, encodeOwner, type LockOwner, stateOf, thisProcess } from './lock-owner.ts';
import { readRegularFile } from './read-file.ts';
import type { NotebookLog } from './store.ts';

export interface RootLock {
  /** The directory that is locked, to notice when another one took its place. */
  readonly rootStats: Stats;
  /** Asked before every change: a lock that stood too long on a shared disk can have been cleared by another host. */
  isOurs(): boolean;
  release(): void;
  /** Whether another live process waits for this lock. Clears up after waiting processes that died. */
  isWantedByOthers(): boolean;
}

export interface RootLockOptions {
  readonly fileSystem: FileSystem;
  /** Absolute; the directory exists. */
  readonly root: string;
  /** On the clock of `performance.now()`. At least one attempt is made. */
  readonly deadline: number;
  readonly log: NotebookLog;
}

const lockName = '.lock';
const privateName = /^\.lock-([0-9a-f-]+)\.(tmp|break)$/;

/** Locks that we could not remove when we were done with them. They are ours to clear, though we are alive. */
const abandoned = new Set<string>();

/** The lock, or null when it could not be had in time; the log says which. Throws disk errors. */
export async function acquireRootLock(options: RootLockOptions): Promise<RootLock | null> {
  const { fileSystem, root, deadline, log } = options;
  const rootStats = fileSystem.lstat(root);
  if (rootStats === undefined || !rootStats.isDirectory()) return null;
  const token = randomBytes(16).toString('hex');
  const mine: Mine = { fileSystem, root, token, path: join(root, `.lock-${token}.tmp`) };
  writeOwner(fileSystem, mine.path, thisProcess(token));
  try {
    let somebodyDied = false;
    for (let attempt = 0; ; attempt++) {
      const taken = take(mine, join(root, lockName));
      if (taken === 'ours') {
        clearLeftovers(mine, somebodyDied);
        return held(mine, rootStats, log);
      }
      if (taken === 'unusable') {
        log.lock('unusable');
        return null;
      }
      const cleared = taken !== 'gone' && isStale(mine, taken) && clear(mine, join(root, lockName), taken);
      if (cleared) log.lock('cleared_stale');
      somebodyDied ||= cleared;
      const left = deadline - performance.now();
      if (left <= 0 && attempt > 0) {
        log.lock('timed_out');
        return null;
      }
      // Longer naps for those who have waited longer, never in step with each other.
      if (!cleared) {
        const longest = taken === 'gone' ? 1 : Math.min(rootLockLimits.pollMsMax, 1 + attempt);
        await sleep(Math.max(1, Math.min(left, longest * (0.5 + Math.random() / 2))));
      }
    }
  } finally {
    tryUnlink(fileSystem, mine.path);
  }
}

/** A waiting process: its token and the private file that holds it. */
interface Mine {
  readonly fileSystem: FileSystem;
  readonly root: string;
  readonly token: string;
  readonly path: string;
}

/** A lock file as it was found. A torn one has no owner and goes by its place and time. */
interface Found {
  readonly token: string;
  readonly owner: LockOwner | undefined;
  /** False if the file is too long, closed to us or damaged. */
  readonly readable: boolean;
  readonly stats: Stats;
}

function held(mine: Mine, rootStats: Stats, log: NotebookLog): RootLock {
  const { fileSystem, root, token } = mine;
  const path = join(root, lockName);
  return {
    rootStats,
    isOurs: () => isHeldBy(token, look(fileSystem, path)),
    release() {
      try {
        if (removeOwn(fileSystem, path, token)) return;
      } catch (error) {
        if (!isDiskError(error)) throw error;
      }
      log.lock('unusable');
      abandon(fileSystem, path, token);
    },
    isWantedByOthers: () => hasWaiting(mine),
  };
}

/**
 * What was written under the lock is safe, but its name could not be removed. The next writer of this process clears
 * it; other processes see an owner that lives, so it is also tried again after a while.
 */
function abandon(fileSystem: FileSystem, path: string, token: string): void {
  abandoned.add(token);
  let triesLeft: number = rootLockLimits.releaseTriesMax;
  const timer = setInterval(() => {
    triesLeft -= 1;
    try {
      if (removeOwn(fileSystem, path, token)) {
        abandoned.delete(token);
        triesLeft = 0;
      }
    } catch (error) {
      if (!isDiskError(error)) throw error;
    }
    if (triesLeft <= 0) clearInterval(timer);
  }, rootLockLimits.releaseRetryMs);
  timer.unref();
}

/** False if it could not be seen whose the file is. Throws disk errors. */
function removeOwn(fileSystem: FileSystem, path: string, token: string): boolean {
  const found = look(fileSystem, path);
  if (isHeldBy(token, found)) fileSystem.unlink(path);
  return typeof found !== 'object' || found.readable;
}

function isHeldBy(token: string, found: ReturnType<typeof look>): boolean {
  return typeof found === 'object' && found.token === token;
}

function writeOwner(fileSystem: FileSystem, path: string, owner: LockOwner): void {
  const file = fileSystem.createFile(path, 0o600);
  try {
    const bytes = encodeOwner(owner);
    for (let offset = 0; offset < bytes.length; ) offset += fileSystem.write(file, bytes, offset);
  } catch (error) {
    tryUnlink(fileSystem, path);
    throw error;
  } finally {
    fileSystem.close(file);
  }
}

/** Links our file to `path`, or says what is there. */
function take(mine: Mine, path: string): 'ours' | 'gone' | 'unusable' | Found {
  let failure: unknown;
  try {
    mine.fileSystem.link(mine.path, path);
    return 'ours';
  } catch (error) {
    if (!isDiskError(error)) throw error;
    failure = error.code === 'EEXIST' ? undefined : error;
  }
  // A call that failed may have made the link all the same.
  const found = look(mine.fileSystem, path);
  if (isHeldBy(mine.token, found)) return 'ours';
  if (failure !== undefined) throw failure;
  return found;
}

function look(fileSystem: FileSystem, path: string): 'gone' | 'unusable' | Found {
  const reading = readRegularFile(fileSystem, path, rootLockLimits.ownerBytesMax);
  if (reading.kind === 'gone') return 'gone';
  if (reading.kind === 'symlink' || reading.kind === 'not_a_file') return 'unusable';
  // Too long or closed to us: nothing is known about the owner, so only its age counts.
  const stats = reading.kind === 'read' ? reading.stats : fileSystem.lstat(path);
  if (stats === undefined) return 'gone';
  const readable = reading.kind === 'read';
  const owner = readable ? decodeOwner(reading.bytes) : undefined;
  const token = owner?.token ?? `${stats.ino.toString(16)}-${Math.round(stats.mtimeMs * 1000).toString(16)}`;
  return { token, owner, readable, stats };
}

function isStale(mine: Mine, found: Found): boolean {
  if (abandoned.has(found.token)) return true;
  const state = found.owner === undefined ? 'unknown' : stateOf(found.owner);
  return state === 'dead' || (state === 'unknown' && ageMs(mine, found) > rootLockLimits.unknownOwnerMsMax);
}

/** By the clock of the file system, which stamped both files; a time in the future is as wrong as one long ago. */
function ageMs(mine: Mine, found: Found): number {
  const now = mine.fileSystem.lstat(mine.path);
  if (now === undefined) return 0;
  // Our own file may have been made long ago, if we have waited long.
  const waitedMs = Math.max(0, Date.now() - now.mtimeMs);
  return Math.abs(now.mtimeMs - found.stats.mtimeMs) + Math.min(waitedMs, rootLockLimits.waitMsMax);
}

/** Removes the stale lock at `path`. False when that was not ours to do, or is not done yet. */
function clear(mine: Mine, path: string, stale: Found, depth = 1): boolean {
  const { fileSystem, root } = mine;
  const right = join(root, `.lock-${stale.token}.break`);
  const taken = take(mine, right);
  if (taken !== 'ours') {
    if (typeof taken === 'object' && depth < rootLockLimits.breakDepthMax && isStale(mine, taken)) {
      clear(mine, right, taken, depth + 1);
    }
    return false;
  }
  try {
    const found = look(fileSystem, path);
    if (typeof found !== 'object' || found.token !== stale.token) return false;
    fileSystem.unlink(path);
    abandoned.delete(stale.token);
    return true;
  } finally {
    giveUpRight(mine, right);
  }
}

/** Our right may stay behind only as one that the next writer of this process may clear in turn. */
function giveUpRight(mine: Mine, right: string): void {
  try {
    mine.fileSystem.unlink(right);
  } catch (error) {
    abandoned.add(mine.token);
    throw error;
  }
}

/** When each root was last searched for what processes left that died while they waited, in ms since 1970. */
const searched = new Map<string, number>();

/** Now and then, and whenever a process is known to have died. Never a reason to fail. */
function clearLeftovers(mine: Mine, somebodyDied: boolean): void {
  const now = Date.now();
  if (!somebodyDied && now - (searched.get(mine.root) ?? 0) < notebookFileLimits.leftoverSearchMs) return;
  if (searched.size >= notebookFileLimits.knownDirectoriesMax) searched.clear();
  searched.set(mine.root, now);
  try {
    hasWaiting(mine);
  } catch (error) {
    if (!isDiskError(error)) throw error;
  }
}

/**
 * Whether another live process waits; what the dead left is removed. Only asked by the holder of the lock, for whom
 * the rights to clear earlier locks are left over as well.
 */
function hasWaiting({ fileSystem, root, token }: Mine): boolean {
  let wanted = false;
  for (const { name } of fileSystem.readDirectory(root)) {
    const kind = privateName.exec(name);
    if (kind === null || kind[1] === token) continue;
    const path = join(root, name);
    const found = look(fileSystem, path);
    if (typeof found !== 'object') continue;
    const state = found.owner === undefined ? 'unknown' : stateOf(found.owner);
    const leftover =
      state === 'dead' || (state === 'unknown' && Date.now() - found.stats.mtimeMs > notebookFileLimits.leftoverAgeMs);
    if (leftover) tryUnlink(fileSystem, path);
    else if (kind[2] === 'tmp') wanted = true;
  }
  return wanted;
}
