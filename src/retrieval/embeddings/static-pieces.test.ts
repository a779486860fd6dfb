import fc from 'fast-check';
import { expect, test } from 'vitest';
import { embedderLimits } from '../../base/limits.ts';
import { identifierWords, Pieces, wordsOf } from './static-pieces.ts';

const seed = 20261130;
const names = ['read', 'json', 'file', 'github', 'u', '##ber', '##all', 'un', '##able', '##a', '中', 'urls'];
const rows = new Map(names.map((name, row) => [name, row]));
const namesOf = (word: string): readonly (string | undefined)[] =>
  new Pieces(rows).rowsOf(word).map((row) => names[row]);

test('ET1 words are those of uncased BERT: accents and invisible signs go, every ideograph is alone', () => {
  expect(wordsOf('Überall déjà-vu, naïve')).toEqual(['Uberall', 'deja', 'vu', 'naive']);
  expect(wordsOf('a\u200bb \ufeffc\u00add')).toEqual(['ab', 'cd']);
  expect(wordsOf('用SQLite存储')).toEqual(['用', 'SQLite', '存', '储']);
  expect(wordsOf('snake_case kebab-case path/to.file #42')).toEqual([
    'snake',
    'case',
    'kebab',
    'case',
    'path',
    'to',
    'file',
    '42',
  ]);
  expect(wordsOf('Привет мир')).toEqual(['Привет', 'мир']);
});

test('ET1 signs alone are no words', () => {
  for (const text of ['', ' \n\t', '{}();', '🦆', '\ud800', '\u0000\u200b', '—'])
    expect(wordsOf(text), text).toEqual([]);
});

test('ET2 an identifier is taken apart where its case changes', () => {
  expect(identifierWords('readJSONFile')).toEqual(['read', 'JSON', 'File']);
  expect(identifierWords('HTTPServer2Go')).toEqual(['HTTP', 'Server2', 'Go']);
  expect(identifierWords('MAX')).toEqual(['MAX']);
  expect(identifierWords('sha256')).toEqual(['sha256']);
  expect(identifierWords('getÄnderung')).toEqual(['get', 'Änderung']);
});

test('ET2 the plural of an abbreviation stays whole', () => {
  expect(identifierWords('URLs')).toEqual(['URLs']);
  expect(identifierWords('parseURLs')).toEqual(['parse', 'URLs']);
  expect(identifierWords('URLsite')).toEqual(['UR', 'Lsite']);
});

test('ET3 a known word stays whole whatever its case, an unknown one becomes the longest pieces from the left', () => {
  expect(namesOf('GitHub')).toEqual(['github']);
  expect(namesOf('readFile')).toEqual(['read', 'file']);
  expect(namesOf('JSONFile')).toEqual(['json', 'file']);
  expect(namesOf('URLs')).toEqual(['urls']);
  expect(namesOf('UBERALL')).toEqual(['u', '##ber', '##all']);
  expect(namesOf('unable')).toEqual(['un', '##able']);
  expect(namesOf('中')).toEqual(['中']);
});

test('ET3 a word with a part that has no piece has none at all, nor has one that is too long', () => {
  expect(namesOf('unx')).toEqual([]);
  expect(namesOf('able')).toEqual([]);
  expect(namesOf(`u${'a'.repeat(embedderLimits.wordCharsMax - 1)}`)).toHaveLength(embedderLimits.wordCharsMax);
  expect(namesOf(`u${'a'.repeat(embedderLimits.wordCharsMax)}`)).toEqual([]);
});

test(`ET3 the pieces of a word are its letters in order (seed ${seed})`, () => {
  const letters = fc.array(fc.constantFrom('u', 'n', 'b', 'e', 'r', 'a', 'l'), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(letters, (of) => {
      const found = namesOf(of.join('')).map((name) => name?.replace('##', ''));
      if (found.length > 0) expect(found.join('')).toBe(of.join(''));
    }),
    { seed },
  );
});

test('ET3 what is remembered of a word does not change what it is, and is bounded', () => {
  const pieces = new Pieces(rows);
  const first = pieces.rowsOf('readFile');
  for (let i = 0; i < embedderLimits.knownWordsMax + 5; i++) pieces.rowsOf(`word${i}`);
  expect(pieces.rowsOf('readFile')).toEqual(first);
});

test(`ET1 any text has words without signs, and cutting it apart never fails (seed ${seed})`, () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      for (const word of wordsOf(text)) expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
    }),
    { seed },
  );
});
