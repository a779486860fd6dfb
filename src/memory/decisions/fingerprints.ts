/** The contents (git blob ids) of a decision's files when it was last said to hold. */
import type { Database } from 'better-sqlite3';
import type { Decision } from './decision.ts';
import { prepared } from './prepared.ts';

/** One of them, as an export holds it. */
export interface Fingerprint {
  readonly decision_id: string;
  readonly path: string;
  readonly blob: string;
}

/** Replaces what is known of `decision`; files without a blob get none. */
export function putFingerprints(db: Database, decision: Decision, blobs: ReadonlyMap<string, string>): void {
  prepared(db, 'DELETE FROM decision_fingerprints WHERE decision_id = ?').run(decision.id);
  for (const path of decision.files_affected) {
    const blob = blobs.get(path);
    if (blob === undefined) continue;
    prepared(db, 'INSERT INTO decision_fingerprints (decision_id, path, blob) VALUES (?, ?, ?)').run(
      decision.id,
      path,
      blob,
    );
  }
}

/** Path to blob id. */
export function fingerprintsOf(db: Database, id: string): ReadonlyMap<string, string> {
  const rows = prepared<{ path: string; blob: string }>(
    db,
    'SELECT path, blob FROM decision_fingerprints WHERE decision_id = ?',
  ).all(id);
  return new Map(rows.map((row) => [row.path, row.blob]));
}

/** Those that count: of decisions that exist, of files that they name. */
export function allFingerprints(db: Database, decisions: readonly Decision[]): readonly Fingerprint[] {
  const named = new Map(decisions.map(({ id, files_affected }) => [id, new Set(files_affected)]));
  return prepared<Fingerprint>(
    db,
    'SELECT decision_id, path, blob FROM decision_fingerprints ORDER BY decision_id, path',
  )
    .all()
    .filter(({ decision_id, path }) => named.get(decision_id)?.has(path) === true);
}
