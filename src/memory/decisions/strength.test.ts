import fc from 'fast-check';
import { expect, test } from 'vitest';
import { strengthOf, strongCosine, weakNotice } from './strength.ts';

const seed = 20261130;
const nothing = { cosine: null, coverage: 0, exactTitle: false, compared: 100 };

test('EV1 the exact title is strong whatever the model thinks of it', () => {
  expect(strengthOf({ ...nothing, exactTitle: true, cosine: -1 })).toBe('strong');
});

test('EV2 without a model, words alone decide', () => {
  expect(strengthOf({ ...nothing, coverage: 0.41 })).toBe('weak');
  expect(strengthOf({ ...nothing, coverage: 0.42 })).toBe('strong');
});

test('EV3 with a model, words that cover half the question need some nearness in meaning, most of it needs none', () => {
  expect(strengthOf({ ...nothing, coverage: 0.5, cosine: 0.1 })).toBe('weak');
  expect(strengthOf({ ...nothing, coverage: 0.5, cosine: 0.2 })).toBe('strong');
  expect(strengthOf({ ...nothing, coverage: 0.7, cosine: -0.2 })).toBe('strong');
});

test('EV4 the cosine that counts as strong grows with the store, within limits', () => {
  expect(strongCosine(100)).toBeCloseTo(0.332, 10);
  expect(strongCosine(40)).toBeCloseTo(0.312, 3);
  expect(strongCosine(0)).toBe(0.24);
  expect(strongCosine(1_000_000)).toBe(0.4);
  expect(strengthOf({ ...nothing, cosine: 0.32, compared: 40 })).toBe('strong');
  expect(strengthOf({ ...nothing, cosine: 0.32, compared: 200 })).toBe('weak');
});

test(`EV5 more evidence never makes a result weaker (seed ${seed})`, () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const cosine = fc.double({ min: -1, max: 1, noNaN: true });
  fc.assert(
    fc.property(cosine, cosine, share, share, fc.nat(10_000), (c1, c2, v1, v2, compared) => {
      const less = { cosine: Math.min(c1, c2), coverage: Math.min(v1, v2), exactTitle: false, compared };
      const more = { ...less, cosine: Math.max(c1, c2), coverage: Math.max(v1, v2) };
      if (strengthOf(less) === 'strong') expect(strengthOf(more)).toBe('strong');
    }),
    { seed },
  );
});

test('EV6 a notice says that nothing strong was found, and only then', () => {
  expect(weakNotice([])).toBeNull();
  expect(weakNotice([{ strength: 'weak' }, { strength: 'strong' }])).toBeNull();
  expect(weakNotice([{ strength: 'weak' }])).toContain('Nothing strong');
  expect(weakNotice([{ strength: 'weak' }], false)).toContain('left out');
});
