import fc from 'fast-check';
import { expect, test } from 'vitest';
import { factsOf, symbolLines } from '../../../test/code/sources.ts';
import { documentLimits } from '../../base/limits.ts';
import { LineTable } from '../code/line-table.ts';
import type { FileFacts } from '../code/symbol.ts';
import type { ParsedDocument } from './document.ts';
import { documentFacts } from './document-facts.ts';

function document(kind: ParsedDocument['kind'], text: string, pages: readonly number[] | null = null): ParsedDocument {
  return { kind, text, pages, contentHash: 'aa' };
}

function chunkTexts(facts: FileFacts, text: string): readonly string[] {
  return facts.chunks.map((chunk) => text.slice(chunk.start, chunk.end));
}

test('DO12: a Markdown document has the facts of the same file in the project', async () => {
  const text = '# Guide\n\nIntro.\n\n## Set up\n\nSteps in [code](../src/a.ts).\n\n# End\n';
  const { contentHash: _, ...facts } = documentFacts('docs/guide.md', document('markdown', text));
  const { contentHash: __, ...expected } = await factsOf('docs/guide.md', text);
  expect(facts).toEqual(expected);
  expect(facts.symbols.map((symbol) => symbol.qualifiedName)).toEqual(['Guide', 'Guide.Set up', 'End']);
});

test('DO13: the pages of a PDF that hold text are sections, numbered as pages are', () => {
  const text = 'One.\n\n\n\nThree.\nMore.';
  const facts = documentFacts('a.pdf', document('pdf', text, [0, 6, 8]));
  expect(symbolLines(facts)).toBe('section page 1 1-1\nsection page 3 5-6');
  expect(chunkTexts(facts, text)).toEqual(['One.', 'Three.\nMore.']);
  expect(facts.chunks.map((chunk) => [chunk.symbol, chunk.startLine, chunk.endLine])).toEqual([
    [0, 1, 1],
    [1, 5, 6],
  ]);
  expect(facts.lines).toBe(6);
});

test('DO14: plain text has sections where headings are underlined, nested by the order of the marks', () => {
  const text =
    'Before.\n\nTitle\n=====\n\nIntro.\n\nPart\n----\nText.\n\n====\nNext\n====\n\nNot a heading\n---\n| a\n';
  const facts = documentFacts('a.rst', document('text', text));
  expect(symbolLines(facts)).toBe('section Title 3-12\nsection Title.Part 8-12\nsection Next 13-18');
  expect(facts.chunks.map((chunk) => chunk.symbol)).toEqual([null, 0, 1, 2]);
  for (const end of ['', '\n', '\r\n', '\n\n']) {
    const { symbols } = documentFacts('end.txt', document('text', `Only\n====${end}`));
    expect(symbols.map(({ name }) => name)).toEqual(['Only']);
  }
});

test('DO15: pieces end at paragraphs where they can, and indentation stays with its line', () => {
  const paragraph = (word: string): string => `${`${word} `.repeat(120)}end.\n`;
  const text = ['alpha', 'bravo', 'charlie', 'delta'].map(paragraph).join('\n    \n  ');
  const pieces = chunkTexts(documentFacts('a.txt', document('text', text)), text);
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.slice(1).every((piece) => /^ {2}(bravo|charlie|delta)/.test(piece))).toBe(true);
  expect(pieces.every((piece) => piece.endsWith('end.'))).toBe(true);
  const long = documentFacts('a.txt', document('text', '😀'.repeat(2_000)));
  expect(long.chunks.every((chunk) => (chunk.end - chunk.start) % 2 === 0)).toBe(true);
});

test('DO16: every character that is no white space is in exactly one piece of bounded size (seed 4)', () => {
  const word = fc.constantFrom(
    'a',
    'word. ',
    'longer-word ',
    '\n',
    '\n\n',
    '\r\n',
    '  ',
    '\r',
    'x'.repeat(700),
    '。',
    '😀',
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 400 }), fc.array(fc.nat(5_000), { maxLength: 5 }), (words, cuts) => {
      const text = words.join('');
      const pages = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b)];
      const facts = documentFacts('a.pdf', document('pdf', text, pages));
      const lines = new LineTable(text);
      let at = 0;
      for (const chunk of facts.chunks) {
        expect(chunk.start).toBeGreaterThanOrEqual(at);
        expect(text.slice(at, chunk.start).trim()).toBe('');
        expect(text.slice(chunk.start, chunk.end).trim()).not.toBe('');
        expect(chunk.end - chunk.start).toBeLessThanOrEqual(documentLimits.chunkChars);
        expect(chunk.startLine).toBe(lines.lineAt(chunk.start));
        expect(chunk.endLine).toBe(lines.lineAt(chunk.end - 1));
        expect(chunk.endLine - chunk.startLine).toBeLessThan(documentLimits.chunkLines);
        at = chunk.end;
      }
      expect(text.slice(at).trim()).toBe('');
    }),
    { seed: 4, numRuns: 150 },
  );
});

test('DO17: a megabyte of headings or of text in one line takes no longer than it should', () => {
  const before = process.cpuUsage();
  const many = documentFacts('a.md', document('markdown', '# a\n'.repeat(250_000)));
  expect(many.language).toBe('text');
  expect(documentFacts('a.txt', document('text', 'word '.repeat(200_000))).chunks.length).toBeGreaterThan(600);
  expect(documentFacts('b.txt', document('text', 'Head\n----\n'.repeat(19_000))).symbols).toHaveLength(19_000);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(8_000);
});
