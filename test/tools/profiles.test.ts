/** The two forms of each input schema: what each publishes, and that both mean the same types at every place. */
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../../src/base/json.ts';
import { memoryKinds, namespaceKinds, scopes, vocabulary } from '../../src/memory/notebook/vocabulary.ts';
import { notebookRows as table } from '../../src/operations/table.ts';

const rows = table.map((row) => [row.tool.name, row.tool] as const);

/** Follows keys and indexes; fails the test where the way ends. */
function at(value: JsonValue | undefined, ...way: readonly (string | number)[]): JsonValue {
  const [step, ...rest] = way;
  if (value === undefined) throw new Error(`nothing at ${String(step)}`);
  if (step === undefined) return value;
  if (typeof step === 'number') return at(Array.isArray(value) ? value[step] : undefined, ...rest);
  return at(isJsonObject(value) ? member(value, step) : undefined, ...rest);
}

function schemas(name: string): { readonly composed: JsonObject; readonly portable: JsonObject } {
  const tool = table.find((row) => row.tool.name === name)?.tool;
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return { composed: tool.composedInput, portable: tool.portableInput };
}

function keysOf(value: JsonValue): readonly string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}

test.each(rows)('TS7 both forms of %s admit the same JSON types at every place', (name, tool) => {
  const portable = typesByPlace(tool.portableInput);
  if (name === 'memory_recall') portable.delete('$.namespace_id');
  expect(Object.fromEntries(typesByPlace(tool.composedInput))).toEqual(Object.fromEntries(portable));
});

test.each(rows)('TS8 both forms of %s refuse further arguments and require the same ones', (_name, tool) => {
  for (const schema of [tool.composedInput, tool.portableInput]) {
    expect(at(schema, 'type')).toBe('object');
    expect(at(schema, 'additionalProperties')).toBe(false);
    expect(member(schema, 'required')).toEqual(member(tool.composedInput, 'required'));
  }
});

describe('composed', () => {
  test('TS9 recall publishes exactly query, scope and tags; portable adds namespace_id', () => {
    const { composed, portable } = schemas('memory_recall');
    expect(composed).toMatchObject({
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 1000 },
        scope: { type: 'string', enum: [...scopes] },
        tags: {
          type: 'array',
          minItems: 1,
          maxItems: 10,
          uniqueItems: true,
          items: { type: 'string', minLength: 1, maxLength: 50 },
        },
      },
      required: ['query', 'scope'],
    });
    expect(keysOf(at(composed, 'properties'))).toEqual(['query', 'scope', 'tags']);
    expect(keysOf(at(portable, 'properties'))).toEqual(['query', 'scope', 'tags', 'namespace_id']);
    expect(table.find((row) => row.tool.name === 'memory_recall')?.tool.description).toContain('namespace_id');
  });

  test('TS10 list publishes five flat properties and four branches', () => {
    const { composed } = schemas('memory_list');
    const names = ['scope', 'namespace_id', 'collection_id', 'page_size', 'cursor'];
    expect(keysOf(at(composed, 'properties'))).toEqual(names);
    expect(composed).toMatchObject({
      properties: {
        collection_id: { type: ['string', 'null'] },
        page_size: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
        cursor: { type: 'string', minLength: 1, maxLength: 4096 },
      },
      required: ['scope'],
      oneOf: [
        { required: ['scope'] },
        { required: ['scope', 'namespace_id'] },
        { required: ['scope', 'cursor'] },
        { required: ['scope', 'namespace_id', 'cursor'] },
      ],
    });
  });

  test('TS11 inspect publishes a canonical and a legacy branch, in portable form one flat object', () => {
    const { composed, portable } = schemas('memory_inspect');
    expect(at(composed, 'properties', 'reference', 'oneOf')).toMatchObject([
      {
        properties: { schema_version: { const: 2 } },
        required: ['schema_version', 'scope', 'namespace_id', 'collection_id', 'id'],
        additionalProperties: false,
      },
      {
        properties: { schema_version: { const: 1 } },
        required: ['schema_version', 'scope', 'id'],
        additionalProperties: false,
      },
    ]);
    expect(at(portable, 'properties', 'reference')).toMatchObject({
      type: 'object',
      required: ['schema_version', 'scope', 'id'],
      additionalProperties: false,
    });
  });

  test.each(['memory_archive', 'memory_restore', 'memory_forget'])(
    'TS12 %s publishes exactly a canonical reference without branches and a revision',
    (name) => {
      const { composed } = schemas(name);
      expect(keysOf(at(composed, 'properties'))).toEqual(['reference', 'expected_revision']);
      expect(composed).toMatchObject({
        properties: {
          reference: {
            type: 'object',
            properties: { schema_version: { const: 2 } },
            required: ['schema_version', 'scope', 'namespace_id', 'collection_id', 'id'],
            additionalProperties: false,
          },
          expected_revision: { type: 'integer', minimum: 1 },
        },
        required: ['reference', 'expected_revision'],
      });
      expect(JSON.stringify(composed)).not.toMatch(/"(oneOf|anyOf|allOf)"/);
    },
  );

  test('TS13 remember publishes ten flat properties, nine required, and one branch for each scope', () => {
    const { composed } = schemas('memory_remember');
    const nine = ['scope', 'namespace', 'collection', 'kind', 'language', 'title', 'content', 'tags', 'origin'];
    expect(keysOf(at(composed, 'properties'))).toEqual([...nine, 'occurred_at']);
    expect(at(composed, 'required')).toEqual(nine);
    expect(at(composed, 'properties', 'kind', 'enum')).toEqual([...memoryKinds]);
    expect(at(composed, 'properties', 'namespace', 'properties', 'kind', 'enum')).toEqual([...namespaceKinds]);
    expect(at(composed, 'oneOf')).toHaveLength(6);
    for (const [index, scope] of scopes.entries()) {
      const branch = at(composed, 'oneOf', index);
      expect(branch).toMatchObject({
        properties: {
          scope: { const: scope },
          namespace: { properties: { kind: { enum: [...vocabulary[scope].namespaceKinds] } } },
          kind: { enum: [...vocabulary[scope].kinds.keys()] },
        },
        required: nine,
        additionalProperties: false,
      });
      expect(keysOf(at(branch, 'properties'))).toEqual(scope === 'project' ? [...nine, 'occurred_at'] : nine);
    }
  });

  test('TS14 revise publishes nullable texts as pairs of types and its limits', () => {
    const { composed } = schemas('memory_revise');
    expect(composed).toMatchObject({
      properties: {
        namespace_label: { type: ['string', 'null'], maxLength: 100 },
        collection_label: { type: ['string', 'null'], maxLength: 100 },
        title: { type: ['string', 'null'], maxLength: 200 },
        content: { type: 'string', minLength: 1, maxLength: 4000 },
        tags: { type: 'array', minItems: 0, maxItems: 10, uniqueItems: true, items: { type: 'string', maxLength: 50 } },
      },
      required: ['reference', 'expected_revision', 'namespace_label', 'title', 'content', 'tags'],
    });
    expect(keysOf(at(composed, 'properties'))).toHaveLength(7);
  });
});

