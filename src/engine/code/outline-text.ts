/** The outline of a file as an agent reads it: a line for each symbol, indented by nesting, and why there is none. */
import type { Outline } from '../../retrieval/graph/skeleton.ts';

/** `12-40  def run(self): — Runs the app.`; the kind and the name where the declaration does not say them. */
export function outlineText(outline: Outline): string {
  return outline.symbols
    .map((symbol) => {
      const lines =
        symbol.start_line === symbol.end_line ? `${symbol.start_line}` : `${symbol.start_line}-${symbol.end_line}`;
      const saysName = symbol.signature.includes(symbol.name);
      const what = saysName ? symbol.signature : `${symbol.kind} ${symbol.name} ${symbol.signature}`.trimEnd();
      const summary = symbol.summary === '' ? '' : ` — ${symbol.summary}`;
      return `${'  '.repeat(symbol.nesting)}${lines}  ${what}${summary}`;
    })
    .join('\n');
}

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
