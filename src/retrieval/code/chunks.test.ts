/** Pieces of a text, with the lines on which what they hold stands. */
import { expect, test } from 'vitest';
import { chunkText } from './chunks.ts';
import { LineTable } from './line-table.ts';
import type { SymbolFact } from './symbol.ts';

test('HR5: a piece between two definitions begins and ends on lines that hold some of it', () => {
  const text = 'fn a() {\n}\n\n/** Words. */\nclass B {\n\n  b() {}\n}\n';
  const symbol = (kind: 'function' | 'class' | 'method', parent: number | null, part: string): SymbolFact => ({
    kind,
    name: part,
    qualifiedName: part,
    parent,
    start: text.indexOf(part),
    end: text.indexOf(part) + part.length,
    startLine: 1,
    endLine: 1,
    signature: '',
    documentation: '',
    occurrence: 1,
    exported: true,
    contentHash: '',
    type: null,
    shape: null,
  });
  const symbols = [
    symbol('function', null, 'fn a() {\n}'),
    symbol('class', null, 'class B {\n\n  b() {}\n}'),
    symbol('method', 1, 'b() {}'),
  ];
  const chunks = chunkText(text, new LineTable(text), symbols);
  expect(chunks.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
    [1, 2],
    [4, 4],
    [5, 5],
    [7, 7],
    [8, 8],
  ]);
  // Of the text nothing but white space is left out.
  const held = chunks.map(({ start, end }) => text.slice(start, end)).join('');
  expect(held.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
});
