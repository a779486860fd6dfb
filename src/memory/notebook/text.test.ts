import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  codePointLength,
  compareCodePoints,
  foldCase,
  hasAtMost,
  isBlank,
  isWellFormed,
  splitWhitespace,
  trim,
} from './text.ts';

const seed = 20_140_915;

/** The whitespace of the notebook, one by one. */
const whitespace = [
  0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003,
  0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
];

describe('whitespace', () => {
  test('NT1 exactly the 29 whitespace characters are trimmed, split at and blank', () => {
    const trimmed: number[] = [];
    const split: number[] = [];
    const blank: number[] = [];
    for (let codePoint = 0; codePoint <= 0xffff; codePoint += 1) {
      const character = String.fromCharCode(codePoint);
      if (trim(`${character}x${character}`) === 'x') trimmed.push(codePoint);
      if (splitWhitespace(`x${character}y`).length === 2) split.push(codePoint);
      if (isBlank(character)) blank.push(codePoint);
    }
    expect(trimmed).toEqual(whitespace);
    expect(split).toEqual(whitespace);
    expect(blank).toEqual(whitespace);
  });

  test('NT1 inner whitespace stays when trimming, and splitting yields no empty part', () => {
    expect(trim('\u001c\u0085 a \n b\u3000')).toBe('a \n b');
    expect(splitWhitespace(' \ta\u2003\u001fb  c\n')).toEqual(['a', 'b', 'c']);
    expect(splitWhitespace('')).toEqual([]);
    expect(splitWhitespace(' \u0085')).toEqual([]);
    expect(isBlank('')).toBe(true);
    expect(trim('\ufeff')).toBe('\ufeff');
  });
});

describe('case folding', () => {
  test('NT2 every code point folds as Unicode 14 says', () => {
    const digest = createHash('sha256');
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
      if (codePoint < 0xd800 || codePoint > 0xdfff) digest.update(`${foldCase(String.fromCodePoint(codePoint))}\n`);
    }
    expect(digest.digest('hex')).toBe('78249183e488bf8968a161a80ec41e8b61b71fa376dc0e96652c8c6161f44eec');
  });

  test.each([
    ['Straße', 'strasse'],
    ['STRASSE', 'strasse'],
    ['\u1e9e', 'ss'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδος', 'οδοσ'],
    ['ﬁ', 'fi'],
    ['\u0130', 'i\u0307'],
    ['\u0131', '\u0131'],
    ['\u017f', 's'],
    ['\u212a', 'k'],
    ['\u1fb3', '\u03b1\u03b9'],
    ['\u13a0', '\u13a0'],
    ['\uab70', '\u13a0'],
    ['\u13f8', '\u13f0'],
    ['\ua7dc', '\ua7dc'],
    ['\u{10400}', '\u{10428}'],
    ['\u{10d50}', '\u{10d50}'],
    ['\ud800A', '\ud800a'],
  ])('NT2 %j folds to %j', (text, folded) => {
    expect(foldCase(text)).toBe(folded);
  });

  test('NT2 a text folds as the sequence of its code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(foldCase(text)).toBe([...text].map((character) => foldCase(character)).join(''));
      }),
      { seed },
    );
  });
});

describe('length and order', () => {
  test('NT3 length counts code points, and a lone surrogate is one', () => {
    expect(codePointLength('')).toBe(0);
    expect(codePointLength('a😀b')).toBe(3);
    expect(codePointLength('\ud83d')).toBe(1);
    expect(codePointLength('\ude00\ud83d')).toBe(2);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, charsMax) => {
        expect(codePointLength(text)).toBe([...text].length);
        expect(hasAtMost(text, charsMax)).toBe([...text].length <= charsMax);
      }),
      { seed },
    );
  });

  test('NT4 order is by code point, also where UTF-16 order differs', () => {
    expect(['😀', '\uff5e', 'a', '', 'aa', '😁'].sort(compareCodePoints)).toEqual([
      '',
      'a',
      'aa',
      '\uff5e',
      '😀',
      '😁',
    ]);
    const units = fc.constantFrom('a', '\ud800', '\ud83d', '\ude00', '\udfff', '\uffff', '\ue000');
    fc.assert(
      fc.property(fc.array(units), fc.array(units), (left, right) => {
        const [first, second] = [left.join(''), right.join('')];
        expect(Math.sign(compareCodePoints(first, second))).toBe(slowOrder(first, second));
      }),
      { seed, numRuns: 2000 },
    );
  });

  test('NT5 a text is well formed exactly when it survives UTF-8', () => {
    const units = fc.constantFrom('a', '\ud83d', '\ude00', 'é');
    fc.assert(
      fc.property(fc.array(units), (parts) => {
        const text = parts.join('');
        expect(isWellFormed(text)).toBe(Buffer.from(text, 'utf8').toString('utf8') === text);
      }),
      { seed, numRuns: 1000 },
    );
  });
});

/** The order by definition: the first code point that differs decides, then the length. */
function slowOrder(left: string, right: string): number {
  const leftPoints = [...left].map((character) => character.codePointAt(0) ?? 0);
  const rightPoints = [...right].map((character) => character.codePointAt(0) ?? 0);
  for (const [index, point] of leftPoints.entries()) {
    const other = rightPoints[index];
    if (other === undefined) return 1;
    if (point !== other) return Math.sign(point - other);
  }
  return leftPoints.length < rightPoints.length ? -1 : 0;
}
