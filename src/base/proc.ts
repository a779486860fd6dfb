/** What the kernel of Linux tells about processes: which one a number means, and on which boot of the machine. */
import { readFileSync } from 'node:fs';

export interface ProcessStat {
  /** In clock ticks since boot. */
  readonly startTime: string;
  /** A zombie has no hands left; it only waits for its parent to notice. */
  readonly hasEnded: boolean;
}

/** Undefined where the kernel does not say: no `/proc`, hidden processes, a process that just ended. */
export function processStat(pid: number): ProcessStat | undefined {
  const text = readProc(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (text === undefined) return undefined;
  // The second field is the program's name in parentheses and may hold spaces and parentheses itself.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  const startTime = fields[19];
  return startTime === undefined ? undefined : { startTime, hasEnded: state === 'Z' || state === 'X' };
}

/** Another one after every start of the machine. */
export function bootId(): string | undefined {
  return readProc(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
}

/** Undefined where the kernel does not say. */
export function readProc(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
