import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dot, nearest, toUnit } from './vectors.ts';

const seed = 20261130;
const value = fc.float({ min: -1, max: 1, noNaN: true });
const listOf = (dimensions: number) => fc.array(value, { minLength: dimensions, maxLength: dimensions });

test(`EM8 the dot product equals the plain sum for every length (seed ${seed})`, () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 19 }).chain((dimensions) => fc.tuple(listOf(dimensions), listOf(dimensions))),
      ([a, b]) => {
        const plain = a.reduce((sum, x, index) => sum + Math.fround(x) * Math.fround(b[index] ?? 0), 0);
        expect(dot(Float32Array.from(a), Float32Array.from(b))).toBeCloseTo(plain, 6);
      },
    ),
    { seed },
  );
});

test('EM8 vectors of different lengths are refused', () => {
  expect(() => dot(new Float32Array(3), new Float32Array(4))).toThrow(RangeError);
});

test(`EM9 the nearest vectors are those of a full sort, equal scores in the order given (seed ${seed})`, () => {
  // Few distinct numbers, so that equal scores are common.
  const coarse = fc.array(fc.constantFrom(-1, 0, 1), { minLength: 2, maxLength: 2 });
  fc.assert(
    fc.property(fc.array(coarse, { maxLength: 40 }), coarse, fc.integer({ min: 0, max: 12 }), (rows, query, count) => {
      const vectors = rows.map((row) => Float32Array.from(row));
      const of = Float32Array.from(query);
      const sorted = vectors
        .map((vector, index) => ({ index, score: dot(of, vector) }))
        .sort((a, b) => b.score - a.score || a.index - b.index);
      expect(nearest(of, vectors, count)).toEqual(sorted.slice(0, count));
    }),
    { seed },
  );
});

test('EM10 a vector without a direction has no unit form', () => {
  expect(toUnit([0, 0, 0])).toBeNull();
  expect(toUnit([])).toBeNull();
  expect(toUnit([1, Number.NaN])).toBeNull();
  expect(toUnit([Number.POSITIVE_INFINITY, 0])).toBeNull();
  expect(toUnit([3, 4])).toEqual(Float32Array.from([0.6, 0.8]));
});