describe('guidance', () => {
  test.each(['composed', 'portable'] as const)('TS15 %s: kind groups the advice of every scope', (form) => {
    const kind = at(schemas('memory_remember')[form], 'properties', 'kind', 'description');
    for (const scope of scopes) {
      const advice = [...vocabulary[scope].kinds].map(([name, line]) => `${name} = ${line}`).join(' ');
      expect(kind).toContain(`${scope}: ${advice}`);
    }
  });

  test('TS15 a branch of remember shows the advice of its own scope alone', () => {
    for (const [index, scope] of scopes.entries()) {
      const kind = at(schemas('memory_remember').composed, 'oneOf', index, 'properties', 'kind', 'description');
      for (const other of scopes) {
        for (const line of vocabulary[other].kinds.values()) {
          if (other === scope) expect(kind).toContain(line);
          else expect(kind).not.toContain(line);
        }
      }
    }
  });

  test('TS16 portable: namespace names the kinds of each scope, occurred_at says when it is sent', () => {
    const properties = at(schemas('memory_remember').portable, 'properties');
    for (const scope of scopes) {
      expect(at(properties, 'namespace', 'description')).toContain(
        `${scope}: ${vocabulary[scope].namespaceKinds.join(', ')}`,
      );
    }
    expect(at(properties, 'occurred_at', 'description')).toMatch(/Required when .* kind is event; leave the key out/);
    expect(at(properties, 'origin', 'description')).toContain('not consent');
  });

  test('TS17 each property of list says with what it may be combined', () => {
    const properties = at(schemas('memory_list').portable, 'properties');
    expect(at(properties, 'collection_id', 'description')).toContain('Only together with namespace_id');
    expect(at(properties, 'page_size', 'description')).toContain('never together with cursor');
    expect(at(properties, 'cursor', 'description')).toContain('leave page_size out');
  });

  test('TS18 limits too large for portable schemas stand in the descriptions', () => {
    expect(at(schemas('memory_recall').portable, 'properties', 'query', 'description')).toContain('1000');
    expect(at(schemas('memory_remember').portable, 'properties', 'content', 'description')).toContain('4000');
    expect(at(schemas('memory_revise').portable, 'properties', 'content', 'description')).toContain('4000');
  });
});

/** What the type keywords admit at each place; a place with branches admits what itself and some branch admit. */
function typesByPlace(schema: JsonObject, place = '$'): Map<string, readonly string[]> {
  const types = new Map<string, readonly string[]>();
  const own = ownTypes(schema);
  if (own !== undefined) types.set(place, own);
  const properties = member(schema, 'properties');
  for (const name of keysOf(properties ?? null)) {
    const inner = at(properties, name);
    if (isJsonObject(inner)) for (const [key, value] of typesByPlace(inner, `${place}.${name}`)) types.set(key, value);
  }
  const items = member(schema, 'items');
  if (isJsonObject(items)) for (const [key, value] of typesByPlace(items, `${place}[]`)) types.set(key, value);
  const branches = member(schema, 'oneOf');
  if (Array.isArray(branches)) {
    for (const [key, some] of unionOf(branches.filter(isJsonObject).map((branch) => typesByPlace(branch, place)))) {
      const outer = types.get(key);
      types.set(key, outer === undefined ? some : outer.filter((type) => some.includes(type)));
    }
  }
  return types;
}

function unionOf(maps: readonly Map<string, readonly string[]>[]): Map<string, readonly string[]> {
  const union = new Map<string, readonly string[]>();
  for (const map of maps) {
    for (const [key, types] of map) union.set(key, [...new Set([...(union.get(key) ?? []), ...types])].sort());
  }
  return union;
}

function ownTypes(schema: JsonObject): readonly string[] | undefined {
  const type = member(schema, 'type');
  if (type !== undefined) return [type].flat().map(String).sort();
  const fixed = member(schema, 'const');
  const words = fixed === undefined ? member(schema, 'enum') : [fixed];
  return Array.isArray(words) ? [...new Set(words.map((word) => typeof word))].sort() : undefined;
}
