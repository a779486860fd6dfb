/**
 * Cuts a text into pieces for full-text search: each definition that holds no other one, and the lines between them,
 * so that every character of the file is in exactly one piece. Long pieces are cut at line ends.
 */
import { codeLimits } from '../../base/limits.ts';
import type { LineTable } from './line-table.ts';
import type { SymbolFact, TextChunk } from './symbol.ts';

/** Kinds that are read together with what surrounds them. */
const parts: ReadonlySet<string> = new Set(['field', 'property', 'variable', 'constant', 'enum-member', 'index']);

export function chunkText(text: string, lines: LineTable, symbols: readonly SymbolFact[]): readonly TextChunk[] {
  const whole = symbols.map((symbol, index) => ({ symbol, index })).filter(({ symbol }) => !parts.has(symbol.kind));
  const holders = new Set(whole.map(({ symbol }) => symbol.parent));
  // A class is cut into its methods; a method that holds a function stays whole, so only member levels are cut.
  const leaves = whole
    .filter(({ symbol, index }) => !holders.has(index) || isCallable(symbol))
    .filter(({ symbol }) => !hasCallableAbove(symbols, symbol))
    .sort((a, b) => a.symbol.start - b.symbol.start || b.symbol.end - a.symbol.end);
  const containers = whole.filter(({ symbol, index }) => holders.has(index) && !isCallable(symbol));
  const chunks: TextChunk[] = [];
  const addBetween = (from: number, to: number): void => {
    for (const { start, end, owner } of stretches(from, to, containers)) {
      addPieces(chunks, text, lines, start, end, owner);
    }
  };
  let at = 0;
  for (const { symbol, index } of leaves) {
    if (symbol.start < at) continue;
    addBetween(at, symbol.start);
    addPieces(chunks, text, lines, symbol.start, symbol.end, index);
    at = symbol.end;
  }
  addBetween(at, text.length);
  return chunks;
}

interface Placed {
  readonly symbol: SymbolFact;
  readonly index: number;
}

/** What lies between definitions, cut where a class begins or ends; each stretch belongs to the innermost one around it. */
function stretches(
  from: number,
  to: number,
  containers: readonly Placed[],
): readonly { readonly start: number; readonly end: number; readonly owner: number | null }[] {
  const near = containers.filter(({ symbol }) => symbol.start < to && symbol.end > from);
  const inside = near.flatMap(({ symbol }) => [symbol.start, symbol.end]).filter((edge) => edge > from && edge < to);
  const edges = [...new Set([from, ...inside, to])].sort((a, b) => a - b);
  return edges.slice(1).map((end, at) => {
    const start = edges[at] ?? from;
    const around = near.filter(({ symbol }) => symbol.start <= start && symbol.end >= end);
    const innermost = around.sort((a, b) => b.symbol.start - a.symbol.start || a.symbol.end - b.symbol.end)[0];
    return { start, end, owner: innermost?.index ?? null };
  });
}

function isCallable(symbol: SymbolFact): boolean {
  return symbol.kind === 'function' || symbol.kind === 'method' || symbol.kind === 'constructor';
}

function hasCallableAbove(symbols: readonly SymbolFact[], symbol: SymbolFact): boolean {
  let parent = symbol.parent;
  while (parent !== null) {
    const above = symbols[parent];
    if (above === undefined) return false;
    if (isCallable(above)) return true;
    parent = above.parent;
  }
  return false;
}

function addPieces(
  chunks: TextChunk[],
  text: string,
  lines: LineTable,
  from: number,
  to: number,
  symbol: number | null,
): void {
  let start = from;
  while (start < to) {
    const lastLine = lines.lineAt(start) + codeLimits.chunkLinesMax;
    const byLines = lastLine > lines.count ? to : lines.startOf(lastLine);
    const end = Math.min(to, byLines, start + codeLimits.chunkCharsMax);
    const piece = text.slice(start, end);
    const shown = piece.trimEnd();
    if (shown !== '') {
      // The rest of the line on which the piece before ended, and empty lines, are nothing to look at.
      const first = start + shown.length - shown.trimStart().length;
      const last = start + shown.length - 1;
      chunks.push({ symbol, start, end, startLine: lines.lineAt(first), endLine: lines.lineAt(last) });
    }
    start = end;
  }
}
