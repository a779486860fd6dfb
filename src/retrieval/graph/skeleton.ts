/**
 * The outline of a file: its symbols in the order of the text, without their bodies, under a budget of bytes.
 *
 * The budget holds for the whole answer as JSON in UTF-8. What does not fit is left for the next page; a symbol that
 * would fill a page alone loses its summary and signature, so every page has at least one.
 */
import { graphLimits } from '../../base/limits.ts';
import type { FileFacts, Language, SymbolFact, SymbolKind } from '../code/symbol.ts';

export interface OutlineEntry {
  readonly name: string;
  readonly qualified_name: string;
  readonly kind: SymbolKind;
  readonly signature: string;
  /** The first sentence of the documentation, or empty. */
  readonly summary: string;
  readonly start_line: number;
  readonly end_line: number;
  /** Symbols around it: 0 at the top of the file. */
  readonly nesting: number;
}

export interface Outline {
  readonly path: string;
  readonly language: Language;
  readonly lines: number;
  /** Of all symbols of the file. */
  readonly count: number;
  /** Position of the first symbol listed here. */
  readonly offset: number;
  readonly symbols: readonly OutlineEntry[];
  readonly truncated: boolean;
  /** The offset to read on at, or null at the end. */
  readonly next_offset: number | null;
}

export interface OutlineOptions {
  /** Symbols to pass over, from 0. */
  readonly offset?: number;
  /** `outlineBytesMin` to `outlineBytesMax`. */
  readonly bytesMax?: number;
}

export function skeleton(facts: FileFacts, options: OutlineOptions = {}): Outline {
  const { offset = 0, bytesMax = graphLimits.outlineBytesDefault } = options;
  const { outlineBytesMin, outlineBytesMax } = graphLimits;
  if (!Number.isInteger(offset) || offset < 0) throw new RangeError(`An offset counts symbols from 0, not ${offset}.`);
  if (!(bytesMax >= outlineBytesMin && bytesMax <= outlineBytesMax)) {
    throw new RangeError(`An outline has ${outlineBytesMin} to ${outlineBytesMax} bytes, not ${bytesMax}.`);
  }
  const ordered = [...facts.symbols].sort((a, b) => a.start - b.start || b.end - a.end);
  const page = (symbols: readonly OutlineEntry[]): Outline => {
    const next = offset + symbols.length;
    const isCut = next < ordered.length;
    return {
      path: facts.path,
      language: facts.language,
      lines: facts.lines,
      count: ordered.length,
      offset,
      symbols,
      truncated: isCut,
      next_offset: isCut ? next : null,
    };
  };
  // Room for the longest head there can be, so that what is added later never makes it larger.
  let left = bytesMax - bytesOf({ ...page([]), truncated: false, next_offset: Math.max(ordered.length, 1_000) });
  const symbols: OutlineEntry[] = [];
  for (const symbol of ordered.slice(offset)) {
    let entry = entryOf(symbol, nestingOf(facts, symbol));
    if (symbols.length === 0 && bytesOf(entry) > left) entry = { ...entry, signature: '', summary: '' };
    const bytes = bytesOf(entry) + (symbols.length === 0 ? 0 : 1);
    if (bytes > left && symbols.length > 0) break;
    left -= bytes;
    symbols.push(entry);
  }
  return page(symbols);
}

/** Ends at a full stop before white space, or at an empty line. Short forms such as "e.g." end nothing. */
export function firstSentence(text: string): string {
  const paragraph = (text.trim().split(/\n[ \t]*\r?\n/, 1)[0] ?? '').replace(/\s+/g, ' ').trim();
  for (const stop of paragraph.matchAll(/[.!?](?=\s|$)|[。！？]/g)) {
    const sentence = paragraph.slice(0, stop.index + 1);
    if (!/(^|[\s(])(e\.g|i\.e|etc|vs|cf|resp|approx|no|[A-Z])\.$/i.test(sentence)) return sentence;
  }
  return paragraph;
}

function entryOf(symbol: SymbolFact, nesting: number): OutlineEntry {
  const { outlineNameChars, outlineSummaryChars } = graphLimits;
  return {
    name: cut(symbol.name, outlineNameChars),
    qualified_name: cut(symbol.qualifiedName, outlineNameChars),
    kind: symbol.kind,
    signature: symbol.signature,
    summary: cut(firstSentence(symbol.documentation), outlineSummaryChars),
    start_line: symbol.startLine,
    end_line: symbol.endLine,
    nesting,
  };
}

function nestingOf(facts: FileFacts, symbol: SymbolFact): number {
  let nesting = 0;
  for (let at = symbol.parent; at !== null; at = facts.symbols[at]?.parent ?? null) nesting += 1;
  return nesting;
}

function cut(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  // Never half a character: the answer has to be well formed.
  return `${text.slice(0, charsMax - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value), 'utf8');
}
