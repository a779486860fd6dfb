/**
 * What another tool did to the decisions past our code, found at the next open and written into their history: rows
 * without events, rows that were changed after we last wrote them, and rows that are gone.
 */
import type { Database } from 'better-sqlite3';
import type { Decision } from '../decision.ts';
import { appendEvent, applyEvent, deletedEvent, difference, eventsOf } from '../events.ts';
import { type Instant, nextAfter } from '../instant.ts';
import { adoptRow, reshape } from './version-2.ts';

const note = 'Found in the store, written by a tool that keeps no history.';

export interface ChangedElsewhere {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
}

export function changedElsewhere(db: Database): ChangedElsewhere {
  const ids = (sql: string) =>
    db
      .prepare<[], { id: string }>(sql)
      .all()
      .map((row) => row.id);
  const lastKind = db.prepare<[string], { kind: string }>(
    'SELECT kind FROM decision_events WHERE decision_id = ? ORDER BY id DESC LIMIT 1',
  );
  return {
    added: ids(`SELECT d.id FROM decisions d
      WHERE NOT EXISTS (SELECT 1 FROM decision_events e WHERE e.decision_id = d.id) ORDER BY d.created_at, d.id`),
    // Our writes set both times in one transaction.
    changed: ids(`SELECT d.id FROM decisions d JOIN decision_search_rows r ON r.decision_id = d.id
      WHERE r.updated_at <> d.updated_at AND EXISTS (SELECT 1 FROM decision_events e WHERE e.decision_id = d.id)`),
    deleted: ids(`SELECT DISTINCT e.decision_id AS id FROM decision_events e
      WHERE NOT EXISTS (SELECT 1 FROM decisions d WHERE d.id = e.decision_id)`).filter(
      (id) => lastKind.get(id)?.kind !== 'deleted',
    ),
  };
}

export function adoptChanges(db: Database, now: Instant): void {
  const { added, changed, deleted } = changedElsewhere(db);
  for (const id of added) adoptRow(db, id, now, note);
  for (const id of changed) adoptChange(db, id, now);
  for (const id of deleted) {
    const known = replayed(db, id);
    if (known !== null) appendEvent(db, deletedEvent(known, nextAfter(known.updated_at, now), null, note));
  }
}

function adoptChange(db: Database, id: string, now: Instant): void {
  const known = replayed(db, id);
  const shaped = reshape(db, id, now);
  if (known === null || shaped === null) return;
  const changes = difference(known, shaped.decision);
  if (Object.keys(changes).length === 0) return;
  // When it happened is not known for sure; what is known is that it holds from now on.
  const at = nextAfter(known.updated_at, now);
  appendEvent(db, { decision_id: id, at, kind: 'amended', actor: null, changes, note: `${note}${shaped.originals}` });
}

function replayed(db: Database, id: string): Decision | null {
  let state: Decision | null = null;
  for (const event of eventsOf(db, id)) state = applyEvent(state, event);
  return state;
}
