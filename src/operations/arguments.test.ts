import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { isJsonObject, member } from '../base/json.ts';
import { mcpLimits } from '../base/limits.ts';
import { unwrapStringified } from './arguments.ts';
import type { Schema } from './operation.ts';
import { notebookRows as table } from './table.ts';

function schemaOf(toolName: string): Schema {
  const row = table.find(({ tool }) => tool.name === toolName);
  if (row === undefined) throw new Error(`no tool ${toolName}`);
  return row.tool.composedInput;
}

function unwrap(toolName: string, args: JsonObject): JsonObject {
  return unwrapStringified(schemaOf(toolName), args);
}

const reference = {
  schema_version: 2,
  scope: 'project',
  namespace_id: 'atlas',
  collection_id: 'decisions',
  id: 'mem_00000000000000000000000000000001',
};
const withReference = ['memory_inspect', 'memory_archive', 'memory_restore', 'memory_forget', 'memory_revise'];
const changes = ['memory_archive', 'memory_restore', 'memory_forget', 'memory_revise'];

describe('references', () => {
  test.each(withReference)('TA1 %s: a reference sent as JSON text becomes the object', (tool) => {
    expect(unwrap(tool, { reference: JSON.stringify(reference) })).toEqual({ reference });
  });

  test.each(withReference)('TA2 %s: a reference encoded twice stays the text it was', (tool) => {
    const twice = JSON.stringify(JSON.stringify(reference));
    expect(unwrap(tool, { reference: twice })).toEqual({ reference: twice });
  });

  test.each(withReference)('TA3 %s: nothing inside a decoded reference is decoded again', (tool) => {
    const inner = { ...reference, schema_version: '2' };
    expect(unwrap(tool, { reference: JSON.stringify(inner) })).toEqual({ reference: inner });
  });

  test.each(changes)('TA4 %s: the version in a native reference is decoded, as its schema has no branches', (tool) => {
    expect(unwrap(tool, { reference: { ...reference, schema_version: '2' } })).toEqual({ reference });
  });

  test('TA5 memory_inspect: a version sent as text matches no branch, so it has no schema and stays', () => {
    const args = { reference: { ...reference, schema_version: '2' } };
    expect(unwrap('memory_inspect', args)).toEqual(args);
  });

  test.each(withReference)('TA6 %s: a collection_id of "null" is the id null', (tool) => {
    const args = { reference: { ...reference, collection_id: 'null' } };
    expect(unwrap(tool, args)).toEqual(args);
  });
});

describe('numbers', () => {
  test.each(['1', ' 1 ', '1.0', '1e0'])('TA7 expected_revision %j becomes the number 1', (given) => {
    expect(unwrap('memory_archive', { expected_revision: given })).toEqual({ expected_revision: 1 });
  });

  test.each(['true', 'null', '"1"', 'one', '1.5', '', '[1]', '{"a":1}', 'NaN', 'Infinity', '1e999', '01', '1,'])(
    'TA2 expected_revision %j stays text',
    (given) => {
      expect(unwrap('memory_archive', { expected_revision: given })).toEqual({ expected_revision: given });
    },
  );

  test('TA7 page_size "2" becomes the number 2', () => {
    expect(unwrap('memory_list', { scope: 'self', page_size: '2' })).toEqual({ scope: 'self', page_size: 2 });
  });
});

