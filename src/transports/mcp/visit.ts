/** One request on its way through, and what its headers say about it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { classifyInboundRequest, type JSONRPCRequest } from '@modelcontextprotocol/server';
import type { Caller } from '../../operations/operation.ts';
import type { ToolSelection } from './profile.ts';
import { isModernRevision } from './revisions.ts';
import type { Era, ServerContext } from './server-factory.ts';

export interface Visit {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly caller: Caller;
  /** Aborted when the client leaves before it was answered. */
  readonly signal: AbortSignal;
}

export function eraOf(req: IncomingMessage, message: JSONRPCRequest): Era {
  const protocolVersionHeader = header(req, 'mcp-protocol-version');
  const mcpMethodHeader = header(req, 'mcp-method');
  const mcpNameHeader = header(req, 'mcp-name');
  const route = classifyInboundRequest({
    httpMethod: 'POST',
    body: message,
    ...(protocolVersionHeader === undefined ? {} : { protocolVersionHeader }),
    ...(mcpMethodHeader === undefined ? {} : { mcpMethodHeader }),
    ...(mcpNameHeader === undefined ? {} : { mcpNameHeader }),
  });
  // What the classification refuses is a broken message of the modern era, and that era's handler says so.
  return route.kind === 'legacy' ? 'legacy' : 'modern';
}

export function contextOf(visit: Visit, era: Era, selection: ToolSelection): ServerContext {
  const userAgent = header(visit.req, 'user-agent');
  return { era, caller: visit.caller, selection, ...(userAgent === undefined ? {} : { userAgent }) };
}

/**
 * The request as the library takes it. The body travels beside it, already parsed. Both media types are claimed for
 * every client, and the credential stays with the edge.
 */
export function webRequest(visit: Visit, method: 'GET' | 'POST'): Request {
  const headers = new Headers({
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  });
  for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id', 'user-agent']) {
    const value = header(visit.req, name);
    if (value !== undefined) headers.set(name, value);
  }
  return new Request('http://localhost/mcp', { method, headers, signal: visit.signal });
}

export function isModernRequest(req: IncomingMessage): boolean {
  return isModernRevision(header(req, 'mcp-protocol-version') ?? '');
}

export function takesEventStreams(req: IncomingMessage): boolean {
  return header(req, 'accept')?.includes('text/event-stream') ?? false;
}

export function sessionIdOf(req: IncomingMessage): string | undefined {
  return header(req, 'mcp-session-id');
}

export function header(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
