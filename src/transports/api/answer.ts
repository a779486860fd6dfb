/** Turns the outcome of a row into the answer of its route: status, headers and body. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { HttpRoute, HttpSuccess } from '../../operations/http-route.ts';
import type { OperationFailure } from '../../operations/operation.ts';
import { type ErrorWords, jsonType } from '../error-answer.ts';

/** How the route answers a success value. */
export function successOf(route: HttpRoute, value: JsonValue): HttpSuccess {
  return route.respond?.(value) ?? { status: firstStatus(route) };
}

export function sendSuccess(
  request: FastifyRequest,
  reply: FastifyReply,
  route: HttpRoute,
  value: JsonValue,
): FastifyReply {
  const success = successOf(route, value);
  const { status, body = value, contentType, location, etag, replayed } = success;
  if (location !== undefined) reply.header('location', location);
  if (etag !== undefined) reply.header('etag', etag);
  if (replayed === true) reply.header('idempotency-replayed', 'true');
  if (status === 204) return reply.code(204).send();
  if (etag !== undefined && route.method === 'GET' && isKnown(etag, request.headers['if-none-match'])) {
    return reply.code(304).send();
  }
  reply.code(status);
  if (contentType === undefined) return reply.type(jsonType).send(JSON.stringify(body));
  return reply.type(contentType).send(typeof body === 'string' ? body : JSON.stringify(body));
}

/** `exception` is the class name of the error behind a fault of ours. */
export function failureWords(failure: OperationFailure, exception: string | undefined): ErrorWords {
  const { message, field, reason, details } = failure;
  const facts: JsonObject = {
    ...(field === undefined ? {} : { field }),
    ...(reason === undefined ? {} : { reason }),
    ...details,
    ...(exception === undefined ? {} : { exception }),
  };
  return { message, details: facts };
}

function firstStatus(route: HttpRoute): HttpSuccess['status'] {
  for (const status of [200, 201, 202, 204] as const) {
    if (route.success[status] !== undefined) return status;
  }
  throw new Error(`no success is declared for ${route.method} ${route.path}`);
}

/** Weak comparison, as RFC 9110 asks for If-None-Match. */
function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return [...ifNoneMatch.matchAll(/(?:W\/)?("[^"]*")/g)].some((match) => match[1] === opaque);
}
