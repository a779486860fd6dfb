/**
 * The HTTP door: turns requests into calls and outcomes into statuses, in one fixed order of checks.
 *
 *   Host 403 → Origin 403 → size 413 → open routes → token 401 → route 404 / method 405 → media type 415 → body
 *
 * Who may come in is decided by the guard that is passed in; what is done is decided behind `/mcp` and `/v1`. Nothing that a
 * request said is ever repeated in an error, and a fault of ours never shows its message or its stack.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type ErrorCode, errorCatalogue } from '../base/errors.ts';
import { httpLimits } from '../base/limits.ts';
import { apiVersion } from '../operations/api-version.ts';
import type { Caller } from '../operations/operation.ts';
import { isApiPath, openApiPaths } from './api/api-routes.ts';
import { type ApiOptions, mountApi } from './api/mount-api.ts';
import { docsPaths, mountDocs } from './api/mount-docs.ts';
import { distinctHeaders } from './distinct-headers.ts';
import { errorBody, jsonType, sendError } from './error-answer.ts';
import { type HttpLog, sketchEnvelope } from './http-log.ts';
import { parseMessage } from './mcp/gate.ts';
import type { McpHttp } from './mcp/http.ts';

/** What the guard sees of a request: never the body. */
export interface EdgeRequest {
  /** The target as sent; absolute when the client wrote it so. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** Every value that a header was sent with, repetitions included. */
  readonly headersDistinct: Readonly<Record<string, readonly string[] | undefined>>;
}

/** Decides who may come in. Implementations are pure and never throw. */
export interface EdgeGuard {
  /** Null when Host, Origin and fetch metadata are those of this machine; otherwise why not. */
  admit(request: EdgeRequest): 'host_not_allowed' | 'origin_not_allowed' | null;
  /** Who is calling, or null for a missing, malformed or wrong credential. `area` is what the token may be off for. */
  identify(request: EdgeRequest, area: 'mcp' | 'api'): Caller | null;
}

export interface HttpOptions {
  readonly guard: EdgeGuard;
  readonly mcp: McpHttp;
  /** `/v1` and `/docs`; without it neither exists. */
  readonly api?: Pick<ApiOptions, 'dispatcher' | 'permits'>;
  readonly log: HttpLog;
  readonly identity: { readonly name: string; readonly version: string; readonly protocolVersion: string };
  /** Timeouts and sizes; the tests shorten them. */
  readonly limits?: Partial<HttpDoorLimits>;
}

export interface HttpDoorLimits {
  readonly mcpBodyBytesMax: number;
  readonly apiBodyBytesMax: number;
  readonly connectionsMax: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the token was checked; null on open routes. */
    caller: Caller | null;
  }
}

/** Methods of each path outside of `/v1`, whose paths come from the rows. One of `openPaths` needs no token. */
const fixedMethods: readonly (readonly [string, readonly string[]])[] = [
  ['/health', ['GET']],
  ['/version', ['GET']],
  ['/mcp', ['GET', 'POST', 'DELETE']],
];
const openPaths: readonly string[] = ['/health', '/version'];

/** How often timeouts are looked at. Node's own 30 s would triple a 10 s limit. */
const timeoutCheckIntervalMs = 1_000;

/** Where a target goes that cannot be decoded: a path that no route has, so that every check still runs. */
const undecodableTarget = '/undecodable-target';

