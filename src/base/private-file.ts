/**
 * Small files that only this user may read: written whole or not at all, opened without following links.
 *
 * Every write goes to a fresh temporary name with mode 0600 from the first byte, is flushed to the disk and only then
 * moved or linked into place, so that no reader ever sees half a file.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

export type PrivateFile =
  | { readonly kind: 'missing' }
  | { readonly kind: 'text'; readonly text: string }
  /** A link, not a regular file, of another owner, or open to group or others. `fault` is a fixed phrase. */
  | { readonly kind: 'unsafe'; readonly fault: string };

/** Reads `path` if it is a regular file of this user that nobody else may read or write. */
export function readPrivateFile(path: string): PrivateFile {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
    return { kind: 'unsafe', fault: code === 'ELOOP' ? 'is a symbolic link' : 'cannot be opened' };
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return { kind: 'unsafe', fault: 'is not a regular file' };
    if (!isOwn(stats)) return { kind: 'unsafe', fault: 'belongs to another user' };
    if ((stats.mode & 0o077) !== 0) return { kind: 'unsafe', fault: 'is open to group or others (use chmod 600)' };
    return { kind: 'text', text: readFileSync(descriptor, 'utf8') };
  } finally {
    closeSync(descriptor);
  }
}

/** Puts `text` at `path`, replacing what is there. */
export function replacePrivateFile(path: string, text: string): void {
  const temporary = writeTemporary(path, text);
  try {
    renameSync(temporary, path);
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
  syncDirectory(dirname(path));
}

/** Puts `text` at `path` unless something is there already. Answers whether it was this call that made the file. */
export function createPrivateFile(path: string, text: string): boolean {
  const temporary = writeTemporary(path, text);
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    removeIfThere(temporary);
  }
  syncDirectory(dirname(path));
  return true;
}

export function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/** Whether this process's user owns the entry. Systems without user ids have nothing to compare. */
export function isOwn(stats: Stats): boolean {
  return process.getuid === undefined || stats.uid === process.getuid();
}

/** The system's word for what failed, such as `ENOSPC`; undefined for errors that the system did not make. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return /^E[A-Z0-9]+$/.test(error.code) ? error.code : undefined;
}

function writeTemporary(path: string, text: string): string {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}.tmp`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const descriptor = openSync(temporary, flags, 0o600);
  try {
    const bytes = Buffer.from(text, 'utf8');
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(descriptor, bytes, written, bytes.length - written);
    }
    fsyncSync(descriptor);
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  } finally {
    closeSync(descriptor);
  }
  return temporary;
}

function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
