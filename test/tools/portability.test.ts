/** The portable profile and all results, held to the rules for schemas that every client takes. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { mcpLimits } from '../../src/base/limits.ts';
import { notebookRows as table } from '../../src/operations/table.ts';
import { lintSchema } from './schema-lint.ts';

const rows = table.map((row) => [row.tool.name, row.tool] as const);

test.each(rows)('TS3 the portable input of %s keeps every portability rule', (_name, tool) => {
  expect(lintSchema(tool.portableInput, { use: 'input' })).toEqual([]);
});

test.each(rows)('TS4 the result of %s is an open object that keeps the same rules', (name, tool) => {
  if (tool.output === undefined) expect(name).toBe('list_tools');
  else expect(lintSchema(tool.output, { use: 'output' })).toEqual([]);
});

test('TS5 all tools of a profile together stay within 40 kB', () => {
  for (const profile of ['portableInput', 'composedInput'] as const) {
    const listed = table.map(({ tool }) => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: tool[profile],
      outputSchema: tool.output,
      annotations: tool.annotations,
    }));
    expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThanOrEqual(mcpLimits.toolListBytesMax);
  }
});

const object = (changes: JsonObject): JsonObject => ({
  type: 'object',
  properties: {},
  required: [],
  additionalProperties: false,
  ...changes,
});
const property = (schema: JsonObject): JsonObject => object({ properties: { a: schema } });
const breaches: readonly (readonly [string, JsonObject])[] = [
  ['root is no object', { type: 'string' }],
  ['$: oneOf is not portable', object({ oneOf: [] })],
  ['$: the root has $schema', object({ $schema: 'x' })],
  ['$.a: $ref is not portable', property({ $ref: '#' })],
  ['$.a: const is not portable', property({ type: 'integer', const: 1 })],
  ['$.a: default is not portable', property({ type: 'integer', default: 1 })],
  ['$.a: pattern is not portable', property({ type: 'string', pattern: '^a$' })],
  ['$.a: uniqueItems is not portable', property({ type: 'array', uniqueItems: true, items: { type: 'string' } })],
  ['$.a: maxLength is more than 500', property({ type: 'string', maxLength: 501 })],
  ['$.a: maxItems is more than 100', property({ type: 'array', maxItems: 101, items: { type: 'string' } })],
  ['$.a: maximum is no small number', property({ type: 'integer', maximum: Number.MAX_SAFE_INTEGER })],
  ['$.a: no single type', property({ enum: ['x'] })],
  ['$.a: no single type', property({ type: ['string', 'integer'] })],
  ['$.a: no single type', property({ type: 'null' })],
  ['$.a: an enum of something other than text', property({ type: 'integer', enum: [1] })],
  ['$.a[]: only a property may be nullable', property({ type: 'array', items: { type: ['string', 'null'] } })],
  ['$.a[]: not a schema object', property({ type: 'array' })],
  ['$.a: an object without properties', property({ type: 'object', required: [], additionalProperties: false })],
  ['$.a: no list of required', property(object({ properties: { b: { type: 'string' } }, required: null }))],
  ['$.a: additional properties', property({ type: 'object', properties: {}, required: [] })],
  ['$: requires a property', object({ required: ['a'] })],
  ['$: the property name __proto__', object({ properties: Object.fromEntries([['__proto__', { type: 'string' }]]) })],
  ['$: the property name aB', object({ properties: { aB: { type: 'string' } } })],
  ['objects nest more than 2', property(property(property(property({ type: 'string' }))))],
  [
    'more than 12 properties',
    object({ properties: Object.fromEntries([...'abcdefghijklm'].map((name) => [name, { type: 'string' }])) }),
  ],
];

test.each(breaches)('TS6 the check of these rules sees a breach: %s', (finding, schema) => {
  expect(lintSchema(schema, { use: 'input' }).join('\n')).toContain(finding);
});

test('TS6 the check of these rules finds nothing wrong with a clean schema', () => {
  expect(lintSchema(property({ type: ['string', 'null'], maxLength: 500 }), { use: 'input' })).toEqual([]);
});
