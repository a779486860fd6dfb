/** What callers say about decisions, and the names it has on the wire. */
import type { MemoryStatus, MemoryType } from './memory.ts';
import { type Names, translate, type WireRequest } from './to-wire.ts';

interface MemoryFields {
  /** Default: the commit checked out in the project. */
  readonly commitSha?: string | undefined;
  /** Relative to the project, or absolute inside it. */
  readonly files?: readonly string[] | undefined;
  readonly type?: MemoryType | undefined;
  /** 0 to 1; 1 by default. */
  readonly confidence?: number | undefined;
  readonly author?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly rejectedAlternatives?: readonly string[] | undefined;
  /** Ids of decisions that this one depends on. */
  readonly dependencyConstraints?: readonly string[] | undefined;
  readonly evidence?: readonly string[] | undefined;
  readonly agent?: string | null | undefined;
  readonly sessionId?: string | null | undefined;
  /** A day, `YYYY-MM-DD`, not before today (UTC). */
  readonly reviewBy?: string | null | undefined;
}

export interface NewMemory extends MemoryFields {
  readonly title: string;
  readonly rationale: string;
  /** Chosen by the server when not given. */
  readonly id?: string | undefined;
  /** ACTIVE by default. */
  readonly status?: MemoryStatus | undefined;
  /** The decision that this one replaces. */
  readonly supersedes?: string | null | undefined;
}

/** A decision that replaces another; which one, is said beside it. */
export interface SupersedingMemory extends Omit<NewMemory, 'supersedes'> {
  /** Why, for the history of the replaced one. */
  readonly reason?: string | undefined;
}

/** At least one field. Lists replace what is there; those that end in `Append` add to it. */
export interface MemoryPatch extends MemoryFields {
  readonly title?: string | undefined;
  readonly rationale?: string | undefined;
  readonly evidenceAppend?: readonly string[] | undefined;
  readonly rejectedAppend?: readonly string[] | undefined;
}

/** A day in UTC, a date and time in ISO 8601, or a `Date`. */
export type Moment = string | Date;

/** What a listing or a search is narrowed to; all that is given must hold. */
export interface MemoryFilters {
  /** A list holds every status unless told otherwise, a search the active ones. */
  readonly status?: MemoryStatus | 'ALL' | undefined;
  /** Any of these. */
  readonly files?: string | readonly string[] | undefined;
  /** Any of these. */
  readonly tags?: string | readonly string[] | undefined;
  readonly type?: MemoryType | undefined;
  readonly author?: string | undefined;
  readonly agent?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Both ends are inside; a day stands for its 24 hours in UTC. */
  readonly createdAfter?: Moment | undefined;
  readonly createdBefore?: Moment | undefined;
  readonly minConfidence?: number | undefined;
  /** What was known then. */
  readonly asOf?: Moment | undefined;
}

export interface MemoryListOptions extends MemoryFilters {
  /** Decisions in one request, 1 to 200; 50 by default. */
  readonly pageSize?: number | undefined;
}

export type SearchMode = 'keyword' | 'semantic' | 'hybrid';

export interface MemorySearchOptions extends MemoryFilters {
  /** 1 to 25; 10 by default. */
  readonly limit?: number | undefined;
  /** By words, by meaning, or both (the default). */
  readonly mode?: SearchMode | undefined;
  readonly view?: 'full' | 'compact' | undefined;
  /** Adds why each result is there and what was left out. */
  readonly explain?: boolean | undefined;
  /** False leaves out results that are merely distant. Default: true. */
  readonly includeWeak?: boolean | undefined;
}

export interface MemoryExportOptions {
  /** ACTIVE by default; ALL with `events`. */
  readonly status?: MemoryStatus | 'ALL' | undefined;
  /** The lossless form, with every event. Only for json. */
  readonly events?: boolean | undefined;
  readonly asOf?: Moment | undefined;
}

export type MemoryBatchOperation =
  | ({ readonly op: 'create' } & NewMemory)
  | ({ readonly op: 'update'; readonly id: string; readonly ifMatch?: string | undefined } & MemoryPatch)
  | { readonly op: 'invalidate'; readonly id: string; readonly reason?: string | undefined };

const memoryNames: Names<MemoryFields> = {
  commitSha: 'commit_sha',
  files: 'files_affected',
  type: 'decision_type',
  confidence: 'confidence',
  author: 'author',
  tags: 'tags',
  rejectedAlternatives: 'rejected_alternatives',
  dependencyConstraints: 'dependency_constraints',
  evidence: 'evidence',
  agent: 'agent',
  sessionId: 'session_id',
  reviewBy: 'review_by',
};

const supersedingNames: Names<SupersedingMemory> = {
  ...memoryNames,
  title: 'title',
  rationale: 'rationale',
  id: 'id',
  status: 'status',
  reason: 'reason',
};

const { reason: _reason, ...plainNames } = supersedingNames;
const newNames: Names<NewMemory> = { ...plainNames, supersedes: 'supersedes' };

const patchNames: Names<MemoryPatch> = {
  ...memoryNames,
  title: 'title',
  rationale: 'rationale',
  evidenceAppend: 'evidence_append',
  rejectedAppend: 'rejected_append',
};

const filterNames: Names<MemoryFilters> = {
  status: 'status',
  files: 'file',
  tags: 'tag',
  type: 'type',
  author: 'author',
  agent: 'agent',
  sessionId: 'session_id',
  createdAfter: 'created_after',
  createdBefore: 'created_before',
  minConfidence: 'min_confidence',
  asOf: 'as_of',
};

const listNames: Names<MemoryListOptions> = { ...filterNames, pageSize: 'limit' };
const searchNames: Names<MemorySearchOptions> = {
  ...filterNames,
  limit: 'limit',
  mode: 'mode',
  view: 'view',
  explain: 'explain',
  includeWeak: 'include_weak',
};
const exportNames: Names<MemoryExportOptions> = { status: 'status', events: 'events', asOf: 'as_of' };
const batchNames: Readonly<Record<MemoryBatchOperation['op'], Readonly<Record<string, string>>>> = {
  create: { op: 'op', ...newNames },
  update: { op: 'op', id: 'id', ifMatch: 'if_match', ...patchNames },
  invalidate: { op: 'op', id: 'id', reason: 'reason' },
};

export function newMemoryToWire(memory: NewMemory): WireRequest {
  return translate(memory, newNames, 'a new memory');
}

export function supersedingToWire(memory: SupersedingMemory): WireRequest {
  return translate(memory, supersedingNames, 'a superseding memory');
}

export function patchToWire(patch: MemoryPatch): WireRequest {
  return translate(patch, patchNames, 'a patch');
}

/** For the query string. */
export function listOptionsToWire(options: MemoryListOptions): WireRequest {
  return translate(options, listNames, 'the filters of a list');
}

/** For a JSON body, where several values are always a list. */
export function searchOptionsToWire(options: MemorySearchOptions): WireRequest {
  const wire = translate(options, searchNames, 'the options of a search');
  const { file, tag } = wire;
  return { ...wire, file: typeof file === 'string' ? [file] : file, tag: typeof tag === 'string' ? [tag] : tag };
}

export function exportOptionsToWire(options: MemoryExportOptions): WireRequest {
  return translate(options, exportNames, 'the options of an export');
}

export function batchOperationToWire(operation: MemoryBatchOperation): WireRequest {
  if (!Object.hasOwn(batchNames, operation.op)) {
    throw new TypeError('the op of a batch operation is create, update or invalidate');
  }
  return translate(operation, batchNames[operation.op], `the operation ${operation.op}`);
}
