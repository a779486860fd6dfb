import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stopWords } from './stop-words.ts';
import { indexedTerms, queryTerms, wholeTerm, wordsOf } from './terms.ts';

test('DC120 an identifier gives its whole and its parts on every level', () => {
  expect(indexedTerms('src/io/atomicWrite.ts').split(' ')).toEqual(
    expect.arrayContaining([
      'srcioatomicwritets',
      'src',
      'io',
      'atomicwritets',
      'atomicwrite',
      'atomic',
      'write',
      'ts',
    ]),
  );
  expect(indexedTerms('HTTPServer2Config').split(' ')).toEqual(
    expect.arrayContaining(['httpserver2config', 'http', 'server2', 'server', '2', 'config']),
  );
  expect(queryTerms('ERR_QX7731').terms.map(({ text, label }) => [text, label])).toEqual([
    ['errqx7731', 'ERR_QX7731'],
    ['err', 'ERR'],
    ['qx7731', 'QX7731'],
    ['qx', 'QX'],
    ['7731', '7731'],
  ]);
});

test('DC121 terms hold only letters, digits and marks, so none can be query syntax', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      for (const term of queryTerms(text).terms) expect(term.text).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
      for (const term of indexedTerms(text).split(' ')) expect(term).toMatch(/^[\p{L}\p{N}\p{M}]*$/u);
    }),
    { seed: 9, numRuns: 500 },
  );
});

test('DC122 every term of a text is among the terms that are stored for it', () => {
  const words = fc.constantFrom(
    'atomic_write',
    'getName',
    '重跑gen-itgc',
    'caching',
    'a.b/c',
    "don't",
    'ünï',
    '끝말',
    'the',
  );
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 6 }), (parts) => {
      const text = parts.join(' ');
      const stored = new Set(indexedTerms(text).split(' '));
      for (const term of queryTerms(text).terms) expect(stored.has(term.text), term.text).toBe(true);
    }),
    { seed: 9 },
  );
});

test('DC123 stop words are whole words: they are kept inside identifiers and when nothing else is asked', () => {
  expect(queryTerms('what is to_do').terms.map(({ text }) => text)).toEqual(['todo']);
  expect(queryTerms('to be or not').terms.map(({ text }) => text)).toEqual(['to', 'be', 'or', 'not']);
  expect([...wordsOf('The limit is 100 req/min')]).toEqual(['limit', '100', 'reqmin']);
  for (const word of stopWords) expect(word).toMatch(/^[a-z]+$/);
});

test('DC124 a title of several words is one term too, in any spelling of its separators', () => {
  expect(wholeTerm('Use a write-ahead log')).toBe('useawriteaheadlog');
  expect(wholeTerm('use A write ahead LOG')).toBe('useawriteaheadlog');
  expect(wholeTerm('single')).toBeNull();
  expect(wholeTerm('"?!')).toBeNull();
});
