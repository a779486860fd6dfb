/**
 * The one shape in which HTTP says no, under `/v1` and everywhere else:
 *
 *   {"error": {"code", "message", "status", "request_id", "details": {}}}
 *
 * The status comes from the catalogue and nowhere else.
 */
import type { FastifyReply } from 'fastify';
import { type ErrorCode, errorCatalogue } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';

export const jsonType = 'application/json; charset=utf-8';

export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly status: number;
    readonly request_id: string;
    readonly details: JsonObject;
  };
}

/** What is said beyond the code. Without a message it is the code's meaning. */
export interface ErrorWords {
  readonly message?: string;
  readonly details?: JsonObject;
}

export function errorBody(code: ErrorCode, requestId: string, words: ErrorWords = {}): ErrorBody {
  const { meaning, http } = errorCatalogue[code];
  const { message = meaning, details = {} } = words;
  return { error: { code, message, status: http, request_id: requestId, details } };
}

export function sendError(reply: FastifyReply, code: ErrorCode, words?: ErrorWords): FastifyReply {
  return reply
    .code(errorCatalogue[code].http)
    .type(jsonType)
    .send(errorBody(code, reply.request.id, words));
}
