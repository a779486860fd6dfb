/**
 * Schemas against parsers: what a parser takes, both published forms take too, so a client that checks a call before
 * sending it never holds back a good one. Texts are generated up to the published lengths; padding that only
 * normalisation takes off again is the one case in which a parser takes more.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src/base/json.ts';
import { callerOrigins, memoryKinds, namespaceKinds, scopes } from '../../src/memory/notebook/vocabulary.ts';
import type { ToolOperation } from '../../src/operations/operation.ts';
import { notebookRows as table } from '../../src/operations/table.ts';

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
const rows = table.map((row) => [row.tool.name, row] as const);

test.each(rows)('TS19 the example of %s fits both input forms and the result schema', (_name, row) => {
  const { composedInput, portableInput, output } = row.tool;
  expect(errorsOf(composedInput, row.example.input)).toEqual([]);
  expect(errorsOf(portableInput, row.example.input)).toEqual([]);
  if (output !== undefined) expect(errorsOf(output, row.example.output)).toEqual([]);
});

const scope = fc.constantFrom(...scopes, ...scopes, 'elsewhere');
const identifier = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'atlas', 'null', '0', 'a--b_c', 'x'.repeat(64)) },
  { weight: 1, arbitrary: fc.constantFrom('', '-a', 'A', 'x'.repeat(65), ' a') },
);
const collectionId = fc.oneof(identifier, fc.constant(null));
const text = (charsMax: number) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }) },
    { weight: 2, arbitrary: fc.constantFrom('plain', ' padded ', 'line\r\nline', '😀'.repeat(charsMax)) },
    { weight: 1, arbitrary: fc.constantFrom('', '  ', 'x'.repeat(charsMax + 1)) },
  );
const nullableText = (charsMax: number) => fc.oneof(text(charsMax), fc.constant(null));
const tags = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.array(fc.constantFrom('a', 'B', 'b', 'ü', '😀'.repeat(50), 'two words'), { maxLength: 3 }),
  },
  { weight: 1, arbitrary: fc.array(text(50), { maxLength: 11 }) },
);
const memoryId = fc.constantFrom('mem_00000000000000000000000000000001', 'mem_0', 'old.record');
const version = fc.constantFrom(2, 2, 2, 1, '2', 3);
const canonical = fc.record(
  { schema_version: version, scope, namespace_id: identifier, collection_id: collectionId, id: memoryId },
  { requiredKeys: ['schema_version', 'scope', 'id'] },
);
const legacy = fc.record({
  schema_version: fc.constant(1),
  scope,
  id: fc.constantFrom('..', 'old', 'x'.repeat(100), '/'),
});
const wholeCanonical = fc.record({
  schema_version: fc.constant(2),
  scope: fc.constantFrom(...scopes),
  namespace_id: fc.constantFrom('a', 'atlas'),
  collection_id: fc.constantFrom('decisions', null),
  id: fc.constant('mem_00000000000000000000000000000001'),
});
const reference = fc.oneof({ weight: 4, arbitrary: wholeCanonical }, { weight: 1, arbitrary: canonical });
const revision = fc.constantFrom(1, 1, 7, 0, '1', null);
const change = fc.record({ reference, expected_revision: revision });

const kindsByScope = fc.constantFrom(
  ['self', 'aspect', 'attribute'],
  ['relationship', 'group', 'perspective'],
  ['relationship', 'person', 'summary'],
  ['preference', 'domain', 'preference'],
  ['practice', 'domain', 'practice'],
  ['project', 'project', 'decision'],
  ['project', 'project', 'event'],
  ['knowledge', 'topic', 'reference'],
);
const occurredAt = fc.constantFrom(
  '2026-07-20T15:00:00Z',
  '9999-12-31T23:59:59Z',
  '2026-02-30T15:00:00Z',
  '2026-07-20 15:00',
  null,
);
const remember = fc
  .record({
    fitting: fc.oneof(
      { weight: 4, arbitrary: kindsByScope },
      { weight: 1, arbitrary: fc.tuple(scope, fc.constantFrom(...namespaceKinds), fc.constantFrom(...memoryKinds)) },
    ),
    namespaceId: fc.oneof({ weight: 3, arbitrary: fc.constant('atlas') }, { weight: 1, arbitrary: identifier }),
    label: nullableText(100),
    collection: fc.oneof(fc.constant(null), fc.record({ id: identifier, label: nullableText(100) })),
    language: fc.constantFrom(null, 'en', 'PT-br', ' de ', 'x', 7),
    title: nullableText(200),
    content: text(4000),
    tags,
    origin: fc.constantFrom(...callerOrigins, ...callerOrigins, 'manual'),
    fitsKind: fc.constantFrom(true, true, true, false),
    occurredAt,
  })
  .map(({ fitting: [scopeWord, namespaceKind, kind], namespaceId, label, fitsKind, occurredAt: time, ...rest }) => ({
    scope: scopeWord,
    namespace: { kind: namespaceKind, id: namespaceId, label },
    kind,
    ...rest,
    // Mostly there exactly for events, now and then the other way round.
    ...((kind === 'event') === fitsKind ? { occurred_at: time } : {}),
  }));

const corpora: readonly (readonly [string, fc.Arbitrary<unknown>])[] = [
  ['list_tools', fc.constant({})],
  ['memory_recall', fc.record({ query: text(1000), scope, tags }, { requiredKeys: ['query', 'scope'] })],
  [
    'memory_list',
    fc.record(
      {
        scope,
        namespace_id: identifier,
        collection_id: collectionId,
        page_size: fc.constantFrom(1, 50, 100, 101, 0, '5', null),
        cursor: fc.constantFrom('abc.def', 'x'.repeat(4096), '', null),
      },
      { requiredKeys: ['scope'] },
    ),
  ],
  ['memory_inspect', fc.record({ reference: fc.oneof(reference, legacy) })],
  ['memory_archive', change],
  ['memory_restore', change],
  ['memory_forget', change],
  ['memory_remember', remember],
  [
    'memory_revise',
    fc.record(
      {
        reference,
        expected_revision: fc.constantFrom(1, 2, 3, 0),
        namespace_label: nullableText(100),
        collection_label: nullableText(100),
        title: nullableText(200),
        content: text(4000),
        tags,
      },
      { requiredKeys: ['reference', 'expected_revision', 'namespace_label', 'title', 'content', 'tags'] },
    ),
  ],
];

test('TS20 every tool has a corpus', () => {
  expect(corpora.map(([name]) => name).sort()).toEqual(table.map((row) => row.tool.name).sort());
});

test.each(corpora)('TS20 %s, seed 5: what the parser takes, both input forms take', (name, corpus) => {
  const row = rowOf(name);
  const forms = [ajv.compile(row.tool.composedInput), ajv.compile(row.tool.portableInput)];
  let taken = 0;
  let refused = 0;
  fc.assert(
    fc.property(corpus, (generated) => {
      const input = toJson(generated);
      if (!row.parse(input).ok) {
        refused += 1;
        return;
      }
      taken += 1;
      for (const form of forms) {
        form(input);
        expect(form.errors ?? []).toEqual([]);
      }
    }),
    { seed: 5, numRuns: 1500 },
  );
  expect(taken).toBeGreaterThan(100);
  if (name !== 'list_tools') expect(refused).toBeGreaterThan(100);
});

const decoys: readonly (readonly [string, JsonObject])[] = [
  ['memory_list', { scope: 'self', collection_id: null }],
  ['memory_list', { scope: 'self', cursor: 'a.b', page_size: 5 }],
  ['memory_list', { scope: 'self', namespace_id: null }],
  ['memory_inspect', { reference: { schema_version: 1, scope: 'self', id: 'a', collection_id: null } }],
  ['memory_inspect', { reference: { schema_version: 2, scope: 'self', id: 'mem_00000000000000000000000000000001' } }],
  ['memory_remember', { ...rowOf('memory_remember').example.input, kind: 'attribute' }],
  ['memory_remember', { ...rowOf('memory_remember').example.input, kind: 'event' }],
  ['memory_remember', { ...rowOf('memory_remember').example.input, occurred_at: '2026-07-20T15:00:00Z' }],
  ['memory_remember', { ...rowOf('memory_remember').example.input, scope: 'self' }],
];

test.each(decoys)('TS21 the branches of %s refuse what the parser refuses: %j', (name, input) => {
  const row = rowOf(name);
  expect(row.parse(input).ok).toBe(false);
  expect(errorsOf(row.tool.composedInput, input)).not.toEqual([]);
});

test.each([
  { scope: 'self' },
  { scope: 'self', page_size: 5 },
  { scope: 'self', cursor: 'a.b' },
  { scope: 'self', namespace_id: 'a' },
  { scope: 'self', namespace_id: 'a', collection_id: null, page_size: 5 },
  { scope: 'self', namespace_id: 'a', collection_id: 'b', cursor: 'a.b' },
])('TS21 exactly one branch of memory_list holds for %j', (input) => {
  const branches = rowOf('memory_list').tool.composedInput['oneOf'];
  if (!Array.isArray(branches)) throw new Error('no branches');
  const holding = branches.filter((branch) => isJsonObject(branch) && errorsOf(branch, input).length === 0);
  expect(branches).toHaveLength(4);
  expect(holding).toHaveLength(1);
});

function rowOf(name: string): ToolOperation {
  const row = table.find(({ tool }) => tool.name === name);
  if (row === undefined) throw new Error(`no tool ${name}`);
  return row;
}

function errorsOf(schema: JsonObject, value: unknown): readonly unknown[] {
  const validate = ajv.compile(schema);
  validate(value);
  return validate.errors ?? [];
}

function toJson(value: unknown): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  if (!isJsonObject(copy)) throw new Error('not an object');
  return copy;
}
