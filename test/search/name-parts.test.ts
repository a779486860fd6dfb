/** A part of a name finds the name, wherever its words begin and however they are written. */
import { expect, test } from 'vitest';
import { namesWith } from '../../src/retrieval/search/name-parts.ts';
import { rank, searchEntities } from '../../src/retrieval/search/rank.ts';
import { stemOf, termsOfWord, wholeTerm } from '../../src/retrieval/search/terms.ts';
import { sourceOf } from './sources.ts';

const source = await sourceOf({
  'src/buffer.ts':
    'export function timingSafeEqual(a: Buffer, b: Buffer) { return a === b; }\nexport function timing(safe: boolean) { return safe; }\n',
  'src/dom.py': 'def get_element_by_id(page):\n    return page\n\ndef get_element(page):\n    return page\n',
  'src/read.go': 'package read\n\nfunc ReadFile() {}\n\nfunc ReadFileHead() {}\n',
  'src/limits.py': 'import os\n\nRETRY_DELAY_SECONDS = 5\n',
});
const labels = (text: string) => searchEntities(source, text, null, 8).map(({ label }) => label);

test('RK43: the beginning of a name, or a part of it that is whole words, finds it in any case', () => {
  for (const text of ['timingsafe', 'TimingSafe', 'timingsafeeq', 'safeequal', 'SAFEEQUAL']) {
    expect(labels(text)[0]).toBe('timingSafeEqual');
    expect(rank(source, text, null)[0]).toMatchObject({ label: 'timingSafeEqual', path: 'src/buffer.ts' });
  }
  for (const text of ['getelementby', 'elementby', 'ELEMENTBYID']) expect(labels(text)[0]).toBe('get_element_by_id');
  for (const text of ['retrydelay', 'retry_delay', 'RETRY_DEL']) expect(labels(text)[0]).toBe('RETRY_DELAY_SECONDS');
  expect(searchEntities(source, 'timingsafe', null, 3)[0]?.why.lexical).toEqual(['timingsafe → timingSafeEqual']);
});

test('RK43: what is called exactly so comes first, and the shorter of two names before the longer', () => {
  expect(labels('readfile').slice(0, 2)).toEqual(['ReadFile', 'ReadFileHead']);
  expect(labels('get_elem').slice(0, 2)).toEqual(['get_element', 'get_element_by_id']);
  const scores = searchEntities(source, 'readfile', null, 8).map(({ score }) => score);
  expect([...scores].sort((a, b) => b - a)).toEqual(scores);
});

test('RK43: what is no part of a name, and what is short, finds nothing by it', () => {
  for (const text of ['ingsafe', 'safetiming', 'time', 'a', '', 'safe-equal', 'x'.repeat(500)]) {
    expect(namesWith(source, text)).toEqual([]);
  }
  expect(labels('zzfeequ')).toEqual([]);
});

for (const seed of [1, 2, 3]) {
  test(`RK43: names are found by their parts exactly as by looking at each of them (seed ${seed})`, async () => {
    let state = seed;
    const random = (limit: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
    const words = ['parse', 'cookie', 'header', 'by', 'id', 'token', 'read', 'safe', 'all', 'limit', 'queue'];
    const pick = (): string[] => Array.from({ length: 2 + random(4) }, () => words[random(words.length)] ?? '');
    const written = (parts: readonly string[]): string =>
      random(2) === 1
        ? parts.join('_')
        : parts.map((part, at) => (at === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1))).join('');
    const names = [...new Set(Array.from({ length: 40 }, () => written(pick())))];
    const made = await sourceOf({ 'names.py': names.map((name) => `def ${name}():\n    return 1\n`).join('\n') });
    for (let at = 0; at < 60; at++) {
      const parts = pick().slice(0, 2 + random(2));
      const asked = parts.join('');
      const found = namesWith(made, asked).map(({ symbol }) => symbol.name);
      const slow = names.filter((name) => {
        const own = name.split(/_|(?=[A-Z])/).map((part) => part.toLowerCase());
        const isWhole = own.some((_, from) => parts.every((part, index) => own[from + index] === part));
        return (
          asked.length >= 5 &&
          isWhole &&
          own.join('') !== asked &&
          !termsOfWord(name).includes(stemOf(wholeTerm(asked)))
        );
      });
      // Words that were put together otherwise may give the same text: `by` and `id` in a row.
      for (const name of slow) expect(found, `${asked} in ${name}`).toContain(name);
      for (const name of found) expect(wholeTerm(name), `${asked} in ${name}`).toContain(asked);
    }
  });
}
