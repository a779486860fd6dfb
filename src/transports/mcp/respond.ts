/** Writing answers to a Node response: JSON, or a web `Response` of the protocol library, streamed or folded. */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RequestId } from '@modelcontextprotocol/server';
import { isJsonObject, type JsonObject, member } from '../../base/json.ts';
import { failure, SERVER_ERROR } from './json-rpc.ts';

/** Answers hold what people asked to be remembered: no cache may keep them, no browser may guess at them. */
const JSON_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** Headers of the library's answers that the client is to see; the rest describes a connection it does not own. */
const PASSED_HEADERS = ['content-type', 'cache-control', 'mcp-session-id', 'allow', 'x-accel-buffering'];

export function sendJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (isGone(res)) return;
  res.writeHead(status, { ...JSON_HEADERS, ...headers });
  res.end(JSON.stringify(body));
}

export function sendEmpty(res: ServerResponse, status: number): void {
  if (isGone(res)) return;
  res.writeHead(status, { 'content-length': '0' });
  res.end();
}

/** Resolves when the answer is written or the client has left; a stream ends with the client's connection. */
export async function sendResponse(res: ServerResponse, response: Response): Promise<void> {
  if (isGone(res)) {
    await response.body?.cancel();
    return;
  }
  const headers = Object.fromEntries([...response.headers].filter(([name]) => PASSED_HEADERS.includes(name)));
  const isJson = headers['content-type'] === JSON_HEADERS['content-type'];
  res.writeHead(response.status, isJson ? { ...headers, ...JSON_HEADERS } : headers);
  if (response.body === null) {
    res.end();
    return;
  }
  res.flushHeaders();
  try {
    await pipeline(Readable.fromWeb(response.body), res);
  } catch (error) {
    if (!isDisconnect(error)) throw error;
  }
}

/**
 * The answer to `id` out of an event stream, as plain JSON, for a client that takes no streams. What else was on the
 * stream is dropped.
 */
export async function sendFolded(res: ServerResponse, response: Response, id: RequestId): Promise<void> {
  const events = await response.text();
  const answer = messagesIn(events).find(
    (message) => member(message, 'id') === id && !Object.hasOwn(message, 'method'),
  );
  const sessionId = response.headers.get('mcp-session-id');
  sendJson(
    res,
    response.status,
    answer ?? failure(id, SERVER_ERROR, 'No answer: the request was cancelled or the session has ended'),
    sessionId === null ? {} : { 'mcp-session-id': sessionId },
  );
}

export function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

/** The client has closed the connection, so that nothing written would arrive. */
export function isGone(res: ServerResponse): boolean {
  return res.destroyed || res.writableEnded || res.headersSent;
}

function messagesIn(events: string): readonly JsonObject[] {
  return events
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line): unknown => JSON.parse(line.slice('data: '.length)))
    .filter(isJsonObject);
}

function isDisconnect(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
