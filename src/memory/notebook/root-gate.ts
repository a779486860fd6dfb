/**
 * The way to a notebook root for all writers of this process: one at a time, and the lock file against other processes.
 *
 * The lock is taken by the first writer and let go when nobody of this process waits any more, so an idle notebook has
 * no lock file. Under load it is kept from one writer to the next, but not for long while another process wants it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { rootLockLimits } from '../../base/limits.ts';
import { isDiskError } from './file-system.ts';
import { Mutex } from './mutex.ts';
import { acquireRootLock, type RootLock, type RootLockOptions } from './root-lock.ts';

export class RootGate {
  readonly #mutex = new Mutex();
  #lock: RootLock | null = null;
  #heldSince = 0;
  #freeUntil = 0;

  /** Runs `turn` alone in this process. `lock` takes the lock file for it, or answers null as `acquireRootLock` does. */
  async pass<Value>(
    turn: (lock: (options: RootLockOptions) => Promise<RootLock | null>) => Promise<Value>,
  ): Promise<Value> {
    return await this.#mutex.run(async () => {
      try {
        return await turn((options) => this.#take(options));
      } finally {
        this.#settle();
      }
    });
  }

  async #take(options: RootLockOptions): Promise<RootLock | null> {
    if (this.#lock !== null) {
      const root = options.fileSystem.lstat(options.root);
      const kept = this.#lock.rootStats;
      if (root?.ino === kept.ino && root.dev === kept.dev && this.#lock.isOurs()) return this.#lock;
      // Somebody removed the file or put another directory in its place: the lock is worth nothing any more.
      this.#release(this.#lock);
    }
    const pauseMs = this.#freeUntil - performance.now();
    if (pauseMs > 0) await sleep(pauseMs);
    this.#lock = await acquireRootLock(options);
    this.#heldSince = performance.now();
    return this.#lock;
  }

  #settle(): void {
    const lock = this.#lock;
    if (lock === null) return;
    if (this.#mutex.waiting > 0) {
      const now = performance.now();
      if (now - this.#heldSince < rootLockLimits.holdMsMax) return;
      if (!isWanted(lock)) {
        this.#heldSince = now;
        return;
      }
      this.#freeUntil = now + rootLockLimits.yieldMs;
    }
    this.#release(lock);
  }

  #release(lock: RootLock): void {
    this.#lock = null;
    lock.release();
  }
}

function isWanted(lock: RootLock): boolean {
  try {
    return lock.isWantedByOthers();
  } catch (error) {
    if (!isDiskError(error)) throw error;
    // Nobody knows, so give way.
    return true;
  }
}

const gates = new Map<string, { readonly gate: RootGate; users: number }>();

/** Runs `work` with the one gate of this process for the root whose real path is `key`. */
export async function withRootGate<Value>(key: string, work: (gate: RootGate) => Promise<Value>): Promise<Value> {
  const entry = gates.get(key) ?? { gate: new RootGate(), users: 0 };
  gates.set(key, entry);
  entry.users += 1;
  try {
    return await work(entry.gate);
  } finally {
    entry.users -= 1;
    if (entry.users === 0) gates.delete(key);
  }
}
