/**
 * The bytes of one regular file, read so that nothing else is ever read in its place: links are refused, a file that
 * was swapped between the check and the opening is noticed, and no more than the limit is taken in.
 */
import type { Stats } from 'node:fs';
import { type FileSystem, isDiskError } from './file-system.ts';

export type FileReading =
  /** `stats` describe exactly these bytes, unless `settled` is false: then somebody kept writing while we read. */
  | { readonly kind: 'read'; readonly bytes: Buffer; readonly stats: Stats; readonly settled: boolean }
  | { readonly kind: 'gone' | 'symlink' | 'not_a_file' | 'oversized' | 'unreadable' };

/** A file that is replaced under our hands is looked at again this often. */
const attemptsMax = 5;

/** Running out of these says nothing about the file: the whole call fails instead of passing the file over. */
const exhausted: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);

/**
 * Reads the file at `path`. `seen` is what `lstat` said just now, if the caller has asked already.
 * Throws a disk error when the process or the machine is out of file handles or memory.
 */
export function readRegularFile(fileSystem: FileSystem, path: string, bytesMax: number, seen?: Stats): FileReading {
  try {
    let stats = seen ?? fileSystem.lstat(path);
    for (let attempt = 1; ; attempt++) {
      if (stats === undefined) return { kind: 'gone' };
      if (stats.isSymbolicLink()) return { kind: 'symlink' };
      if (!stats.isFile()) return { kind: 'not_a_file' };
      if (stats.size > bytesMax) return { kind: 'oversized' };
      const reading = readOnce(fileSystem, path, stats);
      if (reading.kind === 'read') return reading;
      if (attempt === attemptsMax) {
        return reading.kind === 'changed' ? { ...reading, kind: 'read', settled: false } : { kind: 'unreadable' };
      }
      stats = fileSystem.lstat(path);
    }
  } catch (error) {
    if (!isDiskError(error) || exhausted.has(error.code)) throw error;
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return { kind: 'gone' };
    // What opening a link says under O_NOFOLLOW; FreeBSD has a word of its own.
    if (error.code === 'ELOOP' || error.code === 'EMLINK') return { kind: 'symlink' };
    return { kind: 'unreadable' };
  }
}

export function isSameVersion(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;
}

type Attempt =
  | Extract<FileReading, { kind: 'read' }>
  | { readonly kind: 'changed'; readonly bytes: Buffer; readonly stats: Stats }
  | { readonly kind: 'swapped' };

function readOnce(fileSystem: FileSystem, path: string, expected: Stats): Attempt {
  const file = fileSystem.openForReading(path);
  try {
    const opened = fileSystem.fstat(file);
    if (opened.dev !== expected.dev || opened.ino !== expected.ino) return { kind: 'swapped' };
    // One byte more than it has, so that a file that grew is seen to have grown.
    const buffer = Buffer.allocUnsafe(expected.size + 1);
    let length = 0;
    while (length < buffer.length) {
      const count = fileSystem.read(file, buffer, length);
      if (count === 0) break;
      length += count;
    }
    const bytes = buffer.subarray(0, length);
    const after = fileSystem.fstat(file);
    // The number of names counts towards ctime, so a record that is just losing its temporary name changes too.
    if (isSameVersion(after, expected) && length === expected.size) {
      return { kind: 'read', bytes, stats: after, settled: true };
    }
    return { kind: 'changed', bytes, stats: after };
  } finally {
    fileSystem.close(file);
  }
}
