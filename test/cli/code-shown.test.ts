/** How answers about code read: pure functions from an answer to lines. */
import pc from 'picocolors';
import { expect, test } from 'vitest';
import { counted } from '../../src/base/numbers.ts';
import { doctorExitCode, doctorLines } from '../../src/cli/code/doctor.ts';
import { bytesWords, secondsWords } from '../../src/cli/code/numbers.ts';
import { barLine, progressBar } from '../../src/cli/code/progress.ts';
import { documentLines, documentListLines, removedDocumentLines } from '../../src/cli/code/shown-documents.ts';
import { buildLines, healthLines, savingsLines, statsLines, validateLines } from '../../src/cli/code/shown-facts.ts';
import { impactLines, neighboursLines } from '../../src/cli/code/shown-graph.ts';
import { hitLines, queryLines, searchLines, skeletonLines, wakeupLines } from '../../src/cli/code/shown-hits.ts';
import { updateLine } from '../../src/cli/code/watch.ts';
import type { Screen } from '../../src/cli/screen/screen.ts';
import { widthOf } from '../../src/cli/screen/text-width.ts';
import type { BuildAnswer, Freshness, Hit, QueryAnswer, StatsAnswer } from '../../src/engine/code/answers.ts';
import type { Finding } from '../../src/engine/code/doctor.ts';
import type { Savings } from '../../src/retrieval/context/savings.ts';
import type { Dependent, Impact } from '../../src/retrieval/graph/impact.ts';
import type { ShownNode } from '../../src/retrieval/graph/shown-node.ts';
import type { Neighbour, StructuralAnswer } from '../../src/retrieval/graph/structural.ts';

const now = new Date('2026-10-02T12:05:00Z');
const plain: Screen = { columns: null, colours: pc.createColors(false), now };
const coloured: Screen = { columns: 100, colours: pc.createColors(true), now };
const esc = String.fromCharCode(27);

const open: Hit = {
  id: 'symbol:src/store.ts#Store.open',
  label: 'Store.open()',
  file_type: 'code',
  source_file: 'src/store.ts',
  score: 1,
  kind: 'method',
  start_line: 41,
  end_line: 67,
  signature: 'open(file: string): Database',
  summary: 'Opens the database in WAL mode.',
  why: { lexical: ['open', 'database'], vector: 0.613, graph: ['src/main.ts'] },
};
const file: Hit = {
  ...open,
  id: 'file:src/main.ts',
  label: 'main.ts',
  source_file: 'src/main.ts',
  kind: 'file',
  start_line: 1,
  end_line: 1,
  signature: '',
  summary: '',
  why: {},
};
const stale: Freshness = {
  state: 'stale',
  changed: 1,
  added: 2,
  removed: 0,
  files: ['src/a.ts', 'src/b.ts', 'src/c.ts'],
  indexed_at: '2026-10-02T12:00:00Z',
};

test('CC5 a hit is its place, kind and name, then its declaration, then the reasons', () => {
  expect(searchLines({ project_id: 'p', query: 'open', results: [open, file], freshness: null }, plain)).toEqual([
    'src/store.ts:41-67  method Store.open()',
    '    open(file: string): Database',
    '    words: open, database · meaning 0.61 · beside src/main.ts',
    'src/main.ts:1  file',
  ]);
});

test('CC5 without a declaration the documentation stands there, and a long line is wrapped on a terminal alone', () => {
  const section: Hit = { ...open, kind: 'section', label: 'Storage', signature: '', why: {} };
  expect(hitLines(section, plain)).toEqual([
    'src/store.ts:41-67  section Storage',
    '    Opens the database in WAL mode.',
  ]);
  const long: Hit = { ...open, signature: `open(${'argument: string, '.repeat(12)})` };
  expect(hitLines(long, plain)).toHaveLength(3);
  const narrow = hitLines(long, { ...plain, columns: 60 });
  expect(narrow.length).toBeGreaterThan(5);
  for (const line of narrow) expect(widthOf(line)).toBeLessThanOrEqual(60);
});

