/**
 * A copy of a database in a temporary folder, to be looked at there: SQLite makes files beside a database that it
 * opens, even for reading, and the doctor leaves nothing behind.
 */
import { constants, copyFileSync, existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type Database from 'better-sqlite3';

export interface DatabaseCopy {
  readonly file: string;
  /** The same without what stands in its log. */
  readonly withoutLog: string | null;
}

/** Null when the database changes faster than it can be copied. `folder` gets folders of its own for each copy. */
export function copyDatabase(file: string, folder: string): DatabaseCopy | null {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const before = stateOfFiles(file);
    const copy = copyTo(path.join(folder, `${attempt}`), file, ['', '-wal']);
    const hasLog = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
    const withoutLog = hasLog ? copyTo(path.join(folder, `${attempt}-without-log`), file, ['']) : null;
    if (stateOfFiles(file) === before) return { file: copy, withoutLog };
  }
  return null;
}

/** What is wrong with the pages, in SQLite's words; empty when all is well. */
export function pageFaults(db: Database.Database): readonly string[] {
  try {
    const rows = db.prepare<[], string>('PRAGMA quick_check(3)').pluck().all();
    return rows.filter((row) => row !== 'ok').flatMap((row) => row.split('\n').filter((line) => line !== ''));
  } catch (error) {
    if (sqliteCodeOf(error) === null) throw error;
    return [error instanceof Error ? error.message : String(error)];
  }
}

export function sqliteCodeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : null;
}

const attemptsMax = 3;

function copyTo(folder: string, file: string, endings: readonly string[]): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const copy = path.join(folder, path.basename(file));
  for (const ending of endings) {
    if (existsSync(`${file}${ending}`))
      copyFileSync(`${file}${ending}`, `${copy}${ending}`, constants.COPYFILE_FICLONE);
  }
  return copy;
}

function stateOfFiles(file: string): string {
  return ['', '-wal']
    .map((ending) => statSync(`${file}${ending}`, { throwIfNoEntry: false }))
    .map((found) => (found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`))
    .join('\n');
}
