/** Lines of offsets against a text that is split. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineTable } from './line-table.ts';

test('PF4 every offset has the line that splitting the text gives it (seed 11)', () => {
  const text = fc
    .array(fc.constantFrom('a', '\n', '\r', '\r\n', 'é'), { maxLength: 24 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (one) => {
      const table = new LineTable(one);
      const starts = [0, ...[...one.matchAll(/\r\n?|\n/g)].map((match) => match.index + match[0].length)];
      // As editors number them: the end of the last line begins no other.
      expect(table.count).toBe(Math.max(1, starts.filter((start) => start < one.length).length));
      for (let offset = 0; offset <= one.length; offset += 1) {
        expect(table.lineAt(offset)).toBe(starts.filter((start) => start <= offset).length);
      }
      for (const [index, start] of starts.entries()) expect(table.startOf(index + 1)).toBe(start);
    }),
    { seed: 11, numRuns: 300 },
  );
});
