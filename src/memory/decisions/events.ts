/**
 * The events of a decision: what was changed, when, by whom. Appended in the transaction of the change, never altered,
 * kept when the decision is deleted. Replaying them gives the record.
 *
 * `changes` is `{field: [old, new]}`. A created event has null for every old value and leaves out fields that are
 * empty; a deleted event has null for every new one.
 */
import type { Database } from 'better-sqlite3';
import { changeableFields, type Decision, type DecisionField } from './decision.ts';
import { fromStored, type Instant, toStored } from './instant.ts';
import { prepared } from './prepared.ts';

export const eventKinds = [
  'created',
  'amended',
  'stale',
  'active',
  'invalidated',
  'restored',
  'superseded',
  'feedback',
  'deleted',
] as const;
export type EventKind = (typeof eventKinds)[number];

export type FieldValue = string | number | null | readonly string[];
export type Changes = Readonly<Record<string, readonly [FieldValue, FieldValue]>>;

export interface NewEvent {
  readonly decision_id: string;
  readonly at: Instant;
  readonly kind: EventKind;
  readonly actor: string | null;
  readonly changes: Changes;
  readonly note: string | null;
}

export interface DecisionEvent extends NewEvent {
  /** Grows with every event of the store. */
  readonly id: number;
}

export interface EventRow {
  readonly id: number;
  readonly decision_id: string;
  readonly at: string;
  readonly kind: string;
  readonly actor: string | null;
  readonly changes: string;
  readonly note: string | null;
}

export function appendEvent(db: Database, event: NewEvent): void {
  prepared(
    db,
    'INSERT INTO decision_events (decision_id, at, kind, actor, changes, note) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(event.decision_id, toStored(event.at), event.kind, event.actor, JSON.stringify(event.changes), event.note);
}

export function eventsOf(db: Database, id: string): readonly DecisionEvent[] {
  return prepared<EventRow>(db, 'SELECT * FROM decision_events WHERE decision_id = ? ORDER BY id')
    .all(id)
    .map(fromEventRow);
}

export function hasEvents(db: Database, id: string): boolean {
  return prepared(db, 'SELECT 1 FROM decision_events WHERE decision_id = ? LIMIT 1').get(id) !== undefined;
}

export function fromEventRow(row: EventRow): DecisionEvent {
  const kind = eventKinds.find((known) => known === row.kind);
  if (kind === undefined) throw new Error('a stored event is of an unknown kind');
  return {
    id: row.id,
    decision_id: row.decision_id,
    at: fromStored(row.at),
    kind,
    actor: row.actor,
    // Written by appendEvent alone.
    changes: JSON.parse(row.changes) as Changes,
    note: row.note,
  };
}

/** `at` differs from the record's own time when an old record enters the store later. */
export function createdEvent(
  decision: Decision,
  actor: string | null,
  note: string | null,
  at: Instant = decision.created_at,
): NewEvent {
  const changes: Record<string, readonly [FieldValue, FieldValue]> = {};
  for (const field of changeableFields) {
    if (!same(decision[field], blank[field])) changes[field] = [null, decision[field]];
  }
  return { decision_id: decision.id, at, kind: 'created', actor, changes, note };
}

export function deletedEvent(decision: Decision, at: Instant, actor: string | null, note: string | null): NewEvent {
  const changes: Record<string, readonly [FieldValue, FieldValue]> = {};
  for (const field of changeableFields) {
    if (!same(decision[field], blank[field])) changes[field] = [decision[field], null];
  }
  return { decision_id: decision.id, at, kind: 'deleted', actor, changes, note };
}

/** Every field that differs, `updated_at` included. */
export function difference(before: Decision, after: Decision): Changes {
  const changes: Record<string, readonly [FieldValue, FieldValue]> = {};
  for (const field of changeableFields) {
    if (!same(before[field], after[field])) changes[field] = [before[field], after[field]];
  }
  return changes;
}

/** The record after one more event; null before the first and after a delete. */
export function applyEvent(
  state: Decision | null,
  event: Pick<DecisionEvent, 'decision_id' | 'kind' | 'changes'>,
): Decision | null {
  if (event.kind === 'deleted') return null;
  const next: Record<string, FieldValue> = {
    ...(event.kind === 'created' || state === null ? { ...blank, id: event.decision_id } : state),
  };
  for (const field of changeableFields) {
    const change = Object.hasOwn(event.changes, field) ? event.changes[field] : undefined;
    if (change !== undefined) next[field] = change[1];
  }
  // The fields are those of `blank`, replaced by values that were fields of a decision.
  return next as unknown as Decision;
}

export function same(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

/** What a field is before anything was said about it. Required fields have no blank and are always in the event. */
const blank: Readonly<Record<DecisionField, FieldValue>> = {
  id: null,
  title: null,
  rationale: null,
  commit_sha: '',
  files_affected: [],
  decision_type: null,
  confidence: null,
  status: null,
  author: null,
  evidence: [],
  rejected_alternatives: [],
  dependency_constraints: [],
  tags: [],
  created_at: null,
  updated_at: null,
  agent: null,
  session_id: null,
  review_by: null,
  supersedes: null,
  superseded_by: null,
};
