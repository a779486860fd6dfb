import { expect, test } from 'vitest';
import { Greatest, Sums } from './word-sums.ts';

test('RK40: what one question leaves behind is nothing to the next, whatever an index told it', () => {
  const size = 8;
  for (const score of [0, -1, Number.NaN]) {
    const sums = new Sums(size);
    const greatest = new Greatest(size);
    for (let round = 0; round < 3 * size; round += 1) {
      sums.join(1, score);
      greatest.raise(1, score);
    }
    for (let at = 0; at < size; at += 1) {
      sums.join(at, 3);
      greatest.raise(at, 3);
    }
    sums.endWord();
    greatest.endWord();
    expect([...sums.end()]).toEqual(Array.from({ length: size }, () => 3));
    expect([...greatest.endOf(3)]).toEqual(Array.from({ length: size }, () => 1));
    const next = new Sums(size);
    next.join(7, 2);
    next.endWord();
    expect([...next.end()]).toEqual([0, 0, 0, 0, 0, 0, 0, 2]);
  }
});
