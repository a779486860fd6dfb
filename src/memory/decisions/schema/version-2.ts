/**
 * Format 2: who and when (agent, session, review day, the links of a replacement), the events of every change, the
 * keys of repeated requests, and our own search table in place of the full-text table and triggers of format 1.
 *
 * Old rows lose nothing. Values that the records of today cannot hold (a status nobody defined, a list that is not
 * JSON) are brought into shape and the original is kept in the note of the row's first event. Since format 1 kept no
 * history, the events of old rows are reconstructed from the two times it did keep, and say so.
 */
import { randomBytes } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { type Decision, type DecisionStatus, isDecisionStatus, isDecisionType } from '../decision.ts';
import { appendEvent, createdEvent, difference, type EventKind } from '../events.ts';
import { type Instant, parseInstant, toStored } from '../instant.ts';
import { type DecisionRow, decisionColumns, fromRow } from '../rows.ts';

const reconstructed = 'Reconstructed from a record of format 1, which kept no history.';
const laterKind = {
  ACTIVE: 'amended',
  STALE: 'stale',
  INVALIDATED: 'invalidated',
} as const satisfies Record<DecisionStatus, EventKind>;
const listColumns = ['files_affected', 'evidence', 'rejected_alternatives', 'dependency_constraints', 'tags'] as const;

export function migrateToVersion2(db: Database, now: Instant): void {
  dropOldSearch(db);
  db.exec(`
    ALTER TABLE decisions ADD COLUMN agent TEXT;
    ALTER TABLE decisions ADD COLUMN session_id TEXT;
    ALTER TABLE decisions ADD COLUMN review_by TEXT;
    ALTER TABLE decisions ADD COLUMN supersedes TEXT;
    ALTER TABLE decisions ADD COLUMN superseded_by TEXT;
    CREATE INDEX idx_decisions_newest ON decisions(created_at, id);
    CREATE TABLE decision_events (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      decision_id TEXT NOT NULL,
      at TEXT NOT NULL,
      kind TEXT NOT NULL,
      actor TEXT,
      changes TEXT NOT NULL,
      note TEXT
    );
    CREATE INDEX idx_decision_events ON decision_events(decision_id, at);
    CREATE INDEX idx_decision_events_at ON decision_events(at);
    CREATE TABLE decision_requests (
      principal TEXT NOT NULL,
      key TEXT NOT NULL,
      request_sha TEXT NOT NULL,
      answer TEXT NOT NULL,
      at TEXT NOT NULL,
      PRIMARY KEY (principal, key)
    );
    CREATE TABLE decision_search_rows (
      row INTEGER PRIMARY KEY,
      decision_id TEXT NOT NULL UNIQUE,
      updated_at TEXT NOT NULL
    );
    CREATE VIRTUAL TABLE decision_search USING fts5(
      title, rationale, evidence, tags, files, content='', contentless_delete=1, tokenize='ascii'
    );
    CREATE TABLE decision_files (
      path TEXT NOT NULL, decision_id TEXT NOT NULL, PRIMARY KEY (path, decision_id)
    ) WITHOUT ROWID;
    CREATE INDEX idx_decision_files ON decision_files(decision_id);
    CREATE TRIGGER decision_removed AFTER DELETE ON decisions BEGIN
      DELETE FROM decision_search WHERE rowid = (SELECT row FROM decision_search_rows WHERE decision_id = OLD.id);
      DELETE FROM decision_search_rows WHERE decision_id = OLD.id;
      DELETE FROM decision_files WHERE decision_id = OLD.id;
      DELETE FROM decision_vectors WHERE decision_id = OLD.id;
      DELETE FROM decision_fingerprints WHERE decision_id = OLD.id;
    END;
  `);
  db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('cursor_key', ?)").run(randomBytes(32).toString('hex'));
  const ids = db.prepare<[], { id: string }>('SELECT id FROM decisions ORDER BY created_at, id').all();
  for (const { id } of ids) adoptRow(db, id, now, reconstructed);
}

