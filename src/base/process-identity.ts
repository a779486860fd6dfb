/**
 * Which process a number means. Process ids are reused, so a pid alone never proves that a daemon lives and is never
 * enough to send a signal: the moment the process began goes with it.
 */
import { execFileSync } from 'node:child_process';
import { bootId, processStat } from './proc.ts';

export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque, equal exactly for the same process; empty where the system cannot tell. */
  readonly begun: string;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, begun: beginningOf(process.pid) ?? '' };
}

/** Whether this very process still runs. A zombie does not count. */
export function isRunning(identity: ProcessIdentity): boolean {
  if (!Number.isSafeInteger(identity.pid) || identity.pid <= 0) return false;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    // EPERM means that a process of another user has the number now; ours is gone.
    if (error instanceof Error) return false;
    throw error;
  }
  const begun = beginningOf(identity.pid);
  return begun !== null && begun === identity.begun;
}

/** The beginning of process `pid`, or null when there is none. */
function beginningOf(pid: number): string | null {
  if (process.platform === 'linux') return linuxBeginning(pid);
  if (process.platform === 'win32') return '';
  try {
    const begun = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return begun === '' ? null : begun;
  } catch {
    // `ps` fails when no such process exists.
    return null;
  }
}

/** Boot and clock tick at which the process began. */
function linuxBeginning(pid: number): string | null {
  const stat = processStat(pid);
  const boot = bootId();
  return stat === undefined || stat.hasEnded || boot === undefined ? null : `${boot}:${stat.startTime}`;
}