test('CC6 an index that is behind is said once, before the answer', () => {
  const answer = { project_id: 'p', query: 'open', results: [open], freshness: stale };
  expect(searchLines(answer, plain)[0]).toBe(
    'The index is behind: 1 file changed, 2 new (src/a.ts, src/b.ts, src/c.ts). Catch up with: mnemosyne build',
  );
  expect(searchLines({ ...answer, freshness: { ...stale, state: 'fresh' } }, plain)).toHaveLength(3);
});

const query: QueryAnswer = {
  project_id: 'p',
  question: 'Where is the database opened?',
  context: 'Project: atlas\n',
  tokens: { total: 640, l0: 40, l1: 80, l2: 120, l3: 400 },
  budget: 1500,
  layers_used: ['L0', 'L3'],
  reduction_ratio: 176.2,
  search_hits: 1,
  top_search_hits: [open],
  cut: { l0: 0, l1: 0, l2: 3, l3: 1 },
  freshness: null,
  trace: null,
};

test('CC5 an answer ends with its price', () => {
  expect(queryLines(query, plain).slice(3)).toEqual([
    '',
    '640 of 1,500 tokens, 4 lines left out, 176 times smaller than every indexed file together',
  ]);
  expect(queryLines({ ...query, top_search_hits: [] }, plain)[0]).toBe('Nothing fits.');
});

test('CC28 only places that the budget has room for are printed, and what was left out is said', () => {
  const further = { ...open, source_file: 'src/further.ts' };
  const cut = { l0: 0, l1: 0, l2: 3, l3: 1 };
  const some = queryLines({ ...query, budget: 60, top_search_hits: [open, further], search_hits: 1, cut }, plain);
  expect(some.join('\n')).not.toContain('src/further.ts');
  expect(some.at(-1)).toMatch(/^640 of 60 tokens, 4 lines left out \(1 of 2 places\), /);
  const none = queryLines({ ...query, top_search_hits: [open, further], search_hits: 0, cut }, plain);
  expect(none[0]).toBe('No place fits into the budget; give more: --budget');
  expect(none.at(-1)).toContain('(2 of 2 places)');
});

test('CC19 how an answer came about is told in lines, and no JSON stands among them', () => {
  const place = { label: 'Store.open', source_file: 'src/store.ts', start_line: 41, end_line: 67, score: 1 };
  const trace = {
    query: 'open',
    verbose: false,
    events: [
      { layer: 'intent', kind: 'query_type', summary: 'looks like code', data: { detected: 'code', code_score: 2 } },
      {
        layer: 'candidates',
        kind: 'search',
        summary: '1 candidates',
        data: { candidates: [{ ...place, why: ['open', 'meaning'] }] },
      },
      {
        layer: 'L2',
        kind: 'cluster_scores',
        summary: '1 of 2 groups are shown',
        data: {
          clusters: [
            { cluster: 3, name: 'src (store.ts)', candidates: 2, score: 0.51, selected: true },
            { cluster: 4, name: `a${esc}[2J`, candidates: 1, score: 0.2, selected: false },
          ],
        },
      },
      { layer: 'L3', kind: 'hits', summary: '0 hits', data: { hits: [] } },
      {
        layer: 'compose',
        kind: 'budget',
        summary: '640 of 1500 tokens',
        data: { layers: ['L0:Identity'], cut: { l0: 0, l1: 2 } },
      },
    ],
  };
  const shown = queryLines({ ...query, trace }, plain).slice(6);
  expect(shown).toEqual([
    'How it came about',
    'intent query type: looks like code',
    '  detected code, code score 2',
    'candidates search: 1 candidates',
    '  1.000  src/store.ts:41-67  Store.open  open, meaning',
    'L2 cluster scores: 1 of 2 groups are shown',
    '  0.510  src (store.ts)  2 candidates  shown',
    '  0.200  a�[2J           1 candidate   not shown',
    'L3 hits: 0 hits',
    'compose budget: 640 of 1500 tokens',
    '  layers L0:Identity, cut l0 0 · l1 2',
  ]);
});

