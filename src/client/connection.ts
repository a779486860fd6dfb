/**
 * One request and its answer: the token, the clock, and every way in which it can fail.
 *
 * A request is sent once. Only a GET whose connection broke is sent a second time, because a server that closes an idle
 * connection looks the same as one that has gone. Redirects are never followed: the token would go with them.
 */
import { apiError, NeuralMindAPIError, NeuralMindConnectionError } from './errors.ts';
import { deepFreeze, isObject, objectOf, type RawObject, unexpected } from './raw.ts';
import type { Target } from './target.ts';
import { checkCallOptions } from './to-wire.ts';

/** For every call. */
export interface CallOptions {
  /** Milliseconds until the call is given up, 1 to 2,147,483,647. Default: that of the client, 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Ends the call; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

export interface Exchange {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Segments behind `/v1`, not yet encoded. */
  readonly path: readonly string[];
  /** Lists are repeated parameters; what is undefined is left out. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed and frozen JSON, text of another type, or null without a body. */
  readonly body: unknown;
}

export interface ConnectionOptions {
  readonly target: () => Promise<Target>;
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
}

export class Connection {
  readonly #options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    checkTimeout(options.timeoutMs);
    this.#options = options;
  }

  /** Throws NeuralMindAPIError, NeuralMindConnectionError, the reason of `options.signal`, or TypeError. */
  async send(exchange: Exchange, options: CallOptions = {}, timeoutMs = this.#options.timeoutMs): Promise<Answer> {
    checkCallOptions(options);
    const limit = options.timeoutMs ?? timeoutMs;
    checkTimeout(limit);
    const path = pathOf(exchange);
    checkHeaders(exchange.headers ?? {});
    const body = exchange.body === undefined ? undefined : JSON.stringify(exchange.body);
    const clock = startClock(limit, options.signal);
    try {
      return await this.#attempt(exchange, path, body, clock.signal, exchange.method === 'GET');
    } catch (error) {
      const isOurs = error instanceof NeuralMindAPIError || error instanceof NeuralMindConnectionError;
      if (isOurs || !clock.signal.aborted) throw error;
      if (options.signal?.aborted === true) throw options.signal.reason;
      throw new NeuralMindConnectionError('timeout', `no answer within ${limit} ms${afterWrite(exchange.method)}`);
    } finally {
      clock.stop();
    }
  }

  /** The answer as an object, which is what most routes give. */
  async object(exchange: Exchange, options?: CallOptions, timeoutMs?: number): Promise<RawObject> {
    const answer = await this.send(exchange, options, timeoutMs);
    return objectOf(answer.body, 'the answer');
  }

  async #attempt(
    exchange: Exchange,
    path: string,
    body: string | undefined,
    signal: AbortSignal,
    again: boolean,
  ): Promise<Answer> {
    signal.throwIfAborted();
    const target = await this.#options.target();
    const headers: Record<string, string> = { accept: 'application/json, text/markdown', ...exchange.headers };
    if (target.token !== null) headers['authorization'] = `Bearer ${target.token}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    // Called bare: a browser's fetch refuses to be a method of another object.
    const { fetch } = this.#options;
    let response: Response;
    let content: string;
    try {
      response = await fetch(`${target.base}${path}`, {
        method: exchange.method,
        headers,
        signal,
        redirect: 'manual',
        credentials: 'omit',
        ...(body === undefined ? {} : { body }),
      });
      content = await response.text();
    } catch (error) {
      if (signal.aborted) throw error;
      if (again && isReset(error)) return this.#attempt(exchange, path, body, signal, false);
      throw connectionError(error, target, exchange.method);
    }
    return answerOf(response, content);
  }
}

function answerOf(response: Response, content: string): Answer {
  const { status, headers } = response;
  const isJson = /^application\/json\b/i.test(headers.get('content-type') ?? '');
  if (status < 200 || status > 299) throw refusalOf(response, isJson ? parsed(content) : null);
  if (status === 204 || content === '') return { status, headers, body: null };
  return { status, headers, body: isJson ? deepFreeze(parsed(content)) : content };
}

function refusalOf(response: Response, body: unknown): Error {
  const envelope = isObject(body) && isObject(body['error']) ? body['error'] : {};
  const { code, message, details, request_id: requestId } = envelope;
  if (typeof code !== 'string' || typeof message !== 'string') {
    return unexpected(`status ${response.status} without an error of this API`);
  }
  return apiError(
    {
      status: response.status,
      code,
      message,
      details: deepFreeze(isObject(details) ? details : {}),
      requestId: typeof requestId === 'string' ? requestId : response.headers.get('x-request-id'),
    },
    response.headers.get('retry-after'),
  );
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw unexpected('it is not JSON');
  }
}

function pathOf(exchange: Exchange): string {
  const path = exchange.path.map((segment) => `/${encodeSegment(segment)}`).join('');
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(exchange.query ?? {})) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  }
  const search = query.toString();
  return `/v1${path}${search === '' ? '' : `?${search}`}`;
}

/** Dots alone would change the path on the way, and nothing at all would name the list instead of its member. */
function encodeSegment(segment: unknown): string {
  if (typeof segment !== 'string' || segment === '' || segment === '.' || segment === '..') {
    throw new TypeError('an id is a text, and neither empty nor "." nor ".."');
  }
  try {
    return encodeURIComponent(segment);
  } catch {
    throw new TypeError('an id must be well-formed Unicode');
  }
}

/** Checked here because `fetch` cannot tell a header that it may not send from a server that is not there. */
function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\x20-\x7e]+$/.test(value)) throw new TypeError(`the value for ${name} must be printable ASCII`);
  }
}

function checkTimeout(timeoutMs: number): void {
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > 2_147_483_647) {
    throw new RangeError('timeoutMs is a whole number from 1 to 2147483647');
  }
}

/** A signal that aborts after `limitMs` or with `outer`, whichever is first. */
function startClock(limitMs: number, outer: AbortSignal | undefined): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort(outer?.reason);
  const timer = setTimeout(() => controller.abort(), limitMs);
  if (outer?.aborted === true) abort();
  else outer?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    stop() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
    },
  };
}

/** What Node says when an open connection ends before the answer. */
const resetCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

function isReset(error: unknown): boolean {
  return resetCodes.has(systemCode(error) ?? '');
}

function systemCode(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string'
    ? cause.code
    : undefined;
}

function connectionError(error: unknown, target: Target, method: Exchange['method']): NeuralMindConnectionError {
  const code = systemCode(error);
  const why = code === undefined ? '' : ` (${code})`;
  if (isReset(error)) {
    return new NeuralMindConnectionError(
      'interrupted',
      `${target.base} ended the connection before it answered${why}${afterWrite(method)}`,
      { cause: error },
    );
  }
  const advice = target.found
    ? 'start the daemon with `mnemosyne daemon start`'
    : 'check the address, or start the daemon with `mnemosyne daemon start`';
  return new NeuralMindConnectionError('unreachable', `nothing answers at ${target.base}${why}; ${advice}`, {
    cause: error,
  });
}

function afterWrite(method: Exchange['method']): string {
  return method === 'GET' ? '' : '; whether the request was carried out is not known';
}
