/**
 * What depends on a thing, directly or over several hops: who would notice that it changed.
 *
 * Breadth first over callers, importers, subclasses, implementers, uses and decorated things. A dependent is listed
 * once, with a shortest chain; of several shortest ones a sure chain goes before an inferred one. `inferred` says that
 * some step of the chain is no certain one.
 */
import { graphLimits } from '../../base/limits.ts';
import { certaintyNote, unresolvedUses } from './certainty.ts';
import { type Dependency, type DependencyRelation, dependenciesOn, dependencyRelations } from './dependents.ts';
import { type Resolution, resolveName } from './resolve-name.ts';
import {
  nodeAt,
  resolvedNodes,
  type ShownNode,
  type ShownResolution,
  shownNode,
  shownResolution,
} from './shown-node.ts';
import type { GraphNode, GraphSource } from './source.ts';

export interface Dependent extends ShownNode {
  /** Of the edge, in the file of the dependent. */
  readonly line: number;
  readonly relation: DependencyRelation;
  /** From 1. */
  readonly hop: number;
  /** What its edge ends in: the second of `chain`. */
  readonly depends_on: string;
  /**
   * Ids from the dependent to the symbol. It can be longer than `hop` and one: a call through an interface passes the
   * method of the interface within one hop.
   */
  readonly chain: readonly string[];
  readonly inferred: boolean;
}

export interface Impact extends ShownResolution {
  readonly symbol: string;
  readonly depth: number;
  readonly relations: readonly DependencyRelation[];
  /** By hop, then id, at most `dependentsMax`. */
  readonly dependents: readonly Dependent[];
  /** Of all that were found. */
  readonly count: number;
  /** Whether dependents are missing from the list, or the search was ended early. */
  readonly truncated: boolean;
  /** References with this name that could not be resolved. */
  readonly unresolved: number;
  /** A fixed sentence of `certainty.ts`, or null. */
  readonly note: string | null;
}

/** `depth` is 1 to `depthMax`. `resolution` is passed when the caller has resolved the symbol already. */
export function impact(
  source: GraphSource,
  symbol: string,
  depth: number = graphLimits.impactDepthDefault,
  resolution: Resolution = resolveName(source, symbol),
): Impact {
  if (!Number.isInteger(depth) || depth < 1 || depth > graphLimits.depthMax) {
    throw new RangeError(`An impact has 1 to ${graphLimits.depthMax} hops, not ${depth}.`);
  }
  const { found, isComplete } = search(source, resolvedNodes(resolution), depth);
  const listed = found.slice(0, graphLimits.dependentsMax);
  const unresolved = unresolvedUses(source, resolution);
  return {
    symbol,
    depth,
    relations: dependencyRelations,
    ...shownResolution(resolution),
    dependents: listed.map((step) => dependent(source, step)),
    count: found.length,
    truncated: !isComplete || found.length > listed.length,
    unresolved,
    note: certaintyNote(resolution, found.length === 0, unresolved),
  };
}

/** One dependent that was reached, and the one before it. */
interface Step {
  readonly dependency: Dependency;
  readonly hop: number;
  /** What it depends on: a step, or one of the nodes asked for. */
  readonly on: Step | string;
  readonly inferred: boolean;
}

function search(
  source: GraphSource,
  start: readonly GraphNode[],
  depth: number,
): { readonly found: readonly Step[]; readonly isComplete: boolean } {
  // What is in a file that was asked for is no dependent of it.
  const reached = new Set(start.flatMap((node) => [node.id, ...ownSymbols(source, node)]));
  const found: Step[] = [];
  let frontier: readonly (Step | string)[] = start.map((node) => node.id).sort();
  for (let hop = 1; hop <= depth && frontier.length > 0; hop += 1) {
    const next = new Map<string, Step>();
    for (const on of frontier) {
      for (const dependency of dependenciesOn(source, idOf(on), typeof on === 'string')) {
        if (reached.has(dependency.from)) continue;
        const inferred = dependency.inferred || (typeof on !== 'string' && on.inferred);
        const step = { dependency, hop, on, inferred };
        const known = next.get(dependency.from);
        if (known === undefined || isBetter(step, known)) next.set(dependency.from, step);
      }
    }
    const steps = [...next.values()].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
    for (const step of steps) reached.add(idOf(step));
    found.push(...steps);
    if (found.length > graphLimits.dependentsFoundMax) return { found, isComplete: false };
    frontier = steps;
  }
  return { found, isComplete: true };
}

function ownSymbols(source: GraphSource, node: GraphNode): readonly string[] {
  return node.kind === 'file' && node.path !== null ? source.symbolsOf(node.path).map((symbol) => symbol.id) : [];
}

function isBetter(one: Step, other: Step): boolean {
  if (one.inferred !== other.inferred) return other.inferred;
  const [a, b] = [one.dependency, other.dependency];
  if (a.confidence !== b.confidence) return a.confidence > b.confidence;
  const order = dependencyRelations.indexOf(a.relation) - dependencyRelations.indexOf(b.relation);
  if (order !== 0) return order < 0;
  const [on, otherOn] = [idOf(one.on), idOf(other.on)];
  if (on !== otherOn) return on < otherOn;
  const [via, otherVia] = [a.via ?? '', b.via ?? ''];
  return via !== otherVia ? via < otherVia : a.line < b.line;
}

function idOf(step: Step | string): string {
  return typeof step === 'string' ? step : step.dependency.from;
}

function dependent(source: GraphSource, step: Step): Dependent {
  const { dependency, hop, inferred } = step;
  const chain = chainOf(step);
  return {
    ...shownNode(nodeAt(source, dependency.from)),
    line: dependency.line,
    relation: dependency.relation,
    hop,
    depends_on: chain[1] ?? idOf(step.on),
    chain,
    inferred,
  };
}

function chainOf(step: Step): readonly string[] {
  const chain: string[] = [];
  let at: Step | string = step;
  while (typeof at !== 'string') {
    chain.push(at.dependency.from);
    if (at.dependency.via !== null) chain.push(at.dependency.via);
    at = at.on;
  }
  return [...chain, at];
}
