import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  normaliseIdentifier,
  normaliseLanguage,
  normaliseNullableText,
  normaliseOccurredAt,
  normaliseRevision,
  normaliseTags,
  normaliseText,
  normaliseTimestamp,
  tagKey,
} from './normalise.ts';

const seed = 19_900_401;
const notText: readonly unknown[] = [undefined, null, 1, true, [], {}, ['a']];

/** Text that is likely to be changed by normalisation. */
const awkwardText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\r',
        '\n',
        '\r\n',
        ' ',
        '\t',
        '\u001c',
        '\u0085',
        '\u2000',
        '\ufeff',
        'e',
        '\u0301',
        'A',
        '\u212b',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('text', () => {
  test('NT6 line ends become LF, text is composed and trimmed, the inside is kept', () => {
    expect(normaliseText(' \u001ca\r\nb\rc\u0000 \t d\u0085', 100)).toBe('a\nb\nc\u0000 \t d');
    expect(normaliseText('e\u0301', 1)).toBe('é');
    expect(normaliseText('\u212b', 1)).toBe('Å');
    expect(normaliseText('ﬁ', 1)).toBe('ﬁ');
    expect(normaliseText('Ａ', 1)).toBe('Ａ');
    expect(normaliseText('\ufeff', 1)).toBe('\ufeff');
  });

  test('NT6 length is measured in code points after normalisation', () => {
    expect(normaliseText('😀'.repeat(4000), 4000)).toBe('😀'.repeat(4000));
    expect(normaliseText('😀'.repeat(4001), 4000)).toBeUndefined();
    expect(normaliseText(`  ${'e\u0301'.repeat(100)}\r\n`, 100)).toBe('é'.repeat(100));
    expect(normaliseText('x'.repeat(101), 100)).toBeUndefined();
  });

  test('NT6 what is not text, blank or has a lone surrogate is refused', () => {
    for (const value of notText) expect(normaliseText(value, 100)).toBeUndefined();
    for (const value of ['', ' ', '\r\n\u3000', 'a\ud800', '\udc00a', 'a\ude00\ud83d']) {
      expect(normaliseText(value, 100)).toBeUndefined();
    }
  });

  test('NT6 null passes only where text is nullable', () => {
    expect(normaliseNullableText(null, 10)).toBeNull();
    expect(normaliseNullableText('null', 10)).toBe('null');
    expect(normaliseNullableText(undefined, 10)).toBeUndefined();
    expect(normaliseNullableText('', 10)).toBeUndefined();
  });

  test('NT7 normalising a normalised text changes nothing', () => {
    fc.assert(
      fc.property(awkwardText, (raw) => {
        const once = normaliseText(raw, 4000);
        if (once !== undefined) expect(normaliseText(once, 4000)).toBe(once);
      }),
      { seed, numRuns: 2000 },
    );
  });
});

describe('tags', () => {
  test('NT8 whitespace becomes one space, order and case are kept', () => {
    expect(normaliseTags([' Deep\u2003 Work\n', 'api', 'e\u0301'])).toEqual(['Deep Work', 'api', 'é']);
    expect(normaliseTags([])).toEqual([]);
    expect(normaliseTags(['x'.repeat(50)])).toEqual(['x'.repeat(50)]);
    expect(normaliseTags([`${'😀 '.repeat(24)} 😀😀`])?.[0]).toBe(`${'😀 '.repeat(24)}😀😀`);
  });

  test('NT8 a list of up to ten tags is accepted and no other value', () => {
    const ten = Array.from({ length: 10 }, (_, index) => `t${index}`);
    expect(normaliseTags(ten)).toEqual(ten);
    expect(normaliseTags([...ten, 'more'])).toBeUndefined();
    for (const value of [
      undefined,
      null,
      'a',
      { 0: 'a', length: 1 },
      [1],
      [null],
      [['a']],
      [''],
      [' \u001f'],
      ['\ud800'],
    ]) {
      expect(normaliseTags(value)).toBeUndefined();
    }
    expect(normaliseTags(['x'.repeat(51)])).toBeUndefined();
  });

  test.each([
    ['a', 'a'],
    ['API', 'api'],
    ['Straße', 'STRASSE'],
    ['a b', ' a  b '],
    ['é', 'E\u0301'],
    ['ΟΔΟΣ', 'οδος'],
    ['\u017fo', 'SO'],
  ])('NT9 %j and %j are the same tag, so the list is refused', (left, right) => {
    expect(normaliseTags([left, 'between', right])).toBeUndefined();
  });

  test('NT9 dotless i and i are two tags', () => {
    expect(normaliseTags(['\u0131', 'i'])).toEqual(['\u0131', 'i']);
    expect(tagKey('Deep Work')).toBe('deep work');
  });

  test('NT7 normalising normalised tags changes nothing', () => {
    fc.assert(
      fc.property(fc.array(awkwardText, { maxLength: 4 }), (raw) => {
        const once = normaliseTags(raw);
        if (once !== undefined) expect(normaliseTags(once)).toEqual(once);
      }),
      { seed, numRuns: 2000 },
    );
  });
});