test('CC7 colours and control characters: the first only where they are wanted, the second never', () => {
  const wild: Hit = { ...open, label: `a${esc}[2J`, signature: 'x\ny', why: { lexical: [`${esc}[1m`] } };
  expect(hitLines(wild, plain).join('\n')).not.toContain(esc);
  expect(hitLines(wild, plain)).toHaveLength(3);
  expect(hitLines(open, coloured)[0]).toBe(
    `${esc}[36msrc/store.ts:41-67${esc}[39m  method ${esc}[1mStore.open()${esc}[22m`,
  );
});

test('CC5 a wake-up and an outline are shown as they are, with what they took and how to read on', () => {
  const wakeup = {
    project_id: 'p',
    context: 'Project: atlas\nGroups:\n',
    tokens: 41,
    reduction_ratio: 0,
    layers_used: [],
  };
  expect(wakeupLines({ ...wakeup, freshness: null }, plain)).toEqual(['Project: atlas', 'Groups:', '', '41 tokens']);
  const outline = {
    project_id: 'p',
    source_file: 'src/store.ts',
    language: 'typescript',
    lines: 92,
    outline: '12-90 class Store\n  41-67 method open(file: string): Database',
    symbols: 2,
    note: null,
    truncated: true,
    next_offset: 2,
    freshness: null,
  };
  expect(skeletonLines(outline, plain)).toEqual([
    'src/store.ts  typescript, 92 lines, 2 symbols',
    '12-90 class Store',
    '  41-67 method open(file: string): Database',
    '',
    'There is more: --offset 2',
  ]);
  const empty = { ...outline, outline: '', symbols: 0, next_offset: null, note: 'no definition was found in it' };
  expect(skeletonLines(empty, plain).at(-1)).toBe('No definition was found in it.');
});

const stats: Extract<StatsAnswer, { built: true }> = {
  project_id: 'p',
  project: 'atlas',
  built: true,
  nodes: 1396,
  edges: 4210,
  communities: 9,
  files: 112,
  symbols: 1284,
  lines: 18240,
  tokens: 112770,
  languages: { sql: 10, typescript: 98, markdown: 4 },
  text_only: { generated: 2 },
  skipped: { minified: 1 },
  skipped_files: [{ path: 'assets/vendor.min.js', reason: 'minified' }],
  unresolved: 318,
  embedder: 'static',
  db_path: '/atlas/.neuralmind/index.db',
  db_bytes: 2908160,
  build_stats: { built_at: '2026-10-02T12:00:00Z', duration_seconds: 0.184, commit: '9d1f0c2e11223344', generation: 7 },
  freshness: { ...stale, state: 'fresh', changed: 0, added: 0, files: [] },
};

test('CC8 numbers stand in aligned rows, largest first inside a row, and nothing is shown for nothing', () => {
  expect(statsLines(stats, plain).join('\n')).toMatchSnapshot();
  const bare = statsLines({ ...stats, skipped: {}, skipped_files: [] }, plain);
  expect(bare.some((line) => line.startsWith('skipped'))).toBe(false);
  expect(statsLines({ project_id: 'p', project: 'atlas', built: false }, plain)).toEqual([
    'atlas has no index yet.',
    'Make one with: mnemosyne build',
  ]);
});

const build: BuildAnswer = {
  success: true,
  project: 'atlas',
  backend: 'sqlite',
  nodes_total: 1396,
  communities: 9,
  nodes_added: 14,
  nodes_updated: 3,
  nodes_skipped: 109,
  nodes_removed: 2,
  files: 112,
  files_read: 3,
  files_reused: 109,
  files_removed: 1,
  files_skipped: 1,
  changed: true,
  db_path: '/atlas/.neuralmind/index.db',
  duration_seconds: 0.184,
  built_at: '2026-10-02T12:00:00Z',
};

