/**
 * The numbered formats of the store and the way forward from each. There is no way back: a file of a later format is
 * refused before anything is written.
 */
import type { Database } from 'better-sqlite3';
import type { Instant } from '../instant.ts';
import { rebuildSearchIndex, repairSearchIndex } from '../search-index.ts';
import { adoptChanges, changedElsewhere } from './adopt.ts';
import { createVersion1 } from './version-1.ts';
import { migrateToVersion2 } from './version-2.ts';

export const currentVersion = 2;
const versionKey = 'decision_store_schema_version';

/** What a database file is, before we touch it. */
export type FoundFormat =
  | { readonly kind: 'empty' }
  | { readonly kind: 'known'; readonly version: number }
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'foreign' };

export function inspectFormat(db: Database): FoundFormat {
  const tables = new Set(
    db
      .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all()
      .map((row) => row.name),
  );
  if (tables.size === 0) return { kind: 'empty' };
  if (!tables.has('meta') || !tables.has('decisions')) return { kind: 'foreign' };
  const columns = new Set(
    db
      .prepare<[], { name: string }>("SELECT name FROM pragma_table_info('meta')")
      .all()
      .map((row) => row.name),
  );
  if (!columns.has('key') || !columns.has('value')) return { kind: 'foreign' };
  const row = db.prepare<[string], { value: unknown }>('SELECT value FROM meta WHERE key = ?').get(versionKey);
  const version = row === undefined ? Number.NaN : Number(row.value);
  if (!Number.isInteger(version) || version < 1) return { kind: 'foreign' };
  return version > currentVersion ? { kind: 'newer', version } : { kind: 'known', version };
}

/** Brings the database to the current format. Runs inside the caller's transaction, so it happens wholly or not. */
export function migrate(db: Database, from: number, now: Instant): void {
  if (from < 1) createVersion1(db);
  if (from < 2) migrateToVersion2(db, now);
  if (from < currentVersion) {
    db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(versionKey, String(currentVersion));
    rebuildSearchIndex(db);
  }
}

/** Whether a tool that knows nothing of events or of our search table has written into the file. */
export function needsAdoption(db: Database): boolean {
  const { added, changed, deleted } = changedElsewhere(db);
  return added.length + changed.length + deleted.length > 0 || repairSearchIndex(db, { dryRun: true }) > 0;
}

/** Gives what such a tool did its events, and makes it findable. */
export function adoptStrangers(db: Database, now: Instant): void {
  adoptChanges(db, now);
  repairSearchIndex(db, { dryRun: false });
}
