import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageRoot } from '../../base/package-root.ts';
import { readPackagedFile } from '../../base/packaged-file.ts';
import { lineOf, relatedWords } from './related-words.ts';

const small = 'apple pear plum\nab 0:a\nabc 1:b 2:c\nb 2:d\nzoo 0:e\n';
const linesAt = small.indexOf('\n') + 1;

/** The same by reading line after line. */
function slowLineOf(stem: string, text: string): string | null {
  const line = text
    .split('\n')
    .slice(1)
    .find((one) => one.startsWith(`${stem} `));
  return line?.slice(stem.length + 1) ?? null;
}

test('RK35: the list that is shipped is the one whose checksum the program knows', () => {
  expect(readPackagedFile(relatedWords).kind).toBe('whole');
});

test('RK35: a stem is found by halving as by reading every line', () => {
  const bytes = readFileSync(new URL(relatedWords.path, packageRoot));
  const text = bytes.toString('latin1');
  const stems = text
    .split('\n')
    .slice(1, -1)
    .flatMap((line) => line.split(' ')[0] ?? []);
  expect(stems.length).toBeGreaterThan(5_000);
  const at = text.indexOf('\n') + 1;
  expect(stems.filter((stem) => lineOf(stem, bytes, at) === null)).toEqual([]);
  for (const stem of [...stems.filter((_, place) => place % 500 === 0), stems.at(-1) ?? '']) {
    expect(lineOf(stem, bytes, at)).toBe(slowLineOf(stem, text));
  }
  for (const absent of ['', '0', 'zzzzzz', `${stems[7]}q`]) expect(lineOf(absent, bytes, at)).toBeNull();
});

test('RK35: looking into a list that is cut off or overwritten anywhere comes to an end', () => {
  const stems = ['', 'a', 'ab', 'abc', 'b', 'c', 'zoo', 'zzz', '0:a'];
  for (let length = 0; length <= small.length; length += 1) {
    for (const stem of stems) {
      const cut = Buffer.from(small.slice(0, length), 'latin1');
      const told = lineOf(stem, cut, Math.min(linesAt, length));
      expect(told === null || (slowLineOf(stem, small) ?? '').startsWith(told)).toBe(true);
    }
  }
  for (let at = 0; at < small.length; at += 1) {
    for (const byte of [0x00, 0x0a, 0x20, 0x7a, 0xff]) {
      const bytes = Buffer.from(small, 'latin1');
      bytes[at] = byte;
      for (const stem of stems) {
        for (const from of [0, linesAt]) expect(['string', 'object']).toContain(typeof lineOf(stem, bytes, from));
      }
    }
  }
});
