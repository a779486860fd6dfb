import { expect, test } from 'vitest';
import { anyCase, digitValue } from './characters.ts';

test('NP13 the value of a digit is its place in its set of ten', () => {
  expect([...'0123456789'].map(digitValue)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect([...'٠٣٩'].map(digitValue)).toEqual([0, 3, 9]);
  expect([...'０７𝟎𝟗𝟘𝟡𝟢𝟿'].map(digitValue)).toEqual([0, 7, 0, 9, 0, 9, 0, 9]);
});

test('NP13 digits of every script stand in whole sets of ten', () => {
  const runs: number[] = [];
  let run = 0;
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
    if (/^\p{Nd}$/u.test(String.fromCodePoint(codePoint))) {
      run += 1;
    } else if (run > 0) {
      runs.push(run);
      run = 0;
    }
  }
  expect(runs.length).toBeGreaterThan(50);
  expect(runs.filter((length) => length % 10 !== 0)).toEqual([]);
});

test('NP9 any case covers both cases of each letter and the variants of i, s and k', () => {
  const pattern = new RegExp(`^${anyCase('skid')}$`, 'u');
  for (const word of ['skid', 'SKID', '\u017f\u212a\u0130D', 'sk\u0131d']) expect(pattern.test(word)).toBe(true);
  for (const word of ['skidd', 'sk1d', 'skíd']) expect(pattern.test(word)).toBe(false);
});
