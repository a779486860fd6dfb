/** What went wrong with the file, told from faults of ours: null means the error is none of these. */

import { StoreTrouble } from './open-store.ts';
import type { UnavailableReason } from './outcome.ts';

export interface Trouble {
  readonly reason: UnavailableReason;
  readonly message: string;
}

export function troubleOf(error: unknown): Trouble | null {
  if (error instanceof StoreTrouble) return { reason: error.reason, message: error.message };
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  const { code } = error;
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return { reason: 'busy', message: 'another process keeps the decision store locked' };
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return { reason: 'damaged', message: 'the decision store is damaged' };
  }
  if (code.startsWith('SQLITE_FULL') || code === 'ENOSPC') {
    return { reason: 'full', message: 'the disk is full; nothing was written' };
  }
  const unreadable = ['SQLITE_CANTOPEN', 'SQLITE_IOERR', 'SQLITE_READONLY', 'SQLITE_PERM', 'SQLITE_AUTH'];
  const files = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'ENOENT', 'EIO', 'EMFILE', 'ELOOP'];
  if (unreadable.some((start) => code.startsWith(start)) || files.includes(code)) {
    return { reason: 'unreadable', message: 'the decision store cannot be read or written' };
  }
  return null;
}
