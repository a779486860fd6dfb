/**
 * The store as it was at an instant, rebuilt in memory from the events: decisions that were deleted since are there
 * again, later ones are not, and changed ones read as they did. Everything that reads the present reads it the same
 * way.
 */
import type { Database } from 'better-sqlite3';
import type { Clock } from '../../base/clock.ts';
import type { Decision } from './decision.ts';
import { applyEvent, type EventRow, fromEventRow } from './events.ts';
import { type Instant, toStored } from './instant.ts';
import { standIn } from './open-store.ts';
import { prepared } from './prepared.ts';
import { insertDecision } from './rows.ts';
import { indexDecision } from './search-index.ts';
import { contentSha } from './vectors.ts';

export interface Snapshot {
  readonly asOf: Instant;
  readonly db: Database;
  /** The events it was made from; others in the store make it outdated. */
  readonly basis: string;
  /** Makes it searchable. Listing does not need that, and it is the larger part of the work. */
  prepareSearch(): void;
}

/** Every decision that was there at `asOf`. */
export function decisionsAt(db: Database, asOf: Instant): readonly Decision[] {
  const states = new Map<string, Decision>();
  const rows = prepared<EventRow>(db, 'SELECT * FROM decision_events WHERE at <= ? ORDER BY id');
  for (const row of rows.iterate(toStored(asOf))) {
    const event = fromEventRow(row);
    const state = applyEvent(states.get(event.decision_id) ?? null, event);
    if (state === null) states.delete(event.decision_id);
    else states.set(event.decision_id, state);
  }
  return [...states.values()];
}

/** Names the events up to `asOf`: an import may add some that are older than the last. */
export function basisOf(db: Database, asOf: Instant): string {
  const row = prepared<{ n: number; last: number | null }>(
    db,
    'SELECT count(*) AS n, max(id) AS last FROM decision_events WHERE at <= ?',
  ).get(toStored(asOf));
  return `${row?.n}:${row?.last}`;
}

export function snapshotAt(live: Database, asOf: Instant, clock: Clock): Snapshot {
  const db = standIn(clock);
  const basis = basisOf(live, asOf);
  const decisions = decisionsAt(live, asOf);
  db.transaction(() => {
    for (const decision of decisions) insertDecision(db, decision);
  })();
  let searchable = false;
  return {
    asOf,
    db,
    basis,
    prepareSearch() {
      if (searchable) return;
      db.transaction(() => {
        for (const decision of decisions) {
          indexDecision(db, decision);
          copyVector(live, db, decision);
        }
      })();
      searchable = true;
    },
  };
}

/** A decision whose text has not changed since keeps its vector. */
function copyVector(live: Database, db: Database, decision: Decision): void {
  const row = prepared<{ model_id: string; content_sha: string; dim: number; vector: Buffer }>(
    live,
    'SELECT model_id, content_sha, dim, vector FROM decision_vectors WHERE decision_id = ?',
  ).get(decision.id);
  if (row === undefined || row.content_sha !== contentSha(decision)) return;
  prepared(
    db,
    'INSERT INTO decision_vectors (decision_id, model_id, content_sha, dim, vector) VALUES (?, ?, ?, ?, ?)',
  ).run(decision.id, row.model_id, row.content_sha, row.dim, row.vector);
}
