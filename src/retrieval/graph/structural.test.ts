import { beforeAll, expect, test } from 'vitest';
import { randomGraph } from '../../../test/code/random-graph.ts';
import { projectOf } from '../../../test/code/sources.ts';
import { graphLimits } from '../../base/limits.ts';
import { link } from '../code/link.ts';
import { ambiguousNote, noneFoundNote, unknownNote, unresolvedNote } from './certainty.ts';
import { memoryGraph } from './memory-graph.ts';
import { parseRelations, relationNames, type View, views } from './relations.ts';
import type { GraphSource } from './source.ts';
import { type StructuralAnswer, structuralNeighbours } from './structural.ts';

let source: GraphSource;

beforeAll(async () => {
  const { facts, config } = await projectOf({
    'base.py': 'class Base:\n    def run(self): pass\n',
    'sub.py':
      'from base import Base\n\nclass Sub(Base):\n    def run(self):\n        super().run()\n\n@trace\ndef make():\n    s = Sub()\n    s.run()\n\ndef trace(f): pass\n',
    'use.py':
      'from sub import make, Sub\n\ndef go(thing):\n    make()\n    thing.rarely()\n\nmake()\n\ndef hook():\n    return [Sub]\n',
    'twin.py': 'class Base: pass\n\nclass Rare:\n    def rarely(self): pass\n',
    'go.mod': 'module ex.com/m\n',
    'main.go': 'package main\n\nimport "ex.com/m/bind"\n\nfunc main() { bind.Do() }\n',
    'bind/b.go': 'package bind\n\nfunc Do() { missing() }\n',
  });
  source = memoryGraph(facts, [...link(facts, config)]);
});

function viewsOf(...names: readonly string[]): readonly View[] {
  const parsed = parseRelations(names);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.views;
}

function ask(text: string, ...names: readonly string[]): StructuralAnswer {
  return structuralNeighbours(source, { text, views: viewsOf(...names) });
}

/** `view: neighbour line` for all that were found. */
function lines(answer: StructuralAnswer): readonly string[] {
  return answer.relations.flatMap((view) =>
    view.neighbours.map(
      (one) => `${view.relation}: ${one.id.replace('symbol:', '')} ${one.edge_path}:${one.edge_line}`,
    ),
  );
}

test('GR10: without names the default views are asked for, `all` asks for every one', () => {
  expect(viewsOf().map((view) => view.name)).toEqual(['callers', 'callees', 'bases', 'subclasses', 'importers']);
  expect(viewsOf('', ' , ')).toEqual(viewsOf());
  expect(viewsOf('all')).toEqual(views);
  expect(viewsOf('used_by,Callers', 'bases').map((view) => view.name)).toEqual(['callers', 'bases', 'used_by']);
});

test('GR11: the name of an edge kind asks for both sides of it, and `imports` for what is imported', () => {
  expect(viewsOf('inherits').map((view) => view.name)).toEqual(['bases', 'subclasses']);
  expect(viewsOf('decorates').map((view) => [view.name, view.kinds])).toEqual([
    ['uses', ['decorates']],
    ['used_by', ['decorates']],
  ]);
  expect(viewsOf('imports').map((view) => view.name)).toEqual(['imports']);
});

test('GR12: an unknown name makes the request invalid, and the message lists the known ones', () => {
  const parsed = parseRelations(['callers', 'calers', 'kin']);
  if (parsed.ok) throw new Error('The names were to be refused.');
  expect(parsed.unknown).toEqual(['calers', 'kin']);
  for (const name of relationNames) expect(parsed.message).toContain(name);
  expect(parseRelations(['__proto__']).ok).toBe(false);
});

test('GR13: every view gives its neighbours with the line of the edge and the file it stands in', () => {
  expect(lines(ask('make', 'all'))).toEqual([
    'callers: file:use.py use.py:7',
    'callers: use.py#go use.py:4',
    'callees: sub.py#Sub sub.py:9',
    'callees: sub.py#Sub.run sub.py:10',
    'container: file:sub.py sub.py:7',
    'importers: file:use.py use.py:1',
    'uses: sub.py#trace sub.py:7',
  ]);
  expect(lines(ask('Sub', 'bases', 'subclasses', 'members', 'used_by'))).toEqual([
    'bases: base.py#Base sub.py:3',
    'members: sub.py#Sub.run sub.py:4',
    'used_by: use.py#hook use.py:10',
  ]);
  expect(lines(ask('base.py#Base', 'subclasses', 'importers'))).toEqual([
    'subclasses: sub.py#Sub sub.py:3',
    'importers: file:sub.py sub.py:1',
  ]);
  const [view] = ask('Sub.run', 'callers').relations;
  expect(view?.neighbours[0]).toEqual({
    id: 'symbol:sub.py#make',
    label: 'make()',
    qualified_name: 'make',
    kind: 'function',
    path: 'sub.py',
    start_line: 7,
    end_line: 10,
    edge_path: 'sub.py',
    edge_line: 10,
    confidence: 1,
    inferred: false,
  });
});

