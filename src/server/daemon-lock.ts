/** At most one daemon per home: the lock file of the home. */
import { join } from 'node:path';
import { acquireFileLock, type FileLock, type LockAttempt } from '../base/file-lock.ts';

export type DaemonLock = FileLock;

/** Takes the lock of `home`, breaking a leftover. Never waits for a living holder. */
export function acquireDaemonLock(home: string): Promise<LockAttempt> {
  return acquireFileLock(join(home, 'daemon.lock'));
}
