/** Whole answers: to a question, to a wake-up, and the trace of one. */
import { expect, test } from 'vitest';
import type { Freshness } from './freshness-words.ts';
import type { ContextHit } from './hit.ts';
import { detectIntent } from './intent.ts';
import { type QueryContextInput, queryContext } from './query-context.ts';
import type { Group } from './summary.ts';
import { measureTokens } from './tokens.ts';
import { intentEvent, TraceRecorder } from './trace.ts';
import { wakeup } from './wakeup.ts';

const hitAt = (index: number): ContextHit => ({
  path: `src/orchard/rows/row-${index}.ts`,
  startLine: 10 * index + 1,
  endLine: 10 * index + 9,
  kind: 'method',
  label: `Row${index}.nearestTree`,
  signature: `nearestTree(place: Place, limits: SearchLimits = {}): Promise<readonly Tree[]>`,
  summary: 'The trees nearest to a place, the nearest first; empty when the row has none within the limits.',
  snippet: '',
  score: 1 - index / 40,
  why: ['name', 'meaning'],
  community: index % 4,
  isTest: false,
  fileType: 'code',
});
const pool = Array.from({ length: 20 }, (_, index) => hitAt(index));

const groups: readonly Group[] = Array.from({ length: 14 }, (_, id) => ({
  id,
  paths: Array.from({ length: 20 - id }, (_, index) => `src/orchard/part-${id}/file-${index}.ts`),
  symbols: 100 + id,
  labels: ['plantTree', 'waterTree', 'pickFruit'],
}));

const stale: Freshness = {
  state: 'stale',
  changed: ['src/a.ts'],
  missing: [],
  added: [],
  indexedAt: '2026-01-02T03:04:05Z',
};

const input: QueryContextInput = {
  identity: {
    name: 'orchard',
    description: 'Keeps track of apple trees, of what they bear and of who picked it, for gardens of every size.',
    files: 250,
    symbols: 3400,
    groups: 14,
    languages: new Map([['typescript', 9]]),
  },
  freshness: null,
  groups,
  hits: pool.slice(0, 8),
  pool,
  budget: null,
  indexedTokens: 500_000,
  recorder: null,
};

test('CX30 without a budget an answer has all layers in about 800 tokens, and never more than 1,500', () => {
  const answer = queryContext(input);
  expect(answer.tokens.total).toBe(measureTokens(answer.context));
  expect(answer.tokens.total).toBeLessThan(1_000);
  expect(answer).toMatchObject({
    layersUsed: ['L0', 'L1', 'L2', 'L3'],
    searchHits: 8,
    cut: { l0: 0, l1: 0, l2: 0, l3: 0 },
  });
  expect(answer.reductionRatio).toBeCloseTo(500_000 / answer.tokens.total, 1);
  const long = { ...hitAt(0), label: 'x'.repeat(80), path: `${'deep/'.repeat(60)}a.ts` };
  const worst = Array.from({ length: 20 }, (_, index) => ({ ...long, startLine: index, endLine: index + 100 }));
  const most = queryContext({ ...input, hits: worst.slice(0, 8), pool: worst, freshness: stale });
  expect(most.tokens.total).toBeLessThanOrEqual(1_500);
  expect(most.searchHits).toBeGreaterThan(3);
  expect(most.searchHits + most.cut.l3).toBe(8);
});

test('CX31 every budget is kept, and hits come before candidates and these before the summary', () => {
  let searchHits = 0;
  for (let budget = 0; budget <= 3_000; budget += budget < 300 ? 1 : 53) {
    const answer = queryContext({ ...input, budget });
    expect(measureTokens(answer.context)).toBeLessThanOrEqual(budget);
    if (answer.cut.l3 > 0) expect(answer.tokens.l1).toBe(0);
    if (budget === 60) expect(answer.context).toContain('Project: orchard\nWhere to look:\n');
    searchHits = answer.searchHits;
  }
  expect(searchHits).toBe(8);
  const small = queryContext({ ...input, budget: 200 });
  expect(small.searchHits).toBeGreaterThanOrEqual(5);
  const large = queryContext({ ...input, budget: 8_000 });
  expect(large.context).toContain('; plantTree, waterTree, pickFruit');
  expect(large.cut).toEqual({ l0: 0, l1: 0, l2: 0, l3: 0 });
});

test('CX31 what a budget left out is said in the last line', () => {
  const answer = queryContext({ ...input, budget: 400 });
  expect(answer.cut.l3).toBeGreaterThan(0);
  expect(answer.context.split('\n').at(-1)).toMatch(new RegExp(`^\\(cut: ${answer.cut.l3} lines? of L3`));
});

