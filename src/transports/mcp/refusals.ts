/** The requests that HTTP itself turns away, each with one status and fixed words. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestId } from '@modelcontextprotocol/server';
import { errorCatalogue } from '../../base/errors.ts';
import { httpLimits } from '../../base/limits.ts';
import { failure, failureOf, SERVER_ERROR } from './json-rpc.ts';
import { sendJson } from './respond.ts';
import { HANDSHAKE_REVISIONS, isHandshakeRevision, isModernRevision } from './revisions.ts';
import { header, isModernRequest, type Visit } from './visit.ts';

/** In the handshake era an unknown revision in the header is a bad request, and no header stands for any of them. */
export function refuseRevision(visit: Visit, id: RequestId | null): boolean {
  const revision = header(visit.req, 'mcp-protocol-version');
  if (revision === undefined || isHandshakeRevision(revision) || isModernRevision(revision)) return false;
  const supported = HANDSHAKE_REVISIONS;
  sendJson(visit.res, 400, failure(id, SERVER_ERROR, 'Unsupported protocol version', { supported }));
  return true;
}

export function refuseEnvelope(res: ServerResponse, id: RequestId, message: string): void {
  sendJson(res, errorCatalogue.invalid_envelope.http, failureOf(id, 'invalid_envelope', message));
}

export function refuseSession(res: ServerResponse, id: RequestId | null): void {
  sendJson(res, errorCatalogue.unknown_session.http, failureOf(id, 'unknown_session', 'Session not found'));
}

export function refuseOpening(res: ServerResponse, id: RequestId): void {
  const message = 'All sessions are in use; try again later';
  sendJson(res, errorCatalogue.too_many_sessions.http, failureOf(id, 'too_many_sessions', message));
}

export function refuseStream(res: ServerResponse, id: RequestId | null): void {
  sendJson(res, errorCatalogue.rate_limited.http, failure(id, SERVER_ERROR, 'Too many open streams'), {
    'retry-after': String(httpLimits.streamCommentIntervalMs / 1000),
  });
}

/** The modern revision wants what is wrong with a request in the status too; older clients would lose the body. */
export function statusOf(status: number, code: number, req: IncomingMessage): number {
  if (status !== 200 || !isModernRequest(req)) return status;
  return code === errorCatalogue.unknown_method.jsonRpc ? 404 : 400;
}
