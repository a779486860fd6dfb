/** A state of the store to read: the present, or a rebuilt past. */
import type { Database } from 'better-sqlite3';

export interface View {
  readonly db: Database;
  /** The day (UTC) whose statuses hold. */
  readonly today: string;
  /** Seals cursors; always that of the store itself. */
  readonly cursorKey: string;
  /** The instant asked for, or null for the present. */
  readonly asOf: string | null;
}
