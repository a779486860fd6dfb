/** Nodes and edges as the tables hold them, and as the graph's questions want them. */
import type Database from 'better-sqlite3';
import type { Edge, EdgeKind } from '../code/link.ts';
import type { SymbolKind } from '../code/symbol.ts';
import type { GraphNode } from '../graph/source.ts';
import { nodeId } from './nodes.ts';
import { kindOfNumber, numberOfKind } from './schema.ts';

export interface NodeRow {
  readonly id: number;
  readonly path: string | null;
  readonly position: number;
  readonly kind: 'file' | 'package' | 'external' | SymbolKind;
  readonly name: string;
  readonly qualified_name: string;
  readonly occurrence: number;
  readonly start_line: number;
  readonly end_line: number;
  readonly signature: string;
  readonly summary: string;
}

/** For `SELECT … FROM node LEFT JOIN file ON file.id = node.file`. */
export const nodeColumns = `node.id AS id, file.path AS path, node.position AS position, node.kind AS kind,
  node.name AS name, node.qualified_name AS qualified_name, node.occurrence AS occurrence,
  node.start_line AS start_line, node.end_line AS end_line, node.signature AS signature, node.summary AS summary`;

export function graphNode(row: NodeRow): GraphNode {
  return {
    id: nodeId(row),
    kind: row.kind,
    name: row.name,
    qualifiedName: row.qualified_name,
    path: row.path,
    startLine: row.start_line,
    endLine: row.end_line,
    signature: row.signature,
  };
}

/** By path and place; what lies in no file comes last. */
export function byPlace(a: NodeRow, b: NodeRow): number {
  if (a.path !== b.path) {
    if (a.path === null) return 1;
    if (b.path === null) return -1;
    return a.path < b.path ? -1 : 1;
  }
  if (a.path === null) return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
  return a.start_line - b.start_line || a.position - b.position;
}

interface EdgeRow extends NodeRow {
  readonly edge_kind: number;
  readonly line: number;
  readonly confidence: number;
}

/** Reads edges of a node in both directions. */
export class EdgeRows {
  readonly #from: Database.Statement<[number, string], EdgeRow>;
  readonly #to: Database.Statement<[number, string], EdgeRow>;

  constructor(db: Database.Database) {
    const columns = `edge.kind AS edge_kind, edge.line AS line, edge.confidence AS confidence, ${nodeColumns}`;
    const wanted = 'edge.kind IN (SELECT value FROM json_each(?))';
    this.#from = db.prepare(
      `SELECT ${columns} FROM edge JOIN node ON node.id = edge.target LEFT JOIN file ON file.id = node.file
       WHERE edge.source = ? AND ${wanted}`,
    );
    this.#to = db.prepare(
      `SELECT ${columns} FROM edge JOIN node ON node.id = edge.source LEFT JOIN file ON file.id = node.file
       WHERE edge.target = ? AND ${wanted}`,
    );
  }

  from(node: number, id: string, kinds: readonly EdgeKind[]): readonly Edge[] {
    return this.#read(this.#from, node, kinds).map((row) => ({ ...edgeFacts(row), from: id, to: nodeId(row) }));
  }

  to(node: number, id: string, kinds: readonly EdgeKind[]): readonly Edge[] {
    return this.#read(this.#to, node, kinds).map((row) => ({ ...edgeFacts(row), from: nodeId(row), to: id }));
  }

  #read(statement: Database.Statement<[number, string], EdgeRow>, node: number, kinds: readonly EdgeKind[]): EdgeRow[] {
    const rows = statement.all(node, JSON.stringify(kinds.map(numberOfKind)));
    return rows.sort((a, b) => a.edge_kind - b.edge_kind || byPlace(a, b));
  }
}

function edgeFacts(row: EdgeRow): Pick<Edge, 'kind' | 'line' | 'confidence'> {
  return { kind: kindOfNumber(row.edge_kind), line: row.line, confidence: row.confidence };
}
