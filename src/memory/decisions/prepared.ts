/** Statements, prepared once per connection. Only for SQL of fixed text: the cache keeps every statement it has seen. */
import type { Database, Statement } from 'better-sqlite3';

const statements = new WeakMap<Database, Map<string, Statement<unknown[], unknown>>>();

/** `Row` is what the statement yields; the SQL beside the call is what vouches for it. */
export function prepared<Row = unknown>(db: Database, sql: string): Statement<unknown[], Row> {
  let known = statements.get(db);
  if (known === undefined) {
    known = new Map();
    statements.set(db, known);
  }
  let statement = known.get(sql);
  if (statement === undefined) {
    statement = db.prepare<unknown[], unknown>(sql);
    known.set(sql, statement);
  }
  return statement as Statement<unknown[], Row>;
}
