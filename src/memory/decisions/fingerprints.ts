/** The contents (git blob ids) of a decision's files when it was last said to hold. */
import type { Database } from 'better-sqlite3';
import type { Decision } from './decision.ts';
import { prepared } from './prepared.ts';

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
