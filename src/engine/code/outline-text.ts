/** The outline of a file as an agent reads it: a line for each symbol, indented by nesting. */
import type { Outline } from '../../retrieval/graph/skeleton.ts';

/** `12-40  method run(self) — Runs the app.` */
export function outlineText(outline: Outline): string {
  return outline.symbols
    .map((symbol) => {
      const lines =
        symbol.start_line === symbol.end_line ? `${symbol.start_line}` : `${symbol.start_line}-${symbol.end_line}`;
      const what = symbol.signature === '' ? symbol.name : symbol.signature;
      const summary = symbol.summary === '' ? '' : ` — ${symbol.summary}`;
      return `${'  '.repeat(symbol.nesting)}${lines}  ${symbol.kind} ${what}${summary}`;
    })
    .join('\n');
}
