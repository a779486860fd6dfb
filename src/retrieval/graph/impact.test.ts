import { beforeAll, expect, test } from 'vitest';
import { type RandomGraph, randomGraph } from '../../../test/code/random-graph.ts';
import { projectOf } from '../../../test/code/sources.ts';
import { type EdgeKind, link } from '../code/link.ts';
import { ambiguousNote, noneFoundNote, unresolvedNote } from './certainty.ts';
import { impact } from './impact.ts';
import { memoryGraph } from './memory-graph.ts';
import { sureConfidence } from './shown-node.ts';
import type { GraphSource } from './source.ts';

let source: GraphSource;

beforeAll(async () => {
  const { facts, config } = await projectOf({
    'shape.ts':
      'export interface Shape { area(): number; }\nexport class Square implements Shape { area(): number { return 1; } }\nexport class Tile extends Square { area(): number { return 2; } }\n',
    'use.ts':
      "import { Shape, Square } from './shape';\nexport function sum(s: Shape) { return s.area(); }\nexport function one() { return new Square().area(); }\nexport function twice() { return sum(new Square()); }\n",
    'late.ts': "import { twice } from './use';\nconst kept = [twice];\nfunction odd(x: any) { x.sideways(); }\n",
    'solo.ts': 'export function sideways() {}\nexport function alone() {}\n',
    'deco.py': 'def mark(f): return f\n\n@mark\ndef marked(): pass\n',
    'go.mod': 'module ex.com/m\n',
    'main.go': 'package main\n\nimport "ex.com/m/bind"\n\nfunc main() { bind.Do() }\n',
    'bind/b.go': 'package bind\n\nfunc Do() {}\n',
    'twin.ts': 'function alone() {}\n',
  });
  source = memoryGraph(facts, [...link(facts, config)]);
});

/** `hop relation dependent < chain`, with a question mark when it is inferred. */
function lines(symbol: string, depth = 1): readonly string[] {
  const short = (id: string): string => id.replace(/^symbol:/, '');
  return impact(source, symbol, depth).dependents.map((one) => {
    const mark = one.inferred ? '?' : '';
    return `${one.hop}${mark} ${one.relation} ${short(one.id)}:${one.line} < ${one.chain.slice(1).map(short).join(' < ')}`;
  });
}

test('GR20: dependents come with relation, hop, line and the chain of ids down to the symbol', () => {
  expect(lines('sum', 3)).toEqual([
    '1 callers use.ts#twice:4 < use.ts#sum',
    '2 importers file:late.ts:1 < use.ts#twice < use.ts#sum',
    '2 used_by late.ts#kept:2 < use.ts#twice < use.ts#sum',
  ]);
  expect(lines('mark')).toEqual(['1 decorates deco.py#marked:3 < deco.py#mark']);
  expect(lines('Shape')).toEqual([
    '1 importers file:use.ts:1 < shape.ts#Shape',
    '1 implementers shape.ts#Square:2 < shape.ts#Shape',
    '1 used_by use.ts#sum:2 < shape.ts#Shape',
  ]);
});

test('GR21: a method has the callers of the methods it stands in for, and those that stand in for it, as inferred', () => {
  expect(lines('Square.area')).toEqual([
    '1? subclasses shape.ts#Tile.area:3 < shape.ts#Square.area',
    '1 callers use.ts#one:3 < shape.ts#Square.area',
    '1? callers use.ts#sum:2 < shape.ts#Shape.area < shape.ts#Square.area',
  ]);
  expect(lines('Shape.area')).toEqual([
    '1? implementers shape.ts#Square.area:2 < shape.ts#Shape.area',
    '1 callers use.ts#sum:2 < shape.ts#Shape.area',
  ]);
  expect(lines('Tile.area')).toContain('1? callers use.ts#sum:2 < shape.ts#Shape.area < shape.ts#Tile.area');
});

test('GR22: a file has the users of its symbols and the importers of its package', () => {
  expect(lines('bind/b.go')).toEqual([
    '1? importers file:main.go:3 < package:bind < file:bind/b.go',
    '1 callers main.go#main:5 < bind/b.go#Do < file:bind/b.go',
  ]);
  expect(lines('solo.ts')).toEqual([]);
});

test('GR23: no dependents, unresolved references of the name and ambiguity are told by fixed sentences', () => {
  expect(impact(source, 'solo.ts#alone')).toMatchObject({ count: 0, truncated: false, note: noneFoundNote });
  expect(impact(source, 'sideways')).toMatchObject({ count: 0, unresolved: 1, note: noneFoundNote });
  expect(impact(source, 'one').note).toBe(noneFoundNote);
  expect(impact(source, 'mark')).toMatchObject({ unresolved: 0, note: null });
  const ambiguous = impact(source, 'alone');
  expect(ambiguous).toMatchObject({ resolution: 'candidates', dependents: [], count: 0, note: ambiguousNote });
  expect(ambiguous.candidates.map((one) => one.id)).toEqual(['symbol:solo.ts#alone', 'symbol:twin.ts#alone']);
  const noisy: GraphSource = { ...source, unresolvedNamed: (name) => (name === 'mark' ? 2 : 0) };
  expect(impact(noisy, 'mark')).toMatchObject({ count: 1, unresolved: 2, note: unresolvedNote });
});