describe('identifiers and languages', () => {
  test('NT10 identifiers are 1 to 64 safe characters, never trimmed or folded', () => {
    for (const id of ['a', '0', 'a-b', 'a--b', 'a_-9', 'x'.repeat(64)]) expect(normaliseIdentifier(id)).toBe(id);
    for (const id of [
      '',
      '-',
      'a-',
      '_a',
      'a_',
      'A',
      'a b',
      ' a',
      'a\n',
      'a.b',
      '..',
      'é',
      'x'.repeat(65),
      null,
      1,
      ['a'],
    ]) {
      expect(normaliseIdentifier(id)).toBeUndefined();
    }
  });

  test('NT11 languages are trimmed and lower-cased, and null is und', () => {
    expect(normaliseLanguage(null)).toBe('und');
    expect(normaliseLanguage(' \u001cZH-Hant-TW\n')).toBe('zh-hant-tw');
    expect(normaliseLanguage('null')).toBe('null');
    const longest = `ab${'-12345678'.repeat(3)}-12345`;
    expect(longest).toHaveLength(35);
    expect(normaliseLanguage(longest)).toBe(longest);
    for (const language of [
      '',
      'e',
      'en_us',
      'en-',
      '-en',
      'abcdefghi',
      'en-123456789',
      `${longest}6`,
      '12',
      'é',
      1,
      undefined,
    ]) {
      expect(normaliseLanguage(language)).toBeUndefined();
    }
  });
});

describe('times and revisions', () => {
  test('NT12 a time is a real second of the calendar in one form', () => {
    for (const time of [
      '0001-01-01T00:00:00Z',
      '2024-02-29T23:59:59Z',
      '2000-02-29T00:00:00Z',
      '9999-12-31T23:59:59Z',
    ]) {
      expect(normaliseTimestamp(time)).toBe(time);
    }
    const wrong = [
      '0000-01-01T00:00:00Z',
      '2023-02-29T00:00:00Z',
      '1900-02-29T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '2026-04-31T00:00:00Z',
      '2026-00-10T00:00:00Z',
      '2026-13-10T00:00:00Z',
      '2026-01-00T00:00:00Z',
      '2026-01-01T24:00:00Z',
      '2026-01-01T23:60:00Z',
      '2016-12-31T23:59:60Z',
      '2026-01-01T00:00:00z',
      '2026-01-01t00:00:00Z',
      '2026-01-01 00:00:00Z',
      '2026-01-01T00:00:00+00:00',
      '2026-01-01T00:00:00.000Z',
      '2026-01-01T00:00:00',
      '2026-01-01',
      '2026-1-1T0:0:0Z',
      '٢٠٢٦-01-01T00:00:00Z',
      ' 2026-01-01T00:00:00Z',
      '2026-01-01T00:00:00Z\n',
      '+02026-01-01T00:00:00Z',
      1,
      null,
      new Date(0),
    ];
    for (const time of wrong) expect(normaliseTimestamp(time)).toBeUndefined();
  });

  test('NT12 every second that the clock can show is a time', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          const time = `${date.toISOString().slice(0, 19)}Z`;
          expect(normaliseTimestamp(time)).toBe(time);
        },
      ),
      { seed },
    );
  });

  test('NT13 a new event may not lie before the year 1000', () => {
    expect(normaliseOccurredAt('1000-01-01T00:00:00Z')).toBe('1000-01-01T00:00:00Z');
    expect(normaliseOccurredAt('0999-12-31T23:59:59Z')).toBeUndefined();
    expect(normaliseOccurredAt(null)).toBeUndefined();
  });

  test('NT14 a revision is an exact integer from 1', () => {
    for (const revision of [1, 2, Number.MAX_SAFE_INTEGER]) expect(normaliseRevision(revision)).toBe(revision);
    for (const revision of [
      0,
      -1,
      1.5,
      2 ** 53,
      Number.POSITIVE_INFINITY,
      Number.NaN,
      true,
      '1',
      null,
      undefined,
      [1],
    ]) {
      expect(normaliseRevision(revision)).toBeUndefined();
    }
  });
});
