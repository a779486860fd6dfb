/**
 * A layer of a context: lines that are shown whole or not at all.
 *
 * A line tells of one thing (a symbol, a group), so cutting at lines cuts at symbols. A heading is shown only while a
 * line that is no heading follows it.
 */
import { countTokens, measureTokens } from './tokens.ts';

export interface LayerLine {
  /** Without line end. */
  readonly text: string;
  readonly heading: boolean;
}

export interface Layer {
  readonly lines: readonly LayerLine[];
  /** Lines, besides headings, for which the cap left no room. */
  readonly left: number;
}

export const emptyLayer: Layer = { lines: [], left: 0 };

export function line(text: string): LayerLine {
  return { text, heading: false };
}

export function heading(text: string): LayerLine {
  return { text, heading: true };
}

export function renderLines(lines: readonly LayerLine[]): string {
  return lines.map(({ text }) => text).join('\n');
}

/** As many of the lines, from the first, as have at most `tokensMax` together. */
export function fitLayer(lines: readonly LayerLine[], tokensMax: number): Layer {
  if (measureTokens(renderLines(lines)) <= tokensMax) return { lines: withoutLooseHeadings(lines), left: 0 };
  let fitting = 0;
  for (const cost = new RunningCost(); fitting < lines.length; fitting += 1) {
    cost.add(lines[fitting]?.text ?? '');
    if (cost.total() > tokensMax) break;
  }
  let kept = withoutLooseHeadings(lines.slice(0, fitting));
  while (kept.length > 0 && measureTokens(renderLines(kept)) > tokensMax) {
    kept = withoutLooseHeadings(kept.slice(0, -1));
  }
  return { lines: kept, left: contentLines(lines) - contentLines(kept) };
}

/** What lines cost when they are joined, up to a token or two: the sum of their own costs. */
export class RunningCost {
  private tokens = 0;
  private characters = -1;

  add(text: string): void {
    this.tokens += countTokens(`${text}\n`);
    this.characters += text.length + 1;
  }

  total(): number {
    return Math.max(this.tokens - 1, Math.ceil(this.characters / 4));
  }
}

/** Without the headings at the end, which head nothing. */
export function withoutLooseHeadings(lines: readonly LayerLine[]): readonly LayerLine[] {
  const last = lines.findLastIndex((each) => !each.heading);
  return lines.slice(0, last + 1);
}

export function contentLines(lines: readonly LayerLine[]): number {
  return lines.reduce((count, each) => count + (each.heading ? 0 : 1), 0);
}
