import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseWith } from './parse.ts';

const schema = z.object({
  budget: z.int().min(1).max(200_000).nullable().optional(),
  share: z.number().min(0).max(1).optional(),
  count: z.int().optional(),
  least: z.number().min(0.5).optional(),
  kind: z.enum(['auto', 'code']).optional(),
  only: z.literal(true).optional(),
  tags: z.array(z.string()).max(2).optional(),
  depths: z.array(z.int().min(1).max(5)).min(1).optional(),
  force: z.boolean().optional(),
  day: z.string().regex(/^\d+$/, 'must be a day').optional(),
  inner: z.object({ size: z.int().min(2).max(3) }).optional(),
});

function said(raw: unknown): readonly string[] {
  const parsed = parseWith(schema, raw);
  if (parsed.ok || parsed.failure.code !== 'validation_error') return [];
  return parsed.failure.errors.map(({ loc, msg, type }) => `${loc.join('.')} ${msg} [${type}]`);
}

test('CC16 what is wrong with a field is told in words, with the whole range', () => {
  expect(said({ budget: 0 })).toEqual(['budget must be 1 to 200,000 [greater_than_equal]']);
  expect(said({ budget: 200_001 })).toEqual(['budget must be 1 to 200,000 [less_than_equal]']);
  expect(said({ budget: 1.5 })).toEqual(['budget must be a whole number [int_type]']);
  expect(said({ share: -0.1 })).toEqual(['share must be 0 to 1 [greater_than_equal]']);
  expect(said({ least: 0 })).toEqual(['least must be at least 0.5 [greater_than_equal]']);
  expect(said({ count: 'many' })).toEqual(['count must be a number [number_type]']);
  expect(said({ kind: 'all' })).toEqual(['kind must be one of auto, code [enum]']);
  expect(said({ only: false })).toEqual(['only must be true [enum]']);
  expect(said({ tags: ['a', 'b', 'c'] })).toEqual(['tags must have at most 2 items [less_than_equal]']);
  expect(said({ depths: [] })).toEqual(['depths must have at least 1 item [greater_than_equal]']);
  expect(said({ depths: [1, 9] })).toEqual(['depths.1 must be 1 to 5 [less_than_equal]']);
  expect(said({ inner: { size: 9 } })).toEqual(['inner.size must be 2 to 3 [less_than_equal]']);
  expect(said({ force: 'yes', tags: 'a' })).toEqual([
    'tags must be a list [array_type]',
    'force must be true or false [boolean_type]',
  ]);
});

test('CC16 words that a schema brings stay, and a field that is not there is missing', () => {
  expect(said({ day: 'x' })).toEqual(['day must be a day [string_pattern_mismatch]']);
  expect(said({ inner: {} })).toEqual(['inner.size Field required [missing]']);
});