test('GR14: what a name alone decided is marked as inferred, as are importers of the package of a file', () => {
  const [guess] = ask('rarely', 'callers').relations;
  expect(guess?.neighbours).toMatchObject([{ id: 'symbol:use.py#go', confidence: 0.4, inferred: true }]);
  const [ofFile] = ask('bind/b.go', 'importers').relations;
  expect(ofFile?.neighbours).toMatchObject([{ id: 'file:main.go', inferred: true }]);
  const [ofPackage] = ask('package:bind', 'importers').relations;
  expect(ofPackage?.neighbours).toMatchObject([{ id: 'file:main.go', confidence: 1, inferred: false }]);
});

test('GR15: an ambiguous or unknown name gives no neighbours, and emptiness is never told as certain', () => {
  const ambiguous = ask('Base', 'callers');
  expect(ambiguous).toMatchObject({
    resolution: 'candidates',
    resolved_node: null,
    relations: [],
    note: ambiguousNote,
  });
  expect(ambiguous.candidates.map((one) => one.id)).toEqual(['symbol:base.py#Base', 'symbol:twin.py#Base']);
  expect(ask('nothing')).toMatchObject({ resolution: 'none', candidates: [], note: unknownNote });
  expect(ask('go', 'callers')).toMatchObject({ resolution: 'exact', note: noneFoundNote });
  expect(ask('rarely', 'callers')).toMatchObject({ unresolved: 1, note: unresolvedNote });
  expect(ask('Sub.run', 'callers')).toMatchObject({ unresolved: 0, note: null });
});

test('GR16: a blast radius is the search by hand over four views (seeds 1 to 12)', () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const { facts, linked, edges, ids } = randomGraph(seed, 12, 60);
    const graph = memoryGraph(facts, linked);
    const start = ids[seed * 3] ?? '';
    for (const depth of [1, 2, 5]) {
      const { blast_radius: radius } = structuralNeighbours(graph, { text: start, blastRadius: depth });
      const kinds = ['calls', 'imports', 'inherits', 'implements'];
      const hops = new Map([[start, 0]]);
      for (let hop = 1; hop <= depth; hop += 1) {
        for (const [id, before] of [...hops]) {
          if (before !== hop - 1) continue;
          const holders = edges.filter((edge) => edge.kind === 'contains' && edge.to === id).map((edge) => edge.from);
          const packages = holders.filter((holder) => holder.startsWith('package:'));
          for (const edge of edges) {
            const isDirect = edge.to === id && kinds.includes(edge.kind);
            const isPackage = edge.kind === 'imports' && packages.includes(edge.to);
            if ((isDirect || isPackage) && !hops.has(edge.from)) hops.set(edge.from, hop);
          }
        }
      }
      hops.delete(start);
      const expected = [...hops].map(([id, hop]) => `${hop} ${id}`).sort();
      expect(
        radius?.nodes.map((node) => `${node.hop} ${node.id}`),
        `seed ${seed}, depth ${depth}`,
      ).toEqual(expected);
      expect(radius?.count).toBe(expected.length);
      expect(radius?.counts_by_hop.reduce((sum, count) => sum + count, 0)).toBe(expected.length);
      expect(radius?.truncated).toBe(false);
    }
  }
});

test('GR17: a blast radius follows the first 50 dependents of a node and says where it stopped', async () => {
  const callers = Array.from({ length: 60 }, (_, at) => `def c${String(at).padStart(2, '0')}():\n    hub()\n`);
  const { facts, config } = await projectOf({ 'a.py': `def hub(): pass\n${callers.join('')}` });
  const graph = memoryGraph(facts, [...link(facts, config)]);
  const answer = structuralNeighbours(graph, { text: 'hub', blastRadius: graphLimits.radiusDepthDefault });
  expect(answer.blast_radius).toMatchObject({
    count: 50,
    counts_by_hop: [50, 0],
    capped: [{ id: 'symbol:a.py#hub', dependents: 60 }],
    truncated: true,
  });
  expect(answer.blast_radius?.nodes.at(-1)?.id).toBe('symbol:a.py#c49');
  expect(answer.relations[0]).toMatchObject({ relation: 'callers', count: 60, truncated: false });
  expect(() => structuralNeighbours(graph, { text: 'hub', blastRadius: 6 })).toThrow(RangeError);
});
