/** The outline of a file as an agent reads it: a line for each symbol, indented by nesting, and why there is none. */
import { outlineLimits } from '../../base/limits.ts';
import { grouped } from '../../base/numbers.ts';
import type { SymbolKind } from '../../retrieval/code/symbol.ts';
import type { Outline, OutlineEntry } from '../../retrieval/graph/skeleton.ts';

/**
 * `12-40  def run(self): — Runs the app.`; the kind and the name where the declaration does not say them. Of several
 * values that one declaration gives (`a = b = 1`, `int a, b;`) the first shows it and the others name that one.
 */
export function outlineText(outline: Outline): string {
  const heads = headsOf(outline.symbols);
  return outline.symbols
    .map((symbol, at) => {
      const head = heads[at] ?? symbol;
      const lines =
        symbol.start_line === symbol.end_line ? `${symbol.start_line}` : `${symbol.start_line}-${symbol.end_line}`;
      const what = head === symbol ? declaredAs(symbol) : `${symbol.kind} ${symbol.name}, declared with ${head.name}`;
      const summary = symbol.summary === '' ? '' : ` — ${symbol.summary}`;
      return `${'  '.repeat(symbol.nesting)}${lines}  ${what}${summary}`;
    })
    .join('\n');
}

function declaredAs(symbol: OutlineEntry): string {
  const declaration = declarationOf(symbol);
  const saysName = declaration.includes(symbol.name);
  return saysName ? declaration : `${symbol.kind} ${symbol.name} ${declaration}`.trimEnd();
}

/** For each symbol the first one that its declaration gives. */
function headsOf(symbols: readonly OutlineEntry[]): readonly OutlineEntry[] {
  const heads: OutlineEntry[] = [];
  for (const [at, symbol] of symbols.entries()) {
    const before = symbols[at - 1];
    const isFurther = before !== undefined && before.name !== symbol.name && isDeclaredWith(symbol, before);
    heads.push(isFurther ? (heads[at - 1] ?? symbol) : symbol);
  }
  return heads;
}

/** `b, c = 1` behind `a = b, c = 1`, or the same text once more. */
function isDeclaredWith(symbol: OutlineEntry, before: OutlineEntry): boolean {
  if (!holdsValue.has(symbol.kind) || !holdsValue.has(before.kind)) return false;
  if (symbol.start_line !== before.start_line || symbol.end_line !== before.end_line) return false;
  if (symbol.signature === '') return false;
  if (symbol.signature === before.signature) return true;
  const rest = /^[^=]*[^=!<>]=\s*(?!=)(.*)$/s.exec(before.signature)?.[1] ?? '';
  // Long declarations are cut, each at its own end.
  const shared = Math.min(rest.length, symbol.signature.length) - 1;
  return rest === symbol.signature || (shared >= cutSharedLeast && rest.startsWith(symbol.signature.slice(0, shared)));
}

const cutSharedLeast = 60;

/**
 * Of a value over several lines the first of them. Declarations are kept on one line, so that its end is known by the
 * opening bracket with a space behind it.
 */
function declarationOf({ kind, signature, start_line, end_line }: OutlineEntry): string {
  if (!holdsValue.has(kind)) return signature;
  const opened = end_line > start_line ? /[[({](?=\s)/.exec(signature) : null;
  const end = Math.min(opened === null ? signature.length : opened.index + 1, outlineLimits.valueCharsMax);
  // Never half a character: the answer has to be well formed.
  return end >= signature.length ? signature : `${signature.slice(0, end).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A property is an accessor, and declared like a method. */
const holdsValue: ReadonlySet<SymbolKind> = new Set<SymbolKind>(['constant', 'variable', 'field']);

/** Why an outline is empty: a file that is searched by its text alone has no symbols whatever it defines. */
export function outlineNote(
  outline: Pick<Outline, 'count' | 'offset'> & { readonly textOnly: string | null },
): string | null {
  if (outline.textOnly !== null) {
    const reason = textOnlyWords.get(outline.textOnly) ?? outline.textOnly;
    return `symbols are not read: ${reason}; its text is searched all the same`;
  }
  if (outline.count === 0) return 'no definition was found in it';
  if (outline.offset < outline.count) return null;
  return `nothing is left at offset ${grouped(outline.offset)}: the last symbol has offset ${grouped(outline.count - 1)}`;
}

const textOnlyWords: ReadonlyMap<string, string> = new Map([
  ['generated', 'the file says that it is generated'],
  ['minified', 'the file is minified'],
  ['too-long-to-parse', 'the file is too long to be parsed'],
  ['parser-gave-up', 'the file could not be parsed'],
]);
