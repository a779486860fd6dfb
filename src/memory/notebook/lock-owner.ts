/**
 * Who holds a lock: written into the lock file, and checked by whoever finds it in the way.
 *
 * A process id alone proves nothing, since ids are used again. Together with the time the process was started, on the
 * same boot of the same machine and in the same process-id namespace, it is certain. Where the kernel does not tell
 * these things, or they are not ours, nothing is known about the owner and only the age of its file can decide: a root
 * may lie on a disk that other machines write to, which is more than the identity of `base/process-identity.ts` answers.
 */
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../../base/json.ts';
import { bootId, processStat, readProc } from '../../base/proc.ts';

export interface LockOwner {
  /** Random, never used again. */
  readonly token: string;
  readonly pid: number;
  /** In clock ticks since boot; null where there is no `/proc`. */
  readonly startTime: string | null;
  readonly host: string;
  readonly bootId: string | null;
  readonly pidNamespace: string | null;
}

export type OwnerState = 'alive' | 'dead' | 'unknown';

export function thisProcess(token: string): LockOwner {
  return { token, pid: process.pid, ...machine() };
}

export function encodeOwner(owner: LockOwner): Buffer {
  return Buffer.from(`${JSON.stringify(owner)}\n`);
}

/** Undefined for a file that was cut short or that is not ours at all. */
export function decodeOwner(bytes: Buffer): LockOwner | undefined {
  const value = parse(bytes);
  if (value === undefined) return undefined;
  const token = member(value, 'token');
  const pid = member(value, 'pid');
  const host = member(value, 'host');
  const startTime = textOrNull(value, 'startTime');
  const bootId = textOrNull(value, 'bootId');
  const pidNamespace = textOrNull(value, 'pidNamespace');
  if (typeof token !== 'string' || !/^[0-9a-f]{32}$/.test(token) || typeof host !== 'string') return undefined;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return undefined;
  if (startTime === undefined || bootId === undefined || pidNamespace === undefined) return undefined;
  return { token, pid, startTime, host, bootId, pidNamespace };
}

/** What can be said about the process of `owner` from here. */
export function stateOf(owner: LockOwner): OwnerState {
  const here = machine();
  const sameMachine =
    owner.host === here.host && owner.bootId === here.bootId && owner.pidNamespace === here.pidNamespace;
  if (!sameMachine) return 'unknown';
  if (!exists(owner.pid)) return 'dead';
  const stat = processStat(owner.pid);
  if (stat === undefined || owner.startTime === null) return 'unknown';
  return stat.startTime !== owner.startTime || stat.hasEnded ? 'dead' : 'alive';
}

let knownMachine: Omit<LockOwner, 'token' | 'pid'> | undefined;

function machine(): Omit<LockOwner, 'token' | 'pid'> {
  knownMachine ??= {
    startTime: processStat(process.pid)?.startTime ?? null,
    host: hostname(),
    bootId: bootId() ?? null,
    pidNamespace: readProc(() => readlinkSync('/proc/self/ns/pid')) ?? null,
  };
  return knownMachine;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and belongs to somebody else.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

function parse(bytes: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function textOrNull(object: JsonObject, key: string): string | null | undefined {
  const value: JsonValue | undefined = member(object, key);
  return value === null || typeof value === 'string' ? value : undefined;
}
