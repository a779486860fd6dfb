/**
 * Cursors of a listing: `base64url(payload).base64url(mac)`, unpadded. They are opaque to callers, and they hold no name
 * and no text of a record.
 *
 * The payload is compact JSON with sorted members: `d` digest of the listed snapshot, `o` offset of the next item, `p`
 * marker of the process, `s` digest of the selection, `v` version 1, `z` page size. All digests and the mac are
 * HMAC-SHA256 under a key that lives as long as the process; each use has its own prefix, so one can never pass for
 * another.
 *
 * A foreign marker is answered with "stale" before the mac is looked at: after a restart the old key is gone, and all
 * that can be said about an old cursor is that its listing has ended.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { hasExactKeys, isJsonObject, type JsonValue, member } from '../../base/json.ts';
import { notebookLimits } from '../../base/limits.ts';
import { fail, invalid, ok, type Result } from './outcome.ts';
import type { Selection } from './store.ts';

export interface CursorSecret {
  /** 32 random bytes. */
  readonly key: Uint8Array;
  /** 32 lower-case hex digits that tell the cursors of this process from others. No secret. */
  readonly marker: string;
}

/** What a cursor promises about the next page. */
export interface CursorPosition {
  /** Digest of the selection: 64 lower-case hex digits. */
  readonly selection: string;
  /** Digest of everything the listing showed or will show: 64 lower-case hex digits. */
  readonly snapshot: string;
  /** At least 1 and a multiple of the page size. */
  readonly offset: number;
  readonly pageSize: number;
}

export function createCursorSecret(): CursorSecret {
  return { key: randomBytes(32), marker: randomBytes(16).toString('hex') };
}

/** Two selections have one digest exactly when they are the same. */
export function digestSelection(secret: CursorSecret, selection: Selection): string {
  return hmac(secret, 'selection', JSON.stringify(selectionParts(selection))).toString('hex');
}

/** `entries` in listing order; none may contain a line feed, which separates them. */
export function digestSnapshot(secret: CursorSecret, entries: readonly string[]): string {
  return hmac(secret, 'snapshot', entries.join('\n')).toString('hex');
}

export function encodeCursor(secret: CursorSecret, position: CursorPosition): string {
  const payload = JSON.stringify({
    d: position.snapshot,
    o: position.offset,
    p: secret.marker,
    s: position.selection,
    v: 1,
    z: position.pageSize,
  });
  const mac = hmac(secret, 'mac', payload);
  return `${Buffer.from(payload, 'latin1').toString('base64url')}.${mac.toString('base64url')}`;
}

/**
 * Form, then process, then mac. The caller compares the selection and, later, the snapshot. Fails with
 * `invalid_cursor`, or with `stale_cursor` for a cursor of another process.
 */
export function decodeCursor(secret: CursorSecret, text: string): Result<CursorPosition> {
  const parts = text.split('.');
  const [payloadPart, macPart] = parts;
  if (payloadPart === undefined || macPart === undefined || parts.length !== 2) return invalidCursor();
  const payload = decodeBase64Url(payloadPart);
  const mac = decodeBase64Url(macPart);
  if (payload === undefined || mac === undefined) return invalidCursor();
  const claims = parseClaims(payload);
  if (claims === undefined) return invalidCursor();
  if (claims.marker !== secret.marker) return staleCursor();
  const expected = hmac(secret, 'mac', payload);
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return invalidCursor();
  return ok(claims.position);
}

export function invalidCursor(): Result<never> {
  return invalid(
    'invalid_cursor',
    'cursor is not one that a listing of exactly this selection returned; pass next_cursor unchanged with the same scope, namespace_id and collection_id and without page_size, or start a new listing without cursor',
    'cursor',
  );
}

export function staleCursor(): Result<never> {
  return fail({
    status: 'conflict',
    code: 'stale_cursor',
    message: 'the listed records changed or the server restarted since this cursor was made; start a new listing',
  });
}

type Purpose = 'mac' | 'selection' | 'snapshot';

function hmac(secret: CursorSecret, purpose: Purpose, message: string | Uint8Array): Buffer {
  return createHmac('sha256', secret.key).update(`mnemosyne notebook listing, ${purpose}\n`).update(message).digest();
}

function selectionParts(selection: Selection): readonly (string | null)[] {
  switch (selection.kind) {
    case 'scope':
      return [selection.scope, null, 'all', null];
    case 'namespace':
      return [selection.scope, selection.namespaceId, 'all', null];
    case 'level':
      return selection.collectionId === null
        ? [selection.scope, selection.namespaceId, 'collectionless', null]
        : [selection.scope, selection.namespaceId, 'exact', selection.collectionId];
  }
}

/** Node's decoder forgives padding, foreign characters and stray bits; encoding again shows whether it had to. */
function decodeBase64Url(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.length > 0 && bytes.toString('base64url') === part ? bytes : undefined;
}

interface Claims {
  readonly marker: string;
  readonly position: CursorPosition;
}

function parseClaims(payload: Buffer): Claims | undefined {
  const claims = parseJson(payload);
  if (!isJsonObject(claims) || !hasExactKeys(claims, ['d', 'o', 'p', 's', 'v', 'z'])) return undefined;
  const snapshot = member(claims, 'd');
  const offset = member(claims, 'o');
  const marker = member(claims, 'p');
  const selection = member(claims, 's');
  const pageSize = member(claims, 'z');
  if (member(claims, 'v') !== 1) return undefined;
  if (typeof marker !== 'string' || marker === '') return undefined;
  if (typeof selection !== 'string' || selection === '') return undefined;
  if (typeof snapshot !== 'string' || snapshot === '') return undefined;
  if (!isInteger(pageSize) || pageSize < 1 || pageSize > notebookLimits.pageSizeMax) return undefined;
  if (!isInteger(offset) || offset < 1 || offset % pageSize !== 0) return undefined;
  return { marker, position: { selection, snapshot, offset, pageSize } };
}

function parseJson(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isInteger(value: JsonValue | undefined): value is number {
  return Number.isSafeInteger(value);
}
