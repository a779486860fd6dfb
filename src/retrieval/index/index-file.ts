/**
 * The database file of an index: found, checked and connected to.
 *
 * Everything in it can be made again, so an index that is damaged or of another version is removed and built anew by
 * the next build. A database of another program in its place is never touched.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { indexLimits } from '../../base/limits.ts';
import { readBuildFacts } from './counters.ts';
import { DamagedIndex } from './damaged-index.ts';
import { partsVersion } from './indexed-parts.ts';
import { applicationId, lookups, missingTable, schemaVersion, tables } from './schema.ts';
import { hasWholeParts } from './whole-parts.ts';

export type IndexState =
  /** No file, or one that no build has been ended in yet. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'usable'; readonly generation: number }
  /** Made by another version of the program; the next build makes it anew. */
  | { readonly kind: 'other-version' }
  | { readonly kind: 'damaged'; readonly message: string }
  /** A database of another program, or no database at all: not ours to remove. */
  | { readonly kind: 'foreign' }
  /** It, or its folder, is a link: what it leads to was never named. */
  | { readonly kind: 'link' }
  | { readonly kind: 'unreadable'; readonly code: string };

export function indexPath(root: string): string {
  return path.join(root, '.neuralmind', 'index.db');
}

/** Device, inode and time of birth, or null when there is no file: a file made anew has another one. */
export function identityOf(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}:${found.birthtimeMs}`;
}

export function stateOf(file: string, triesLeft = 2): IndexState {
  try {
    for (const part of [path.dirname(file), file]) {
      if (lstatSync(part, { throwIfNoEntry: false })?.isSymbolicLink() === true) return { kind: 'link' };
    }
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found === undefined) return { kind: 'missing' };
    // Opening a pipe would wait for somebody who writes.
    if (!found.isFile() && !found.isDirectory()) return { kind: 'foreign' };
    const head = headOf(file);
    if (head === null) return { kind: 'missing' };
    if (!head.subarray(0, 16).equals(sqliteMark)) return { kind: 'foreign' };
    // Offset of the application id in the header: https://www.sqlite.org/fileformat2.html#application_id
    if (head.readUInt32BE(68) !== applicationId) return { kind: 'foreign' };
    return versionState(file);
  } catch (error) {
    if (error instanceof DamagedIndex) return { kind: 'damaged', message: error.fault };
    const code = codeOf(error);
    if (code === null) throw error;
    // Removed between two looks at it.
    if (code === 'ENOENT' || (/^SQLITE_(CANTOPEN|IOERR)/.test(code) && !existsSync(file))) return { kind: 'missing' };
    // Or another one was put in its place, which says nothing of the one that is there now.
    if (code.startsWith('SQLITE_IOERR') && triesLeft > 0) return stateOf(file, triesLeft - 1);
    if (code.startsWith('E') || outsideTrouble.test(code)) return { kind: 'unreadable', code };
    if (code.startsWith('SQLITE_')) return { kind: 'damaged', message: code };
    throw error;
  }
}

export function openForReading(file: string): Database.Database {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: indexLimits.readWaitMsMax });
  db.pragma('query_only = 1');
  db.pragma(`mmap_size = ${indexLimits.mappedBytesMax}`);
  return db;
}

/** Makes folder, file and tables where they are missing; the state must be usable or missing. */
export function openForBuilding(file: string): Database.Database {
  makeIndexFolder(path.dirname(file));
  const isNew = !existsSync(file);
  if (isNew) removeIndex(file);
  const db = new Database(file, { timeout: indexLimits.writeWaitMsMax });
  try {
    if (isNew) chmodSync(file, 0o600);
    // Before there is a log beside it: whoever looks at the file alone must see from the first byte whose it is.
    if (db.pragma('application_id', { simple: true }) !== applicationId) {
      db.transaction(() => {
        db.pragma(`application_id = ${applicationId}`);
        db.pragma(`user_version = ${schemaVersion}`);
        db.exec(tables);
        db.exec(lookups);
        db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)').run('parts_version', partsVersion);
      })();
    }
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma('temp_store = MEMORY');
    db.pragma(`cache_size = -${indexLimits.buildCacheKibibytes}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Makes the folder of an index, which keeps itself out of commits. A project that is gone is not made anew: that throws
 * `ENOENT`.
 */
export function makeIndexFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Only into a folder of our own making: whoever removed the file did it on purpose.
    if (codeOf(error) === 'EEXIST') return;
    throw error;
  }
  writeFileSync(path.join(folder, '.gitignore'), '*\n');
}

/** Whether every page of the file can be read; a page is damaged where nothing has looked for long. */
export function hasSoundPages(file: string): boolean {
  const db = openForReading(file);
  try {
    return db.pragma('quick_check(1)', { simple: true }) === 'ok';
  } catch (error) {
    if (codeOf(error)?.startsWith('SQLITE_CORRUPT') === true) return false;
    throw error;
  } finally {
    db.close();
  }
}

/** Whether what is kept of every file has its length: far cheaper than looking at all pages. */
export function isWhole(file: string): boolean {
  const db = openForReading(file);
  try {
    return hasWholeParts(db);
  } catch (error) {
    if (codeOf(error)?.startsWith('SQLITE_CORRUPT') === true) return false;
    throw error;
  } finally {
    db.close();
  }
}

/** Removes the file and what SQLite keeps beside it. */
export function removeIndex(file: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${ending}`, { force: true });
}

function versionState(file: string): IndexState {
  const db = openForReading(file);
  try {
    if (db.pragma('user_version', { simple: true }) !== schemaVersion) return { kind: 'other-version' };
    // SQLite reads the list of its tables on every opening: comparing it costs no page.
    const missing = missingTable(db);
    if (missing !== null) return { kind: 'damaged', message: `${missing} is missing` };
    const stored = db.prepare("SELECT value FROM meta WHERE key = 'parts_version'").pluck().get();
    if (stored !== partsVersion) return { kind: 'other-version' };
    // The tables are there and empty while the first build runs, and after one that was ended.
    const { generation } = readBuildFacts(db);
    if (generation > 0) return { kind: 'usable', generation };
    const hasFiles = db.prepare('SELECT 1 FROM file LIMIT 1').get() !== undefined;
    return hasFiles ? { kind: 'damaged', message: 'its counters are lost' } : { kind: 'missing' };
  } finally {
    db.close();
  }
}

/** The machine's trouble of this moment, which says nothing of what the file holds. */
const outsideTrouble = /^SQLITE_(CANTOPEN|BUSY|LOCKED|FULL|NOMEM|PERM|AUTH|READONLY(?!_ROLLBACK)|IOERR(?!_SHORT_READ))/;

const sqliteMark = Buffer.from('SQLite format 3\0');

/** The first 100 bytes; null for an empty file, which is where a first build was ended before it began. */
function headOf(file: string): Buffer | null {
  const descriptor = openSync(file, 'r');
  try {
    const head = Buffer.alloc(100);
    const length = readSync(descriptor, head, 0, head.length, 0);
    if (length === 0) return null;
    return head;
  } finally {
    closeSync(descriptor);
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
