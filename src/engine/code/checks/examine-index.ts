/** The index file of a project, looked at once for all checks. */
import { closeSync, lstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { doctorLimits } from '../../../base/limits.ts';
import { errnoOf } from '../../../base/private-file.ts';
import { readBuildFacts } from '../../../retrieval/index/counters.ts';
import { openForReading, stateOf } from '../../../retrieval/index/index-file.ts';
import { type KnownFile, knownFiles } from '../../../retrieval/index/known-files.ts';
import { applicationId } from '../../../retrieval/index/schema.ts';
import { copyDatabase, pageFaults, sqliteCodeOf } from './database-copy.ts';
import { type ContentCheck, checkContent } from './index-content.ts';

export type IndexExamination =
  | { readonly kind: 'missing' }
  /** The index or its folder. */
  | { readonly kind: 'link'; readonly path: string }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'unreadable'; readonly code: string }
  /** Another process writes it faster than it can be looked at. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'other-version' }
  | { readonly kind: 'damaged'; readonly faults: readonly string[] }
  /** Fit by itself, and not with the log that lies beside it. */
  | { readonly kind: 'foreign-log' }
  | {
      readonly kind: 'usable';
      readonly known: ReadonlyMap<string, KnownFile>;
      readonly builtAtMs: number;
      readonly content: ContentCheck;
    };

/** Copies into `scratch`. Throws what the system throws when there is no room. */
export function examineIndex(file: string, scratch: string): IndexExamination {
  for (const part of [path.dirname(file), file]) {
    if (lstatSync(part, { throwIfNoEntry: false })?.isSymbolicLink() === true) return { kind: 'link', path: part };
  }
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined || (found.isFile() && found.size === 0)) return { kind: 'missing' };
  if (!found.isFile()) return { kind: 'foreign' };
  try {
    if (!isOurs(file)) return { kind: 'foreign' };
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return { kind: 'unreadable', code };
  }
  const copy = copyDatabase(file, scratch);
  if (copy === null) return { kind: 'busy' };
  const examined = examineCopy(copy.file);
  if (copy.withoutLog === null) return examined;
  const isLogOlder = isOlderThanFile(`${file}-wal`, file);
  if (examined.kind === 'usable' && !isLogOlder) return examined;
  return examineCopy(copy.withoutLog).kind === 'usable' ? { kind: 'foreign-log' } : examined;
}

function examineCopy(file: string): IndexExamination {
  const state = stateOf(file);
  if (state.kind === 'damaged') return { kind: 'damaged', faults: [state.message] };
  if (state.kind === 'missing' || state.kind === 'other-version') return state;
  if (state.kind !== 'usable') return { kind: 'foreign' };
  const db = openForReading(file);
  try {
    const faults = pageFaults(db);
    if (faults.length > 0) return { kind: 'damaged', faults };
    const content = checkContent(db, doctorLimits.contentMsMax);
    if (content.fault !== null) return { kind: 'damaged', faults: [content.fault] };
    return { kind: 'usable', known: knownFiles(db), builtAtMs: readBuildFacts(db).builtAtMs, content };
  } catch (error) {
    const code = sqliteCodeOf(error);
    if (code === null) throw error;
    return { kind: 'damaged', faults: [code] };
  } finally {
    db.close();
  }
}

/** By the first bytes: https://www.sqlite.org/fileformat2.html#the_database_header */
function isOurs(file: string): boolean {
  const head = Buffer.alloc(72);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, head, 0, head.length, 0);
  } finally {
    closeSync(descriptor);
  }
  return head.toString('latin1', 0, 16) === 'SQLite format 3\0' && head.readUInt32BE(68) === applicationId;
}

/** Whether the log was last written before the file was made, so that it tells of another file. */
function isOlderThanFile(log: string, file: string): boolean {
  const { mtimeMs } = lstatSync(log);
  const { birthtimeMs, ctimeMs } = lstatSync(file);
  // Systems that keep no time of birth give that of the last change.
  return birthtimeMs !== ctimeMs && birthtimeMs > mtimeMs;
}
