import { expect, test } from 'vitest';
import { portableOf } from './portable-schema.ts';

test('TS1 root combinators, patterns, defaults, uniqueness and large lengths go; types and small limits stay', () => {
  const portable = portableOf({
    type: 'object',
    properties: {
      id: { type: 'string', minLength: 1, maxLength: 500, pattern: '^a$' },
      text: { type: 'string', maxLength: 501, description: 'Long.' },
      version: { type: 'integer', const: 2 },
      word: { type: 'string', const: 'only' },
      size: { type: 'integer', minimum: 1, default: 5 },
      tags: { type: 'array', uniqueItems: true, maxItems: 3, items: { type: 'string', pattern: 'x' } },
      pattern: { type: 'object', properties: { default: { type: 'string' } }, required: ['default'] },
    },
    required: ['id'],
    additionalProperties: false,
    oneOf: [{ required: ['text'] }],
    anyOf: [],
    allOf: [],
    not: {},
    if: {},
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: {},
    else: {},
  });
  expect(portable).toEqual({
    type: 'object',
    properties: {
      id: { type: 'string', minLength: 1, maxLength: 500 },
      text: { type: 'string', description: 'Long.' },
      version: { type: 'integer', minimum: 2, maximum: 2 },
      word: { type: 'string', enum: ['only'] },
      size: { type: 'integer', minimum: 1 },
      tags: { type: 'array', maxItems: 3, items: { type: 'string' } },
      pattern: { type: 'object', properties: { default: { type: 'string' } }, required: ['default'] },
    },
    required: ['id'],
    additionalProperties: false,
  });
});

test('TS2 what no rule can flatten is refused', () => {
  const property = (schema: Parameters<typeof portableOf>[0]) => ({ type: 'object', properties: { a: schema } });
  expect(() => portableOf(property({ oneOf: [{ type: 'string' }] }))).toThrow('oneOf below the root');
  expect(() => portableOf(property({ type: 'array', items: { anyOf: [] } }))).toThrow('anyOf below the root');
  expect(() => portableOf(property({ const: null }))).toThrow('only integers and strings');
  expect(() => portableOf({ type: 'object', properties: { a: true } })).toThrow('no schema object');
});