test('CX32 an answer from a stale index begins with saying so, and from a fresh one does not speak of it', () => {
  expect(queryContext({ ...input, freshness: stale }).context).toMatch(/^Index is stale \(built .*: 1 file changed/);
  expect(queryContext({ ...input, freshness: stale, budget: 100 }).context).toMatch(/^Index is stale\.\nProject: /);
  const fresh = { ...stale, state: 'fresh', changed: [] } as const;
  expect(queryContext({ ...input, freshness: fresh }).context).toBe(queryContext(input).context);
  expect(queryContext(input).context).not.toMatch(/stale|fresh/);
});

test('CX33 a question that finds nothing still says where it was asked', () => {
  const answer = queryContext({ ...input, hits: [], pool: [] });
  expect(answer).toMatchObject({ layersUsed: ['L0', 'L1'], searchHits: 0, communitiesLoaded: [] });
  const empty = queryContext({ ...input, budget: 1 });
  expect(empty).toMatchObject({ context: '', layersUsed: [], reductionRatio: 0, tokens: { total: 0 } });
});

test('CX34 a wake-up is identity and whole summary, in about 600 tokens', () => {
  const awake = wakeup({ identity: input.identity, groups, freshness: null, indexedTokens: 500_000 });
  expect(awake.layersUsed).toEqual(['L0', 'L1']);
  expect(awake.tokens).toBe(measureTokens(awake.context));
  expect(awake.tokens).toBeGreaterThan(200);
  expect(awake.tokens).toBeLessThan(800);
  expect(awake.context.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(10);
  expect(awake.reductionRatio).toBeCloseTo(500_000 / awake.tokens, 1);
  const late = wakeup({ identity: input.identity, groups, freshness: stale, indexedTokens: 500_000 });
  expect(late.context.split('\n')[0]).toMatch(/^Index is stale/);
  expect(late.context.split('\n').slice(1).join('\n')).toBe(awake.context);
});

test('CX35 the trace tells candidates, groups, hits and budget, in lists of 10, or 25 when verbose', () => {
  const recorder = new TraceRecorder('nearest tree', false);
  recorder.add(intentEvent('auto', detectIntent('nearest tree')));
  const answer = queryContext({ ...input, recorder });
  const trace = recorder.trace();
  expect(trace).toMatchObject({ query: 'nearest tree', verbose: false });
  expect(trace.events.map(({ layer, kind }) => `${layer}/${kind}`)).toEqual([
    'intent/query_type',
    'candidates/search',
    'L2/cluster_scores',
    'L3/hits',
    'compose/budget',
  ]);
  expect(trace.events[1]?.data['candidates']).toHaveLength(10);
  expect(trace.events[3]?.data['hits']).toMatchObject([
    { label: 'Row0.nearestTree', source_file: hitAt(0).path, score: 1 },
    ...Array(7).fill({}),
  ]);
  expect(trace.events[4]?.data).toMatchObject({
    layers: ['L0:Identity', 'L1:Summary(3 clusters)', 'L2:OnDemand(4 clusters)', 'L3:Search(8 results)'],
    tokens: answer.tokens,
    reduction_ratio: answer.reductionRatio,
  });
  const verbose = new TraceRecorder('nearest tree', true);
  queryContext({ ...input, recorder: verbose });
  verbose.add({ layer: 'synapse', kind: 'many', summary: '', data: { deep: { list: Array(40).fill(1) } } });
  expect(verbose.trace().events[0]?.data['candidates']).toHaveLength(20);
  expect(verbose.trace().events.at(-1)?.data).toEqual({ deep: { list: Array(25).fill(1) } });
});

test('CX36 a question is told apart by its words, file names, paths and definitions as written', () => {
  const detected = (question: string): string => detectIntent(question).detected;
  expect(detected('who calls class Flask')).toBe('code');
  expect(detected('where is app.py used')).toBe('code');
  expect(detected('src/server/edge.ts')).toBe('code');
  expect(detected('what does README.md say about installation')).toBe('docs');
  expect(detected('docs/guide.md')).toBe('docs');
  expect(detected('apples and pears')).toBe('hybrid');
  expect(detected('the guide to this function')).toBe('hybrid');
  expect(detectIntent('def parse in a.py')).toEqual({ detected: 'code', codeScore: 6, docsScore: 0 });
  expect(detectIntent('')).toEqual({ detected: 'hybrid', codeScore: 0, docsScore: 0 });
});
