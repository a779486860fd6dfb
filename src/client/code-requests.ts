/** What callers ask about code, and the names it has on the wire. */
import { type Names, translate, type WireRequest } from './to-wire.ts';

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
