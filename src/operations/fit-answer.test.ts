import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { codeRequestLimits } from '../base/limits.ts';
import { fitted, offsetOf } from './fit-answer.ts';
import { asciiJson } from './tool-result.ts';

const bytesMax = 400;
/** Some need six bytes for each of their characters. */
const items = fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { maxLength: 60 });

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (!Array.isArray(value)) throw new Error('no list');
  return value;
}

test('CM2 seed 7: windows fit, and one after the other they show every item of every list once and in order', () => {
  fc.assert(
    fc.property(items, items, (left, right) => {
      const shape = (offset: number): JsonObject =>
        fitted((window) => ({ note: 'x', left: window(left), right: window(right) }), offset, bytesMax);
      const seen: { left: JsonValue[]; right: JsonValue[] } = { left: [], right: [] };
      let offset: JsonValue | undefined = 0;
      for (let windows = 0; typeof offset === 'number'; windows += 1) {
        expect(windows).toBeLessThan(61);
        const shown = shape(offset);
        expect(asciiJson(shown).length).toBeLessThanOrEqual(bytesMax);
        expect(shown['truncated']).toBe(shown['next_offset'] !== null);
        seen.left.push(...listOf(shown['left']));
        seen.right.push(...listOf(shown['right']));
        offset = shown['next_offset'];
      }
      expect(seen).toEqual({ left, right });
    }),
    { seed: 7, numRuns: 300 },
  );
});

test('CM2 as many items are shown as fit, not fewer', () => {
  const list = Array.from({ length: 500 }, (_, index) => `item ${index}`);
  const shown = fitted((window) => ({ list: window(list) }), 0, bytesMax);
  const count = listOf(shown['list']).length;
  const more = { ...shown, list: list.slice(0, count + 1), next_offset: count + 1 };
  expect(asciiJson(more).length).toBeGreaterThan(bytesMax);
});

test('CM2 an item that is too large by itself is shown alone, so that reading on always ends', () => {
  const list = ['x'.repeat(1_000), 'y'];
  const first = fitted((window) => ({ list: window(list) }), 0, bytesMax);
  expect(first).toMatchObject({ list: [list[0]], truncated: true, next_offset: 1 });
  expect(fitted((window) => ({ list: window(list) }), 1, bytesMax)).toEqual({
    list: ['y'],
    truncated: false,
    next_offset: null,
  });
});

test('CM2 an answer that its own limit has cut stays truncated, and an offset past the end shows nothing', () => {
  const shape = { truncated: true, list: ['a'] };
  expect(fitted((window) => ({ ...shape, list: window(shape.list) }), 0)).toEqual({ ...shape, next_offset: null });
  expect(fitted((window) => ({ list: window(['a']) }), 9)).toEqual({ list: [], truncated: false, next_offset: null });
  expect([offsetOf({}), offsetOf({ offset: 3 }), offsetOf({ offset: null })]).toEqual([0, 3, 0]);
  expect(codeRequestLimits.toolAnswerBytesMax).toBe(24 * 1024);
});
