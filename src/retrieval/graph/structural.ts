/**
 * The neighbours of a thing in the graph, view by view, and how far a change of it may reach.
 *
 * A thing of several nodes has the neighbours of all of them. A file in a package that is imported as a whole (Go) has
 * the importers of the package, marked as inferred: they may use another file of it.
 */
import { graphLimits } from '../../base/limits.ts';
import type { Edge, EdgeKind } from '../code/link.ts';
import { certaintyNote, unresolvedUses } from './certainty.ts';
import { defaultViews, type View, type ViewName, views } from './relations.ts';
import { type Resolution, resolveName } from './resolve-name.ts';
import {
  nodeAt,
  resolvedNodes,
  type ShownNode,
  type ShownResolution,
  shownNode,
  shownResolution,
  sureConfidence,
} from './shown-node.ts';
import type { GraphNode, GraphSource } from './source.ts';

export interface StructuralQuery {
  readonly text: string;
  /** Of `parseRelations`; the default views when absent. */
  readonly views?: readonly View[];
  /** Depth of the blast radius, 1 to `depthMax`; null or absent for none. */
  readonly blastRadius?: number | null;
  /** What `text` means, when the caller has resolved it already. */
  readonly resolution?: Resolution;
}

export interface Neighbour extends ShownNode {
  /** Where the edge stands in the text: in the file it starts in, null when that is none. */
  readonly edge_path: string | null;
  readonly edge_line: number;
  /** Above 0, at most 1. */
  readonly confidence: number;
  /** Whether a name alone decided, see `sureConfidence`. */
  readonly inferred: boolean;
}

export interface ViewAnswer {
  readonly relation: ViewName;
  /** By path, line and id, at most `neighboursMax`. */
  readonly neighbours: readonly Neighbour[];
  /** Of all there are. */
  readonly count: number;
  readonly truncated: boolean;
}

export interface BlastRadius {
  readonly depth: number;
  /** By hop, then id, at most `radiusNodesMax`. */
  readonly nodes: readonly (ShownNode & { readonly hop: number })[];
  /** Of all that were reached. */
  readonly count: number;
  /** Reached in 1, 2, … hops. */
  readonly counts_by_hop: readonly number[];
  /** Nodes with more dependents than were followed, by id. */
  readonly capped: readonly { readonly id: string; readonly dependents: number }[];
  /** Whether nodes are missing, by either limit. */
  readonly truncated: boolean;
}

export interface StructuralAnswer extends ShownResolution {
  readonly query: string;
  readonly relations: readonly ViewAnswer[];
  readonly blast_radius: BlastRadius | null;
  /** References with this name that could not be resolved. */
  readonly unresolved: number;
  readonly note: string | null;
}

export function structuralNeighbours(source: GraphSource, query: StructuralQuery): StructuralAnswer {
  const resolution = query.resolution ?? resolveName(source, query.text);
  const nodes = resolvedNodes(resolution);
  const asked = query.views ?? views.filter((view) => defaultViews.includes(view.name));
  const relations = nodes.length === 0 ? [] : asked.map((view) => viewAnswer(source, nodes, view));
  const unresolved = unresolvedUses(source, resolution);
  const depth = query.blastRadius ?? null;
  return {
    query: query.text,
    ...shownResolution(resolution),
    relations,
    blast_radius: depth === null || nodes.length === 0 ? null : blastRadius(source, nodes, depth),
    unresolved,
    note: certaintyNote(
      resolution,
      relations.every((one) => one.count === 0),
      unresolved,
    ),
  };
}

function viewAnswer(source: GraphSource, nodes: readonly GraphNode[], view: View): ViewAnswer {
  const found = new Map<string, Neighbour>();
  const add = (neighbour: Neighbour): void => {
    const known = found.get(neighbour.id);
    if (known === undefined || isCloser(neighbour, known)) found.set(neighbour.id, neighbour);
  };
  for (const node of nodes) {
    for (const edge of edgesOf(source, node.id, view)) add(neighbour(source, edge, view.side));
    if (view.name !== 'importers') continue;
    for (const edge of packageImports(source, node.id)) {
      if (edge.from !== node.id) add({ ...neighbour(source, edge, 'from'), confidence: byPackage, inferred: true });
    }
  }
  const sorted = [...found.values()].sort(byPlace);
  return {
    relation: view.name,
    neighbours: sorted.slice(0, graphLimits.neighboursMax),
    count: sorted.length,
    truncated: sorted.length > graphLimits.neighboursMax,
  };
}