export function buildHttp(options: HttpOptions): FastifyInstance {
  const limits: HttpDoorLimits = { ...httpLimits, ...options.limits };
  const { api } = options;
  const methodsOf: ReadonlyMap<string, readonly string[]> = new Map([
    ...fixedMethods,
    ...(api === undefined ? [] : docsPaths.map((path): [string, readonly string[]] => [path, ['GET']])),
  ]);
  const open: ReadonlySet<string> = new Set([
    ...openPaths,
    ...(api === undefined ? [] : [...docsPaths, ...openApiPaths(api.dispatcher.registry)]),
  ]);
  const sendNoRoute = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const methods = methodsOf.get(pathOf(request.url));
    if (methods === undefined) return sendError(reply, 'not_found');
    reply.header('allow', methods.join(', '));
    return sendError(reply, 'method_not_allowed');
  };
  const app = Fastify({
    logger: false,
    http: {
      // A missing Host is answered by the guard like a wrong one, with 403 and our envelope.
      requireHostHeader: false,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: Math.min(timeoutCheckIntervalMs, limits.headersTimeoutMs),
    },
    // How long a request may take to arrive. Answers may take longer: streams have no limit.
    requestTimeout: limits.requestTimeoutMs,
    connectionTimeout: 0,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    bodyLimit: limits.apiBodyBytesMax,
    routerOptions: { maxParamLength: httpLimits.pathInputCharsMax },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: false,
    requestIdHeader: false,
    genReqId: requestIdOf,
    rewriteUrl: routableTarget,
    clientErrorHandler: refuseMalformed,
  });
  app.server.maxConnections = limits.connectionsMax;
  // Bodies are taken by the route that wants them, never by a default parser.
  app.removeAllContentTypeParsers();
  app.decorateRequest('caller', null);

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
    reply.header('cache-control', 'no-store');
    reply.header('x-request-id', request.id);
    if (isApiPath(pathOf(request.url))) reply.header('neuralmind-api-version', apiVersion);
    const refusal = edgeRefusal(request, options.guard, limits, open);
    // Before the framework looks at the body's type: what does not exist takes no body.
    if (refusal === null) return request.is404 ? sendNoRoute(request, reply) : undefined;
    options.log.refused(refusal);
    if (refusal === 'unauthorized') reply.header('www-authenticate', 'Bearer');
    return sendError(reply, refusal);
  });
  app.setNotFoundHandler(sendNoRoute);
  app.setErrorHandler((error, request, reply) => {
    const code = codeOfParserError(error);
    if (code === 'internal_error') options.log.fault('http', error instanceof Error ? error.name : typeof error);
    // A handler that has begun to answer can only be cut off.
    if (reply.raw.headersSent) return request.raw.destroy();
    return sendError(reply, code);
  });

  app.get('/health', async () => ({ status: 'ok' }));
  app.get('/version', async () => ({
    name: options.identity.name,
    version: options.identity.version,
    protocolVersion: options.identity.protocolVersion,
  }));
  app.register(async (scope) => mountMcp(scope, options, limits));
  if (api !== undefined) {
    app.register(async (scope) => mountApi(scope, { ...api, log: options.log, bodyBytesMax: limits.apiBodyBytesMax }));
    app.register(async (scope) => mountDocs(scope, api.dispatcher.registry));
  }
  return app;
}

function mountMcp(scope: FastifyInstance, { mcp, log }: HttpOptions, limits: HttpDoorLimits): void {
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: limits.mcpBodyBytesMax }, (_request, body, done) =>
    done(null, body),
  );
  scope.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'POST' || takesJson(request.headers)) return;
    log.refused('unsupported_media_type');
    return sendError(reply, 'unsupported_media_type');
  });

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    handle: (caller: Caller, url: URL) => Promise<void>,
  ): Promise<void> => {
    const { caller } = request;
    if (caller === null) throw new Error('a request reached /mcp unidentified');
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    try {
      await handle(caller, new URL(request.url, 'http://localhost'));
    } catch (error) {
      log.fault('mcp', error instanceof Error ? error.name : typeof error);
      if (reply.raw.headersSent) {
        reply.raw.destroy();
      } else {
        reply.raw.writeHead(errorCatalogue.internal_error.http, { 'content-type': jsonType });
        reply.raw.end(JSON.stringify(errorBody('internal_error', request.id)));
      }
    }
  };

  scope.post('/mcp', async (request, reply) => {
    const body = parseMessage(utf8Of(request.body));
    const envelope = sketchEnvelope(body.kind === 'json' ? body.value : undefined);
    log.request(envelope);
    const began = performance.now();
    reply.raw.once('close', () => {
      log.response(envelope, {
        outcome: reply.raw.writableFinished ? 'answered' : 'disconnected',
        code: reply.raw.statusCode,
        durationMs: performance.now() - began,
      });
    });
    await answer(request, reply, (caller, url) => mcp.handlePost(request.raw, reply.raw, body, caller, url));
  });
  scope.get('/mcp', (request, reply) =>
    answer(request, reply, (caller, url) => mcp.handleGet(request.raw, reply.raw, caller, url)),
  );
  scope.delete('/mcp', (request, reply) =>
    answer(request, reply, (caller, url) => mcp.handleDelete(request.raw, reply.raw, caller, url)),
  );
}

