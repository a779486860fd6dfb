/** The arithmetic and the files by which the static table is made, on data small enough to check by hand or in full. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { packTable, weightsOf } from '../../scripts/static-table/pack-table.ts';
import { samplePhrases } from '../../scripts/static-table/phrases.ts';
import { principalComponents } from '../../scripts/static-table/principal-components.ts';
import { applyMap, ridgeRegression } from '../../scripts/static-table/ridge-regression.ts';
import { shapeRows } from '../../scripts/static-table/shape-rows.ts';
import { openVectorFile } from '../../scripts/static-table/vector-file.ts';

const seed = 20261130;
const folder = mkdtempSync(path.join(tmpdir(), 'static-table-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('ET20 the components of points on a line are the line and what stands on it', () => {
  const { mean, directions, variances } = principalComponents(Float32Array.from([1, 2, 4, 6, 7, 10]), 2);
  expect([...mean]).toEqual([4, 6]);
  const [along, across] = directions.map((direction) => [...direction]);
  expect(along?.[0]).toBeCloseTo(0.6, 12);
  expect(along?.[1]).toBeCloseTo(0.8, 12);
  expect(across?.[0]).toBeCloseTo(0.8, 12);
  expect(across?.[1]).toBeCloseTo(-0.6, 12);
  expect(variances[0]).toBeCloseTo(50 / 3, 12);
  expect(variances[1]).toBeCloseTo(0, 12);
});

test(`ET20 directions are of unit length, stand on each other, and give back every row (seed ${seed})`, () => {
  const rowsOf = fc.integer({ min: 1, max: 7 }).chain((dimensions) =>
    fc.tuple(
      fc.constant(dimensions),
      fc.array(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: dimensions, maxLength: dimensions }), {
        minLength: 1,
        maxLength: 12,
      }),
    ),
  );
  fc.assert(
    fc.property(rowsOf, ([dimensions, rows]) => {
      const { mean, directions, variances } = principalComponents(Float32Array.from(rows.flat()), dimensions);
      for (const [i, a] of directions.entries()) {
        for (const [j, b] of directions.entries()) expect(product(a, b)).toBeCloseTo(i === j ? 1 : 0, 9);
        if (i > 0) expect(variances[i]).toBeLessThanOrEqual((variances[i - 1] ?? 0) + 1e-9);
      }
      for (const row of rows) {
        const centred = row.map((value, i) => value - (mean[i] ?? 0));
        const back = centred.map((_, i) =>
          directions.reduce((sum, direction) => sum + product(centred, direction) * (direction[i] ?? 0), 0),
        );
        for (const [i, value] of back.entries()) expect(value).toBeCloseTo(centred[i] ?? 0, 8);
      }
    }),
    { seed, numRuns: 60 },
  );
});

test('ET20 numbers that are not finite are refused', () => {
  expect(() => principalComponents(Float32Array.from([1, Number.NaN, 2, 3]), 2)).toThrow('not finite');
});

test('ET21 a packed row is the projected vector to within half a step, and frequent pieces count less', () => {
  const pieces = ['rare', '##met', 'often'];
  const rows = Float32Array.from([3, 0, 0, 1, -3, -1]);
  const weights = weightsOf(Float64Array.from([0, 0.001, 0.003]), 0.001);
  expect([...weights]).toEqual([1, 0.5, 0.25]);
  const { mean, directions, variances } = principalComponents(rows, 2);
  for (const to of [1, 2]) {
    const { bytes, pieceBytes, varianceKept } = packTable(pieces, rows, weights, 2, to);
    expect(new TextDecoder().decode(bytes.subarray(0, pieceBytes))).toBe('rare\n##met\noften');
    expect(bytes.length).toBe(pieceBytes + 3 * (4 + to));
    const whole = (variances[0] ?? 0) + (variances[1] ?? 0);
    expect(varianceKept).toBeCloseTo(to === 2 ? 1 : (variances[0] ?? 0) / whole, 9);
    const view = new DataView(bytes.buffer);
    for (const [row, weight] of weights.entries()) {
      const centred = [...rows.subarray(row * 2, row * 2 + 2)].map((value, i) => value - (mean[i] ?? 0));
      const projected = directions.slice(0, to).map((direction) => product(centred, direction));
      const step = Math.max(...projected.map(Math.abs)) / 127;
      expect(view.getFloat32(pieceBytes + row * 4, true)).toBeCloseTo(step * weight, 6);
      for (const [i, value] of projected.entries()) {
        const number = view.getInt8(pieceBytes + 12 + row * to + i);
        expect(Math.abs(number * step - value)).toBeLessThanOrEqual(step / 2 + 1e-9);
      }
    }
  }
});

test(`ET23 regression finds the map that made the targets, and holding it back makes it smaller (seed ${seed})`, () => {
  const cell = fc.integer({ min: -5, max: 5 });
  const sizes = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }));
  const cases = sizes.chain(([from, to]) =>
    fc.tuple(
      fc.constant(from),
      fc.constant(to),
      fc.array(cell, { minLength: from * to, maxLength: from * to }),
      fc.array(cell, { minLength: from * 3, maxLength: from * 3 }),
    ),
  );
  fc.assert(
    fc.property(cases, ([from, to, map, drawn]) => {
      // The unit rows make sure that the inputs span their space.
      const units = Array.from({ length: from * from }, (_, i) => (i % (from + 1) === 0 ? 1 : 0));
      const inputs = Float64Array.from([...units, ...drawn]);
      const targets = applyMap(inputs, from, Float64Array.from(map), to);
      const found = ridgeRegression(inputs, from, targets, to, 1e-9);
      for (const [i, value] of found.entries()) expect(value).toBeCloseTo(map[i] ?? 0, 5);
      const held = ridgeRegression(inputs, from, targets, to, 10);
      expect(product(held, held)).toBeLessThanOrEqual(product(map, map) + 1e-9);
    }),
    { seed, numRuns: 60 },
  );
});

test('ET23 rows that do not fit together, and a map that nothing holds back, are refused', () => {
  const rows = new Float64Array(6);
  expect(() => ridgeRegression(rows, 2, new Float64Array(4), 2, 1)).toThrow(RangeError);
  expect(() => ridgeRegression(rows, 4, rows, 4, 1)).toThrow(RangeError);
  expect(() => ridgeRegression(rows, 2, rows, 2, 0)).toThrow(RangeError);
});

test('ET24 rows are turned so that the sum of a phrase points where the model puts the phrase', () => {
  // A phrase is its pieces' sum turned by a quarter, and moved: the map has to find the turn and forget the move.
  const vectors = Float32Array.from([1, 0, 0, 1, -1, 0, 0, -1]);
  const pairs = [[0, 1], [1, 2], [2, 3], [3, 0], [0], [1], [2], [3]];
  const phrases = pairs.map((rows) => {
    const [x, y] = [0, 1].map((i) => rows.reduce((sum, row) => sum + (vectors[row * 2 + i] ?? 0), 0));
    const length = Math.hypot(x ?? 0, y ?? 0);
    return { rows, vector: Float32Array.from([0.5 - (y ?? 0) / length, 0.25 + (x ?? 0) / length]) };
  });
  const shaped = shapeRows(vectors, 2, Float64Array.from([1, 1, 1, 1]), phrases, 1e-9);
  for (const [i, value] of [0, 1, -1, 0, 0, -1, 1, 0].entries()) expect(shaped[i]).toBeCloseTo(value, 5);
});

test('ET25 the phrases are the same on every machine and made of the listed words', () => {
  const words = ['alpha', 'beta', 'gamma', 'x'].map((word, index) => ({ word, occurrences: 10 ** index }));
  const phrases = samplePhrases(words, 500);
  expect(phrases.slice(0, 2)).toMatchInlineSnapshot(`
    [
      "alpha gamma gamma",
      "beta gamma gamma gamma gamma alpha gamma gamma",
    ]
  `);
  expect(samplePhrases(words, 500)).toEqual(phrases);
  const used = phrases.flatMap((phrase) => phrase.split(' '));
  expect(new Set(used)).toEqual(new Set(['alpha', 'beta', 'gamma']));
  const times = (word: string): number => used.filter((other) => other === word).length;
  expect(times('gamma')).toBeGreaterThan(2 * times('beta'));
  expect(times('beta')).toBeGreaterThan(2 * times('alpha'));
  for (const phrase of phrases) expect([3, 4, 5, 6, 7, 8]).toContain(phrase.split(' ').length);
});

test('ET22 an interrupted step 1 goes on with what both of its files hold in whole', () => {
  const kept = path.join(folder, 'vectors');
  const store = openVectorFile(kept, 2);
  store.append(['one', 'zwei'], [Float32Array.from([1, 2]), Float32Array.from([3, 4])]);
  // Killed between the two files: a vector without its text, and then half of the next.
  appendFileSync(path.join(kept, 'vectors.f32'), new Uint8Array(8 + 3));
  appendFileSync(path.join(kept, 'texts.txt'), 'thr');
  const again = openVectorFile(kept, 2);
  expect([again.size, again.has('zwei'), again.has('thr')]).toEqual([2, true, false]);
  again.append(['three'], [Float32Array.from([5, 6])]);
  const last = openVectorFile(kept, 2);
  expect(['one', 'zwei', 'three'].map((text) => [...last.get(text)])).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
  expect(readFileSync(path.join(kept, 'texts.txt'), 'utf8')).toBe('one\nzwei\nthree\n');
  // A text whose vector is not there, as a copy of the folder may have it.
  appendFileSync(path.join(kept, 'texts.txt'), 'four\n');
  expect([openVectorFile(kept, 2).size, openVectorFile(kept, 2).has('four')]).toEqual([3, false]);
  expect(() => last.get('four')).toThrow('no vector for "four"');
});

function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? Number.NaN) * (b[i] ?? Number.NaN);
  return sum;
}
