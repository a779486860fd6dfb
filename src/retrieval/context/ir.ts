/**
 * The index as a document that other programs read: its nodes, edges, clusters and synapses, version 1.
 *
 * Values may be null where another program's document lacks them; `validate.ts` says so.
 */
import type { EdgeKind } from '../code/link.ts';
import type { SymbolKind } from '../code/symbol.ts';

export const irVersion = 1;

export interface IrNode {
  readonly id: string | null;
  readonly label: string | null;
  /** One of `irNodeKinds`; others are warned of. */
  readonly kind: string;
  readonly source_file: string | null;
  readonly line: number | null;
  readonly language: string | null;
  readonly cluster: number | null;
}

export interface IrEdge {
  readonly source: string | null;
  readonly target: string | null;
  /** One of `irRelations`; others are warned of. */
  readonly relation: string;
  /** Above 0, at most 1. */
  readonly confidence: number;
}

export interface IrCluster {
  readonly id: number;
  readonly label: string;
  /** Number of its nodes. */
  readonly size: number;
}

export interface IrSynapse {
  readonly source: string | null;
  readonly target: string | null;
  readonly weight: number;
}

export interface IrHeader {
  readonly ir_version: number | null;
  readonly generated_by: string;
  readonly source_backend: string;
  readonly source_schema_version: string;
  /** Whether edges come from reading names (`coarse`) or from a compiler (`precise`). */
  readonly coverage: 'coarse' | 'precise';
  readonly built_at_commit: string | null;
  /** `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly created_at: string;
}

/** Each function may be called several times and gives the same rows in the same order. */
export interface IrSource {
  readonly header: IrHeader;
  nodes(): Iterable<IrNode>;
  edges(): Iterable<IrEdge>;
  clusters(): Iterable<IrCluster>;
  synapses(): Iterable<IrSynapse>;
}

/** Complete by its type: a new kind of symbol does not compile until it stands here. */
const nodeKinds: Readonly<Record<SymbolKind | 'file' | 'package' | 'external' | 'document' | 'rationale', true>> = {
  file: true,
  package: true,
  external: true,
  document: true,
  rationale: true,
  namespace: true,
  class: true,
  interface: true,
  struct: true,
  enum: true,
  trait: true,
  type: true,
  function: true,
  method: true,
  constructor: true,
  property: true,
  field: true,
  variable: true,
  constant: true,
  'enum-member': true,
  macro: true,
  section: true,
  endpoint: true,
  schema: true,
  channel: true,
  table: true,
  view: true,
  index: true,
  trigger: true,
  message: true,
  service: true,
  rpc: true,
};
export const irNodeKinds: ReadonlySet<string> = new Set(Object.keys(nodeKinds));

/** Ours, and those that documents of other programs have. */
type ForeignRelation = 'imports_from' | 'rationale_for' | 'uses' | 'defines' | 'shares_data_with' | 'describes';
const relations: Readonly<Record<EdgeKind | ForeignRelation, true>> = {
  contains: true,
  imports: true,
  calls: true,
  inherits: true,
  implements: true,
  decorates: true,
  references: true,
  imports_from: true,
  rationale_for: true,
  uses: true,
  defines: true,
  shares_data_with: true,
  describes: true,
};
export const irRelations: ReadonlySet<string> = new Set(Object.keys(relations));
