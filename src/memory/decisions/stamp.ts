/** A cheap way to see whether what was derived from a store still holds. */
import type { Database } from 'better-sqlite3';
import { prepared } from './prepared.ts';

/** Differs when anything was written meanwhile, by this connection or any other. Some ten microseconds. */
export function stampOf(db: Database): string {
  const row = prepared<{ version: number; own: number }>(
    db,
    'SELECT data_version AS version, total_changes() AS own FROM pragma_data_version',
  ).get();
  return `${row?.version}:${row?.own}`;
}
