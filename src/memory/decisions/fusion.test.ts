import { expect, test } from 'vitest';
import { fuse, poolSize } from './fusion.ts';

const sure = () => 1;

test('DC140 ranks are fused with 1/(60 + rank), ties go to the better single rank, then to the words', () => {
  const fused = fuse(['a', 'b'], ['b', 'c'], sure);
  expect(fused.map(({ id }) => id)).toEqual(['b', 'a', 'c']);
  expect(fused[0]).toEqual({ id: 'b', score: 1 / 62 + 1 / 61, keywordRank: 2, semanticRank: 1 });
  expect(fuse(['k'], ['s'], sure).map(({ id }) => id)).toEqual(['k', 's']);
  expect(fuse(['x', 'y'], ['y', 'x'], sure).map(({ id }) => id)).toEqual(['x', 'y']);
  expect(fuse([], [], sure)).toEqual([]);
});

test('DC141 confidence is a factor from one half to one, and pools are four times the limit, at least twenty', () => {
  expect(fuse(['a'], [], () => 0)[0]?.score).toBe(1 / 61 / 2);
  expect(fuse(['a', 'b'], [], (id) => (id === 'a' ? 0 : 1)).map(({ id }) => id)).toEqual(['b', 'a']);
  expect([poolSize(1), poolSize(5), poolSize(25)]).toEqual([20, 20, 100]);
});
