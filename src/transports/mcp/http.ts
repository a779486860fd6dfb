/**
 * MCP over HTTP: what `/mcp` answers once the edge has let a request in.
 *
 * Two eras share the endpoint. A request that names its revision for itself (2026-07-28) goes to the library's own
 * handler. Any other belongs to the handshake era: answered alone with plain JSON, or, when sessions are switched on
 * and the client opened one, inside its session. No client input leads to a status of 500 or above; only a full house
 * does (503).
 *
 * Host, Origin, token, size and media type are checked before this, so `Accept` and `Content-Type` are not looked at
 * again, but for one thing: who does not name event streams in `Accept` gets JSON.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createMcpHandler,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/server';
import { type Clock, systemClock } from '../../base/clock.ts';
import { errorCatalogue } from '../../base/errors.ts';
import { httpLimits } from '../../base/limits.ts';
import type { Caller } from '../../operations/operation.ts';
import { EventStreams } from './event-streams.ts';
import { judgeMessage, type ParsedMessage, type Verdict } from './gate.ts';
import { errorName, type FaultSink } from './guarded-server.ts';
import { failure, failureOf, INTERNAL_ERROR_TEXT, SERVER_ERROR, unknownMethod } from './json-rpc.ts';
import { selectionFrom, type ToolSelection } from './profile.ts';
import { refuseEnvelope, refuseOpening, refuseRevision, refuseSession, refuseStream, statusOf } from './refusals.ts';
import { isEventStream, isGone, sendEmpty, sendFolded, sendJson, sendResponse } from './respond.ts';
import type { ServerContext } from './server-factory.ts';
import { type Session, SessionStore } from './sessions.ts';
import { answerOnce, type Connectable } from './single-exchange.ts';
import { contextOf, eraOf, isModernRequest, sessionIdOf, takesEventStreams, type Visit, webRequest } from './visit.ts';

export interface McpHttpOptions {
  /** `createServerFactory(dispatcher)` in the product. */
  readonly serverFactory: HttpServerFactory;
  readonly sessions: boolean;
  readonly clock?: Clock;
  readonly onFault?: FaultSink;
}

/** A fresh server of either of the library's classes. */
export type HttpServerFactory = (context: ServerContext) => ModernServer & Connectable;
type ModernServer = Awaited<ReturnType<Parameters<typeof createMcpHandler>[0]>>;

/**
 * All three answer through `res` alone (hijack the reply first) and never reject. Of `url` only the query is read:
 * `schema` and `tools`.
 */
export interface McpHttp {
  handlePost(req: IncomingMessage, res: ServerResponse, body: ParsedMessage, caller: Caller, url: URL): Promise<void>;
  handleGet(req: IncomingMessage, res: ServerResponse, caller: Caller, url: URL): Promise<void>;
  /** Ends a session; 405 when sessions are off. */
  handleDelete(req: IncomingMessage, res: ServerResponse, caller: Caller, url: URL): Promise<void>;
  /** Ends streams and sessions after the calls in flight, for which it waits `httpLimits.shutdownGraceMs` at most. */
  close(): Promise<void>;
}

