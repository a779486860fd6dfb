/**
 * The store as it was at an instant, rebuilt in memory from the events: decisions that were deleted since are there
 * again, later ones are not, and changed ones read as they did. Everything that reads the present reads it the same
 * way.
 */
import type { Database } from 'better-sqlite3';
import type { Clock } from '../../base/clock.ts';
import { type Breath, breathing } from './breath.ts';
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
  prepareSearch(): Promise<void>;
}

/** Every decision that was there at `asOf`, read in pieces. */
export async function decisionsAt(
  db: Database,
  asOf: Instant,
  breath: Breath = breathing(),
): Promise<readonly Decision[]> {
  const states = new Map<string, Decision>();
  let last = 0;
  for (;;) {
    const rows = eventsUntil(db, asOf, last, eventsAtOnce);
    for (const row of rows) {
      replay(states, row);
      last = row.id;
    }
    if (rows.length < eventsAtOnce) return [...states.values()];
    await breath();
  }
}

function replay(states: Map<string, Decision>, row: EventRow): void {
  const event = fromEventRow(row);
  const state = applyEvent(states.get(event.decision_id) ?? null, event);
  if (state === null) states.delete(event.decision_id);
  else states.set(event.decision_id, state);
}

const eventsAtOnce = 200;
const recordsAtOnce = 20;

/** The plus keeps every piece from sorting all events by their time. */
function eventsUntil(db: Database, asOf: Instant, after: number, limit: number): readonly EventRow[] {
  return prepared<EventRow>(db, 'SELECT * FROM decision_events WHERE id > ? AND +at <= ? ORDER BY id LIMIT ?').all(
    after,
    toStored(asOf),
    limit,
  );
}

/** Names the events up to `asOf`: an import may add some that are older than the last. */
export function basisOf(db: Database, asOf: Instant): string {
  const row = prepared<{ n: number; last: number | null }>(
    db,
    'SELECT count(*) AS n, max(id) AS last FROM decision_events WHERE at <= ?',
  ).get(toStored(asOf));
  return `${row?.n}:${row?.last}`;
}

/** Made in short pieces, so that nobody waits for a large store. */
export async function snapshotAt(live: Database, asOf: Instant, clock: Clock): Promise<Snapshot> {
  const breath = breathing();
  const basis = basisOf(live, asOf);
  const decisions = await decisionsAt(live, asOf, breath);
  const db = standIn(clock);
  await inPieces(db, decisions, breath, (decision) => insertDecision(db, decision));
  let searchable: Promise<void> | null = null;
  return {
    asOf,
    db,
    basis,
    prepareSearch() {
      // One preparation, however many ask for it.
      searchable ??= inPieces(db, decisions, breathing(), (decision) => {
        indexDecision(db, decision);
        if (live.open) copyVector(live, db, decision);
      });
      return searchable;
    },
  };
}

async function inPieces(
  db: Database,
  decisions: readonly Decision[],
  breath: Breath,
  work: (decision: Decision) => void,
): Promise<void> {
  for (let start = 0; start < decisions.length; start += recordsAtOnce) {
    db.transaction(() => decisions.slice(start, start + recordsAtOnce).forEach(work))();
    await breath();
  }
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
