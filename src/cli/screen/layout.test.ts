import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ageOf } from './age.ts';
import { table, wrap } from './layout.ts';
import { safeJson, safeLine, safeText, widthOf } from './text-width.ts';

test('CD19 wrapped lines fit, and hold every character of the text but spaces at the breaks', () => {
  const bare = (text: string) => text.replaceAll(/\s/g, '');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 8, max: 60 }), (raw, width) => {
      const text = safeText(raw).replaceAll('\t', ' ');
      const lines = wrap(text, width);
      expect(bare(lines.join(''))).toBe(bare(text));
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
    }),
    { seed: 19, numRuns: 300 },
  );
});

test('CD20 columns line up with wide characters too, and the last one is wrapped under itself', () => {
  const rows = [
    [{ text: '日本' }, { text: 'one two three four five six seven' }],
    [{ text: 'a' }, { text: 'e\u0301 👩‍👩‍👧' }],
  ];
  expect(table(rows, 30)).toEqual(['日本  one two three four five', '      six seven', 'a     e\u0301 👩‍👩‍👧']);
  expect(table(rows, null)[0]).toBe('日本  one two three four five six seven');
  expect([widthOf('日本'), widthOf('e\u0301'), widthOf('👩‍👩‍👧'), widthOf('한글'), widthOf('ＡＢ')]).toEqual([
    4, 1, 2, 4, 4,
  ]);
});

test('CD20 painted cells are measured by their text', () => {
  const paint = (text: string) => `\u001b[32m${text}\u001b[39m`;
  expect(
    table(
      [
        [{ text: 'a', paint }, { text: 'b' }],
        [{ text: 'ccc' }, { text: 'd' }],
      ],
      null,
    ),
  ).toEqual(['\u001b[32ma\u001b[39m    b', 'ccc  d']);
});

test('CD12 text that is shown obeys nobody', () => {
  expect(safeText('a\u001b[2Jb\r\nc\td\u0000')).toBe('a�[2Jb\nc\td�');
  expect(safeLine('  a \n\n b\u2028c')).toBe('  a b c');
});

test('CD21 ages are told as people say them', () => {
  const now = new Date('2026-10-10T12:00:00Z');
  const told = [
    '2026-10-10T11:59:30Z',
    '2026-10-10T11:00:00Z',
    '2026-10-09T11:00:00Z',
    '2026-09-20T12:00:00Z',
    '2024-01-01T00:00:00Z',
    '2026-10-10T12:00:20Z',
    'never',
  ];
  expect(told.map((instant) => ageOf(instant, now))).toEqual([
    'just now',
    '1 hour ago',
    'yesterday',
    '2 weeks ago',
    '2 years ago',
    'just now',
    'never',
  ]);
});

test('CC7: JSON for a terminal has no control character and reads back as it was', () => {
  const value = { text: 'a\u001b[2J\u007f\u009b31m\u202eb\u2066c\u2028 é 日本 😀', list: ['\u0085'] };
  expect(safeJson(value)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/);
  expect(safeJson(value)).toContain('é 日本 😀');
  expect(JSON.parse(safeJson(value))).toEqual(value);
});
