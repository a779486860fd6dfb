/** How a row says no to a command: the error of `/v1` without what differs from call to call. */
import { type ErrorCode, errorCatalogue, type ProcessError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { OperationFailure } from '../../operations/operation.ts';
import { failureWords } from '../../transports/api/answer.ts';

export interface RowFailure {
  /** A code of the catalogue, or one of a newer daemon. */
  readonly code: string;
  readonly message: string;
  /** As HTTP counts. */
  readonly status: number;
  readonly details: JsonObject;
}

/** Thrown by a command to end with what a row answered. */
export class RowRefusal extends Error {
  readonly failure: RowFailure;

  constructor(failure: RowFailure) {
    super(failure.message);
    this.name = 'RowRefusal';
    this.failure = failure;
  }
}

/** `exception` is the class name of the error behind a fault of ours. */
export function failureOf(failure: OperationFailure, exception?: string): RowFailure {
  const { message = failure.message, details = {} } = failureWords(failure, exception);
  return { code: failure.code, message, status: errorCatalogue[failure.code].http, details };
}

export function failureOfProcess(error: ProcessError): RowFailure {
  const { code, message } = error;
  return { code, message, status: errorCatalogue[code].http, details: {} };
}

/** Codes of a newer daemon end like a part that cannot be used. */
export function exitCodeOf({ code }: RowFailure): number {
  return isErrorCode(code) ? errorCatalogue[code].exit : errorCatalogue.unavailable.exit;
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}