test('CC4 a build says files, symbols, edges, what it skipped and how long it took', () => {
  expect(buildLines(build, stats, plain)).toEqual([
    'Indexed atlas in 0.18 s: 112 files (3 read, 109 as before, 1 gone), 1,284 symbols, 4,210 edges.',
    'Skipped: minified 1 (which: mnemosyne stats).',
  ]);
  expect(buildLines({ ...build, changed: false }, stats, plain)).toEqual([
    'Nothing has changed in atlas: 112 files looked at in 0.18 s.',
  ]);
});

test('CC8 health and documents as people read them', () => {
  const health = { project_id: 'p', project: 'atlas', message: 'Built.', watching: true, building: false };
  expect(healthLines({ ...health, state: 'ok', freshness: null }, plain)).toEqual(['ok  atlas: Built.', 'watching']);
  expect(healthLines({ ...health, state: 'stale', freshness: stale }, plain)[0]).toContain('1 file changed, 2 new');
  const document = { success: true, project_id: 'p', file_path: 'a.pdf', content_type: 'pdf', node_count: 1 } as const;
  expect(documentLines({ ...document, already_indexed: false })).toEqual(['Added a.pdf (pdf, 1 piece).']);
  expect(documentLines({ ...document, already_indexed: true })[0]).toContain('is in the index as it is');
});

test('DO34 the list of documents says of each how it stands and what it is', () => {
  const added_at = '2026-10-02T12:00:00Z';
  const none = { kind: null, title: null, bytes: null, node_count: 0, skip_reason: null };
  const items = [
    { ...none, file_path: 'docs/a.md', content_type: 'auto', kind: 'markdown', title: 'Fleet', bytes: 2048, added_at },
    { ...none, file_path: 'b.txt', content_type: 'text', added_at },
    { ...none, file_path: 'c\u001b[31m.bin', content_type: 'auto', skip_reason: 'binary', added_at },
  ] as const;
  const states = ['fresh', 'changed', 'gone'] as const;
  const listed = items.map((one, at) => ({ ...one, node_count: at === 0 ? 31 : 0, state: states[at] ?? 'gone' }));
  expect(documentListLines({ items: listed, next_cursor: null }, plain)).toEqual([
    'fresh    docs/a.md   markdown, 31 pieces  2.0 kB  5 minutes ago  Fleet',
    'changed  b.txt       not indexed                  5 minutes ago',
    'gone     c\ufffd[31m.bin  left out: binary             5 minutes ago',
  ]);
  expect(documentListLines({ items: [], next_cursor: null }, plain)).toEqual([
    'No document was added.',
    'Add one with: mnemosyne documents add <file>',
  ]);
  expect(removedDocumentLines('a.md')).toEqual(['Removed a.md from the documents. The file is as it was.']);
});

