import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../base/json.ts';
import { parseCanonicalReference, parseReference } from './parse-reference.ts';

const canonical = {
  schema_version: 2,
  scope: 'project',
  namespace_id: 'demo',
  collection_id: 'decisions',
  id: `mem_${'0'.repeat(31)}f`,
} as const;
const legacy = { schema_version: 1, scope: 'project', id: 'Old.note_1-2' } as const;

/** The failing field, after checking the rest of the failure. */
function fieldOf(value: JsonValue | undefined, parse: typeof parseReference = parseReference): string | undefined {
  const result = parse(value);
  if (result.ok) throw new Error('The reference was accepted.');
  expect(result.failure).toMatchObject({ status: 'invalid_request', code: 'invalid_reference' });
  return result.failure.field;
}

describe('a reference', () => {
  test('NR1 both versions parse to exactly their keys', () => {
    expect(parseReference(canonical)).toEqual({ ok: true, value: canonical });
    expect(parseCanonicalReference(canonical)).toEqual({ ok: true, value: canonical });
    const collectionless = { ...canonical, collection_id: null };
    expect(parseCanonicalReference(collectionless)).toEqual({ ok: true, value: collectionless });
    expect(parseReference(legacy)).toEqual({ ok: true, value: legacy });
    expect(parseReference({ ...legacy, id: '..' })).toEqual({ ok: true, value: { ...legacy, id: '..' } });
  });

  test('NR1 keys are answered in published order, whatever the order given', () => {
    const result = parseReference({
      id: canonical.id,
      collection_id: null,
      scope: 'self',
      namespace_id: 'a',
      schema_version: 2,
    });
    expect(result.ok && Object.keys(result.value)).toEqual(Object.keys(canonical));
  });

  test('NR2 a wrong version, a missing key or an unknown key is about the whole reference', () => {
    for (const version of ['2', 3, 0, true, null, [2], 1.5])
      expect(fieldOf({ ...canonical, schema_version: version })).toBe('reference');
    for (const value of [undefined, null, 'text', 2, true, [], [canonical], {}])
      expect(fieldOf(value)).toBe('reference');
    for (const key of Object.keys(canonical)) {
      const { [key]: _, ...rest } = canonical as Readonly<Record<string, JsonValue>>;
      expect(fieldOf(rest)).toBe('reference');
    }
    expect(fieldOf({ ...canonical, extra: null })).toBe('reference');
    expect(fieldOf({ ...legacy, namespace_id: 'demo' })).toBe('reference');
    expect(fieldOf({ ...canonical, schema_version: 1 })).toBe('reference');
    expect(fieldOf({ ...legacy, schema_version: 2 })).toBe('reference');
    expect(fieldOf(JSON.parse('{"schema_version":1,"scope":"self","__proto__":{"id":"a"}}'))).toBe('reference');
  });

  test('NR3 values are checked in order: scope, namespace_id, collection_id, id', () => {
    const wrong = { schema_version: 2, scope: 'all', namespace_id: 'A', collection_id: 1, id: 'x' };
    expect(fieldOf(wrong)).toBe('reference.scope');
    expect(fieldOf({ ...wrong, scope: 'self' })).toBe('reference.namespace_id');
    expect(fieldOf({ ...wrong, scope: 'self', namespace_id: 'a' })).toBe('reference.collection_id');
    expect(fieldOf({ ...wrong, scope: 'self', namespace_id: 'a', collection_id: null })).toBe('reference.id');
    expect(fieldOf({ schema_version: 1, scope: 'Self', id: '' })).toBe('reference.scope');
    expect(fieldOf({ schema_version: 1, scope: 'self', id: '' })).toBe('reference.id');
  });

  test('NR3 an inherited word is no scope', () => {
    for (const scope of ['toString', '__proto__', 'constructor', null, ['self']]) {
      expect(fieldOf({ ...canonical, scope })).toBe('reference.scope');
    }
  });

  test('NR4 ids have the exact form of their version', () => {
    const hex = '0123456789abcdef'.repeat(2);
    const wrongIds = [
      '',
      `mem_${hex.toUpperCase()}`,
      `mem_${hex}0`,
      `mem_${hex.slice(1)}`,
      hex,
      ` mem_${hex}`,
      `mem_${hex}\n`,
      'a',
      7,
      null,
    ];
    for (const id of wrongIds) expect(fieldOf({ ...canonical, id })).toBe('reference.id');
    expect(parseReference({ ...legacy, id: 'x'.repeat(100) }).ok).toBe(true);
    for (const id of ['', 'x'.repeat(101), 'a/b', 'a b', 'é', 'a\n', 1, null])
      expect(fieldOf({ ...legacy, id })).toBe('reference.id');
    for (const namespace_id of [null, '', 'Demo', '..', 'a/b', 1]) {
      expect(fieldOf({ ...canonical, namespace_id })).toBe('reference.namespace_id');
    }
    for (const collection_id of ['', '..', 'a/b', false])
      expect(fieldOf({ ...canonical, collection_id })).toBe('reference.collection_id');
  });

  test('NR5 a legacy reference changes nothing', () => {
    expect(fieldOf(legacy, parseCanonicalReference)).toBe('reference');
  });
});
