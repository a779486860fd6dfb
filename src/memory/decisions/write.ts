/** What every write shares: who and when, saving with its event, and the check that it is really there. */
import type { Database } from 'better-sqlite3';
import type { Decision } from './decision.ts';
import { appendEvent, createdEvent, difference, type EventKind, type NewEvent, same } from './events.ts';
import { type Instant, nextAfter } from './instant.ts';
import { notFound, ok, type Result } from './outcome.ts';
import { insertDecision, readDecision, updateDecision } from './rows.ts';
import { indexDecision } from './search-index.ts';

export interface WriteContext {
  readonly db: Database;
  readonly now: Instant;
  /** A later time, for one more record in the same call. */
  tick(): Instant;
  readonly today: string;
  /** From the credential; null lets the record's author or agent stand in. */
  readonly actor: string | null;
}

/** A new record with its first event. */
export function saveNew(context: WriteContext, decision: Decision, note: string | null): Decision {
  insertDecision(context.db, decision);
  indexDecision(context.db, decision);
  appendEvent(context.db, createdEvent(decision, actorOf(context, decision), note, context.now));
  return readBack(context.db, decision);
}

/** The next state of a record with its event. The time of the change is set here. */
export function saveChange(
  context: WriteContext,
  before: Decision,
  change: Partial<Omit<Decision, 'id' | 'created_at' | 'updated_at'>>,
  kind: EventKind,
  note: string | null,
): Decision {
  const after: Decision = { ...before, ...change, updated_at: nextAfter(before.updated_at, context.now) };
  updateDecision(context.db, after);
  indexDecision(context.db, after);
  const event: NewEvent = {
    decision_id: before.id,
    at: after.updated_at,
    kind,
    actor: actorOf(context, before),
    changes: difference(before, after),
    note,
  };
  appendEvent(context.db, event);
  return readBack(context.db, after);
}

export function existing(context: WriteContext, id: string): Result<Decision> {
  const decision = readDecision(context.db, id);
  return decision === null ? notFound(id) : ok(decision);
}

export function actorOf(context: WriteContext, decision: Pick<Decision, 'author' | 'agent'>): string | null {
  return context.actor ?? decision.author ?? decision.agent;
}

function readBack(db: Database, intended: Decision): Decision {
  const stored = readDecision(db, intended.id);
  if (stored === null || !same(stored, intended)) throw new Error('the write did not persist');
  return stored;
}
