/**
 * The one way to write: a queue in front of one connection.
 *
 * Writes run one after the other in `BEGIN IMMEDIATE` transactions. Those that wait at the same moment share a
 * transaction, each in its own savepoint, and so share the price of one sync to the disk; every caller is answered
 * only after that commit. When another process holds the store the queue waits without blocking the event loop.
 */
import type { Database } from 'better-sqlite3';
import { decisionLimits } from '../../base/limits.ts';
import { type Result, unavailable } from './outcome.ts';

interface Entry {
  run(db: Database): 'keep' | 'undo';
  /** Called once, after the commit. */
  settle(): void;
  refuse(reason: unknown): void;
  giveUp(failure: Result<never>): void;
}

export class WriteQueue {
  readonly #connect: () => Database;
  readonly #pending: Entry[] = [];
  #draining: Promise<void> | null = null;
  #closed = false;

  /** `connect` gives the writing connection and may throw; it is asked again for every transaction. */
  constructor(connect: () => Database) {
    this.#connect = connect;
  }

  /** `job` must do all its work synchronously. A failure that it returns undoes what it wrote. */
  run<Value>(job: (db: Database) => Result<Value>): Promise<Result<Value>> {
    if (this.#closed) return Promise.resolve(unavailable('closed', 'the store is closed'));
    return new Promise((resolve, reject) => {
      let result: Result<Value>;
      this.#pending.push({
        run(db) {
          result = job(db);
          return result.ok ? 'keep' : 'undo';
        },
        settle: () => resolve(result),
        refuse: reject,
        giveUp: resolve,
      });
      this.#draining ??= this.#drain();
    });
  }

  /** Waits for the writes that were accepted, and accepts no more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    // One turn of the loop, so that callers who start together also commit together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#pending.length > 0) {
      const group = this.#pending.splice(0, decisionLimits.writesPerCommitMax);
      try {
        const db = await begin(this.#connect);
        if (db !== null) commitTogether(db, group);
        else {
          const busy = unavailable('busy', 'another process keeps the decision store locked; nothing was written');
          for (const entry of group) entry.giveUp(busy);
        }
      } catch (error) {
        for (const entry of group) entry.refuse(error);
      }
    }
    this.#draining = null;
  }
}

/** The connection in a transaction; null when another process held the lock for the whole wait. */
async function begin(connect: () => Database): Promise<Database | null> {
  const deadline = performance.now() + decisionLimits.writeWaitMsMax;
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 50)) {
    // Asked every time: the file may be replaced during the wait, and its old connections closed.
    const db = connect();
    try {
      db.exec('BEGIN IMMEDIATE');
      return db;
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    if (performance.now() >= deadline) return null;
    await new Promise((resolve) => setTimeout(resolve, waitMs * (0.5 + Math.random())));
  }
}

function commitTogether(db: Database, group: readonly Entry[]): void {
  const done: Entry[] = [];
  const failed: { entry: Entry; error: unknown }[] = [];
  try {
    for (const entry of group) {
      db.exec('SAVEPOINT entry');
      try {
        if (entry.run(db) === 'undo') db.exec('ROLLBACK TO entry');
        done.push(entry);
      } catch (error) {
        // A full disk ends the whole transaction; then nobody's write is kept.
        if (!db.inTransaction) throw error;
        db.exec('ROLLBACK TO entry');
        failed.push({ entry, error });
      }
      db.exec('RELEASE entry');
    }
    db.exec('COMMIT');
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
  for (const { entry, error } of failed) entry.refuse(error);
  for (const entry of done) entry.settle();
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}
