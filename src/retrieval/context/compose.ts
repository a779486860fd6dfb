/**
 * Layers put together under a budget that holds.
 *
 * The text is ordered by worth: L0 says what this is, then come the hits of L3, further candidates of L2, and the
 * summary of L1; whoever reads from the top finds the best place first. What is too much is taken away in whole lines: from the end of L3, then of L2, of
 * L1 and last of L0, so that even a budget of three tokens is kept, if need be by an empty context. How large the
 * layers are to begin with is decided before (`allotment.ts`), so that little is left to take away here.
 *
 * Every count is a measure of the finished text, not a sum of parts: joining lines can change how they are cut into
 * tokens.
 */
import { contentLines, type Layer, type LayerLine, RunningCost, renderLines, withoutLooseHeadings } from './layer.ts';
import { measureTokens } from './tokens.ts';

export const layerNames = ['L0', 'L1', 'L2', 'L3'] as const;
export type LayerName = (typeof layerNames)[number];
const textOrder: readonly LayerName[] = ['L0', 'L3', 'L2', 'L1'];
export type Layers = Readonly<Record<LayerName, Layer>>;

/** Sizes add up: what lies between layers, and the line about what was cut, belongs to the layer before it. */
export interface LayerTokens {
  readonly total: number;
  readonly l0: number;
  readonly l1: number;
  readonly l2: number;
  readonly l3: number;
}

/** Lines, without headings, that are not shown for want of room. */
export interface CutLines {
  readonly l0: number;
  readonly l1: number;
  readonly l2: number;
  readonly l3: number;
}

export interface ComposedContext {
  /** At most `budget` tokens by `measureTokens`; empty when no line fits. */
  readonly context: string;
  readonly tokens: LayerTokens;
  /** Those of which a line is shown. */
  readonly layersUsed: readonly LayerName[];
  readonly cut: CutLines;
}

export function composeContext({ layers: given, budget }: { layers: Layers; budget: number }): ComposedContext {
  const layers = withoutLoose(given);
  const shown = linesWithin(layers, budget);
  const cut = cutLines(layers, shown);
  const text = render(shown);
  const note = cutNote(cut);
  const noted = text === '' || note === '' ? text : `${text}\n${note}`;
  const context = noted !== text && measureTokens(noted) <= budget ? noted : text;
  const layersUsed = layerNames.filter((name) => shown[name].length > 0);
  return { context, tokens: layerTokens(shown, context), layersUsed, cut };
}

function withoutLoose({ L0, L1, L2, L3 }: Layers): Layers {
  const tidied = ({ lines, left }: Layer): Layer => ({ lines: withoutLooseHeadings(lines), left });
  return { L0: tidied(L0), L1: tidied(L1), L2: tidied(L2), L3: tidied(L3) };
}

type ShownLines = Record<LayerName, readonly LayerLine[]>;

/** Takes lines away, the last of the last layer first, until the measure of the rest is within the budget. */
function linesWithin(layers: Layers, budget: number): ShownLines {
  const all = firstLines(layers, Number.POSITIVE_INFINITY);
  if (measureTokens(render(all)) <= budget) return all;
  for (let count = fittingLines(layers, budget); ; ) {
    const shown = firstLines(layers, count);
    if (count === 0 || measureTokens(render(shown)) <= budget) return shown;
    count -= 1;
  }
}

/**
 * How many lines, in the order in which they are kept, may fit at most. Their costs are added up and a token is taken
 * off for each line: so much can be saved where the end of one grows together with the next.
 */
function fittingLines(layers: Layers, budget: number): number {
  const all = layerNames.flatMap((name) => layers[name].lines);
  const cost = new RunningCost();
  for (const [index, { text }] of all.entries()) {
    cost.add(text);
    if (cost.total() - index > budget) return index;
  }
  return all.length;
}

function firstLines(layers: Layers, count: number): ShownLines {
  let left = count;
  const take = (layer: Layer): readonly LayerLine[] => {
    const taken = layer.lines.slice(0, left);
    left -= taken.length;
    return withoutLooseHeadings(taken);
  };
  return { L0: take(layers.L0), L1: take(layers.L1), L2: take(layers.L2), L3: take(layers.L3) };
}

function render(shown: ShownLines): string {
  return renderLines(textOrder.flatMap((name) => shown[name]));
}

function cutLines(layers: Layers, shown: ShownLines): CutLines {
  const cutOf = (name: LayerName): number =>
    layers[name].left + contentLines(layers[name].lines) - contentLines(shown[name]);
  return { l0: cutOf('L0'), l1: cutOf('L1'), l2: cutOf('L2'), l3: cutOf('L3') };
}

/** `(cut: 3 lines of L3, 1 of L2)`, or empty when nothing was. */
export function cutNote(cut: CutLines): string {
  const parts = [
    { count: cut.l3, name: 'L3' },
    { count: cut.l2, name: 'L2' },
    { count: cut.l1, name: 'L1' },
    { count: cut.l0, name: 'L0' },
  ].filter(({ count }) => count > 0);
  const words = parts.map(({ count, name }, index) =>
    index > 0 ? `${count} of ${name}` : `${count} ${count === 1 ? 'line' : 'lines'} of ${name}`,
  );
  return words.length === 0 ? '' : `(cut: ${words.join(', ')})`;
}

/** What each layer adds to the size of the text before it. */
function layerTokens(shown: ShownLines, context: string): LayerTokens {
  const total = measureTokens(context);
  const last = textOrder.findLast((name) => shown[name].length > 0);
  const sizes: Record<LayerName, number> = { L0: 0, L1: 0, L2: 0, L3: 0 };
  const before: LayerLine[] = [];
  let counted = 0;
  for (const name of textOrder) {
    if (shown[name].length === 0) continue;
    before.push(...shown[name]);
    const upTo = name === last ? total : Math.min(total, Math.max(counted, measureTokens(renderLines(before))));
    sizes[name] = upTo - counted;
    counted = upTo;
  }
  return { total, l0: sizes.L0, l1: sizes.L1, l2: sizes.L2, l3: sizes.L3 };
}

/** How many times smaller a context is than all the files that it speaks for; 0 when either is empty. */
export function reductionRatio(indexedTokens: number, contextTokens: number): number {
  return contextTokens === 0 ? 0 : Math.round((100 * indexedTokens) / contextTokens) / 100;
}