describe('places that admit text', () => {
  test('TA6 text that looks like JSON stays text where text is allowed', () => {
    const looks = '{"a": 1}';
    const list = { scope: looks, cursor: looks, namespace_id: looks, collection_id: 'null' };
    expect(unwrap('memory_list', list)).toEqual(list);
    const recall = { query: '[1]', scope: '"self"' };
    expect(unwrap('memory_recall', recall)).toEqual(recall);
    const revise = { namespace_label: 'null', collection_label: 'null', title: looks, content: '1', tags: ['[1]'] };
    expect(unwrap('memory_revise', revise)).toEqual(revise);
    const remember = {
      scope: 'project',
      namespace: { kind: '"project"', id: '1', label: 'null' },
      collection: { id: '[]', label: 'null' },
      kind: '"event"',
      language: 'null',
      title: 'null',
      content: looks,
      tags: ['{}', '1'],
      origin: 'null',
      occurred_at: 'null',
    };
    expect(unwrap('memory_remember', remember)).toEqual(remember);
  });

  test('TA1 namespace, collection and tags of a new memory are decoded, with and without a known scope', () => {
    const native = {
      namespace: { kind: 'project', id: 'atlas', label: null },
      collection: { id: 'decisions', label: null },
      tags: ['a', 'b'],
    };
    const texts = {
      namespace: JSON.stringify(native.namespace),
      collection: JSON.stringify(native.collection),
      tags: JSON.stringify(native.tags),
    };
    for (const scope of ['project', 'self', 'elsewhere', 7, null]) {
      expect(unwrap('memory_remember', { scope, ...texts })).toEqual({ scope, ...native });
    }
    expect(unwrap('memory_remember', texts)).toEqual(native);
  });

  test('TA1 a collection sent as the text null becomes null, since no text is allowed there', () => {
    expect(unwrap('memory_remember', { scope: 'project', collection: 'null' })).toEqual({
      scope: 'project',
      collection: null,
    });
  });

  test('TA2 a decoded value of a type that is not allowed stays text', () => {
    const args = { scope: 'project', namespace: '[]', collection: '3', tags: '{}' };
    expect(unwrap('memory_remember', args)).toEqual(args);
    expect(unwrap('memory_recall', { tags: 'leisure' })).toEqual({ tags: 'leisure' });
  });
});

