/**
 * The search table: derived from the decisions, written in the same transaction, rebuilt when it disagrees.
 *
 * It keeps no text, only terms (`terms.ts`), one row per decision under a number that `decision_search_rows` maps to
 * the id. `decision_files` says which decisions govern a file. Deleting a decision deletes its rows by trigger.
 */
import type { Database } from 'better-sqlite3';
import type { Decision } from './decision.ts';
import { toStored } from './instant.ts';
import { prepared } from './prepared.ts';
import { type DecisionRow, decisionColumns, fromRow } from './rows.ts';
import { indexedTerms, termsVersion, wholeTerm } from './terms.ts';

/** Exactly what keyword search reads, and how much a match in each field counts. */
export const searchedFields = [
  { field: 'title', weight: 4 },
  { field: 'rationale', weight: 2 },
  { field: 'evidence', weight: 0.5 },
  { field: 'tags', weight: 1 },
  { field: 'files_affected', weight: 1 },
] as const satisfies readonly { readonly field: keyof Decision; readonly weight: number }[];

const versionKey = 'decision_search_terms_version';

export function indexDecision(db: Database, decision: Decision): void {
  const known = prepared<{ row: number }>(db, 'SELECT row FROM decision_search_rows WHERE decision_id = ?').get(
    decision.id,
  );
  const updated = toStored(decision.updated_at);
  let row: number | bigint;
  if (known === undefined) {
    row = prepared(db, 'INSERT INTO decision_search_rows (decision_id, updated_at) VALUES (?, ?)').run(
      decision.id,
      updated,
    ).lastInsertRowid;
  } else {
    row = known.row;
    prepared(db, 'UPDATE decision_search_rows SET updated_at = ? WHERE row = ?').run(updated, row);
    prepared(db, 'DELETE FROM decision_search WHERE rowid = ?').run(row);
  }
  prepared(db, 'DELETE FROM decision_files WHERE decision_id = ?').run(decision.id);
  for (const path of decision.files_affected) {
    prepared(db, 'INSERT OR IGNORE INTO decision_files (path, decision_id) VALUES (?, ?)').run(path, decision.id);
  }
  const terms = searchedFields.map(({ field }) => {
    const value = decision[field];
    const terms = indexedTerms(typeof value === 'string' ? value : value.join('\n'));
    return field === 'title' ? `${terms} ${wholeTerm(decision.title) ?? ''}` : terms;
  });
  prepared(
    db,
    'INSERT INTO decision_search (rowid, title, rationale, evidence, tags, files) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(row, ...terms);
}

export function rebuildSearchIndex(db: Database): void {
  db.exec('DELETE FROM decision_search_rows; DELETE FROM decision_files');
  db.exec("INSERT INTO decision_search (decision_search) VALUES ('delete-all')");
  for (const decision of decisionsIn(db, '')) indexDecision(db, decision);
  db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(versionKey, String(termsVersion));
}

/** Indexes what is missing or older than its record. Returns how many rows that were. */
export function repairSearchIndex(db: Database, options: { readonly dryRun: boolean }): number {
  const version = db.prepare<[string], { value: unknown }>('SELECT value FROM meta WHERE key = ?').get(versionKey);
  if (version === undefined || Number(version.value) !== termsVersion) {
    if (!options.dryRun) rebuildSearchIndex(db);
    return db.prepare<[], { n: number }>('SELECT count(*) AS n FROM decisions').get()?.n ?? 0;
  }
  const behind = decisionsIn(
    db,
    `WHERE NOT EXISTS (
       SELECT 1 FROM decision_search_rows r WHERE r.decision_id = d.id AND r.updated_at = d.updated_at)`,
  );
  if (!options.dryRun) for (const decision of behind) indexDecision(db, decision);
  return behind.length;
}

function decisionsIn(db: Database, where: string): readonly Decision[] {
  return db.prepare<[], DecisionRow>(`SELECT ${decisionColumns} FROM decisions d ${where}`).all().map(fromRow);
}
