/**
 * How every call on decisions ends: a value, or a failure that names its code and what to change.
 *
 * Expected outcomes are returned. A broken promise of ours is thrown; trouble with the file is caught at the edge of
 * `Decisions` and returned as `unavailable`.
 */

/** One wrong field. `loc` is the way to it from the root of the request, without the word "body" or "query". */
export interface FieldProblem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

export type Failure =
  | { readonly code: 'validation_error'; readonly message: string; readonly errors: readonly FieldProblem[] }
  | { readonly code: 'memory_not_found'; readonly message: string; readonly id: string }
  | { readonly code: 'document_not_found'; readonly message: string; readonly path: string }
  /** An id, an idempotency key or a state that stands in the way; `ids` names the decisions concerned. */
  | { readonly code: 'conflict'; readonly message: string; readonly ids: readonly string[] }
  /** `updatedAt` is what the decision is at now. */
  | { readonly code: 'precondition_failed'; readonly message: string; readonly updatedAt: string }
  /** A cursor that is garbage, or belongs to another question or another store. */
  | { readonly code: 'invalid_request'; readonly message: string }
  | { readonly code: 'unavailable'; readonly message: string; readonly reason: UnavailableReason }
  | { readonly code: 'internal_error'; readonly message: string };

export type UnavailableReason =
  /** The file is no database, or a database of another program. It was not written. */
  | 'foreign'
  /** A later release wrote the file. It was not written. */
  | 'newer'
  | 'damaged'
  /** Another process kept the store locked. */
  | 'busy'
  | 'unreadable'
  | 'full'
  | 'closed'
  /** Search by meaning was asked for and no model can answer. */
  | 'no_model'
  /** An index was asked for and the project holds no file that can be indexed. */
  | 'nothing_to_index';

export type Result<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure };

export function ok<Value>(value: Value): Result<Value> {
  return { ok: true, value };
}

export function fail<Value = never>(failure: Failure): Result<Value> {
  return { ok: false, failure };
}

export function notFound<Value = never>(id: string): Result<Value> {
  return fail({ code: 'memory_not_found', message: `no memory with id ${id}`, id });
}

export function conflict<Value = never>(message: string, ids: readonly string[] = []): Result<Value> {
  return fail({ code: 'conflict', message, ids });
}

export function invalid<Value = never>(errors: readonly FieldProblem[]): Result<Value> {
  const [first] = errors;
  const place = first === undefined ? '' : ` (${first.loc.join('.') || 'request'}: ${first.msg})`;
  const count = errors.length === 1 ? 'one field is' : `${errors.length} fields are`;
  return fail({ code: 'validation_error', message: `${count} not acceptable${place}`, errors });
}

export function invalidField<Value = never>(
  loc: readonly (string | number)[],
  msg: string,
  type = 'value_error',
): Result<Value> {
  return invalid([{ loc, msg, type }]);
}

export function unavailable<Value = never>(reason: UnavailableReason, message: string): Result<Value> {
  return fail({ code: 'unavailable', message, reason });
}
