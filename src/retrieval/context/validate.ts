/** Whether the index hangs together: every edge between nodes that exist, every node with a name and a known kind. */
import { contextLimits } from '../../base/limits.ts';
import { type IrHeader, type IrSource, irNodeKinds, irRelations, irVersion } from './ir.ts';

export type ErrorCode =
  | 'unsupported_version'
  | 'node_missing_id'
  | 'duplicate_node_id'
  | 'edge_missing_endpoint'
  | 'dangling_edge_source'
  | 'dangling_edge_target'
  | 'synapse_missing_endpoint';

export type WarningCode =
  | 'node_missing_label'
  | 'unknown_node_kind'
  | 'unknown_edge_relation'
  | 'orphaned_node'
  | 'stale_synapse';

export interface Issue<Code extends string> {
  readonly code: Code;
  /** Which node, edge or synapse, and what is wrong with it. */
  readonly message: string;
}

export interface IrValidation {
  /** No errors. Warnings do not count. */
  readonly ok: boolean;
  /** The first 100. */
  readonly errors: readonly Issue<ErrorCode>[];
  readonly warnings: readonly Issue<WarningCode>[];
  readonly errors_total: number;
  readonly warnings_total: number;
}

export interface IrSummary extends IrHeader {
  readonly counts: {
    readonly nodes: number;
    readonly edges: number;
    readonly clusters: number;
    readonly synapses: number;
  };
  /** How many nodes there are of each kind, by name. */
  readonly node_kinds: Readonly<Record<string, number>>;
  /** How many nodes are in each language, by name. */
  readonly languages: Readonly<Record<string, number>>;
  readonly validation: IrValidation;
}

export function validateIr(source: IrSource): IrSummary {
  const errors = new IssueList<ErrorCode>();
  const warnings = new IssueList<WarningCode>();
  if (source.header.ir_version !== irVersion) {
    errors.add(
      'unsupported_version',
      `version ${source.header.ir_version ?? '(none)'}, this program reads ${irVersion}`,
    );
  }
  const nodes = checkNodes(source, errors, warnings);
  const edges = checkEdges(source, nodes.connected, errors, warnings);
  for (const [id, connected] of nodes.connected) {
    if (!connected && !nodes.alone.has(id)) warnings.add('orphaned_node', `node ${id} has no edge`);
  }
  const synapses = checkSynapses(source, nodes.connected, errors, warnings);
  return {
    ...source.header,
    counts: { nodes: nodes.count, edges, clusters: count(source.clusters()), synapses },
    node_kinds: byName(nodes.kinds),
    languages: byName(nodes.languages),
    validation: {
      ok: errors.total === 0,
      errors: errors.listed,
      warnings: warnings.listed,
      errors_total: errors.total,
      warnings_total: warnings.total,
    },
  };
}

/** Keeps the first issues and counts all. */
class IssueList<Code extends string> {
  readonly listed: Issue<Code>[] = [];
  total = 0;

  add(code: Code, message: string): void {
    this.total += 1;
    if (this.listed.length < contextLimits.validationIssuesMax) this.listed.push({ code, message });
  }
}

interface CheckedNodes {
  readonly count: number;
  /** Every id, and whether an edge was seen at it. */
  readonly connected: Map<string, boolean>;
  /** Those that may stand alone: a file has an edge only when something is defined in it, or imported. */
  readonly alone: ReadonlySet<string>;
  readonly kinds: ReadonlyMap<string, number>;
  readonly languages: ReadonlyMap<string, number>;
}

function checkNodes(source: IrSource, errors: IssueList<ErrorCode>, warnings: IssueList<WarningCode>): CheckedNodes {
  const connected = new Map<string, boolean>();
  const alone = new Set<string>();
  const kinds = new Map<string, number>();
  const languages = new Map<string, number>();
  let position = 0;
  for (const node of source.nodes()) {
    position += 1;
    const name = node.id ?? `number ${position}`;
    if (node.id === null || node.id === '') errors.add('node_missing_id', `node number ${position} has no id`);
    else if (connected.has(node.id)) errors.add('duplicate_node_id', `node ${node.id} stands here twice`);
    else {
      connected.set(node.id, false);
      if (standsAlone.has(node.kind)) alone.add(node.id);
    }
    if (node.label === null || node.label === '') warnings.add('node_missing_label', `node ${name} has no label`);
    if (!irNodeKinds.has(node.kind)) warnings.add('unknown_node_kind', `node ${name} is of kind ${node.kind}`);
    kinds.set(node.kind, (kinds.get(node.kind) ?? 0) + 1);
    if (node.language !== null) languages.set(node.language, (languages.get(node.language) ?? 0) + 1);
  }
  return { count: position, connected, alone, kinds, languages };
}

/** Kinds that need no edge: manifests, data, documents and files that only run. */
const standsAlone: ReadonlySet<string> = new Set(['file', 'document']);

/** Marks the nodes at both ends as connected. Gives the number of edges. */
function checkEdges(
  source: IrSource,
  connected: Map<string, boolean>,
  errors: IssueList<ErrorCode>,
  warnings: IssueList<WarningCode>,
): number {
  let position = 0;
  for (const edge of source.edges()) {
    position += 1;
    if (!irRelations.has(edge.relation)) {
      warnings.add('unknown_edge_relation', `edge number ${position} has the relation ${edge.relation}`);
    }
    if (!edge.source || !edge.target) {
      errors.add(
        'edge_missing_endpoint',
        `edge number ${position} (${edge.relation}) has no ${edge.source ? 'target' : 'source'}`,
      );
      continue;
    }
    if (connected.has(edge.source)) connected.set(edge.source, true);
    else errors.add('dangling_edge_source', `edge ${edge.source} ${edge.relation} ${edge.target}: no such source`);
    if (connected.has(edge.target)) connected.set(edge.target, true);
    else errors.add('dangling_edge_target', `edge ${edge.source} ${edge.relation} ${edge.target}: no such target`);
  }
  return position;
}

function checkSynapses(
  source: IrSource,
  nodes: ReadonlyMap<string, boolean>,
  errors: IssueList<ErrorCode>,
  warnings: IssueList<WarningCode>,
): number {
  let position = 0;
  for (const { source: from, target: to } of source.synapses()) {
    position += 1;
    if (!from || !to)
      errors.add('synapse_missing_endpoint', `synapse number ${position} has no ${from ? 'target' : 'source'}`);
    else if (!nodes.has(from) || !nodes.has(to)) {
      warnings.add('stale_synapse', `synapse ${from} – ${to}: ${nodes.has(from) ? to : from} is gone`);
    }
  }
  return position;
}

function count(rows: Iterable<unknown>): number {
  let rowCount = 0;
  for (const _ of rows) rowCount += 1;
  return rowCount;
}

/** As an object without inherited keys: kinds and languages of a foreign document can be called anything. */
function byName(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
