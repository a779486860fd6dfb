/** Format 1: the layout that earlier tools made. Kept as they made it, so that a new file starts where an old one is. */
import type { Database } from 'better-sqlite3';

export function createVersion1(db: Database): void {
  db.exec(`
    CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS decisions (
      id TEXT PRIMARY KEY,
      title TEXT NOT NULL,
      rationale TEXT NOT NULL,
      commit_sha TEXT NOT NULL,
      files_affected TEXT NOT NULL DEFAULT '[]',
      decision_type TEXT NOT NULL DEFAULT 'ARCHITECTURE',
      confidence REAL NOT NULL DEFAULT 1.0,
      status TEXT NOT NULL DEFAULT 'ACTIVE',
      author TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      evidence TEXT NOT NULL DEFAULT '[]',
      rejected_alternatives TEXT NOT NULL DEFAULT '[]',
      dependency_constraints TEXT NOT NULL DEFAULT '[]',
      tags TEXT NOT NULL DEFAULT '[]'
    );
    CREATE INDEX IF NOT EXISTS idx_decisions_commit ON decisions(commit_sha);
    CREATE INDEX IF NOT EXISTS idx_decisions_status ON decisions(status);
    CREATE INDEX IF NOT EXISTS idx_decisions_type ON decisions(decision_type);
    CREATE INDEX IF NOT EXISTS idx_decisions_created ON decisions(created_at);
    CREATE TABLE IF NOT EXISTS decision_fingerprints (
      decision_id TEXT NOT NULL, path TEXT NOT NULL, blob TEXT NOT NULL, PRIMARY KEY (decision_id, path)
    );
    CREATE TABLE IF NOT EXISTS decision_vectors (
      decision_id TEXT PRIMARY KEY, model_id TEXT NOT NULL, content_sha TEXT NOT NULL,
      dim INTEGER NOT NULL, vector BLOB NOT NULL
    );
  `);
}