test('CC8 CC18 savings and a validation say what they come to, and the first before that what it assumes', () => {
  const savings: Savings = {
    project: 'atlas',
    scope: 'project',
    log: '.neuralmind/usage.jsonl',
    total_queries: 3,
    total_wakeups: 1,
    total_tokens_used: 2520,
    est_total_full_cost: 451080,
    total_tokens_saved: 448560,
    avg_reduction_ratio: 179,
    baseline_disclosure: 'Generous.',
    recent_queries: [{ at: '2026-10-02T12:04:10Z', tokens: 640, ratio: 176.2 }],
    dollar_savings: null,
  };
  expect(savingsLines(savings, plain)).toEqual([
    'Generous.',
    '',
    'asked         3 queries, 1 wake-up',
    'answers took  2,520 tokens (measured)',
    'every file    451,080 tokens, once for each answer (assumed)',
    'saved         at most 448,560 tokens; answers are 179 times smaller on average',
    'lately        just now: 640 tokens, 176 times smaller',
  ]);
  const small = { ...savings, total_tokens_saved: -20, avg_reduction_ratio: 0.4, recent_queries: [] };
  expect(savingsLines(small, plain).at(-1)).toBe(
    'saved         nothing: all files together are smaller than the answers about them',
  );
  const dollar_savings = {
    model: 'm',
    price_per_mtok: 5,
    baseline_cost_total: 2.2554,
    actual_cost_total: 0.0126,
    saved_total: 2.2428,
    daily_saved: 56.07,
    monthly_saved: 1682.1,
    queries_per_day: 100,
    days: 30,
    baseline_tokens_per_query: 112770,
    estimated: true,
    basis: 'An estimate.',
  } as const;
  expect(savingsLines({ ...savings, dollar_savings, recent_queries: [] }, plain).slice(-2)).toEqual([
    'cost          $0.01, with every file $2.26',
    'a month       at most $1,682.10 saved. An estimate.',
  ]);
  expect(savingsLines({ ...savings, total_queries: 0, total_wakeups: 0, recent_queries: [] }, plain)).toEqual([
    'Nothing is saved yet: no question and no wake-up of atlas is in .neuralmind/usage.jsonl.',
    'They are counted when they are asked: mnemosyne query, mnemosyne wakeup, or an agent.',
  ]);
  const validation = { ok: true, errors: [], warnings: [], errors_total: 0, warnings_total: 0 };
  const summary = {
    ir_version: 1,
    generated_by: 'mnemosyne',
    source_backend: 'sqlite',
    source_schema_version: '1',
    coverage: 'precise',
    built_at_commit: null,
    created_at: '2026-10-02T12:00:00Z',
    counts: { nodes: 14, edges: 18, clusters: 3, synapses: 0 },
    node_kinds: {},
    languages: {},
    written_to: null,
  } as const;
  expect(validateLines({ ...summary, validation }, plain)).toEqual([
    'The index hangs together: 14 nodes, 18 edges, 3 groups.',
  ]);
  const broken = {
    ...validation,
    ok: false,
    errors: [{ code: 'dangling_edge_target', message: 'edge a calls b: no such target' } as const],
    errors_total: 3,
  };
  expect(validateLines({ ...summary, validation: broken, written_to: { ir: 'a.json' } }, plain)).toEqual([
    'The index does not hang together: 14 nodes, 18 edges, 3 groups.',
    'error    dangling_edge_target  edge a calls b: no such target',
    '… 2 more',
    'Wrote a.json',
    'Make it anew with: mnemosyne build --force',
  ]);
});

const node = (name: string, path = `src/${name}.ts`): ShownNode => ({
  id: `symbol:${path}#${name}`,
  label: `${name}()`,
  qualified_name: name,
  kind: 'function',
  path,
  start_line: 3,
  end_line: 9,
});
const dependent = (name: string, hop: number, chain: readonly string[], inferred = false): Dependent => ({
  ...node(name),
  line: hop * 10,
  relation: hop === 1 ? 'callers' : 'importers',
  hop,
  depends_on: chain[0] ?? '',
  chain: [node(name).id, ...chain],
  inferred,
});
const root = node('root');
const impact: Impact = {
  symbol: 'root',
  depth: 3,
  relations: ['callers'],
  resolution: 'exact',
  resolved_node: root,
  candidates: [],
  candidates_count: 0,
  suggestions: [],
  dependents: [
    dependent('a', 1, [root.id]),
    dependent('b', 1, ['symbol:src/i.ts#I.m', root.id], true),
    dependent('c', 2, [node('a').id, root.id]),
    dependent('d', 3, [node('c').id, node('a').id, root.id]),
    dependent('e', 2, [node('gone').id, root.id]),
  ],
  count: 5,
  truncated: false,
  unresolved: 0,
  note: null,
};

test('CC9 an impact is a tree: each dependent once, below what it depends on', () => {
  expect(impactLines(impact, plain)).toEqual([
    'root()  function  src/root.ts:3-9',
    '├─ a()  calls  src/a.ts:10',
    '│  └─ c()  imports  src/c.ts:20',
    '│     └─ d()  imports  src/d.ts:30',
    '├─ b()  calls  src/b.ts:10 (inferred)',
    '└─ e()  imports  src/e.ts:20',
    '5 dependents within 3 hops',
  ]);
});

