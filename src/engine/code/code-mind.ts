/**
 * The code mind of one project: its index, and the questions it answers.
 *
 * Questions never build, with one exception: a project that has no index at all is built on the first of them.
 */
import type { JsonObject } from '../../base/json.ts';
import type { Result } from '../../memory/decisions/outcome.ts';
import type {
  BuildAnswer,
  DocumentAnswer,
  HealthAnswer,
  QueryAnswer,
  SearchAnswer,
  SkeletonAnswer,
  StatsAnswer,
  WakeupAnswer,
} from './answers.ts';
import type { DocumentFacts } from './listed-documents.ts';

export interface BuildProgressReport {
  readonly phase: 'list' | 'read' | 'link';
  readonly done: number;
  readonly total: number;
}

export interface QueryRequest {
  readonly question: string;
  readonly query_type: 'auto' | 'code' | 'docs';
  /** Tokens; null for the default. */
  readonly context_budget: number | null;
  readonly trace: boolean;
  readonly trace_verbose: boolean;
  /** False leaves no line in the usage log. */
  readonly learn: boolean;
}

export interface SavingsRequest {
  readonly cost: boolean;
  readonly model: string | null;
  readonly queries_per_day: number;
}

export interface StructuralRequest {
  /** A node id, a path, a qualified or a simple name. */
  readonly q: string;
  /** Views or raw kinds; empty for the default. */
  readonly relations: readonly string[];
  readonly blast_radius: boolean;
  readonly depth: number;
}

export interface CodeMind {
  /** With `force` everything is read and written anew. Waits for a build of another process. */
  build(
    request: { readonly force: boolean },
    options?: { readonly signal?: AbortSignal; readonly onProgress?: (progress: BuildProgressReport) => void },
  ): Promise<Result<BuildAnswer>>;
  query(request: QueryRequest): Promise<Result<QueryAnswer>>;
  search(request: { readonly query: string; readonly n: number }): Promise<Result<SearchAnswer>>;
  wakeup(request: { readonly learn: boolean }): Promise<Result<WakeupAnswer>>;
  stats(): Promise<Result<StatsAnswer>>;
  /** The shape of the contract: see `retrieval/context/savings.ts`. */
  savings(request: SavingsRequest): Promise<Result<JsonObject>>;
  /** The shape of the contract: see `retrieval/context/validate.ts`. */
  validate(request: { readonly write: boolean }): Promise<Result<JsonObject>>;
  health(): Promise<Result<HealthAnswer>>;
  skeleton(request: { readonly file_path: string; readonly offset: number }): Promise<Result<SkeletonAnswer>>;
  /** See `retrieval/graph/structural.ts`. */
  structuralNeighbours(request: StructuralRequest): Promise<Result<JsonObject>>;
  /** See `retrieval/graph/impact.ts`. */
  impact(request: { readonly symbol: string; readonly depth: number }): Promise<Result<JsonObject>>;
  addDocument(request: {
    readonly path: string;
    readonly content_type: 'auto' | 'markdown' | 'text' | 'pdf';
  }): Promise<Result<DocumentAnswer>>;
  /** The documents that were added by hand, in that order. Never builds. */
  documents(): Promise<Result<DocumentsAnswer>>;
  /** Takes one off the list and out of the index, where there is one. A file of the project is read as such again. */
  removeDocument(request: { readonly path: string }): Promise<Result<{ readonly removed: string }>>;
  /** Starts or stops following changes of the files, each of which leads to a build; idempotent. */
  watch(isOn: boolean): Promise<Result<WatchAnswer>>;
}

export interface DocumentsAnswer {
  readonly items: readonly DocumentFacts[];
  readonly next_cursor: null;
}

export interface WatchAnswer {
  readonly watching: boolean;
  readonly method: 'events' | 'polling' | 'off';
}
