/** The outline of a file as an agent reads it: a line for each symbol, indented by nesting. */
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
