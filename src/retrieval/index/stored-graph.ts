/** The graph of a project, answered by the tables of its index. */
import type Database from 'better-sqlite3';
import type { Edge } from '../code/link.ts';
import { outsideNode } from '../graph/outside-node.ts';
import type { GraphNode, GraphSource } from '../graph/source.ts';
import { byPlace, EdgeRows, graphNode, type NodeRow, nodeColumns } from './node-rows.ts';
import { nodeId } from './nodes.ts';
import { kindOfNumber } from './schema.ts';

export interface StoredGraph extends GraphSource {
  /** How many references of this last name found nothing in the project. */
  unresolvedNamed(name: string): number;
  /** All nodes, by path and place, and all edges, by where they start. */
  allNodes(): Iterable<GraphNode>;
  allEdges(): Iterable<Edge>;
}

export function storedGraph(db: Database.Database): StoredGraph {
  const edges = new EdgeRows(db);
  const select = `SELECT ${nodeColumns} FROM node LEFT JOIN file ON file.id = node.file`;
  const ofPath = db.prepare<[string], NodeRow>(
    `SELECT ${nodeColumns} FROM file JOIN node ON node.file = file.id WHERE file.path = ? ORDER BY node.position`,
  );
  const anyCase = db.prepare<[string], NodeRow>(`${select} WHERE node.name = ? COLLATE NOCASE`);
  const unresolved = db
    .prepare<[string], number>('SELECT COALESCE(SUM(count), 0) FROM unresolved WHERE name = ?')
    .pluck();
  const numbers = new Map<string, number>();

  /** Ids of files and symbols begin with a path, which may hold the border sign itself. */
  function rowOf(id: string): NodeRow | null {
    if (id.startsWith('file:')) return ofPath.all(id.slice(5)).find((row) => row.position === -1) ?? null;
    if (id.startsWith('symbol:')) {
      const rest = id.slice(7);
      for (let at = rest.indexOf('#'); at !== -1; at = rest.indexOf('#', at + 1)) {
        const found = ofPath.all(rest.slice(0, at)).find((row) => nodeId(row) === id);
        if (found !== undefined) return found;
      }
      return null;
    }
    if (!id.startsWith('package:') && !id.startsWith('external:')) return null;
    return anyCase.all(outsideNode(id).name).find((row) => nodeId(row) === id) ?? null;
  }

  function numberOf(id: string): number | null {
    const known = numbers.get(id);
    if (known !== undefined) return known;
    const row = rowOf(id);
    if (row !== null) numbers.set(id, row.id);
    return row?.id ?? null;
  }

  return {
    node(id) {
      const row = rowOf(id);
      return row === null ? null : graphNode(row);
    },
    named: (name) =>
      anyCase
        .all(name)
        .filter((row) => row.name === name)
        .sort(byPlace)
        .map(graphNode),
    namedInAnyCase: (name) => anyCase.all(name).sort(byPlace).map(graphNode),
    edgesFrom(id, kinds) {
      const node = numberOf(id);
      return node === null ? [] : edges.from(node, id, kinds);
    },
    edgesTo(id, kinds) {
      const node = numberOf(id);
      return node === null ? [] : edges.to(node, id, kinds);
    },
    symbolsOf: (path) =>
      ofPath
        .all(path)
        .filter((row) => row.position >= 0)
        .map(graphNode),
    unresolvedNamed: (name) => unresolved.get(name) ?? 0,
    *allNodes() {
      for (const row of db
        .prepare<[], NodeRow>(`${select} ORDER BY file.path, node.position, node.qualified_name, node.kind`)
        .iterate())
        yield graphNode(row);
    },
    *allEdges() {
      const ids = new Map<number, string>();
      for (const row of db.prepare<[], NodeRow>(select).iterate()) ids.set(row.id, nodeId(row));
      const rows = db.prepare<[], { source: number; kind: number; target: number; line: number; confidence: number }>(
        `SELECT edge.source AS source, edge.kind AS kind, edge.target AS target, edge.line AS line,
           edge.confidence AS confidence
         FROM edge LEFT JOIN node ON node.id = edge.source LEFT JOIN file ON file.id = node.file
         ORDER BY file.path, node.position, node.qualified_name, edge.kind, edge.line, edge.target`,
      );
      for (const row of rows.iterate()) {
        yield {
          kind: kindOfNumber(row.kind),
          from: ids.get(row.source) ?? missing(row.source),
          to: ids.get(row.target) ?? missing(row.target),
          line: row.line,
          confidence: row.confidence,
        };
      }
    },
  };
}

/** What validation reports as an edge that hangs in the air. */
function missing(number: number): string {
  return `missing:${number}`;
}
