/**
 * The answer of a write is kept under the caller's key for a day, in the transaction of the write. The same request
 * with the same key gets the same answer and writes nothing; another request with that key is a conflict.
 */
import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { decisionLimits } from '../../base/limits.ts';
import { daysBefore, type Instant, toStored } from './instant.ts';
import { conflict, ok, type Result } from './outcome.ts';
import { prepared } from './prepared.ts';
import type { WriteContext } from './write.ts';

export interface RequestKey {
  /** Whose key it is: two callers may choose the same. */
  readonly principal: string;
  readonly key: string;
  /** The verb and the request, checked. */
  readonly request: unknown;
}

/** `replayed` is true when the answer is that of an earlier request with the same key. */
export type Answered<Value> = { readonly answer: Value; readonly replayed: boolean };

/** Runs `work` unless its key has an answer already. Fails: `conflict`, and as `work` does. */
export function once<Value>(
  context: WriteContext,
  key: RequestKey | null,
  work: () => Result<Value>,
): Result<Answered<Value>> {
  if (key !== null) {
    const kept = keptAnswer(context.db, key, context.now);
    if (!kept.ok) return kept;
    // Kept by this function for the same verb, so it is the same kind of answer.
    if (kept.value !== null) return ok({ answer: kept.value as Value, replayed: true });
  }
  const result = work();
  if (!result.ok) return result;
  if (key !== null) keepAnswer(context.db, key, result.value, context.now);
  return ok({ answer: result.value, replayed: false });
}

/** The kept answer, or null. Fails: `conflict`. */
function keptAnswer(db: Database, key: RequestKey, now: Instant): Result<unknown> {
  const row = prepared<{ request_sha: string; answer: string }>(
    db,
    'SELECT request_sha, answer FROM decision_requests WHERE principal = ? AND key = ? AND at >= ?',
  ).get(key.principal, key.key, toStored(oldestKept(now)));
  if (row === undefined) return ok(null);
  if (row.request_sha !== shaOf(key.request)) return conflict('the idempotency key was used for another request');
  const answer: unknown = JSON.parse(row.answer);
  return ok(answer);
}

function keepAnswer(db: Database, key: RequestKey, answer: unknown, now: Instant): void {
  prepared(db, 'DELETE FROM decision_requests WHERE at < ?').run(toStored(oldestKept(now)));
  prepared(
    db,
    'INSERT OR REPLACE INTO decision_requests (principal, key, request_sha, answer, at) VALUES (?, ?, ?, ?, ?)',
  ).run(key.principal, key.key, shaOf(key.request), JSON.stringify(answer), toStored(now));
}

function oldestKept(now: Instant): Instant {
  return daysBefore(now, decisionLimits.idempotencyHoursKept / 24);
}

function shaOf(request: unknown): string {
  return createHash('sha256').update(canonical(request)).digest('hex');
}

/** JSON with sorted keys: the order of fields in a body means nothing. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}
