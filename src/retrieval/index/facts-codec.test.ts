import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FileFacts, languages, referenceKinds, type SymbolFact } from '../code/symbol.ts';
import { readFacts, readOutline, type StoredFacts, writeFacts } from './facts-codec.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const number = fc.nat({ max: 5_000 });
const span = fc.tuple(number, number).map(([start, length]) => ({ start, end: start + length }));
const lines = fc.tuple(number, number).map(([startLine, length]) => ({ startLine, endLine: startLine + length }));
const symbol = fc.record({
  name: text,
  occurrence: fc.integer({ min: 1, max: 3 }),
  kind: fc.constantFrom('class' as const, 'method' as const, 'section' as const),
  exported: fc.boolean(),
  signature: text,
  documentation: text,
  span,
  lines,
  contentHash: text,
  type: fc.option(text),
  shape: fc.option(text),
  holder: fc.nat(),
  isOwn: fc.boolean(),
  other: text,
});

/** As a walk makes them: a parent stands before its members; most are called after it, some after another file's. */
const symbols = fc.array(symbol, { maxLength: 8 }).map((list) => {
  const made: SymbolFact[] = [];
  for (const { span: at, lines: where, holder, isOwn, other, ...rest } of list) {
    const parent = holder % 3 === 0 || made.length === 0 ? null : holder % made.length;
    const owner = parent === null ? undefined : made[parent]?.qualifiedName;
    const own = owner === undefined ? rest.name : `${owner}.${rest.name}`;
    made.push({ ...rest, ...at, ...where, parent, qualifiedName: isOwn ? own : other });
  }
  return made;
});
const index = fc.option(number);
const anyFacts: fc.Arbitrary<FileFacts> = fc.record({
  path: text,
  language: fc.constantFrom(...languages),
  module: fc.option(text),
  lines: number,
  syntaxErrors: number,
  contentHash: text,
  interfaceHash: text,
  symbols,
  imports: fc.array(
    fc.record({
      specifier: text,
      imported: fc.option(text),
      local: fc.option(text),
      exported: fc.option(text),
      scope: index,
      line: number,
      form: fc.constantFrom('module' as const, 'include' as const, 'dynamic' as const, 'type' as const),
    }),
    { maxLength: 4 },
  ),
  exports: fc.array(fc.record({ local: text, exported: text }), { maxLength: 3 }),
  references: fc.array(
    fc.record({ kind: fc.constantFrom(...referenceKinds), target: text, from: index, line: number }),
    { maxLength: 8 },
  ),
  chunks: fc.array(
    fc.tuple(index, span, lines).map(([of, at, where]) => ({ symbol: of, ...at, ...where })),
    { maxLength: 6 },
  ),
});
/** Whatever names a symbol names one of the file. */
const facts = anyFacts.map((given): FileFacts => {
  const within = (symbol: number | null): number | null =>
    symbol === null || given.symbols.length === 0 ? null : symbol % given.symbols.length;
  return {
    ...given,
    imports: given.imports.map((one) => ({ ...one, scope: within(one.scope) })),
    references: given.references.map((one) => ({ ...one, from: within(one.from) })),
    chunks: given.chunks.map((one) => ({ ...one, symbol: within(one.symbol) })),
  };
});
const stored: fc.Arbitrary<StoredFacts> = fc.record(
  { facts, textOnly: fc.constantFrom(null, 'minified' as const), tokens: number, text },
  { requiredKeys: ['facts', 'textOnly', 'tokens'] },
);

test('IX13: facts are read as they were written, whatever their texts hold (seed 5)', () => {
  fc.assert(
    fc.property(stored, (given) => {
      expect(readFacts(writeFacts(given).lines)).toEqual(given);
    }),
    { seed: 5, numRuns: 300 },
  );
});

test('IX13: the outline is the first line, and lacks chunks, hashes and long texts only (seed 6)', () => {
  fc.assert(
    fc.property(stored, ({ text: _, ...given }) => {
      const written = writeFacts(given);
      expect(written.lines.startsWith(`${written.outline}\n`)).toBe(true);
      const outline = readOutline(written.outline);
      const cut = (list: readonly SymbolFact[]): readonly Partial<SymbolFact>[] =>
        list.map(({ documentation: _said, ...rest }) => ({ ...rest, contentHash: '' }));
      expect({ ...outline, facts: { ...outline.facts, symbols: cut(outline.facts.symbols) } }).toEqual({
        ...given,
        facts: { ...given.facts, chunks: [], symbols: cut(given.facts.symbols) },
      });
    }),
    { seed: 6, numRuns: 300 },
  );
});