export function createMcpHttp(options: McpHttpOptions): McpHttp {
  const { serverFactory, onFault = () => {} } = options;
  const streams = new EventStreams();
  const sessions = options.sessions ? new SessionStore({ clock: options.clock ?? systemClock }) : undefined;
  const contexts = new WeakMap<Request, ServerContext>();
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const context = requestInfo === undefined ? undefined : contexts.get(requestInfo);
      if (context === undefined) throw new Error('a request without its context');
      return serverFactory(context);
    },
    { legacy: 'reject', keepAliveMs: httpLimits.streamCommentIntervalMs },
  );
  /** Visits that end by themselves, and all visits. */
  const calls = new Set<Promise<void>>();
  const visits = new Set<Promise<void>>();
  let closed = false;

  async function post(visit: Visit, verdict: Verdict, selection: ToolSelection): Promise<void> {
    switch (verdict.kind) {
      case 'refused':
        sendJson(visit.res, statusOf(verdict.status, verdict.answer.error.code, visit.req), verdict.answer);
        return;
      case 'notification':
        return takeNotification(visit, verdict.message);
      case 'response':
        return takeResponse(visit, verdict.message, verdict.id);
      case 'request':
        if (eraOf(visit.req, verdict.message) === 'modern') {
          return serveModern(visit, verdict.message, verdict.versionStated, selection);
        }
        return serveHandshake(visit, verdict.message, selection);
    }
  }

  /** Accepted and forgotten, unless a session wants to know. */
  async function takeNotification(visit: Visit, message: JSONRPCMessage | undefined): Promise<void> {
    if (refuseRevision(visit, null)) return;
    const sessionId = sessionIdOf(visit.req);
    if (sessions === undefined || sessionId === undefined || isModernRequest(visit.req)) {
      sendEmpty(visit.res, 202);
      return;
    }
    const session = sessions.find(sessionId, visit.caller.principal);
    if (session === undefined) refuseSession(visit.res, null);
    else if (message === undefined) sendEmpty(visit.res, 202);
    else await passOn(visit, session, message);
  }

  async function takeResponse(visit: Visit, message: JSONRPCMessage, id: RequestId): Promise<void> {
    const sessionId = sessionIdOf(visit.req);
    if (sessions === undefined || sessionId === undefined) {
      sendJson(visit.res, 200, unknownMethod(id, undefined));
      return;
    }
    if (refuseRevision(visit, id)) return;
    const session = sessions.find(sessionId, visit.caller.principal);
    if (session === undefined) refuseSession(visit.res, id);
    else await passOn(visit, session, message);
  }

  async function passOn(visit: Visit, session: Session, message: JSONRPCMessage): Promise<void> {
    const { response, done } = await session.exchange(webRequest(visit, 'POST'), message);
    session.forgetCancelled(message);
    try {
      await sendResponse(visit.res, response);
    } finally {
      done();
    }
  }

  async function serveModern(
    visit: Visit,
    message: JSONRPCRequest,
    versionStated: boolean,
    selection: ToolSelection,
  ): Promise<void> {
    if (!versionStated) {
      refuseEnvelope(visit.res, message.id, 'Invalid Request');
      return;
    }
    if (message.method === 'subscriptions/listen' && !streams.reserve(visit.caller.principal, visit.res)) {
      refuseStream(visit.res, message.id);
      return;
    }
    const request = webRequest(visit, 'POST');
    contexts.set(request, contextOf(visit, 'modern', selection));
    await sendResponse(visit.res, await modern.fetch(request, { parsedBody: message }));
  }

  async function serveHandshake(visit: Visit, message: JSONRPCRequest, selection: ToolSelection): Promise<void> {
    const sessionId = sessionIdOf(visit.req);
    const opens = message.method === 'initialize';
    if (!opens && refuseRevision(visit, message.id)) return;
    if (sessions !== undefined && sessionId !== undefined) {
      const session = sessions.find(sessionId, visit.caller.principal);
      if (session === undefined) refuseSession(visit.res, message.id);
      else await serveInSession(visit, session, message);
      return;
    }
    const server = serverFactory(contextOf(visit, 'legacy', selection));
    if (sessions !== undefined && opens) {
      const session = await sessions.open(visit.caller.principal, server);
      if (session !== undefined) return serveInSession(visit, session, message);
      refuseOpening(visit.res, message.id);
      return;
    }
    const answer = await answerOnce(server, message, visit.signal);
    if (answer !== undefined) sendJson(visit.res, 200, answer);
  }

  async function serveInSession(visit: Visit, session: Session, message: JSONRPCRequest): Promise<void> {
    if (!session.claim(message.id)) {
      refuseEnvelope(visit.res, message.id, 'Invalid Request: the id is in use');
      return;
    }
    try {
      const { response, done } = await session.exchange(webRequest(visit, 'POST'), message);
      const folded = isEventStream(response) && !takesEventStreams(visit.req);
      await (folded ? sendFolded(visit.res, response, message.id) : sendResponse(visit.res, response)).finally(done);
    } finally {
      session.release(message.id);
    }
  }

  async function get(visit: Visit): Promise<void> {
    const sessionId = sessionIdOf(visit.req);
    const session = sessionId === undefined ? undefined : sessions?.find(sessionId, visit.caller.principal);
    if (sessions !== undefined && sessionId !== undefined && session === undefined) {
      refuseSession(visit.res, null);
      return;
    }
    if (refuseRevision(visit, null)) return;
    if (!streams.reserve(visit.caller.principal, visit.res)) {
      refuseStream(visit.res, null);
      return;
    }
    if (session === undefined) return streams.serveComments(visit.res);
    const { response, done } = await session.exchange(webRequest(visit, 'GET'));
    try {
      await sendResponse(visit.res, response);
    } finally {
      done();
    }
  }

  async function remove(visit: Visit): Promise<void> {
    if (sessions === undefined) {
      const { http } = errorCatalogue.method_not_allowed;
      sendJson(visit.res, http, failure(null, SERVER_ERROR, 'Method not allowed'), { allow: 'GET, POST' });
      return;
    }
    const sessionId = sessionIdOf(visit.req);
    if (sessionId === undefined) {
      sendJson(visit.res, 400, failure(null, SERVER_ERROR, 'The Mcp-Session-Id header is required'));
      return;
    }
    if (refuseRevision(visit, null)) return;
    const session = sessions.find(sessionId, visit.caller.principal);
    if (session === undefined) refuseSession(visit.res, null);
    else {
      await session.transport.close();
      sendEmpty(visit.res, 200);
    }
  }

  /** Runs `step` for a visit and turns any fault of ours into the fixed answer. */
  async function visited(
    req: IncomingMessage,
    res: ServerResponse,
    caller: Caller,
    id: RequestId | null,
    step: (visit: Visit) => Promise<void>,
  ): Promise<void> {
    if (closed) {
      sendJson(res, errorCatalogue.unavailable.http, failure(id, SERVER_ERROR, 'The server is shutting down'));
      return;
    }
    const leaving = new AbortController();
    res.once('close', () => {
      if (!res.writableFinished) leaving.abort();
    });
    try {
      await step({ req, res, caller, signal: leaving.signal });
    } catch (error) {
      onFault('mcp http', errorName(error));
      if (isGone(res)) res.destroy();
      else sendJson(res, 200, failureOf(id, 'internal_error', INTERNAL_ERROR_TEXT));
    }
  }

  return {
    async handlePost(req, res, body, caller, url) {
      const verdict = judgeMessage(body);
      const id = verdict.kind === 'request' ? verdict.message.id : null;
      const run = visited(req, res, caller, id, async (visit) => {
        const selected = selectionFrom(url.searchParams);
        if (selected.ok) return post(visit, verdict, selected.value);
        sendJson(res, 400, failureOf(id, 'invalid_params', selected.message));
      });
      await whileIn(isListening(verdict) ? [visits] : [visits, calls], run);
    },
    handleGet: (req, res, caller) => whileIn([visits], visited(req, res, caller, null, get)),
    handleDelete: (req, res, caller) => whileIn([visits, calls], visited(req, res, caller, null, remove)),
    async close() {
      closed = true;
      streams.closeCommentStreams();
      await settledWithin(calls, httpLimits.shutdownGraceMs);
      await sessions?.close();
      await modern.close();
      await settledWithin(visits, httpLimits.shutdownGraceMs);
    },
  };
}

/** Keeps `run` in the sets until it has settled. */
async function whileIn(sets: readonly Set<Promise<void>>[], run: Promise<void>): Promise<void> {
  for (const set of sets) set.add(run);
  await run;
  for (const set of sets) set.delete(run);
}

/** Stays open for as long as the client likes, so that nothing waits for its end. */
function isListening(verdict: Verdict): boolean {
  return verdict.kind === 'request' && verdict.message.method === 'subscriptions/listen';
}

async function settledWithin(work: ReadonlySet<Promise<void>>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const grace = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([Promise.allSettled(work), grace]);
  clearTimeout(timer);
}