/** Every step from a dependent to a node, by the words of the rules and by looking at all edges each time. */
function stepsByHand({ edges, facts }: RandomGraph, to: string, isAskedFor: boolean): ReadonlyMap<string, boolean> {
  const kinds: readonly EdgeKind[] = ['calls', 'imports', 'inherits', 'implements', 'references', 'decorates'];
  const steps = new Map<string, boolean>();
  const add = (from: string, inferred: boolean): void => {
    steps.set(from, inferred && (steps.get(from) ?? true));
  };
  const direct = (target: string): readonly (readonly [string, boolean])[] =>
    edges
      .filter((edge) => edge.to === target && kinds.includes(edge.kind))
      .map((edge) => [edge.from, edge.confidence < sureConfidence] as const);
  for (const [from, inferred] of direct(to)) add(from, inferred);
  if (to.startsWith('file:')) {
    const path = to.slice('file:'.length);
    for (const edge of edges)
      if (edge.kind === 'imports' && edge.to === `package:${path.slice(0, 2)}`) add(edge.from, true);
    const own = facts.find((file) => file.path === path)?.symbols ?? [];
    for (const symbol of isAskedFor ? own : []) {
      for (const [from, inferred] of direct(`symbol:${path}#${symbol.qualifiedName}`)) {
        if (from !== to && !from.startsWith(`symbol:${path}#`)) add(from, inferred);
      }
    }
    return steps;
  }
  const name = /\.(m\d)$/.exec(to)?.[1];
  if (name === undefined) return steps;
  const type = to.slice(0, -name.length - 1);
  const has = (other: string): boolean =>
    edges.some((edge) => edge.kind === 'contains' && edge.to === `${other}.${name}`);
  const isTie = (kind: EdgeKind): boolean => kind === 'inherits' || kind === 'implements';
  const above = new Set<string>([type]);
  const below = new Set<string>([type]);
  for (let round = 0; round < edges.length; round += 1) {
    for (const edge of edges) {
      if (!isTie(edge.kind)) continue;
      if (above.has(edge.from)) above.add(edge.to);
      if (below.has(edge.to) && (edge.to === type || !has(edge.to))) below.add(edge.from);
    }
    if (round > 40) break;
  }
  for (const other of above) {
    if (other === type || !has(other)) continue;
    for (const edge of edges) if (edge.kind === 'calls' && edge.to === `${other}.${name}`) add(edge.from, true);
  }
  for (const other of below) if (other !== type && has(other)) add(`${other}.${name}`, true);
  return steps;
}

test('GR24: hops, certainty and chains are those of the search by hand (seeds 1 to 25)', () => {
  let compared = 0;
  for (let seed = 1; seed <= 25; seed += 1) {
    const random = randomGraph(seed, 8, 45);
    const graph = memoryGraph(random.facts, random.linked);
    for (const start of random.ids.filter((_, at) => at % 3 === seed % 3)) {
      const expected = new Map<string, { readonly hop: number; readonly inferred: boolean }>();
      const own = start.replace(/^file:/, 'symbol:');
      let frontier = new Map([[start, false]]);
      for (let hop = 1; hop <= 3; hop += 1) {
        const next = new Map<string, boolean>();
        for (const [id, isUnsure] of frontier) {
          for (const [from, inferred] of stepsByHand(random, id, id === start && hop === 1)) {
            if (from === start || expected.has(from) || from.startsWith(`${own}#`)) continue;
            next.set(from, (inferred || isUnsure) && (next.get(from) ?? true));
          }
        }
        for (const [id, inferred] of next) expected.set(id, { hop, inferred });
        frontier = next;
      }
      const { dependents, count } = impact(graph, start, 3);
      const title = `seed ${seed}, ${start}`;
      expect(
        Object.fromEntries(dependents.map((one) => [one.id, { hop: one.hop, inferred: one.inferred }])),
        title,
      ).toEqual(Object.fromEntries(expected));
      expect(count, title).toBe(expected.size);
      const order = dependents.map((one) => `${one.hop} ${one.id}`);
      expect(order, title).toEqual([...order].sort());
      for (const one of dependents) {
        expect(one.chain[0], title).toBe(one.id);
        expect(one.chain.at(-1), title).toBe(start);
        expect(one.chain[1], title).toBe(one.depends_on);
        expect(one.chain.length, title).toBeGreaterThan(one.hop);
        expect(one.chain.length, title).toBeLessThanOrEqual(2 * one.hop + 1);
        const isEdge = random.edges.some((edge) => edge.from === one.id && edge.to === one.depends_on);
        const isStandIn = one.id.slice(-3) === one.depends_on.slice(-3);
        expect(isEdge || isStandIn, `${title}: ${one.chain.join(' < ')}`).toBe(true);
      }
      compared += dependents.length;
    }
  }
  expect(compared).toBeGreaterThan(2_000);
});

test('GR25: a depth out of range is a broken promise of the caller', () => {
  for (const depth of [0, 6, 1.5, Number.NaN]) expect(() => impact(source, 'sum', depth)).toThrow(RangeError);
});

test('EG19: what depends on a method of an object goes on through the interface that is written for the object', async () => {
  const { facts, config } = await projectOf({
    'clock.ts': 'export interface Clock { now(): number; }\nexport const real: Clock = { now() { return 1; } };\n',
    'fake.ts': "import { Clock } from './clock';\nexport function fake(): Clock { return { now() { return 2; } }; }\n",
    'use.ts': "import { Clock } from './clock';\nexport function wait(clock: Clock) { return clock.now(); }\n",
  });
  const graph = memoryGraph(facts, [...link(facts, config)]);
  const dependents = (symbol: string): readonly string[] =>
    impact(graph, symbol, 1).dependents.map((one) => `${one.relation} ${one.id} ${one.inferred}`);
  expect(dependents('real.now')).toEqual(['callers symbol:use.ts#wait true']);
  expect(dependents('fake.now')).toEqual(['callers symbol:use.ts#wait true']);
  expect(dependents('Clock.now')).toEqual([
    'implementers symbol:clock.ts#real.now true',
    'implementers symbol:fake.ts#fake.now true',
    'callers symbol:use.ts#wait false',
  ]);
});
