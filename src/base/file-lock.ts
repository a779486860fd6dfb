/**
 * A lock that at most one process holds. It is a file made by hard link, which only one process can do, and it names
 * its holder; a lock whose holder is gone is broken by the next one who wants it.
 *
 * Breaking is the delicate part: two processes may find the same leftover, and the slower one must not remove the lock
 * that the faster one has just taken. So breaking has a lock of its own, held for the moment of looking again and
 * removing; whoever cannot have that one simply tries again.
 *
 *   free ──link──> held ──release──> free
 *                   │ holder gone
 *                   └──link .break, look again, unlink, unlink .break──> free
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createPrivateFile, readPrivateFile, removeIfThere } from './private-file.ts';
import { isRunning, ownIdentity } from './process-identity.ts';

const lockSchema = z.object({ pid: z.number(), begun: z.string(), nonce: z.string() });

export interface FileLock {
  /** Idempotent; a lock that meanwhile belongs to somebody else is left alone. */
  release(): void;
}

export type LockAttempt =
  | { readonly kind: 'acquired'; readonly lock: FileLock }
  | { readonly kind: 'held'; readonly pid: number };

const retryMs = 20;

/** Breaking takes microseconds, so a `.break` that stays this long has lost its process. */
const attemptsMax = 100;

/** Takes the lock at `path`, breaking a leftover. Never waits for a living holder. */
export async function acquireFileLock(path: string): Promise<LockAttempt> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const text = JSON.stringify({ ...ownIdentity(), nonce: randomBytes(8).toString('hex') });
    if (createPrivateFile(path, text)) return { kind: 'acquired', lock: held(path, text) };
    const holder = livingHolder(path);
    if (holder !== null) return { kind: 'held', pid: holder };
    breakLeftover(path);
    await sleep(retryMs);
  }
  throw new Error('the lock can be neither taken nor broken');
}

function held(path: string, text: string): FileLock {
  return {
    release() {
      const file = readPrivateFile(path);
      if (file.kind === 'text' && file.text === text) removeIfThere(path);
    },
  };
}

/** Pid of the living process that the lock names, or null. */
function livingHolder(path: string): number | null {
  const file = readPrivateFile(path);
  if (file.kind !== 'text') return null;
  const identity = parseLock(file.text);
  return identity !== null && isRunning(identity) ? identity.pid : null;
}

function breakLeftover(path: string): void {
  const breaking = `${path}.break`;
  const text = JSON.stringify({ ...ownIdentity(), nonce: randomBytes(8).toString('hex') });
  if (!createPrivateFile(breaking, text)) {
    if (livingHolder(breaking) === null) removeIfThere(breaking);
    return;
  }
  try {
    if (livingHolder(path) === null) removeIfThere(path);
  } finally {
    removeIfThere(breaking);
  }
}

function parseLock(text: string): { readonly pid: number; readonly begun: string } | null {
  try {
    const parsed = lockSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    // A lock is linked into place whole, so anything else is not a lock of ours.
    return null;
  }
}