/** Brings one row of an older tool into the shape of today and gives it its first events. */
export function adoptRow(db: Database, id: string, now: Instant, note: string): void {
  const shaped = reshape(db, id, now);
  if (shaped === null) return;
  const { decision, originals } = shaped;
  const changedLater = decision.updated_at > decision.created_at;
  const first = changedLater ? { ...decision, status: 'ACTIVE' as const, updated_at: decision.created_at } : decision;
  appendEvent(db, createdEvent(first, decision.author, `${note}${originals}`));
  if (!changedLater) return;
  appendEvent(db, {
    decision_id: id,
    at: decision.updated_at,
    kind: laterKind[decision.status],
    actor: decision.author,
    changes: difference(first, decision),
    note,
  });
}

/** Brings one row into the shape of today. Null when there is none. */
export function reshape(
  db: Database,
  id: string,
  now: Instant,
): { readonly decision: Decision; readonly originals: string } | null {
  const raw = db.prepare<[string], DecisionRow>(`SELECT ${decisionColumns} FROM decisions d WHERE d.id = ?`).get(id);
  if (raw === undefined) return null;
  const { row, replaced } = inShape(raw, now);
  db.prepare(
    `UPDATE decisions SET ${[...listColumns, 'decision_type', 'status', 'confidence', 'created_at', 'updated_at']
      .map((column) => `${column} = @${column}`)
      .join(', ')} WHERE id = @id`,
  ).run({ ...row });
  return {
    decision: fromRow(row),
    originals: replaced.length === 0 ? '' : ` Original values: ${replaced.join('; ')}.`,
  };
}

/** The old full-text table would go on being filled by its triggers; both go. Other triggers stay. */
function dropOldSearch(db: Database): void {
  const triggers = db
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'decisions'",
    )
    .all();
  for (const { name, sql } of triggers) {
    if (sql.includes('decisions_fts')) db.exec(`DROP TRIGGER "${name.replaceAll('"', '""')}"`);
  }
  db.exec('DROP TABLE IF EXISTS decisions_fts');
}

function inShape(raw: DecisionRow, now: Instant): { row: DecisionRow; replaced: readonly string[] } {
  const replaced: string[] = [];
  const changed: Record<string, string | number> = {};
  for (const column of listColumns) {
    const list = asList(raw[column]);
    if (list.replaced) replaced.push(`${column} ${JSON.stringify(raw[column])}`);
    changed[column] = list.text;
  }
  if (!isDecisionType(raw.decision_type)) {
    replaced.push(`decision_type ${JSON.stringify(raw.decision_type)}`);
    changed['decision_type'] = 'ARCHITECTURE';
  }
  if (!isDecisionStatus(raw.status)) {
    replaced.push(`status ${JSON.stringify(raw.status)}`);
    changed['status'] = 'ACTIVE';
  }
  if (typeof raw.confidence !== 'number' || !(raw.confidence >= 0 && raw.confidence <= 1)) {
    replaced.push(`confidence ${JSON.stringify(raw.confidence)}`);
    changed['confidence'] = typeof raw.confidence === 'number' && raw.confidence < 0 ? 0 : 1;
  }
  const created = parseInstant(String(raw.created_at));
  const updated = parseInstant(String(raw.updated_at));
  if (created === null) replaced.push(`created_at ${JSON.stringify(raw.created_at)}`);
  if (updated === null) replaced.push(`updated_at ${JSON.stringify(raw.updated_at)}`);
  const from = created ?? updated ?? now;
  const backwards = updated !== null && updated < from;
  changed['created_at'] = toStored(from);
  changed['updated_at'] = toStored(updated === null || backwards ? from : updated);
  if (backwards) replaced.push(`updated_at ${JSON.stringify(raw.updated_at)}`);
  return { row: { ...raw, ...changed }, replaced };
}

/** A JSON list of texts. Other items become their JSON text; text that is no list becomes the only item. */
function asList(text: unknown): { text: string; replaced: boolean } {
  if (text === null || text === undefined || text === '') return { text: '[]', replaced: false };
  let value: unknown;
  try {
    value = JSON.parse(String(text));
  } catch {
    return { text: JSON.stringify([String(text)]), replaced: true };
  }
  if (value === null) return { text: '[]', replaced: false };
  if (!Array.isArray(value)) return { text: JSON.stringify([String(text)]), replaced: true };
  const items = value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
  return { text: JSON.stringify(items), replaced: value.some((item) => typeof item !== 'string') };
}
