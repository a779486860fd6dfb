/**
 * `mnemosyne/client`: the NeuralMind API for programs, in Node and in browsers, without any dependency.
 *
 *   const repo = await new NeuralMindClient().project('.');
 *   for (const memory of await repo.memories.search('sqlite concurrency')) console.log(memory.title);
 *   console.log((await repo.query('Where is the database opened?')).context);
 */
export { type ClientOptions, type Health, NeuralMindClient, type ServerInfo, type ServerStatus } from './client.ts';
export type { CodeNode, Dependent, Impact, Neighbour, Neighbours, Skeleton } from './code-graph.ts';
export type {
  AddedDocument,
  CodeHit,
  CodeSearchAnswer,
  Freshness,
  IndexHealth,
  IndexStats,
  LayerCounts,
  ListedDocument,
  QueryAnswer,
  Savings,
  Validation,
  Wakeup,
} from './code-records.ts';
export type {
  BuildOptions,
  CodeSearchOptions,
  DocumentOptions,
  ImpactOptions,
  NeighbourOptions,
  QueryOptions,
  SavingsOptions,
  SkeletonOptions,
  ValidateOptions,
} from './code-requests.ts';
export type { CallOptions } from './connection.ts';
export {
  type APIFailure,
  Conflict,
  type ConnectionProblem,
  type FieldProblem,
  Forbidden,
  NeuralMindAPIError,
  NeuralMindConnectionError,
  NotFound,
  PreconditionFailed,
  RateLimited,
  Unauthorized,
  Unavailable,
  ValidationFailed,
} from './errors.ts';
export type { Job, JobProgress, Jobs, JobWaitOptions } from './jobs.ts';
export type { Memories, MemoryImportOptions, RepeatableOptions } from './memories.ts';
export type {
  AddedMemory,
  CompactMemory,
  Memory,
  MemoryStatus,
  MemoryType,
  PossibleDuplicate,
} from './memory.ts';
export type {
  MemoryAudit,
  MemoryBatchResult,
  MemoryEvent,
  MemoryEventKind,
  MemoryImport,
  MemoryTimeline,
} from './memory-records.ts';
export type {
  MemoryBatchOperation,
  MemoryExportOptions,
  MemoryFilters,
  MemoryListOptions,
  MemoryPatch,
  MemorySearchOptions,
  Moment,
  NewMemory,
  SearchMode,
  SupersedingMemory,
} from './memory-requests.ts';
export type { Page, Pages } from './pages.ts';
export type { Project } from './project.ts';
export type { Open, RawObject } from './raw.ts';
export type { CompactMemoryHit, Hit, MemoryHit, SearchAnswer } from './search-answer.ts';