test('CC9 CC25 absence and ambiguity are told as what they are', () => {
  const none: Impact = { ...impact, dependents: [], count: 0, depth: 1, note: 'No proof.', unresolved: 2 };
  expect(impactLines(none, plain)).toEqual([
    'root()  function  src/root.ts:3-9',
    '',
    'Looked for dependents within one hop. No proof. (2 unresolved)',
  ]);
  const several: Impact = {
    ...none,
    resolution: 'candidates',
    resolved_node: null,
    candidates: [node('x'), node('x', 'lib/x.ts')],
    candidates_count: 5,
    note: 'The name stands for several things.',
  };
  expect(impactLines(several, plain)).toEqual([
    'root stands for 5 things. Ask with the id of one:',
    '  function  src/x.ts:3  symbol:src/x.ts#x',
    '  function  lib/x.ts:3  symbol:lib/x.ts#x',
    '  … 3 more',
  ]);
  const unknown = {
    ...several,
    resolution: 'none',
    candidates: [],
    candidates_count: 0,
    note: 'Nothing has this name.',
  } as const;
  const search = 'Look for it by words with: mnemosyne search <words>';
  expect(impactLines(unknown, plain)).toEqual(['Nothing in the index is called root.', search]);
  expect(impactLines({ ...unknown, suggestions: ['boot', `roo${esc}s`] }, plain)).toEqual([
    'Nothing in the index is called root.',
    'Did you mean boot, roo�s?',
    search,
  ]);
  expect(impactLines({ ...impact, resolution: 'semantic' }, plain)[0]).toContain('this may be meant');
});

const neighbour = (name: string, inferred = false): Neighbour => ({
  ...node(name),
  edge_path: `src/${name}.ts`,
  edge_line: 5,
  confidence: inferred ? 0.6 : 1,
  inferred,
});

test('CC9 CC25 neighbours stand view by view, those that a name alone decided marked', () => {
  const answer: StructuralAnswer = {
    query: 'root',
    resolution: 'exact',
    resolved_node: root,
    candidates: [],
    candidates_count: 0,
    suggestions: [],
    relations: [
      { relation: 'callers', neighbours: [neighbour('a'), neighbour('long', true)], count: 12, truncated: true },
      { relation: 'used_by', neighbours: [{ ...neighbour('os'), path: null }], count: 1, truncated: false },
      { relation: 'bases', neighbours: [], count: 0, truncated: false },
    ],
    blast_radius: {
      depth: 2,
      nodes: [
        { ...node('a'), hop: 1 },
        { ...node('c'), hop: 2 },
      ],
      count: 2,
      counts_by_hop: [1, 1],
      capped: [],
      truncated: false,
    },
    unresolved: 0,
    note: null,
  };
  expect(neighboursLines(answer, plain).join('\n')).toMatchSnapshot();
  expect(neighboursLines(answer, plain).join('\n')).not.toContain('bases');
  const empty = answer.relations.map((view) => ({ ...view, neighbours: [], count: 0, truncated: false }));
  expect(neighboursLines({ ...answer, relations: empty, blast_radius: null, note: 'No proof.' }, plain)).toEqual([
    'root()  function  src/root.ts:3-9',
    '',
    'Looked for callers, used by, bases. No proof.',
  ]);
  const unknown = {
    ...answer,
    resolution: 'none',
    resolved_node: null,
    relations: [],
    blast_radius: null,
    note: 'x',
  } as const;
  expect(neighboursLines(unknown, plain)).toEqual([
    'Nothing in the index is called root.',
    'Look for it by words with: mnemosyne search <words>',
  ]);
});

test('CC27 of each relation that nobody named a few neighbours are shown, with how to see the rest', () => {
  const many = Array.from({ length: 12 }, (_, at) => neighbour(`n${at}`));
  const answer: StructuralAnswer = {
    query: 'root',
    resolution: 'exact',
    resolved_node: root,
    candidates: [],
    candidates_count: 0,
    suggestions: [],
    relations: [
      { relation: 'callers', neighbours: many, count: 250, truncated: true },
      { relation: 'used_by', neighbours: many.slice(0, 3), count: 3, truncated: false },
    ],
    blast_radius: null,
    unresolved: 0,
    note: null,
  };
  const few = neighboursLines(answer, plain, { shownMax: 10 });
  expect(few).toHaveLength(1 + 2 + 10 + 1 + 2 + 3);
  expect(few).toContain('callers (250)');
  expect(few).toContain('  … 240 more: --relations callers');
  expect(few).toContain('used by (3)');
  const named = neighboursLines(answer, plain, { shownMax: null });
  expect(named).toContain('  … 238 more');
  expect(named).toHaveLength(1 + 2 + 12 + 1 + 2 + 3);
});

