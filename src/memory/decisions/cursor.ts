/**
 * Where a walk through pages goes on: the position of the last row, sealed together with the question.
 *
 * The seal uses the key of the store, so a cursor of another project, of other filters or of another record is refused
 * like garbage is. A cursor does not age: it names a place in the order, not a snapshot.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { fail, ok, type Result } from './outcome.ts';

export type Position = readonly (string | number)[];

export function sealCursor(key: string, question: unknown, position: Position): string {
  const place = Buffer.from(JSON.stringify(position)).toString('base64url');
  return `${place}.${seal(key, question, place).toString('base64url')}`;
}

export function openCursor(key: string, question: unknown, cursor: string): Result<Position> {
  const [place, given, ...rest] = cursor.split('.');
  const refused = fail<Position>({
    code: 'invalid_request',
    message: 'the cursor is malformed or belongs to another selection; begin again without one',
  });
  if (place === undefined || given === undefined || rest.length > 0) return refused;
  const expected = seal(key, question, place);
  const bytes = Buffer.from(given, 'base64url');
  if (bytes.length !== expected.length || !timingSafeEqual(bytes, expected)) return refused;
  // Sealed by us, so it is what sealCursor was given.
  return ok(JSON.parse(Buffer.from(place, 'base64url').toString('utf8')) as Position);
}

export function cursorKey(db: Database): string {
  const row = db.prepare<[], { value: string }>("SELECT value FROM meta WHERE key = 'cursor_key'").get();
  if (row === undefined) throw new Error('the store has no cursor key');
  return row.value;
}

function seal(key: string, question: unknown, place: string): Buffer {
  return createHmac('sha256', key)
    .update(`${JSON.stringify(question)}\n${place}`)
    .digest()
    .subarray(0, 16);
}
