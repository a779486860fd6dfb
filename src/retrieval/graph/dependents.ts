/**
 * What depends directly on a node: the starts of the edges that end in it, and what an edge alone does not tell.
 *
 *   A method is also called where a method of a base or an interface that it stands in for is called.
 *   A method is also bound to by the methods of subtypes that stand in for it.
 *   A file of a package is also imported where its package is (Go).
 *   A file, when it is what was asked for, is also used where one of its symbols is.
 *
 * All but the last are inferred.
 */
import { graphLimits } from '../../base/limits.ts';
import type { Edge, EdgeKind } from '../code/link.ts';
import { nodeAt, sureConfidence } from './shown-node.ts';
import type { GraphNode, GraphSource } from './source.ts';
import { packageImports } from './structural.ts';
import { oneThing } from './things.ts';

/** In the order in which one is preferred for a dependent that has several. */
export const dependencyRelations = [
  'callers',
  'importers',
  'subclasses',
  'implementers',
  'used_by',
  'decorates',
] as const;
export type DependencyRelation = (typeof dependencyRelations)[number];

export interface Dependency {
  /** Who depends. */
  readonly from: string;
  readonly relation: DependencyRelation;
  /** Of the file of `from`. */
  readonly line: number;
  readonly confidence: number;
  readonly inferred: boolean;
  /** The node that `from` has its edge to when that is not the node itself, or null. */
  readonly via: string | null;
}

const relationOf: Readonly<Record<Exclude<EdgeKind, 'contains'>, DependencyRelation>> = {
  calls: 'callers',
  imports: 'importers',
  inherits: 'subclasses',
  implements: 'implementers',
  references: 'used_by',
  decorates: 'decorates',
};
const dependencyKinds: readonly EdgeKind[] = ['calls', 'imports', 'inherits', 'implements', 'references', 'decorates'];

export function dependenciesOn(source: GraphSource, id: string, isAskedFor: boolean): readonly Dependency[] {
  const node = nodeAt(source, id);
  const direct = source.edgesTo(id, dependencyKinds).flatMap((edge) => dependency(edge, null));
  if (node.kind === 'file') {
    const imports = packageImports(source, id).flatMap((edge) => dependency(edge, edge.to));
    const inferred = imports.map((one) => ({ ...one, inferred: true }));
    return [...direct, ...inferred, ...(isAskedFor ? usesOfSymbols(source, node) : [])];
  }
  if (!isDispatched(node)) return direct;
  return [...direct, ...callsThroughBases(source, node), ...standIns(source, node)];
}

function dependency(edge: Edge, via: string | null): readonly Dependency[] {
  if (edge.kind === 'contains') return [];
  const { from, line, confidence } = edge;
  const inferred = confidence < sureConfidence;
  // A method that calls itself is no way around itself.
  return [{ from, relation: relationOf[edge.kind], line, confidence, inferred, via: via === from ? null : via }];
}

function usesOfSymbols(source: GraphSource, file: GraphNode): readonly Dependency[] {
  const { path } = file;
  if (path === null) return [];
  return source.symbolsOf(path).flatMap((symbol) =>
    source
      .edgesTo(symbol.id, dependencyKinds)
      .filter((edge) => nodeAt(source, edge.from).path !== path)
      .flatMap((edge) => dependency(edge, symbol.id)),
  );
}

/** Whether another method can run in its place. Constructors are called by the name of their own type. */
function isDispatched(node: GraphNode): boolean {
  return (
    (node.kind === 'method' || node.kind === 'property') &&
    !/^__(init|new|construct|init_subclass)(__)?$/.test(node.name)
  );
}

function callsThroughBases(source: GraphSource, method: GraphNode): readonly Dependency[] {
  const found: Dependency[] = [];
  const above = relatedTypes(typesOf(source, method), (type) =>
    source.edgesFrom(type, ['inherits', 'implements']).map((edge) => edge.to),
  );
  for (const type of above) {
    for (const declared of membersNamed(source, type, method.name)) {
      if (declared.id === method.id) continue;
      const calls = source.edgesTo(declared.id, ['calls']).flatMap((edge) => dependency(edge, declared.id));
      found.push(...calls.map((call) => ({ ...call, inferred: true })));
    }
  }
  return found;
}

/** The nearest methods below that are run instead of this one. */
function standIns(source: GraphSource, method: GraphNode): readonly Dependency[] {
  const found: Dependency[] = [];
  relatedTypes(typesOf(source, method), (type) =>
    source.edgesTo(type, ['inherits', 'implements']).flatMap((edge) => {
      const below = membersNamed(source, edge.from, method.name).filter((one) => one.id !== method.id);
      const relation = edge.kind === 'inherits' ? 'subclasses' : 'implementers';
      for (const { id, startLine } of below) {
        found.push({ from: id, relation, line: startLine, confidence: edge.confidence, inferred: true, via: null });
      }
      return below.length > 0 ? [] : [edge.from];
    }),
  );
  return found;
}

/** The types that contain a node. A method may be defined in another file than its type. */
function typesOf(source: GraphSource, method: GraphNode): readonly string[] {
  return oneThing(source, method).flatMap((node) =>
    source
      .edgesTo(node.id, ['contains'])
      .map((edge) => edge.from)
      .filter((id) => id.startsWith('symbol:')),
  );
}

/** What is reached from some types by steps up or down, without the types themselves; breadth first, in order. */
function relatedTypes(start: readonly string[], step: (type: string) => readonly string[]): readonly string[] {
  const seen = new Set(start);
  const queue = [...start];
  for (let at = 0; at < queue.length && queue.length < graphLimits.relatedTypesMax; at += 1) {
    for (const type of step(queue[at] ?? '')) {
      if (seen.has(type)) continue;
      seen.add(type);
      queue.push(type);
    }
  }
  return queue.slice(start.length);
}

/** Members of a type with this name, with their definitions where those stand elsewhere. */
function membersNamed(source: GraphSource, type: string, name: string): readonly GraphNode[] {
  return source
    .edgesFrom(type, ['contains'])
    .map((edge) => nodeAt(source, edge.to))
    .filter((node) => node.name === name && isDispatched(node))
    .flatMap((node) => oneThing(source, node));
}
