import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearDistance } from './edit-distance.ts';

/** By the definition, without a bound. */
function slowly(one: string, other: string): number {
  if (one === '' || other === '') return one.length + other.length;
  const [a, b] = [one.slice(0, -1), other.slice(0, -1)];
  const ways = [
    slowly(a, other) + 1,
    slowly(one, b) + 1,
    slowly(a, b) + (one.at(-1) === other.at(-1) ? 0 : 1),
    ...(one.length > 1 && other.length > 1 && one.at(-1) === other.at(-2) && one.at(-2) === other.at(-1)
      ? [slowly(one.slice(0, -2), other.slice(0, -2)) + 1]
      : []),
  ];
  return Math.min(...ways);
}

test('CL15: the distance of two words is that of its definition, and endless beyond what is asked for (seed 15)', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 6 }), (one, other, most) => {
      const distance = slowly(one, other);
      expect(editDistance(one, other, most)).toBe(distance > most ? Number.POSITIVE_INFINITY : distance);
    }),
    { seed: 15, numRuns: 2_000 },
  );
});

test('CL15: a word of any length is compared at once', () => {
  const typed = 'x'.repeat(100_000);
  expect(editDistance(typed, 'query', nearDistance(typed.length, 'query'.length))).toBe(Number.POSITIVE_INFINITY);
});
