/**
 * The database file of one project: found, checked, brought to the present format, and connected to.
 *
 * A missing file is an empty store, and reading never makes one; the first write does. A file that is not ours, or
 * that a later release wrote, is refused before anything is written to it. When the file is replaced or removed under
 * us (another checkout, a worktree made anew) the next call notices and follows.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import type { Clock } from '../../base/clock.ts';
import { decisionLimits } from '../../base/limits.ts';
import { instantOf } from './instant.ts';
import type { UnavailableReason } from './outcome.ts';
import { adoptStrangers, currentVersion, inspectFormat, migrate, needsAdoption } from './schema/migrations.ts';

/** The store cannot be used as it is. The message says why and holds no content. */
export class StoreTrouble extends Error {
  readonly reason: UnavailableReason;

  constructor(reason: UnavailableReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreTrouble';
    this.reason = reason;
  }
}

interface Connections {
  readonly reader: Database.Database;
  writer: Database.Database | null;
  /** Device and inode, or null for the stand-in of a missing file. */
  readonly identity: string | null;
}

export class StoreFile {
  readonly path: string;
  readonly #clock: Clock;
  #connections: Connections | null = null;

  constructor(path: string, clock: Clock) {
    this.path = path;
    this.#clock = clock;
  }

  /** A connection that only reads; an empty stand-in while there is no file. Throws StoreTrouble. */
  reader(): Database.Database {
    return this.#current().reader;
  }

  /** The connection that writes; makes folder and file when they are missing. Throws StoreTrouble. */
  writer(): Database.Database {
    let connections = this.#current();
    if (connections.identity === null) {
      this.#create();
      connections = this.#current();
    }
    connections.writer ??= openForWriting(this.path);
    return connections.writer;
  }

  close(): void {
    this.#connections?.writer?.close();
    this.#connections?.reader.close();
    this.#connections = null;
  }

  #current(): Connections {
    refuseLinks(this.path);
    const identity = identityOf(this.path);
    if (this.#connections !== null && this.#connections.identity === identity) return this.#connections;
    this.close();
    this.#connections = identity === null ? { reader: standIn(this.#clock), writer: null, identity } : this.#open();
    return this.#connections;
  }

  #open(): Connections {
    refuseOtherFiles(this.path);
    const found = this.#inspect();
    if (found.kind === 'foreign') throw foreign(this.path);
    if (found.kind === 'newer') {
      throw new StoreTrouble(
        'newer',
        `${this.path} has format ${found.version}; this release reads up to ${currentVersion}. It was not changed.`,
      );
    }
    if (found.kind === 'empty' || found.version < currentVersion || found.adoption) this.#bringUpToDate();
    const reader = openReadOnly(this.path);
    return { reader, writer: null, identity: identityOf(this.path) };
  }

  #inspect() {
    const db = openReadOnly(this.path);
    try {
      const format = inspectFormat(db);
      const adoption = format.kind === 'known' && format.version === currentVersion && needsAdoption(db);
      return { ...format, adoption };
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'SQLITE_NOTADB') throw foreign(this.path);
      throw error;
    } finally {
      db.close();
    }
  }

  /** Every step in one transaction; two processes that arrive together do it once. */
  #bringUpToDate(): void {
    const db = openForWriting(this.path);
    try {
      db.pragma(`busy_timeout = ${decisionLimits.writeWaitMsMax}`);
      const now = instantOf(this.#clock.now());
      const steps = db.transaction(() => {
        const format = inspectFormat(db);
        if (format.kind === 'foreign' || format.kind === 'newer') throw foreign(this.path);
        const version = format.kind === 'empty' ? 0 : format.version;
        if (version < currentVersion) migrate(db, version, now);
        else adoptStrangers(db, now);
      });
      steps.immediate();
    } finally {
      db.close();
    }
  }

  #create(): void {
    const folder = dirname(this.path);
    const made = !existsSync(folder);
    mkdirSync(folder, { recursive: true });
    // Only in a folder of our own making: whoever removed the file did it on purpose.
    if (made) writeFileSync(join(folder, '.gitignore'), '*\n');
    closeSync(openSync(this.path, 'a', 0o600));
    this.#current();
    syncFolder(folder);
  }
}

/** A repository can bring a link along, and through it the store of another project would be read and written. */
function refuseLinks(path: string): void {
  for (const place of [dirname(path), path]) {
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() !== true) continue;
    throw new StoreTrouble('foreign', `${place} is a link; the store of a project lies in the project itself.`);
  }
}

function identityOf(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`;
}

/** An SQLite file says so in its first sixteen bytes; an empty file may become one. */
function refuseOtherFiles(path: string): void {
  const stat = statSync(path);
  if (!stat.isFile()) throw foreign(path);
  if (stat.size === 0) return;
  const head = Buffer.alloc(16);
  const file = openSync(path, 'r');
  try {
    readSync(file, head, 0, 16, 0);
  } finally {
    closeSync(file);
  }
  if (head.toString('latin1') !== 'SQLite format 3\0') throw foreign(path);
}

function foreign(path: string): StoreTrouble {
  return new StoreTrouble('foreign', `${path} is not a decision store. It was not changed.`);
}

function openReadOnly(path: string): Database.Database {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  db.pragma(`busy_timeout = ${decisionLimits.readWaitMsMax}`);
  return db;
}

/** Readers and the writer never wait for one another; an acknowledged commit is on the disk. */
function openForWriting(path: string): Database.Database {
  const db = new Database(path, { fileMustExist: true, timeout: decisionLimits.readWaitMsMax });
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('fullfsync = ON');
  // The queue waits instead, without holding up the process.
  db.pragma('busy_timeout = 0');
  return db;
}

/** A store of the present format in memory, for a file that is not there and for states of the past. */
export function standIn(clock: Clock): Database.Database {
  const db = new Database(':memory:');
  migrate(db, 0, instantOf(clock.now()));
  return db;
}

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
