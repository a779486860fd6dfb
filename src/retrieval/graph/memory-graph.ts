/**
 * A graph held in memory, made from the facts and edges of a project with no index between: the plain meaning of
 * `GraphSource`, for tests of what is asked of a graph and as the measure of other sources.
 *
 * Nodes are all files and symbols of the facts, and every package or external thing that an edge names.
 */
import type { Edge, EdgeKind, LinkedFile } from '../code/link.ts';
import { type FileFacts, fileId, symbolId } from '../code/symbol.ts';
import { grouped } from './grouped.ts';
import { lastNameOf } from './last-name.ts';
import { outsideNode } from './outside-node.ts';
import type { GraphNode, GraphSource } from './source.ts';

export function memoryGraph(facts: readonly FileFacts[], linked: readonly LinkedFile[]): GraphSource {
  const nodes = new Map<string, GraphNode>();
  const symbols = new Map<string, readonly GraphNode[]>();
  for (const file of facts) {
    nodes.set(fileId(file.path), fileNode(file));
    const own = file.symbols
      .map((symbol) => ({ symbol, node: symbolNode(file.path, symbol) }))
      .sort((a, b) => a.symbol.start - b.symbol.start || b.symbol.end - a.symbol.end);
    for (const { node } of own) nodes.set(node.id, node);
    symbols.set(
      file.path,
      own.map(({ node }) => node),
    );
  }
  const edges = linked.flatMap((file) => file.edges);
  for (const id of edges.flatMap((edge) => [edge.from, edge.to])) {
    if (!nodes.has(id)) nodes.set(id, outsideNode(id));
  }
  const all = [...nodes.values()].sort(byPlace);
  const names = grouped(all, (node) => node.name);
  const folded = grouped(all, (node) => node.name.toLowerCase());
  const from = grouped(edges, (edge) => edge.from);
  const to = grouped(edges, (edge) => edge.to);
  const unresolved = linked.flatMap((file) => file.unresolved).filter((one) => one.reason === 'unknown');
  const unresolvedNames = grouped(unresolved, (one) => lastNameOf(one.target));
  return {
    node: (id) => nodes.get(id) ?? null,
    named: (name) => names.get(name) ?? [],
    namedInAnyCase: (name) => folded.get(name.toLowerCase()) ?? [],
    edgesFrom: (id, kinds) => edgesOf(from.get(id), kinds, (edge) => edge.to),
    edgesTo: (id, kinds) => edgesOf(to.get(id), kinds, (edge) => edge.from),
    symbolsOf: (path) => symbols.get(path) ?? [],
    unresolvedNamed: (name) => unresolvedNames.get(name)?.length ?? 0,
  };
}

function fileNode(file: FileFacts): GraphNode {
  return {
    id: fileId(file.path),
    kind: 'file',
    name: file.path.slice(file.path.lastIndexOf('/') + 1),
    qualifiedName: file.path,
    path: file.path,
    startLine: 1,
    endLine: file.lines,
    signature: '',
  };
}

function symbolNode(path: string, symbol: FileFacts['symbols'][number]): GraphNode {
  const { kind, name, qualifiedName, startLine, endLine, signature } = symbol;
  return { id: symbolId(path, symbol), kind, name, qualifiedName, path, startLine, endLine, signature };
}

/** By path and line; what lies in no file comes first. */
function byPlace(a: GraphNode, b: GraphNode): number {
  return compare(a.path ?? '', b.path ?? '') || a.startLine - b.startLine || compare(a.id, b.id);
}

function edgesOf(
  edges: readonly Edge[] | undefined,
  kinds: readonly EdgeKind[],
  end: (edge: Edge) => string,
): readonly Edge[] {
  return (edges ?? [])
    .filter((edge) => kinds.includes(edge.kind))
    .sort((a, b) => compare(a.kind, b.kind) || compare(end(a), end(b)));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
