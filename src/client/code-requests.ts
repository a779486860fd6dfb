/** What callers ask about code, and the names it has on the wire. */
import { type Names, translate, type WireRequest } from './to-wire.ts';

export interface BuildOptions {
  /** Reads every file again. */
  readonly force?: boolean | undefined;
  /** The job has ended when the call returns. */
  readonly wait?: boolean | undefined;
}

export interface QueryOptions {
  /** Whether code or documents are meant; `auto` by default. */
  readonly queryType?: 'auto' | 'code' | 'docs' | undefined;
  /** Tokens that the context may take at most; 1,500 by default. */
  readonly contextBudget?: number | null | undefined;
  /** Tells how the answer came about. */
  readonly trace?: boolean | undefined;
  readonly traceVerbose?: boolean | undefined;
  /** False leaves no line in the log of uses. */
  readonly learn?: boolean | undefined;
}

export interface CodeSearchOptions {
  /** 1 to 100; 10 by default. */
  readonly n?: number | undefined;
}

export interface SavingsOptions {
  /** Adds what the tokens cost in US dollars. */
  readonly cost?: boolean | undefined;
  readonly model?: string | undefined;
  /** 100 by default. */
  readonly queriesPerDay?: number | undefined;
}

export interface NeighbourOptions {
  /** `callers`, `subclasses`, `all` and so on; by default callers, callees, bases, subclasses and importers. */
  readonly relations?: string | readonly string[] | undefined;
  /** Also what a change may reach. */
  readonly blastRadius?: boolean | undefined;
  /** Hops of the blast radius, 1 to 5; 2 by default. */
  readonly depth?: number | undefined;
}

export interface ImpactOptions {
  /** Hops, 1 to 5; 1 by default. */
  readonly depth?: number | undefined;
}

export interface SkeletonOptions {
  /** The number of the symbol to begin with; 0 by default. */
  readonly offset?: number | undefined;
}

export interface ValidateOptions {
  /** Also writes the index as a document. */
  readonly write?: boolean | undefined;
}

export interface DocumentOptions {
  readonly contentType?: 'auto' | 'markdown' | 'text' | 'pdf' | undefined;
}

const queryNames: Names<QueryOptions> = {
  queryType: 'query_type',
  contextBudget: 'context_budget',
  trace: 'trace',
  traceVerbose: 'trace_verbose',
  learn: 'learn',
};
const searchNames: Names<CodeSearchOptions> = { n: 'n' };
const savingsNames: Names<SavingsOptions> = { cost: 'cost', model: 'model', queriesPerDay: 'queries_per_day' };
const neighbourNames: Names<NeighbourOptions> = {
  relations: 'relations',
  blastRadius: 'blast_radius',
  depth: 'depth',
};
const impactNames: Names<ImpactOptions> = { depth: 'depth' };
const skeletonNames: Names<SkeletonOptions> = { offset: 'offset' };
export const buildNames: Names<BuildOptions> = { force: 'force', wait: 'wait' };
export const validateNames: Names<ValidateOptions> = { write: 'write' };
const documentNames: Names<DocumentOptions> = { contentType: 'content_type' };

export function queryOptionsToWire(options: QueryOptions): WireRequest {
  return translate(options, queryNames, 'the options of a query');
}

export function codeSearchOptionsToWire(options: CodeSearchOptions): WireRequest {
  return translate(options, searchNames, 'the options of a search');
}

export function savingsOptionsToWire(options: SavingsOptions): WireRequest {
  return translate(options, savingsNames, 'the options of the savings');
}

export function neighbourOptionsToWire(options: NeighbourOptions): WireRequest {
  return translate(options, neighbourNames, 'the options of the neighbours');
}

export function documentOptionsToWire(options: DocumentOptions): WireRequest {
  return translate(options, documentNames, 'the options of a document');
}

export function impactOptionsToWire(options: ImpactOptions): WireRequest {
  return translate(options, impactNames, 'the options of an impact');
}

export function skeletonOptionsToWire(options: SkeletonOptions): WireRequest {
  return translate(options, skeletonNames, 'the options of a skeleton');
}
