/**
 * The ways in which the files of the notebook can fail a call, with their fixed sentences. No path, no name and no
 * system error text ever reaches a caller.
 */
import { notebookLimits } from '../../base/limits.ts';
import { isDiskError } from './file-system.ts';
import { type Failure, fail, type Result } from './outcome.ts';

export const memorySourceUnavailable: Failure = {
  status: 'storage_error',
  code: 'memory_source_unavailable',
  message: 'the notebook cannot be read or written safely at the moment',
};

export const candidateLimitExceeded: Failure = {
  status: 'storage_error',
  code: 'candidate_limit_exceeded',
  message: `the selected part of the notebook holds more than ${notebookLimits.candidatesMax} candidate files; select less of it or move some away`,
};

export const writeConflict: Failure = {
  status: 'conflict',
  code: 'write_conflict',
  message: 'the record changed or appeared during the call, so nothing was written; inspect it before trying again',
};

export const creationUncertain: Failure = {
  status: 'uncertain',
  code: 'creation_outcome_uncertain',
  message: 'the record is visible, but its durability is unconfirmed; inspect or list before retrying',
};

export const replacementUncertain: Failure = {
  status: 'uncertain',
  code: 'replacement_outcome_uncertain',
  message: 'the change may be visible, but its durability is unconfirmed; inspect the record before retrying',
};

export const deletionUncertain: Failure = {
  status: 'uncertain',
  code: 'deletion_outcome_uncertain',
  message: 'the record may be gone, but the durability of that is unconfirmed; inspect the reference before retrying',
};

/** A symbolic link, or something that is no directory, where a directory of the notebook must be. */
export class UnsafePathError extends Error {
  constructor() {
    super('a part of the path is not a plain directory');
    this.name = 'UnsafePathError';
  }
}

/** The outcome for whatever the disk threw. Faults of ours are thrown on. */
export function storageFailure<Value = never>(error: unknown): Result<Value> {
  if (error instanceof UnsafePathError || isDiskError(error)) return fail(memorySourceUnavailable);
  throw error;
}
