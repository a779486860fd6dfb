/**
 * How many tokens the answers about a project took: one JSON line for each query and wake-up, in
 * `.neuralmind/audit_events.jsonl`. Questions are not in it, nor anything else of the caller's.
 *
 * A line is appended in one write, so that processes may write at the same time. One that was torn by a crash ends with
 * the next line end, and the next writer begins a new line after it; readers skip and count what they cannot read.
 * A full log is put aside under a second name, and only that one is kept.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { isJsonObject, type JsonValue, member } from '../../base/json.ts';
import { contextLimits } from '../../base/limits.ts';
import { errnoOf, isOwn } from '../../base/private-file.ts';

export const usageLogName = 'audit_events.jsonl';
const olderLogName = 'audit_events.1.jsonl';

export interface UsageEvent {
  /** `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly at: string;
  readonly kind: 'query' | 'wakeup';
  /** Of the context that was given. */
  readonly tokens: number;
  /** Of all files that were indexed at that time. */
  readonly baseline: number;
}

export type UsageWrite =
  | { readonly kind: 'written' }
  /** `fault` is a fixed phrase or the system's word. An answer is given all the same; the caller logs it. */
  | { readonly kind: 'failed'; readonly fault: string };

export interface UsageLog {
  /** Oldest first. */
  readonly events: readonly UsageEvent[];
  /** Lines of other kinds of events. */
  readonly others: number;
  /** Lines that are torn or no event. */
  readonly skipped: number;
}

export type UsageLogRead =
  | ({ readonly kind: 'log' } & UsageLog)
  | { readonly kind: 'unreadable'; readonly fault: string };

/** Adds an event to the log in `folder`, the `.neuralmind` of a project, which must exist. */
export function appendUsage(folder: string, event: UsageEvent): UsageWrite {
  try {
    return append(path.join(folder, usageLogName), path.join(folder, olderLogName), event);
  } catch (error) {
    const fault = errnoOf(error);
    if (fault === undefined) throw error;
    return { kind: 'failed', fault };
  }
}

/** Events of the log in `folder` and of the one put aside. A missing log has none. */
export function readUsage(folder: string): UsageLogRead {
  const log = { events: [] as UsageEvent[], others: 0, skipped: 0 };
  for (const name of [olderLogName, usageLogName]) {
    const file = readLog(path.join(folder, name));
    if (file.kind === 'unreadable') return file;
    for (const text of file.kind === 'text' ? file.text.split('\n') : []) {
      if (text !== '') addLine(log, text);
    }
  }
  return { kind: 'log', ...log };
}

const appendFlags =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function append(file: string, older: string, event: UsageEvent): UsageWrite {
  const descriptor = openSync(file, appendFlags, 0o600);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return { kind: 'failed', fault: 'is not a regular file' };
    if (!isOwn(stats)) return { kind: 'failed', fault: 'belongs to another user' };
    if (stats.size >= contextLimits.usageLogBytesMax && stats.ino === lstatSync(file).ino) {
      renameSync(file, older);
      // The fresh file is far below the limit, so this goes one level deep.
      return append(file, older, event);
    }
    const { at, kind, tokens, baseline } = event;
    const line = `${JSON.stringify({ at, kind, tokens, baseline })}\n`;
    const bytes = Buffer.from(endsWithLine(descriptor, stats.size) ? line : `\n${line}`, 'utf8');
    if (bytes.length > contextLimits.usageLineBytesMax) throw new Error('an event of the usage log is too long');
    const written = writeSync(descriptor, bytes);
    return written === bytes.length ? { kind: 'written' } : { kind: 'failed', fault: 'the disk took part of a line' };
  } finally {
    closeSync(descriptor);
  }
}

function endsWithLine(descriptor: number, size: number): boolean {
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  return readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] === 0x0a;
}

type LogFile =
  | { readonly kind: 'missing' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly fault: string };

function readLog(file: string): LogFile {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const fault = errnoOf(error);
    if (fault === undefined) throw error;
    return fault === 'ENOENT' ? { kind: 'missing' } : { kind: 'unreadable', fault };
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return { kind: 'unreadable', fault: 'is not a regular file' };
    if (stats.size > contextLimits.usageLogReadBytesMax) return { kind: 'unreadable', fault: 'is too large' };
    return { kind: 'text', text: readFileSync(descriptor, 'utf8') };
  } finally {
    closeSync(descriptor);
  }
}

function addLine(log: { events: UsageEvent[]; others: number; skipped: number }, text: string): void {
  const value = parsed(text);
  if (!isJsonObject(value)) {
    log.skipped += 1;
    return;
  }
  const kind = member(value, 'kind');
  const at = member(value, 'at');
  const tokens = member(value, 'tokens');
  const baseline = member(value, 'baseline');
  if (kind !== 'query' && kind !== 'wakeup') {
    if (typeof kind === 'string') log.others += 1;
    else log.skipped += 1;
  } else if (typeof at === 'string' && timePattern.test(at) && isCount(tokens) && isCount(baseline)) {
    log.events.push({ at, kind, tokens, baseline });
  } else log.skipped += 1;
}

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Undefined for a torn line. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
