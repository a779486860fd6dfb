/** What an index knows of the files it was made from, and which of them are no longer as they were. */
import { hash } from 'node:crypto';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { indexLimits } from '../../base/limits.ts';
import { readIfThere } from '../code/read-plain-file.ts';
import type { ScannedFile } from '../code/scan.ts';
import type { RefusalReason } from '../documents/document.ts';
import { DamagedIndex } from './damaged-index.ts';
import { scannedFile } from './with-documents.ts';

export interface KnownFile extends ScannedFile {
  /** When it was listed before it was read: what changed later than shortly before this is read again. */
  readonly readMs: number;
  readonly contentHash: string;
  /** Null for one that was read and left out, with the reason. */
  readonly id: number | null;
  readonly skipReason: string | null;
}

/** Reasons found by reading a file; the others come from listing. */
export type ReadSkip = 'binary' | 'unknown-language' | 'unreadable' | 'timed-out' | 'crashed' | RefusalReason;

export interface Comparison {
  /** New, or with another content. */
  readonly changed: readonly ChangedFile[];
  readonly gone: readonly KnownFile[];
  /** Same content under other facts of the file system, which are only noted. */
  readonly touched: readonly { readonly known: KnownFile; readonly now: ScannedFile }[];
  readonly same: number;
}

export interface ChangedFile {
  readonly file: ScannedFile;
  readonly known: KnownFile | null;
  /** Of the content that was found, or null when it was not read yet. */
  readonly contentHash: string | null;
  readonly bytes: Uint8Array | null;
}

interface KnownRow {
  readonly id: number | null;
  readonly path: string;
  readonly bytes: number;
  readonly modified_ms: number;
  readonly changed_ms: number;
  readonly inode: number;
  readonly read_ms: number;
  readonly content_hash: string;
  readonly reason: string | null;
}

export function knownFiles(db: Database.Database): ReadonlyMap<string, KnownFile> {
  const rows = db
    .prepare<[], KnownRow>(
      `SELECT id, path, bytes, modified_ms, changed_ms, inode, read_ms, content_hash, NULL AS reason FROM file
       UNION ALL
       SELECT NULL, path, bytes, modified_ms, changed_ms, inode, read_ms, content_hash, reason FROM unread`,
    )
    .all();
  if (rows.some(({ path: file }) => typeof file !== 'string')) throw new DamagedIndex('the path of a file is no text');
  return new Map(
    rows.map((row) => [
      row.path,
      {
        id: row.id,
        path: row.path,
        bytes: row.bytes,
        modifiedMs: row.modified_ms,
        changedMs: row.changed_ms,
        inode: row.inode,
        readMs: row.read_ms,
        contentHash: row.content_hash,
        skipReason: row.reason,
      },
    ]),
  );
}

/** A question for single files: whether one lies on the disk as it was indexed, going by the file system alone. */
export function asIndexed(db: Database.Database, root: string): (file: string) => boolean {
  const find = db.prepare<[string], Pick<KnownRow, 'bytes' | 'modified_ms' | 'changed_ms' | 'inode'>>(
    'SELECT bytes, modified_ms, changed_ms, inode FROM file WHERE path = ?',
  );
  return (file) => {
    const noted = find.get(file);
    const now = scannedFile(root, file);
    if (noted === undefined || now === null) return false;
    const { bytes, modified_ms: modifiedMs, changed_ms: changedMs, inode } = noted;
    return hasSameStat({ path: file, bytes, modifiedMs, changedMs, inode }, now);
  };
}

/**
 * Content decides. It is read only where size, times or inode differ from what was noted, or where the noted times are
 * so close to the reading that a later change could share them.
 */
export async function compareFiles(
  root: string,
  scanned: readonly ScannedFile[],
  known: ReadonlyMap<string, KnownFile>,
  signal?: AbortSignal,
): Promise<Comparison> {
  const changed: ChangedFile[] = [];
  const touched: { known: KnownFile; now: ScannedFile }[] = [];
  let same = 0;
  const left = new Map(known);
  let turnEnds = performance.now() + indexLimits.turnMs;
  // Reading all of a project twice would cost more than comparing saves: the threads read what is new.
  for (const file of scanned) {
    const before = left.get(file.path);
    left.delete(file.path);
    if (before === undefined) {
      changed.push({ file, known: null, contentHash: null, bytes: null });
      continue;
    }
    if (isAsNoted(file, before) && before.skipReason !== 'unreadable') {
      same += 1;
      continue;
    }
    if (performance.now() > turnEnds) {
      await setImmediate();
      signal?.throwIfAborted();
      turnEnds = performance.now() + indexLimits.turnMs;
    }
    const bytes = readIfThere(path.join(root, file.path));
    const contentHash = bytes === null ? null : hash('sha256', bytes, 'hex');
    const isStillUnreadable = bytes === null && before.skipReason === 'unreadable';
    if (isStillUnreadable || (contentHash !== null && contentHash === before.contentHash)) {
      if (hasSameStat(file, before)) same += 1;
      else touched.push({ known: before, now: file });
    } else changed.push({ file, known: before, contentHash, bytes });
  }
  return { changed, gone: [...left.values()], touched, same };
}

export function hasSameStat(a: ScannedFile, b: ScannedFile): boolean {
  return a.bytes === b.bytes && a.modifiedMs === b.modifiedMs && a.changedMs === b.changedMs && a.inode === b.inode;
}

/** Whether nothing can have changed since it was read, going by the file system alone. */
export function isAsNoted(file: ScannedFile, known: KnownFile): boolean {
  const lastChange = Math.max(known.modifiedMs, known.changedMs);
  return hasSameStat(file, known) && lastChange < known.readMs - indexLimits.clockMs;
}