/** How sure it is that an importer of a package uses a given file of it. */
const byPackage = 0.5;

/** The edges that import a package of this file. Other nodes have none. */
export function packageImports(source: GraphSource, id: string): readonly Edge[] {
  if (!id.startsWith('file:')) return [];
  return source
    .edgesTo(id, ['contains'])
    .filter((edge) => edge.from.startsWith('package:'))
    .flatMap((edge) => source.edgesTo(edge.from, ['imports']));
}

function edgesOf(source: GraphSource, id: string, view: View): readonly Edge[] {
  return view.side === 'from' ? source.edgesTo(id, view.kinds) : source.edgesFrom(id, view.kinds);
}

function neighbour(source: GraphSource, edge: Edge, side: 'from' | 'to'): Neighbour {
  return {
    ...shownNode(nodeAt(source, side === 'from' ? edge.from : edge.to)),
    edge_path: nodeAt(source, edge.from).path,
    edge_line: edge.line,
    confidence: edge.confidence,
    inferred: edge.confidence < sureConfidence,
  };
}

/** Of two edges to one neighbour the surer is shown, then the one that stands first. */
function isCloser(one: Neighbour, other: Neighbour): boolean {
  if (one.confidence !== other.confidence) return one.confidence > other.confidence;
  const [path, otherPath] = [one.edge_path ?? '', other.edge_path ?? ''];
  return path !== otherPath ? path < otherPath : one.edge_line < other.edge_line;
}

/**
 * What is reached by going from a thing to its callers, importers, subclasses and implementers, breadth first. Of each
 * node the first `radiusPerNodeMax` dependents by id are followed.
 */
function blastRadius(source: GraphSource, start: readonly GraphNode[], depth: number): BlastRadius {
  if (!Number.isInteger(depth) || depth < 1 || depth > graphLimits.depthMax) {
    throw new RangeError(`A blast radius has 1 to ${graphLimits.depthMax} hops, not ${depth}.`);
  }
  const seen = new Set(start.map((node) => node.id));
  const reached: { readonly id: string; readonly hop: number }[] = [];
  const capped: { readonly id: string; readonly dependents: number }[] = [];
  const countsByHop: number[] = [];
  let frontier = [...seen].sort();
  for (let hop = 1; hop <= depth; hop += 1) {
    const next = new Set<string>();
    for (const id of frontier) {
      const edges = [...source.edgesTo(id, radiusKinds), ...packageImports(source, id)];
      const dependents = [...new Set(edges.map((edge) => edge.from))].filter((one) => one !== id).sort();
      if (dependents.length > graphLimits.radiusPerNodeMax) capped.push({ id, dependents: dependents.length });
      for (const one of dependents.slice(0, graphLimits.radiusPerNodeMax)) if (!seen.has(one)) next.add(one);
    }
    frontier = [...next].sort();
    for (const id of frontier) {
      seen.add(id);
      reached.push({ id, hop });
    }
    countsByHop.push(frontier.length);
  }
  const listed = reached.slice(0, graphLimits.radiusNodesMax);
  return {
    depth,
    nodes: listed.map(({ id, hop }) => ({ ...shownNode(nodeAt(source, id)), hop })),
    count: reached.length,
    counts_by_hop: countsByHop,
    capped: capped.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)),
    truncated: capped.length > 0 || reached.length > listed.length,
  };
}

const radiusKinds: readonly EdgeKind[] = ['calls', 'imports', 'inherits', 'implements'];

function byPlace(a: ShownNode, b: ShownNode): number {
  const [path, other] = [a.path ?? '', b.path ?? ''];
  if (path !== other) return path < other ? -1 : 1;
  return a.start_line - b.start_line || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
