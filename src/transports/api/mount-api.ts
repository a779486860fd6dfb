/**
 * Serves `/v1`: one route for every row of the registry that has one, and a 405 for every other method of its path.
 *
 * The door in front has checked Host, Origin, size and token before anything here runs. Then, in this order:
 *
 *   route 404 / method 405 → permission 403 → media type 415 → JSON 400 → query and headers 400 → the row's own checks
 *
 * A body is read only after route, method and permission are settled.
 */
import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Dispatcher } from '../../operations/dispatch.ts';
import type { HttpRoute } from '../../operations/http-route.ts';
import type { Caller, Permission } from '../../operations/operation.ts';
import { type ErrorWords, sendError } from '../error-answer.ts';
import type { HttpLog } from '../http-log.ts';
import { failureWords, sendSuccess } from './answer.ts';
import { type ApiOperation, apiPaths } from './api-routes.ts';
import { openApiDocument } from './openapi.ts';
import { readInput } from './request-input.ts';

export interface ApiOptions {
  readonly dispatcher: Dispatcher;
  readonly log: HttpLog;
  readonly bodyBytesMax: number;
  /** Whether the caller may do what the permission names. Without it whoever came in may do everything. */
  readonly permits?: (caller: Caller, permission: Permission) => boolean;
}

/** Who calls an open route: nobody in particular. */
const nobody: Caller = { kind: 'anonymous-loopback', principal: 'anonymous' };

/** `scope` is a context of its own; its parser for bodies is set here. */
export function mountApi(scope: FastifyInstance, options: ApiOptions): void {
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: options.bodyBytesMax }, (_request, body, done) =>
    done(null, body),
  );
  // The framework knows eight methods; of all others a path must still say that it exists.
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !scope.supportedMethods.includes(method)) scope.addHttpMethod(method);
  }
  // The router lets an input be empty; for us `/v1/jobs/` is no path.
  scope.addHook('onRequest', async (request, reply) => {
    if (hasEmptyInput(request.params)) return refuse(options.log, reply, 'not_found');
  });
  const { registry } = options.dispatcher;
  let document: JsonObject | undefined;
  const openapi = (): JsonObject => {
    document ??= openApiDocument(registry);
    return document;
  };
  for (const { path, rows, methods } of apiPaths(registry)) {
    const url = path.replaceAll(/\{([a-z_]+)\}/g, ':$1');
    for (const row of rows) mountRow(scope, url, row, options, openapi);
    scope.route({
      method: scope.supportedMethods.filter((method) => !methods.some((served) => served === method)),
      url,
      onRequest: async (_request, reply) => {
        reply.header('allow', methods.join(', '));
        return refuse(options.log, reply, 'method_not_allowed');
      },
      handler: unreached,
    });
  }
}

function mountRow(
  scope: FastifyInstance,
  url: string,
  row: ApiOperation,
  options: ApiOptions,
  openapi: () => JsonObject,
): void {
  const { dispatcher, log } = options;
  scope.route({
    method: row.http.method,
    url,
    exposeHeadRoute: false,
    ...(row.http.bodyBytesMax === undefined ? {} : { bodyLimit: row.http.bodyBytesMax }),
    onRequest: async (request, reply) => {
      announceDeprecation(reply, row.http);
      if (row.http.open === true) return;
      const { caller } = request;
      if (caller === null) throw new Error(`a request reached ${row.name} unidentified`);
      if (options.permits?.(caller, row.permission) === false) return refuse(log, reply, 'forbidden');
    },
    handler: async (request, reply) => {
      const input = readInput(row, request);
      if (!input.ok) return refuse(log, reply, input.code, input.words);
      let exception: string | undefined;
      const result = await dispatcher.dispatch({
        operation: row,
        arguments: input.value,
        caller: request.caller ?? nobody,
        signal: disconnection(reply),
        openapi,
        onFault: (errorName) => {
          exception = errorName;
        },
      });
      if (result.ok) return sendSuccess(request, reply, row.http, result.value);
      return sendError(reply, result.failure.code, failureWords(result.failure, exception));
    },
  });
}

function hasEmptyInput(params: unknown): boolean {
  return typeof params === 'object' && params !== null && Object.values(params).includes('');
}

function refuse(log: HttpLog, reply: FastifyReply, code: ErrorCode, words?: ErrorWords): FastifyReply {
  log.refused(code);
  return sendError(reply, code, words);
}

/** Aborts when the client goes away before it has its answer. */
function disconnection(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** RFC 9745: `Deprecation` holds a moment as seconds. */
function announceDeprecation(reply: FastifyReply, { deprecated }: HttpRoute): void {
  if (deprecated === undefined) return;
  reply.header('deprecation', `@${Date.parse(`${deprecated.since}T00:00:00Z`) / 1000}`);
  reply.header('link', `<${deprecated.successor}>; rel="successor-version"`);
}

function unreached(_request: FastifyRequest): never {
  throw new Error('a refused request went on');
}
