/** Nodes as answers show them, with the members of the API. */

import { outsideNode } from './outside-node.ts';
import type { Resolution } from './resolve-name.ts';
import type { GraphNode, GraphSource } from './source.ts';

export interface ShownNode {
  readonly id: string;
  /** `name()` for what is called, else the name. */
  readonly label: string;
  readonly qualified_name: string;
  readonly kind: GraphNode['kind'];
  /** Null for what lies in no file of the project; its lines are 0 then. */
  readonly path: string | null;
  readonly start_line: number;
  readonly end_line: number;
}

/** How the name of a question was understood. */
export interface ShownResolution {
  /** `semantic` is a guess: a search offered the node, it does not have the name. */
  readonly resolution: Resolution['kind'];
  readonly resolved_node: ShownNode | null;
  /** What else the name stands for: all there is when nothing could be resolved, else what was passed over. */
  readonly candidates: readonly ShownNode[];
  /** Of the candidates, listed or not. */
  readonly candidates_count: number;
  /** Where nothing has the name: names that are near, the nearest first. Each can be asked for; none was looked up. */
  readonly suggestions: readonly string[];
}

/**
 * Edges of less confidence are shown as inferred. From 0.9 they were followed through imports, declared types or
 * packages; below, a name alone decided.
 */
export const sureConfidence = 0.9;

export function shownNode(node: GraphNode): ShownNode {
  const isCalled = node.kind === 'function' || node.kind === 'method' || node.kind === 'constructor';
  return {
    id: node.id,
    label: isCalled ? `${node.name}()` : node.name,
    qualified_name: node.qualifiedName,
    kind: node.kind,
    path: node.path,
    start_line: node.startLine,
    end_line: node.endLine,
  };
}

export function shownResolution(resolution: Resolution): ShownResolution {
  switch (resolution.kind) {
    case 'exact':
      return shown(resolution.kind, resolution.node, resolution.others, resolution.count);
    case 'semantic':
      return shown(resolution.kind, resolution.node, [], 0);
    case 'candidates':
      return shown(resolution.kind, null, resolution.candidates, resolution.count);
    case 'none':
      return { ...shown(resolution.kind, null, [], 0), suggestions: resolution.near ?? [] };
  }
}

/** The nodes a question is answered for; none when the name is unknown or stands for several. */
export function resolvedNodes(resolution: Resolution): readonly GraphNode[] {
  return resolution.kind === 'exact' || resolution.kind === 'semantic' ? resolution.same : [];
}

/** The node at an end of an edge. An edge to a file or symbol that is none is a fault of the source. */
export function nodeAt(source: GraphSource, id: string): GraphNode {
  const node = source.node(id);
  if (node === null && !id.startsWith('file:') && !id.startsWith('symbol:')) return outsideNode(id);
  if (node === null) throw new Error(`The graph has an edge to ${id}, which is no node.`);
  return node;
}

function shown(
  resolution: Resolution['kind'],
  node: GraphNode | null,
  candidates: readonly GraphNode[],
  count: number,
): ShownResolution {
  return {
    resolution,
    resolved_node: node === null ? null : shownNode(node),
    candidates: candidates.map(shownNode),
    candidates_count: count,
    suggestions: [],
  };
}
