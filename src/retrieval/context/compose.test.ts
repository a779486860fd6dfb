import fc from 'fast-check';
import { countTokens as oracle } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { composeContext, cutNote, type LayerName, type Layers, layerNames, reductionRatio } from './compose.ts';
import { emptyLayer, type Layer, type LayerLine, line, renderLines } from './layer.ts';
import { measureTokens } from './tokens.ts';

/** Both measures, with the package's own counting of tokens. */
function trueSize(text: string): number {
  return Math.max(oracle(text, { disallowedSpecial: new Set() }), Math.ceil(text.length / 4));
}

const word = fc.constantFrom(
  'src/a.ts:1-20',
  'function',
  '<|endoftext|>',
  '漢字かな',
  '🦆',
  '  ',
  'x'.repeat(80),
  '—',
  '\t',
);
const text = fc.oneof(
  fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
  fc.string({ unit: 'grapheme', maxLength: 40 }).map((each) => each.replace(/[\r\n\u2028\u2029]/g, ' ')),
);
const layer: fc.Arbitrary<Layer> = fc.record({
  lines: fc.array(fc.record({ text, heading: fc.boolean() }), { maxLength: 10 }),
  left: fc.constantFrom(0, 0, 3),
});
const anyLayers: fc.Arbitrary<Layers> = fc.record({ L0: layer, L1: layer, L2: layer, L3: layer });

/** As a context shows the layers: by worth. */
const inTextOrder = ['L0', 'L3', 'L2', 'L1'] as const;

test('CX20 for every budget and every content the context is within the budget, in whole lines and in order', () => {
  fc.assert(
    fc.property(anyLayers, fc.integer({ min: 0, max: 700 }), (layers, budget) => {
      const composed = composeContext({ layers, budget });
      expect(trueSize(composed.context)).toBeLessThanOrEqual(budget);
      expect(composed.tokens.total).toBe(trueSize(composed.context));
      const shown = shownCounts(layers, composed.cut);
      const rows = inTextOrder.flatMap((name) => firstContent(layers[name].lines, shown[name]));
      const note = cutNote(composed.cut);
      const whole = renderLines(rows);
      expect([whole, `${whole}\n${note}`]).toContain(composed.context);
      expect(composed.layersUsed).toEqual(layerNames.filter((name) => shown[name] > 0));
    }),
    { seed: 20, numRuns: 300 },
  );
});

test('CX21 lines go from the end of L3 first, then L2, L1 and last L0, and none more than needed', () => {
  fc.assert(
    fc.property(anyLayers, fc.integer({ min: 0, max: 700 }), (layers, budget) => {
      const { cut } = composeContext({ layers, budget });
      const shown = shownCounts(layers, cut);
      const kept = slowestKept(layers, budget);
      for (const name of layerNames) expect(shown[name]).toBe(kept[name]);
    }),
    { seed: 21, numRuns: 150 },
  );
});

test('CX22 what was cut is said in the last line when that fits, and always in numbers', () => {
  const layers = {
    L0: { lines: [line('Project: x')], left: 0 },
    L1: { lines: [line('a group')], left: 2 },
    L2: emptyLayer,
    L3: {
      lines: Array.from({ length: 9 }, (_, index) => line(`src/file.ts:1-2 function ${'name '.repeat(5 * index)}`)),
      left: 0,
    },
  };
  const whole = composeContext({ layers, budget: 1_000 });
  expect(whole.context.split('\n').at(-1)).toBe('(cut: 2 lines of L1)');
  expect(whole.cut).toEqual({ l0: 0, l1: 2, l2: 0, l3: 0 });
  const budgets = Array.from({ length: whole.tokens.total }, (_, budget) => composeContext({ layers, budget }));
  expect(budgets.some(({ context, cut }) => context.endsWith(`(cut: ${cut.l3} lines of L3, 2 of L1)`))).toBe(true);
  expect(budgets[0]).toEqual({
    context: '',
    tokens: { total: 0, l0: 0, l1: 0, l2: 0, l3: 0 },
    layersUsed: [],
    cut: { l0: 1, l1: 3, l2: 0, l3: 9 },
  });
  expect(cutNote({ l0: 0, l1: 0, l2: 0, l3: 1 })).toBe('(cut: 1 line of L3)');
  expect(cutNote({ l0: 0, l1: 0, l2: 0, l3: 0 })).toBe('');
});

test('CX23 the sizes of the layers add up to the whole', () => {
  fc.assert(
    fc.property(anyLayers, fc.integer({ min: 0, max: 700 }), (layers, budget) => {
      const { tokens, layersUsed } = composeContext({ layers, budget });
      expect(tokens.l0 + tokens.l1 + tokens.l2 + tokens.l3).toBe(tokens.total);
      expect(Math.min(tokens.l0, tokens.l1, tokens.l2, tokens.l3)).toBeGreaterThanOrEqual(0);
      if (!layersUsed.includes('L1')) expect(tokens.l1).toBe(0);
    }),
    { seed: 23, numRuns: 200 },
  );
});

test('CX24 the reduction is the size of all files over the size of the context, 0 when either is empty', () => {
  expect(reductionRatio(120_000, 640)).toBe(187.5);
  expect(reductionRatio(100, 300)).toBe(0.33);
  expect([reductionRatio(0, 10), reductionRatio(10, 0)]).toEqual([0, 0]);
});

type Counts = Record<LayerName, number>;

/** How many lines besides headings are shown of each layer. */
function shownCounts(layers: Layers, cut: { l0: number; l1: number; l2: number; l3: number }): Counts {
  const shown = (name: LayerName, lost: number): number =>
    layers[name].left + layers[name].lines.filter((each) => !each.heading).length - lost;
  return { L0: shown('L0', cut.l0), L1: shown('L1', cut.l1), L2: shown('L2', cut.l2), L3: shown('L3', cut.l3) };
}

/** The lines up to and with the last of `count` that are no headings. */
function firstContent(lines: readonly LayerLine[], count: number): readonly LayerLine[] {
  const shown: LayerLine[] = [];
  let left = count;
  for (const each of lines) {
    if (left === 0) break;
    shown.push(each);
    if (!each.heading) left -= 1;
  }
  return shown;
}

/** Takes one line after the other away and measures everything anew each time. */
function slowestKept(layers: Layers, budget: number): Counts {
  const kept: Counts = { L0: 0, L1: 0, L2: 0, L3: 0 };
  for (const name of layerNames) kept[name] = layers[name].lines.filter((each) => !each.heading).length;
  for (;;) {
    const rows = inTextOrder.flatMap((name) => firstContent(layers[name].lines, kept[name]));
    const victim = layerNames.findLast((name) => kept[name] > 0);
    if (victim === undefined || measureTokens(renderLines(rows)) <= budget) return kept;
    kept[victim] -= 1;
  }
}
