import { expect, test } from 'vitest';
import { randomNumbers } from '../../../test/code/random-graph.ts';
import { communitiesOf, type FileEdge } from './communities.ts';

/** Files by community, in the order of the numbers: `0: a b | 1: c`. */
function groups(assigned: ReadonlyMap<string, number>): string {
  const numbers = [...new Set(assigned.values())].sort((a, b) => a - b);
  const filesOf = (number: number): string =>
    [...assigned]
      .filter(([, own]) => own === number)
      .map(([file]) => file)
      .join(' ');
  return numbers.map((number) => `${number}: ${filesOf(number)}`).join(' | ');
}

function clique(...files: readonly string[]): readonly FileEdge[] {
  return files.flatMap((from, at) => files.slice(at + 1).map((to) => ({ from, to, weight: 1 })));
}

const three = ['z1', 'z2', 'z3'];
const four = ['m1', 'm2', 'm3', 'm4'];
const pair = ['a1', 'a2'];
const base = [...clique(...three), ...clique(...four), ...clique(...pair), { from: 'z1', to: 'm1', weight: 0.5 }];

function project(seed: number, files: number, edges: number): { files: string[]; edges: FileEdge[] } {
  const random = randomNumbers(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const folders = Math.ceil(files / 50);
  const names = Array.from({ length: files }, (_, at) => `src/m${at % folders}/f${at}.ts`);
  const name = (at: number): string => names[at % files] ?? '';
  return {
    files: names,
    edges: Array.from({ length: edges }, () => {
      const from = below(files);
      const to = random() < 0.7 ? below(50) * folders + (from % folders) : below(files);
      return { from: name(from), to: name(to), weight: 1 + below(3) };
    }),
  };
}

function shuffled<Item>(items: readonly Item[], seed: number): readonly Item[] {
  const random = randomNumbers(seed);
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

test('GR30: files that hang together get one number, the largest group first, then that of the smallest path', () => {
  const found = communitiesOf([...three, ...four, ...pair], base);
  expect(groups(found)).toBe('0: m1 m2 m3 m4 | 1: z1 z2 z3 | 2: a1 a2');
  expect(groups(communitiesOf(['b1', 'b2', 'a1', 'a2'], [...clique('b1', 'b2'), ...clique('a1', 'a2')]))).toBe(
    '0: a1 a2 | 1: b1 b2',
  );
});

test('GR31: the order of files and edges changes nothing (seeds 1 to 5)', () => {
  for (let seed = 1; seed <= 5; seed += 1) {
    const { files, edges } = project(seed, 300, 1_500);
    const expected = communitiesOf(files, edges);
    const flipped = shuffled(edges, seed).map(({ from, to, weight }) => ({ from: to, to: from, weight }));
    expect([...communitiesOf(shuffled(files, seed + 9), flipped)]).toEqual([...expected]);
    expect([...expected.keys()]).toEqual([...files].sort());
  }
});

test('GR32: files without an edge to another go by folder, and a package holds its files together', () => {
  const files = ['docs/a.md', 'docs/b.md', 'docs/deep/c.md', 'README.md', 'go/x.go', 'go/y.go'];
  const edges = [
    { from: 'package:go', to: 'go/x.go', weight: 0.5 },
    { from: 'package:go', to: 'go/y.go', weight: 0.5 },
    { from: 'README.md', to: 'README.md', weight: 3 },
  ];
  expect(groups(communitiesOf(files, edges))).toBe(
    '0: docs/a.md docs/b.md | 1: go/x.go go/y.go | 2: README.md | 3: docs/deep/c.md',
  );
  expect([...communitiesOf([], [])]).toEqual([]);
  expect([...communitiesOf(['__proto__', 'constructor'], clique('__proto__', 'constructor'))]).toEqual([
    ['__proto__', 0],
    ['constructor', 0],
  ]);
});

test('GR33: a group keeps the number it had, by the most files, and a new one gets a number nobody had', () => {
  const before = new Map([
    ...three.map((file) => [file, 7] as const),
    ...four.map((file) => [file, 2] as const),
    ...pair.map((file) => [file, 0] as const),
  ]);
  expect(groups(communitiesOf([...three, ...four, ...pair], base, before))).toBe(
    '0: a1 a2 | 2: m1 m2 m3 m4 | 7: z1 z2 z3',
  );
  const more = ['n1', 'n2', 'n3', 'n4', 'n5'];
  expect(groups(communitiesOf([...three, ...four, ...more], [...base.slice(0, 9), ...clique(...more)], before))).toBe(
    '1: n1 n2 n3 n4 n5 | 2: m1 m2 m3 m4 | 7: z1 z2 z3',
  );
  // Of two groups that came out of one, the larger keeps the number.
  const split = new Map([...three, ...four].map((file) => [file, 4] as const));
  expect(groups(communitiesOf([...three, ...four], base.slice(0, 9), split))).toBe('0: z1 z2 z3 | 4: m1 m2 m3 m4');
  const { files, edges } = project(3, 400, 2_000);
  const first = communitiesOf(files, edges);
  expect([...communitiesOf(files, edges, first)]).toEqual([...first]);
});

test('GR34: what was found is better tied within than folders or one group are (seed 6)', () => {
  const { files, edges } = project(6, 500, 4_000);
  const modularity = (groupOf: (file: string) => unknown): number => {
    const total = edges.reduce((sum, edge) => sum + (edge.from === edge.to ? 0 : edge.weight), 0);
    const degree = new Map<unknown, number>();
    let within = 0;
    for (const { from, to, weight } of edges) {
      if (from === to) continue;
      if (groupOf(from) === groupOf(to)) within += weight;
      for (const file of [from, to]) degree.set(groupOf(file), (degree.get(groupOf(file)) ?? 0) + weight);
    }
    return within / total - [...degree.values()].reduce((sum, one) => sum + (one / (2 * total)) ** 2, 0);
  };
  const found = communitiesOf(files, edges);
  const folder = (file: string): string => file.slice(0, file.lastIndexOf('/'));
  expect(modularity((file) => found.get(file))).toBeGreaterThanOrEqual(modularity(folder) - 0.001);
  expect(modularity(folder)).toBeGreaterThan(0.4);
});

test('GR35: ten thousand files with sixty thousand edges take less than a second', () => {
  const { files, edges } = project(7, 10_000, 60_000);
  // Processor time: other tests share the cores.
  const before = process.cpuUsage();
  expect(communitiesOf(files, edges).size).toBe(10_000);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
});

test('GR36: an edge has a weight above 0', () => {
  expect(() => communitiesOf(['a'], [{ from: 'a', to: 'b', weight: 0 }])).toThrow(RangeError);
  expect(() => communitiesOf(['a'], [{ from: 'a', to: 'b', weight: Number.NaN }])).toThrow(RangeError);
});