test('CC10 a finding stands in one line, its cure below, and a fault alone ends with 1', () => {
  const findings: readonly Finding[] = [
    { check: 'index', state: 'ok', message: 'built and fresh', cure: null },
    { check: 'grammar', state: 'fault', message: 'the grammar of python is missing', cure: 'npm ci' },
    { check: 'watcher', state: 'warning', message: 'nobody watches', cure: 'mnemosyne watch' },
  ];
  expect(doctorLines(findings, plain)).toEqual([
    'ok       index    built and fresh',
    'fault    grammar  the grammar of python is missing',
    '                  → npm ci',
    'warning  watcher  nobody watches',
    '                  → mnemosyne watch',
    '',
    '1 fault, 1 warning.',
  ]);
  expect(doctorExitCode(findings)).toBe(1);
  expect(doctorExitCode(findings.filter(({ state }) => state !== 'fault'))).toBe(0);
  expect(doctorLines(findings.slice(0, 1), plain).at(-1)).toBe('All is well.');
});

test('CC4 the bar is one line of a terminal, drawn seldom, removed at the end, and absent elsewhere', () => {
  expect(barLine({ phase: 'read', done: 1204, total: 3000 }, 80)).toBe(
    'Reading  [#########...............]  1,204 of 3,000 files',
  );
  expect(barLine({ phase: 'list', done: 0, total: 0 }, 80)).toBe('Listing  [........................]  …');
  expect(widthOf(barLine({ phase: 'read', done: 1204, total: 3000 }, 30))).toBeLessThan(30);
  let written = '';
  let time = 0;
  const terminal = {
    print: () => {},
    error: () => {},
    write: () => {},
    writeError: (text: string) => {
      written += text;
    },
  };
  const bar = progressBar({ ...terminal, statusLine: { columns: 80 } }, () => time);
  for (time = 0; time < 160; time += 10) bar.show({ phase: 'read', done: time, total: 200 });
  bar.clear();
  const drawn = written.split('\r').filter((line) => line !== '');
  expect(drawn).toHaveLength(3);
  expect(drawn.at(-1)).toBe(`${esc}[K`);
  expect(written).not.toContain('\n');
  written = '';
  const none = progressBar(terminal, () => time);
  none.show({ phase: 'read', done: 1, total: 2 });
  none.clear();
  expect(written).toBe('');
});

test('CC8 numbers, sizes and times as people read them', () => {
  expect([counted(1, 'file'), counted(12_345, 'file'), counted(2, 'index', 'indexes')]).toEqual([
    '1 file',
    '12,345 files',
    '2 indexes',
  ]);
  expect([0.044, 3.21, 125].map(secondsWords)).toEqual(['0.04 s', '3.2 s', '2 min 5 s']);
  expect([812, 4_100, 4_100_000, 2_500_000_000].map(bytesWords)).toEqual(['812 bytes', '4.1 kB', '4.1 MB', '2.50 GB']);
});

test('CC11 an update is one line', () => {
  const update = {
    at: '2026-10-02T12:04:10.123Z',
    generation: 8,
    files: 120,
    read: 4,
    paths: ['src/a.ts', 'src/b.ts', 'src/c.ts'],
    duration_seconds: 0.081,
  };
  expect(updateLine(update)).toBe(
    '12:04:10  4 files read (src/a.ts, src/b.ts, src/c.ts, …), 120 files in the index, 0.08 s',
  );
  expect(updateLine({ ...update, read: 0, paths: [] })).toContain('files gone, 120 files in the index');
});
