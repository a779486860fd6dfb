/** What the client gives about the structure of code: neighbours, dependents, the outline of a file. */
import { type Freshness, freshnessOrNull, objectOrNull } from './code-records.ts';
import {
  boolean,
  deepFreeze,
  listOf,
  number,
  numberOrNull,
  type Open,
  type RawObject,
  text,
  textOrNull,
  texts,
} from './raw.ts';

export interface Skeleton {
  readonly sourceFile: string;
  readonly language: string;
  readonly lines: number;
  /** One symbol a line: lines, kind, signature. */
  readonly outline: string;
  readonly symbols: number;
  /** Why there are no symbols; null when there are. */
  readonly note: string | null;
  /** Where the rest begins; null at the end. */
  readonly nextOffset: number | null;
  readonly freshness: Freshness | null;
  readonly raw: RawObject;
}

export interface CodeNode {
  readonly id: string;
  readonly label: string;
  readonly qualifiedName: string;
  readonly kind: string;
  /** Null for what lies outside the project. */
  readonly path: string | null;
  readonly startLine: number;
  readonly endLine: number;
  readonly raw: RawObject;
}

/** How a name was understood. */
interface Resolved {
  /** `semantic` is a guess. With `candidates` nothing was looked up: ask with the id of one. */
  readonly resolution: Open<'exact' | 'semantic' | 'candidates' | 'none'>;
  readonly resolvedNode: CodeNode | null;
  readonly candidates: readonly CodeNode[];
  /** Names that are near, the nearest first, where nothing has the name. An older server tells none. */
  readonly suggestions: readonly string[];
  /** Why there may be more than what is listed. */
  readonly note: string | null;
  /** Null while the index is as the files are. */
  readonly freshness: Freshness | null;
  readonly raw: RawObject;
}

export interface Neighbour extends CodeNode {
  readonly confidence: number;
  /** Whether a name alone decided. */
  readonly inferred: boolean;
}

export interface Neighbours extends Resolved {
  readonly relations: readonly {
    readonly relation: string;
    readonly neighbours: readonly Neighbour[];
    /** Of all there are. */
    readonly count: number;
  }[];
  readonly blastRadius: RawObject | null;
}

export interface Dependent extends CodeNode {
  readonly relation: string;
  /** From 1. */
  readonly hop: number;
  /** Ids from the dependent to the symbol. */
  readonly chain: readonly string[];
  readonly inferred: boolean;
}

export interface Impact extends Resolved {
  readonly symbol: string;
  readonly depth: number;
  readonly dependents: readonly Dependent[];
  /** Of all that were found. */
  readonly count: number;
}

export function readSkeleton(raw: RawObject): Skeleton {
  return deepFreeze({
    sourceFile: text(raw, 'source_file'),
    language: text(raw, 'language'),
    lines: number(raw, 'lines'),
    outline: text(raw, 'outline'),
    symbols: number(raw, 'symbols'),
    note: textOrNull(raw, 'note'),
    nextOffset: numberOrNull(raw, 'next_offset'),
    freshness: freshnessOrNull(raw),
    raw,
  });
}

export function readNeighbours(raw: RawObject): Neighbours {
  return deepFreeze({
    ...resolved(raw),
    relations: listOf(raw, 'relations', (view) => ({
      relation: text(view, 'relation'),
      neighbours: listOf(view, 'neighbours', (one) => ({
        ...codeNode(one),
        confidence: number(one, 'confidence'),
        inferred: boolean(one, 'inferred'),
      })),
      count: number(view, 'count'),
    })),
    blastRadius: objectOrNull(raw, 'blast_radius'),
  });
}

export function readImpact(raw: RawObject): Impact {
  return deepFreeze({
    ...resolved(raw),
    symbol: text(raw, 'symbol'),
    depth: number(raw, 'depth'),
    dependents: listOf(raw, 'dependents', (one) => ({
      ...codeNode(one),
      relation: text(one, 'relation'),
      hop: number(one, 'hop'),
      chain: texts(one, 'chain'),
      inferred: boolean(one, 'inferred'),
    })),
    count: number(raw, 'count'),
  });
}

function codeNode(raw: RawObject): CodeNode {
  return {
    id: text(raw, 'id'),
    label: text(raw, 'label'),
    qualifiedName: text(raw, 'qualified_name'),
    kind: text(raw, 'kind'),
    path: textOrNull(raw, 'path'),
    startLine: number(raw, 'start_line'),
    endLine: number(raw, 'end_line'),
    raw,
  };
}

function resolved(raw: RawObject): Resolved {
  const node = objectOrNull(raw, 'resolved_node');
  return {
    resolution: text(raw, 'resolution'),
    resolvedNode: node === null ? null : codeNode(node),
    candidates: listOf(raw, 'candidates', codeNode),
    suggestions: texts(raw, 'suggestions'),
    note: textOrNull(raw, 'note'),
    freshness: freshnessOrNull(raw),
    raw,
  };
}