describe('hostile text', () => {
  test('TA8 longer than the limit, deeper than the limit or a number without end: the text stays', () => {
    const longest = JSON.stringify(['x'.repeat(mcpLimits.stringifiedCharsMax - 4)]);
    expect(Array.from(longest).length).toBe(mcpLimits.stringifiedCharsMax);
    expect(unwrap('memory_recall', { tags: longest })).toEqual({ tags: JSON.parse(longest) });
    const astral = JSON.stringify(['😀'.repeat(mcpLimits.stringifiedCharsMax - 4)]);
    expect(unwrap('memory_recall', { tags: astral })).toEqual({ tags: JSON.parse(astral) });
    const deepest = nested(mcpLimits.stringifiedDepthMax);
    expect(unwrap('memory_recall', { tags: deepest })).toEqual({ tags: JSON.parse(deepest) });
    for (const text of [
      `${longest} `,
      ` ${astral}`,
      nested(mcpLimits.stringifiedDepthMax + 1),
      nested(30_000),
      `[${'['.repeat(60_000)}`,
      `[${'1'.repeat(5_000)}]`,
      `[-${'9'.repeat(400)}]`,
    ]) {
      expect(unwrap('memory_recall', { tags: text })).toEqual({ tags: text });
    }
    const digits = '1'.repeat(5_000);
    expect(unwrap('memory_archive', { expected_revision: digits })).toEqual({ expected_revision: digits });
  });

  test('TA9 __proto__ and constructor are ordinary keys, outside and inside', () => {
    const outer: unknown = JSON.parse('{"__proto__": "1", "constructor": "2", "reference": {"__proto__": {"a": "1"}}}');
    if (!isJsonObject(outer)) throw new Error('not an object');
    const unwrapped = unwrap('memory_archive', outer);
    expect(Object.keys(unwrapped)).toEqual(['__proto__', 'constructor', 'reference']);
    expect(member(unwrapped, '__proto__')).toBe('1');
    expect(JSON.stringify(unwrapped)).toBe(JSON.stringify(outer));
    expect(Object.getPrototypeOf(unwrapped)).toBe(Object.prototype);
    const decoded = member(unwrap('memory_archive', { reference: '{"__proto__": {"polluted": true}}' }), 'reference');
    expect(isJsonObject(decoded) && Object.keys(decoded)).toEqual(['__proto__']);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  const json = fc.jsonValue({ maxDepth: 3 });
  const anyArguments = fc.dictionary(
    fc.oneof(
      fc.constantFrom(
        'reference',
        'expected_revision',
        'scope',
        'namespace',
        'collection',
        'tags',
        'page_size',
        'kind',
      ),
      fc.string({ maxLength: 8 }),
    ),
    fc.oneof(
      json,
      json.map((value) => JSON.stringify(value)),
      json.map((value) => JSON.stringify(JSON.stringify(value))),
      fc.record({ schema_version: fc.constantFrom(1, 2, '1', '2'), id: json, scope: fc.constantFrom('self', 'x') }),
    ),
  );

  const tools = table.map(({ tool }) => tool.name);

  test.each(tools)(
    'TA10 %s: seed 7: input is unchanged, keys stay, and a value changes only from text to what the text says',
    (tool) => {
      fc.assert(
        fc.property(anyArguments, (args) => {
          const given = toJson(args);
          const before = JSON.stringify(given);
          const after = unwrap(tool, given);
          expect(JSON.stringify(given)).toBe(before);
          expect(differences(given, after)).toEqual([]);
        }),
        { seed: 7, numRuns: 300 },
      );
    },
  );
});

describe('schemas in general', () => {
  const decodes = (schema: Schema, text: string): boolean =>
    member(unwrapStringified({ type: 'object', properties: { a: schema } }, { a: text }), 'a') !== text;

  test('TA11 type, const, oneOf and anyOf say what is admitted; enums and bounds do not', () => {
    expect(decodes({}, '1')).toBe(false);
    expect(decodes({ enum: [1] }, '1')).toBe(false);
    expect(decodes({ type: 'number', maximum: 0 }, '1')).toBe(true);
    expect(decodes({ type: 'integer' }, '1.5')).toBe(false);
    expect(decodes({ type: 'number' }, '1.5')).toBe(true);
    expect(decodes({ type: ['integer', 'null'] }, 'null')).toBe(true);
    expect(decodes({ type: ['integer', 'string'] }, '1')).toBe(false);
    expect(decodes({ const: 2 }, '9')).toBe(true);
    expect(decodes({ const: 1 }, 'true')).toBe(false);
    expect(decodes({ const: true }, '1')).toBe(false);
    expect(decodes({ const: 'x' }, '1')).toBe(false);
    expect(decodes({ oneOf: [{ type: 'integer' }, { type: 'null' }] }, 'null')).toBe(true);
    expect(decodes({ anyOf: [{ type: 'integer' }, { type: 'string' }] }, '1')).toBe(false);
    expect(decodes({ type: ['integer', 'string'], oneOf: [{ type: 'integer' }] }, '1')).toBe(true);
    expect(decodes({ type: 'integer', anyOf: [{ type: 'null' }] }, '1')).toBe(false);
  });

  test('TA12 branches whose fixed members contradict the arguments are passed over, at any depth', () => {
    const schema: Schema = {
      type: 'object',
      oneOf: [
        { properties: { kind: { const: 'number' }, value: { type: 'integer' } } },
        { properties: { kind: { const: 'text' }, value: { type: 'string' } } },
        { anyOf: [{ properties: { kind: { const: 'list' }, value: { type: 'array', items: { type: 'integer' } } } }] },
      ],
    };
    const value = (kind: JsonValue | undefined, given: JsonValue): JsonValue | undefined =>
      member(unwrapStringified(schema, kind === undefined ? { value: given } : { kind, value: given }), 'value');
    expect(value('number', '1')).toBe(1);
    expect(value('text', '1')).toBe('1');
    expect(value('list', '[1]')).toEqual([1]);
    expect(value('list', ['1', 'x', '[2]'])).toEqual([1, 'x', '[2]']);
    // All three are possible, and one of them admits text.
    expect(value(undefined, '1')).toBe('1');
    expect(value('other', '1')).toBe('1');
  });
});

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

function toJson(value: unknown): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  return isJsonObject(copy) ? copy : {};
}

/** Places where `after` is neither the same nor what the text in `given` says. */
function differences(given: JsonValue, after: JsonValue, at = '$'): readonly string[] {
  if (JSON.stringify(given) === JSON.stringify(after)) return [];
  if (typeof given === 'string') return JSON.stringify(JSON.parse(given)) === JSON.stringify(after) ? [] : [at];
  if (Array.isArray(given) && Array.isArray(after) && given.length === after.length) {
    return given.flatMap((item: JsonValue, index) => differences(item, after[index] ?? null, `${at}[${index}]`));
  }
  if (!isJsonObject(given) || !isJsonObject(after)) return [at];
  if (Object.keys(given).join() !== Object.keys(after).join()) return [at];
  return Object.keys(given).flatMap((key) =>
    differences(member(given, key) ?? null, member(after, key) ?? null, `${at}.${key}`),
  );
}