/** The first reason to turn a request away before routing, or null; sets the caller when one was identified. */
function edgeRefusal(
  request: FastifyRequest,
  guard: EdgeGuard,
  limits: HttpDoorLimits,
  open: ReadonlySet<string>,
): ErrorCode | null {
  const edge: EdgeRequest = {
    target: request.originalUrl,
    headers: request.headers,
    headersDistinct: distinctHeaders(request.raw.rawHeaders),
  };
  const refusal = guard.admit(edge);
  if (refusal !== null) return refusal;

  const path = pathOf(request.url);
  const isMcp = path === '/mcp';
  // A body without a stated length is counted while it is read.
  const stated = Number(request.headers['content-length'] ?? 0);
  const apiMax = request.is404 ? limits.apiBodyBytesMax : request.routeOptions.bodyLimit;
  if (stated > (isMcp ? limits.mcpBodyBytesMax : (apiMax ?? limits.apiBodyBytesMax))) return 'payload_too_large';

  if (open.has(path)) return null;
  // A path that nothing serves asks for no more than `/mcp` does. All of `/v1` is the API's, served or not.
  request.caller = guard.identify(edge, isMcp || (request.is404 && !isApiPath(path)) ? 'mcp' : 'api');
  return request.caller === null ? 'unauthorized' : null;
}

/** Errors that the framework raises while it reads a body, by their own code; everything else is a fault of ours. */
function codeOfParserError(error: unknown): ErrorCode {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return 'payload_too_large';
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return 'unsupported_media_type';
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'ECONNRESET':
      return 'invalid_request';
    default:
      return 'internal_error';
  }
}

/**
 * JSON or unnamed, and not compressed. Everything else is refused, above all the three types that a web page may send
 * without asking first: text/plain, form and multipart.
 */
function takesJson(headers: IncomingHttpHeaders): boolean {
  const type = headers['content-type'];
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity') return false;
  return type === undefined || /^application\/json[ \t]*(?:;|$)/i.test(type);
}

/** The body as text. Bytes that are not UTF-8 become the empty text, which is as little JSON as they are. */
function utf8Of(body: unknown): string {
  if (!Buffer.isBuffer(body)) return '';
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return '';
  }
}

function requestIdOf(request: { readonly headers: IncomingHttpHeaders }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9-]{1,64}$/.test(given) ? given : randomUUID();
}

/** The target as the router wants it: without scheme and host (the guard has the original), decodable. */
function routableTarget(request: { readonly url?: string | undefined }): string {
  const target = request.url ?? '/';
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const rooted = path.startsWith('/') || path === '*' ? path : `/${path}`;
  try {
    decodeURIComponent(pathOf(rooted));
    return rooted;
  } catch {
    return isApiPath(pathOf(rooted)) ? `/v1${undecodableTarget}` : undecodableTarget;
  }
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url;
}

/** Bytes that are no HTTP request, or that came too slowly: one answer, then the connection ends. */
function refuseMalformed(error: Error, socket: Socket): void {
  const reason = 'code' in error ? error.code : undefined;
  if (reason === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const code: ErrorCode = reason === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'invalid_request';
  const body = JSON.stringify(errorBody(code, randomUUID()));
  const { http } = errorCatalogue[code];
  socket.end(
    [
      `HTTP/1.1 ${http} ${http === 408 ? 'Request Timeout' : 'Bad Request'}`,
      `Content-Type: ${jsonType}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  );
}
