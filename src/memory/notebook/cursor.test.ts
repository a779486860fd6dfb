import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outcome } from '../../../test/notebook/temporary-notebook.ts';
import {
  type CursorPosition,
  type CursorSecret,
  createCursorSecret,
  decodeCursor,
  digestSelection,
  digestSnapshot,
  encodeCursor,
} from './cursor.ts';
import type { Result } from './outcome.ts';
import type { Selection } from './store.ts';

const secret = createCursorSecret();
const position: CursorPosition = { selection: 'a'.repeat(64), snapshot: 'b'.repeat(64), offset: 6, pageSize: 3 };
const cursor = encodeCursor(secret, position);
const [payloadPart = '', macPart = ''] = cursor.split('.');
const payload = Buffer.from(payloadPart, 'base64url').toString();

function decoded(text: string): string {
  return outcomeOfDecoding(decodeCursor(secret, text));
}

function outcomeOfDecoding(result: Result<CursorPosition>): string {
  return outcome(result.ok ? { ok: true, value: { status: 'ok' } } : result);
}

/** A cursor with any payload at all and a mac that fits it. */
function signed(text: string): string {
  const purpose = 'mnemosyne notebook listing, mac\n';
  const mac = createHmac('sha256', secret.key).update(purpose).update(text).digest();
  return `${Buffer.from(text).toString('base64url')}.${mac.toString('base64url')}`;
}

function withMembers(changes: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...(JSON.parse(payload) as Record<string, unknown>), ...changes });
}

const invalid = 'invalid_request/invalid_cursor@cursor';

test('NC5 a cursor is an unpadded pair, its payload compact with sorted keys, and it comes back as it was', () => {
  expect(cursor).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/);
  expect(cursor.length).toBeLessThan(500);
  const expected = { d: position.snapshot, o: 6, p: secret.marker, s: position.selection, v: 1, z: 3 };
  expect(payload).toBe(JSON.stringify(expected));
  expect(signed(payload)).toBe(cursor);
  expect(decodeCursor(secret, cursor)).toEqual({ ok: true, value: position });
});

test.each([
  ['no mac', payloadPart],
  ['an empty mac', `${payloadPart}.`],
  ['an empty payload', `.${macPart}`],
  ['three parts', `${cursor}.${macPart}`],
  ['padding', `${payloadPart}=.${macPart}`],
  ['a foreign letter', `${payloadPart}+.${macPart}`],
  ['a line end', `${cursor}\n`],
  ['a mac of another length', `${payloadPart}.${macPart.slice(0, 40)}`],
  ['a mac with stray bits', `${payloadPart}.${macPart.slice(0, 42)}${macPart.endsWith('B') ? 'C' : 'B'}`],
  ['a mac of something else', `${payloadPart}.${Buffer.alloc(32).toString('base64url')}`],
  ['a payload that is no JSON', signed('{')],
  ['a payload that is no object', signed('[1]')],
  ['a member less', signed(withMembers({ v: undefined }))],
  ['a member more', signed(withMembers({ x: 1 }))],
  ['another version', signed(withMembers({ v: 2 }))],
  ['a version in words', signed(withMembers({ v: '1' }))],
  ['an offset of 0', signed(withMembers({ o: 0 }))],
  ['an offset inside a page', signed(withMembers({ o: 4 }))],
  ['an offset that is no integer', signed(withMembers({ o: 4.5, z: 1.5 }))],
  ['a page size of 0', signed(withMembers({ z: 0 }))],
  ['a page size of 101', signed(withMembers({ o: 101, z: 101 }))],
  ['a digest that is no text', signed(withMembers({ d: 1 }))],
  ['a selection that is no text', signed(withMembers({ s: null }))],
  ['a marker that is no text', signed(withMembers({ p: 1 }))],
])('NC6 %s is invalid', (_, text) => {
  expect(decoded(text)).toBe(invalid);
});

test('NC7 a foreign marker is stale whatever the mac is, but only after the form', () => {
  const foreign = withMembers({ p: 'f'.repeat(32) });
  const forged = Buffer.from(foreign).toString('base64url');
  expect(decoded(signed(foreign))).toBe('conflict/stale_cursor');
  expect(decoded(`${forged}.${macPart}`)).toBe('conflict/stale_cursor');
  expect(decoded(`${forged}.${macPart.slice(0, 40)}`)).toBe('conflict/stale_cursor');
  expect(decoded(`${payloadPart}.${macPart.slice(0, 40)}`)).toBe(invalid);
  expect(decoded(`${forged}.${macPart}=`)).toBe(invalid);
  expect(decoded(signed(withMembers({ p: 'f'.repeat(32), o: 0 })))).toBe(invalid);
});

test('NC8 no changed character of a cursor passes', () => {
  fc.assert(
    fc.property(fc.nat(cursor.length - 1), fc.constantFrom(...'ABCDabcd0189_-.'), (index, character) => {
      fc.pre(cursor[index] !== character);
      const changed = cursor.slice(0, index) + character + cursor.slice(index + 1);
      expect([invalid, 'conflict/stale_cursor']).toContain(decoded(changed));
    }),
    { seed: 5, numRuns: 500 },
  );
});

test('NC9 different selections, snapshots and keys have different digests', () => {
  const scope = 'project';
  const namespaceId = 'a';
  const selections: readonly Selection[] = [
    { kind: 'scope', scope },
    { kind: 'scope', scope: 'self' },
    { kind: 'namespace', scope, namespaceId },
    { kind: 'namespace', scope, namespaceId: 'b' },
    { kind: 'level', scope, namespaceId, collectionId: null },
    { kind: 'level', scope, namespaceId, collectionId: 'null' },
    { kind: 'level', scope, namespaceId, collectionId: 'a' },
  ];
  const other: CursorSecret = createCursorSecret();
  const digests = [
    ...selections.map((selection) => digestSelection(secret, selection)),
    ...selections.map((selection) => digestSelection(other, selection)),
    digestSnapshot(secret, []),
    digestSnapshot(secret, ['a']),
    digestSnapshot(secret, ['a', 'b']),
    digestSnapshot(secret, ['b', 'a']),
    digestSnapshot(secret, [JSON.stringify([scope, null, 'all', null])]),
  ];
  expect(new Set(digests).size).toBe(digests.length);
  expect(digests.every((digest) => /^[0-9a-f]{64}$/.test(digest))).toBe(true);
});
