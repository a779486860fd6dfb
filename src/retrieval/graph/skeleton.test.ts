import fc from 'fast-check';
import { expect, test } from 'vitest';
import { factsOf } from '../../../test/code/sources.ts';
import { graphLimits } from '../../base/limits.ts';
import type { FileFacts } from '../code/symbol.ts';
import { firstSentence, type OutlineEntry, skeleton } from './skeleton.ts';

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value), 'utf8');
}

test('GR40: an outline lists the symbols in the order of the text with signature, lines, nesting and summary', async () => {
  const facts = await factsOf(
    'app.py',
    'class App:\n    """The app. It serves."""\n    def run(self, port=80):\n        def inner(): pass\n\ndef make(): pass\n',
  );
  expect(skeleton(facts)).toEqual({
    path: 'app.py',
    language: 'python',
    lines: 6,
    count: facts.symbols.length,
    offset: 0,
    symbols: [
      entry('App', 'App', 'class', 'class App:', 'The app.', 1, 4, 0),
      entry('run', 'App.run', 'method', 'def run(self, port=80):', '', 3, 4, 1),
      ...(facts.symbols.length === 4 ? [entry('inner', 'App.run.inner', 'function', 'def inner():', '', 4, 4, 2)] : []),
      entry('make', 'make', 'function', 'def make():', '', 6, 6, 0),
    ],
    truncated: false,
    next_offset: null,
  });
});

function entry(
  name: string,
  qualified_name: string,
  kind: OutlineEntry['kind'],
  signature: string,
  summary: string,
  start_line: number,
  end_line: number,
  nesting: number,
): OutlineEntry {
  return { name, qualified_name, kind, signature, summary, start_line, end_line, nesting };
}

test('GR41: the outline keeps to its bytes, whatever is in it, and its pages make up the whole (seed 2)', () => {
  const text = fc.string({ unit: 'binary', maxLength: 320 });
  const symbol = fc.record({ name: text, documentation: text, signature: text });
  const budget = fc.integer({ min: graphLimits.outlineBytesMin, max: 20_000 });
  fc.assert(
    fc.property(fc.array(symbol, { maxLength: 60 }), budget, (symbols, bytesMax) => {
      const facts = madeOf(symbols);
      const names: string[] = [];
      let offset: number | null = 0;
      while (offset !== null) {
        const page: ReturnType<typeof skeleton> = skeleton(facts, { offset, bytesMax });
        expect(bytesOf(page)).toBeLessThanOrEqual(bytesMax);
        expect(page.truncated).toBe(page.next_offset !== null);
        expect(page.offset).toBe(offset);
        if (page.next_offset !== null) expect(page.symbols.length).toBeGreaterThan(0);
        names.push(...page.symbols.map((one) => `${one.start_line}`));
        offset = page.next_offset;
      }
      expect(names).toEqual(symbols.map((_, at) => `${at + 1}`));
    }),
    { seed: 2, numRuns: 60 },
  );
});

function madeOf(symbols: readonly { name: string; documentation: string; signature: string }[]): FileFacts {
  return {
    path: 'a.ts',
    language: 'typescript',
    module: null,
    lines: symbols.length,
    syntaxErrors: 0,
    contentHash: '',
    interfaceHash: '',
    symbols: symbols.map((one, at) => ({
      ...one,
      qualifiedName: one.name,
      occurrence: 1,
      kind: 'function',
      parent: null,
      exported: true,
      startLine: at + 1,
      endLine: at + 1,
      start: at,
      end: at + 1,
      contentHash: '',
      type: null,
      shape: null,
    })),
    imports: [],
    exports: [],
    references: [],
    chunks: [],
  };
}

test('GR42: an offset past the end gives an empty last page, and limits out of range are refused', () => {
  const facts = madeOf([{ name: 'a', documentation: '', signature: '' }]);
  expect(skeleton(facts, { offset: 5 })).toMatchObject({ count: 1, symbols: [], truncated: false, next_offset: null });
  expect(() => skeleton(facts, { offset: -1 })).toThrow(RangeError);
  expect(() => skeleton(facts, { bytesMax: 10 })).toThrow(RangeError);
});

test('GR43: the first sentence ends at a full stop before white space or at an empty line', () => {
  expect(firstSentence('Reads a file. Then more.')).toBe('Reads a file.');
  expect(firstSentence('Reads v1.2 files,\n  e.g. old ones, i.e. most. Next.')).toBe(
    'Reads v1.2 files, e.g. old ones, i.e. most.',
  );
  expect(firstSentence('No stop here\n\nSecond paragraph.')).toBe('No stop here');
  expect(firstSentence('读取文件。然后')).toBe('读取文件。');
  expect(firstSentence('  ')).toBe('');
});
