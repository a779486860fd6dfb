/**
 * How every notebook call ends: a value, or a bounded failure that never holds a value from the request.
 *
 * Failures are expected outcomes, so they are returned. Only a broken promise of ours is thrown, and dispatch makes
 * `internal_error` of it.
 */
import type { ErrorCode } from '../../base/errors.ts';

export type FailureStatus =
  | 'invalid_request'
  | 'refused'
  | 'policy_error'
  | 'not_found'
  | 'conflict'
  | 'storage_error'
  | 'retrieval_error'
  | 'uncertain'
  | 'internal_error';

export type RefusalReason =
  | 'private_key_shape'
  | 'credential_shape'
  | 'compact_token_shape'
  | 'payment_card_shape'
  | 'government_identifier_shape';

export interface Failure {
  readonly status: FailureStatus;
  readonly code: ErrorCode;
  readonly field?: string;
  readonly reason?: RefusalReason;
  readonly message: string;
}

export type Result<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure };

export function ok<Value>(value: Value): Result<Value> {
  return { ok: true, value };
}

export function fail<Value = never>(failure: Failure): Result<Value> {
  return { ok: false, failure };
}

/** The request itself is wrong: a code, the field where one is named, and a fixed sentence. */
export function invalid<Value = never>(code: ErrorCode, message: string, field?: string): Result<Value> {
  return fail(
    field === undefined
      ? { status: 'invalid_request', code, message }
      : { status: 'invalid_request', code, field, message },
  );
}
