/**
 * What the notebook's calls ask of its files. `file-store.ts` is the implementation; this page is the promise.
 *
 * Reading needs no lock: a record is replaced by rename, so a reader sees the old bytes or the new ones. Everything
 * that looks before it writes runs inside `exclusively`, which holds the in-process mutex of the root and the lock file
 * that keeps other processes out.
 */
import type { Result } from './outcome.ts';
import type { CanonicalRecord, CanonicalReference, NotebookRecord } from './record.ts';
import type { Scope } from './vocabulary.ts';

/** The container whose candidates are counted and read. */
export type Selection =
  /** Both record versions, down to the depth limit. */
  | { readonly kind: 'scope'; readonly scope: Scope }
  /** The namespace level and its collections. */
  | { readonly kind: 'namespace'; readonly scope: Scope; readonly namespaceId: string }
  /** The namespace level alone (`collectionId` null) or one collection. */
  | {
      readonly kind: 'level';
      readonly scope: Scope;
      readonly namespaceId: string;
      readonly collectionId: string | null;
    };

/** What a call makes of a scope directory or selected directory that is a symbolic link. */
export type LinkedContainer = 'is-empty' | 'is-unavailable';

export interface StoredRecord<Kind extends NotebookRecord = NotebookRecord> {
  readonly record: Kind;
  readonly scope: Scope;
  /** Relative to the scope directory, with `/`, file name included. */
  readonly path: string;
  /** SHA-256 of the raw bytes, lower-case hex. */
  readonly sha256: string;
}

export interface NotebookReader {
  /**
   * Every valid record of the selection in sorted walk order. Invalid neighbours are skipped and logged. A missing
   * container is empty. Fails with `candidate_limit_exceeded` or `memory_source_unavailable`, status `storage_error`.
   */
  scan(selection: Selection, linked: LinkedContainer): Promise<Result<readonly StoredRecord[]>>;

  /**
   * The record at the one path that `reference` can have, or null when there is none, it is invalid or of another
   * version. A symbolic link anywhere from the root to the file fails with `memory_source_unavailable`.
   */
  read(reference: CanonicalReference): Promise<Result<StoredRecord<CanonicalRecord> | null>>;
}

/** Writes; only ever handed out by `exclusively`. Every method is durable when it answers ok. */
export interface NotebookWriter extends NotebookReader {
  /** Fails: `write_conflict`, `memory_source_unavailable`, `creation_outcome_uncertain`. Never overwrites. */
  create(record: CanonicalRecord): Promise<Result<null>>;
  /** `current` is what was read under this lock. Fails: `write_conflict`, `memory_source_unavailable`, `replacement_outcome_uncertain`. */
  replace(current: StoredRecord<CanonicalRecord>, next: CanonicalRecord): Promise<Result<null>>;
  /** Fails: `write_conflict`, `memory_source_unavailable`, `deletion_outcome_uncertain`. */
  remove(current: StoredRecord<CanonicalRecord>): Promise<Result<null>>;
}

export interface NotebookStore extends NotebookReader {
  /**
   * Runs `work` alone on this root, among all callers of all processes. `createRoot` says whether a missing root may
   * be made (remember) or is simply an empty notebook (all others). Fails with `memory_source_unavailable` when the
   * lock cannot be had in time.
   */
  exclusively<Value>(
    options: { readonly createRoot: boolean },
    work: (writer: NotebookWriter) => Promise<Result<Value>>,
  ): Promise<Result<Value>>;
}

/** Why a candidate file was passed over. Logged with the scope, never with a name. */
export type SkipReason =
  | 'symlink'
  | 'oversized'
  | 'too_deep'
  | 'unreadable'
  | 'invalid_encoding'
  | 'invalid_json'
  | 'invalid_record'
  | 'path_mismatch';

/** Where the store reports what it passed over and what went wrong. Implementations never throw. */
export interface NotebookLog {
  skipped(scope: Scope, reason: SkipReason): void;
  /** A lock that could not be had, or a stale one that was cleared. Fixed words, no paths. */
  lock(event: 'timed_out' | 'cleared_stale' | 'unusable'): void;
}
