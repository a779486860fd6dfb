/**
 * How a call of the client fails.
 *
 * `NeuralMindAPIError` and its kinds: the server understood the request and said no. `NeuralMindConnectionError`: there
 * was no answer of the API at all. Neither ever holds the token. A caller's own abort signal is none of these: its
 * reason is thrown as it is, as `fetch` does it.
 */
import type { RawObject } from './raw.ts';

export interface APIFailure {
  /** The HTTP status. */
  readonly status: number;
  /** The stable code, such as `memory_not_found`. */
  readonly code: string;
  readonly message: string;
  /** Facts for programs; empty when there are none. */
  readonly details: RawObject;
  /** Names the request in the server's log; null for an operation of a batch. */
  readonly requestId: string | null;
}

/** The server's refusal, in its own words. */
export class NeuralMindAPIError extends Error implements APIFailure {
  readonly status: number;
  readonly code: string;
  readonly details: RawObject;
  readonly requestId: string | null;

  constructor(failure: APIFailure) {
    super(failure.message);
    this.status = failure.status;
    this.code = failure.code;
    this.details = failure.details;
    this.requestId = failure.requestId;
  }
}

/** 401: the token is missing or wrong. */
export class Unauthorized extends NeuralMindAPIError {}

/** 403: the caller, the Host or the Origin is not allowed to do this. */
export class Forbidden extends NeuralMindAPIError {}

/** 404: no such project, decision, document, job or route; `code` tells which. */
export class NotFound extends NeuralMindAPIError {}

/** 409: what is there already stands in the way. */
export class Conflict extends NeuralMindAPIError {}

/** 412: the decision changed since the `ifMatch` of the call. */
export class PreconditionFailed extends NeuralMindAPIError {}

/** One wrong field of a request. */
export interface FieldProblem {
  /** The way to the field from the root of the request, in the names of the wire. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** 422: fields are missing, malformed or out of range. */
export class ValidationFailed extends NeuralMindAPIError {
  /** Every wrong field; empty when the server named none. */
  get problems(): readonly FieldProblem[] {
    const listed = this.details['errors'];
    return Array.isArray(listed) ? listed.filter(isFieldProblem) : [];
  }
}

/** 429: too many requests. */
export class RateLimited extends NeuralMindAPIError {
  /** How long the server asks to wait; null when it does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(failure: APIFailure, retryAfterSeconds: number | null = null) {
    super(failure);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** 503: a part that is needed cannot be used at the moment; `details.reason` may say which. */
export class Unavailable extends NeuralMindAPIError {}

export type ConnectionProblem =
  /** No daemon of this user is announced. */
  | 'no_daemon'
  /** The announcement was left behind by a daemon that is gone. */
  | 'stale_discovery'
  /** The announcement could have been changed by others, or points away from this machine. Nothing was sent. */
  | 'unsafe_discovery'
  /** No connection could be made. */
  | 'unreachable'
  /** The connection ended before the answer. Whether a change was made is not known. */
  | 'interrupted'
  /** No answer in time. Whether a change was made is not known. */
  | 'timeout'
  /** Something answered, but not as this API does. */
  | 'unexpected_answer';

/** There was no answer of the API. The message says what to do. */
export class NeuralMindConnectionError extends Error {
  readonly reason: ConnectionProblem;

  constructor(reason: ConnectionProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

// On the prototypes, as the language does it, and as text, since bundlers shorten the names of classes.
for (const [name, kind] of Object.entries({
  NeuralMindAPIError,
  NeuralMindConnectionError,
  Unauthorized,
  Forbidden,
  NotFound,
  Conflict,
  PreconditionFailed,
  ValidationFailed,
  RateLimited,
  Unavailable,
})) {
  Object.defineProperty(kind.prototype, 'name', { value: name, writable: true, configurable: true });
}

const kindsByStatus: Readonly<Record<number, new (failure: APIFailure) => NeuralMindAPIError>> = {
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  412: PreconditionFailed,
  422: ValidationFailed,
  503: Unavailable,
};

/** The error of the right kind. Codes of later servers that this client does not know still get the kind of their status. */
export function apiError(failure: APIFailure, retryAfter: string | null = null): NeuralMindAPIError {
  if (failure.status === 429) return new RateLimited(failure, secondsOf(retryAfter));
  const Kind = kindsByStatus[failure.status] ?? NeuralMindAPIError;
  return new Kind(failure);
}

function secondsOf(retryAfter: string | null): number | null {
  return retryAfter !== null && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : null;
}

function isFieldProblem(value: unknown): value is FieldProblem {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'loc' in value &&
    Array.isArray(value.loc) &&
    'msg' in value &&
    typeof value.msg === 'string' &&
    'type' in value &&
    typeof value.type === 'string'
  );
}
