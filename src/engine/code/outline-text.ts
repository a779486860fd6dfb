/** The outline of a file as an agent reads it: a line for each symbol, indented by nesting, and why there is none. */
import { outlineLimits } from '../../base/limits.ts';
import type { SymbolKind } from '../../retrieval/code/symbol.ts';
import type { Outline, OutlineEntry } from '../../retrieval/graph/skeleton.ts';

/** `12-40  def run(self): — Runs the app.`; the kind and the name where the declaration does not say them. */
export function outlineText(outline: Outline): string {
  return outline.symbols
    .map((symbol) => {
      const lines =
        symbol.start_line === symbol.end_line ? `${symbol.start_line}` : `${symbol.start_line}-${symbol.end_line}`;
      const declaration = declarationOf(symbol);
      const saysName = declaration.includes(symbol.name);
      const what = saysName ? declaration : `${symbol.kind} ${symbol.name} ${declaration}`.trimEnd();
      const summary = symbol.summary === '' ? '' : ` — ${symbol.summary}`;
      return `${'  '.repeat(symbol.nesting)}${lines}  ${what}${summary}`;
    })
    .join('\n');
}

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
export function outlineNote(outline: Pick<Outline, 'count'> & { readonly textOnly: string | null }): string | null {
  if (outline.textOnly !== null) {
    const reason = textOnlyWords.get(outline.textOnly) ?? outline.textOnly;
    return `symbols are not read: ${reason}; its text is searched all the same`;
  }
  return outline.count === 0 ? 'no definition was found in it' : null;
}

const textOnlyWords: ReadonlyMap<string, string> = new Map([
  ['generated', 'the file says that it is generated'],
  ['minified', 'the file is minified'],
  ['too-long-to-parse', 'the file is too long to be parsed'],
  ['parser-gave-up', 'the file could not be parsed'],
]);
