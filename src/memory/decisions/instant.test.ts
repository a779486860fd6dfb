import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  daysBefore,
  earliestOf,
  fromStored,
  instantOf,
  latestOf,
  nextAfter,
  parseInstant,
  risingClock,
  toStored,
} from './instant.ts';

test('DC110 times are read with offsets and to the microsecond, and times that do not exist are refused', () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ['2026-10-02T12:00:00Z', '2026-10-02T12:00:00.000000Z'],
    ['2026-10-02T23:30:00-07:00', '2026-10-03T06:30:00.000000Z'],
    ['2026-10-02T12:00:00.123456789+00:00', '2026-10-02T12:00:00.123456Z'],
    ['2026-10-02 12:00', '2026-10-02T12:00:00.000000Z'],
    ['2026-03-29T02:30:00+0200', '2026-03-29T00:30:00.000000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000000Z'],
    ['2026-02-29T00:00:00Z', null],
    ['2026-10-02T24:00:00Z', null],
    ['2026-10-02T12:60:00Z', null],
    ['2026-13-02T12:00:00Z', null],
    ['2026-10-02', null],
    ['0999-10-02T00:00:00Z', null],
    ['9999-12-31T23:59:59-01:00', null],
    ['tomorrow', null],
    ['', null],
  ];
  for (const [text, expected] of cases) expect(parseInstant(text), text).toBe(expected);
  expect([earliestOf('2026-10-02'), latestOf('2026-10-02')]).toEqual([
    '2026-10-02T00:00:00.000000Z',
    '2026-10-02T23:59:59.999999Z',
  ]);
  expect([earliestOf('2026-02-30'), latestOf('x')]).toEqual([null, null]);
});

test('DC111 text order is time order, in both stored forms, and storing loses nothing', () => {
  const dates = fc.date({ min: new Date('1000-01-02'), max: new Date('9999-12-30'), noInvalidDate: true });
  fc.assert(
    fc.property(dates, dates, (left, right) => {
      const [a, b] = [instantOf(left), instantOf(right)];
      expect(a < b).toBe(left < right);
      expect(toStored(a) < toStored(b)).toBe(left < right);
      expect(fromStored(toStored(a))).toBe(a);
    }),
    { seed: 3 },
  );
});

test('DC112 the next time of a record is later than its last, whatever the clock does', () => {
  const at = (text: string) => fromStored(text);
  const last = at('2026-10-02T12:00:00.999999Z');
  expect(nextAfter(last, at('2026-10-02T12:00:00Z'))).toBe('2026-10-02T12:00:01.000000Z');
  expect(nextAfter(last, at('2026-10-03T12:00:00Z'))).toBe('2026-10-03T12:00:00.000000Z');
  expect(daysBefore(last, 1)).toBe('2026-10-01T12:00:00.999999Z');
  let time = Date.parse('2026-10-02T12:00:00Z');
  const tick = risingClock(() => new Date(time));
  const times = Array.from({ length: 2_000 }, tick);
  expect([...new Set(times)].sort()).toEqual(times);
  time -= 86_400_000;
  expect(tick()).toBe('2026-10-01T12:00:00.000000Z');
});
