/**
 * Makes the protocol server that serves one request (HTTP) or one connection (sessions, stdio).
 *
 * Cheap and without I/O, because the HTTP legs call it for every message: everything it shows is read from the registry
 * once. It offers tools and nothing else.
 */
import { CLIENT_INFO_META_KEY, type Server } from '@modelcontextprotocol/server';
import { isJsonObject, member } from '../../base/json.ts';
import { mcpLimits } from '../../base/limits.ts';
import { SERVER_NAME, SERVER_VERSION } from '../../base/version.ts';
import { unwrapStringified } from '../../operations/arguments.ts';
import type { Dispatcher } from '../../operations/dispatch.ts';
import { instructions } from '../../operations/instructions.ts';
import type { Caller } from '../../operations/operation.ts';
import { toolResult } from '../../operations/tool-result.ts';
import { type FaultSink, GuardedServer } from './guarded-server.ts';
import { isInGroup, schemaForm, type ToolSelection } from './profile.ts';
import { HANDSHAKE_REVISIONS } from './revisions.ts';
import { createToolLists } from './tool-list.ts';

export type Era = 'legacy' | 'modern';

/** What the door knows about whom it serves. */
export interface ServerContext {
  readonly era: Era;
  readonly caller: Caller;
  readonly selection: ToolSelection;
  readonly userAgent?: string;
  /** The folder the connection belongs to: the project of a call that names none. */
  readonly folder?: string;
}

/** A fresh server each time; it is connected once and closed by whoever asked for it. */
export type ServerFactory = (context: ServerContext) => Server;

const METHODS: Readonly<Record<Era, ReadonlySet<string>>> = {
  legacy: new Set(['initialize', 'ping', 'tools/list', 'tools/call', 'notifications/initialized']),
  modern: new Set(['server/discover', 'tools/list', 'tools/call']),
};

/** `onFault` hears what went wrong inside a call; the client hears fixed words. */
export function createServerFactory(dispatcher: Dispatcher, onFault: FaultSink): ServerFactory {
  const { registry } = dispatcher;
  const toolLists = createToolLists(registry);
  const knowsTool = (name: string): boolean => registry.findTool(name) !== undefined;
  const options = {
    capabilities: { tools: {} },
    instructions,
    supportedProtocolVersions: [...HANDSHAKE_REVISIONS],
    cacheHints: {
      'tools/list': { ttlMs: mcpLimits.toolListTtlMs, cacheScope: 'private' },
      'server/discover': { ttlMs: mcpLimits.discoverTtlMs, cacheScope: 'private' },
    },
  } as const;

  return ({ era, caller, selection, userAgent, folder }) => {
    const server = new GuardedServer(
      SERVER_NAME,
      SERVER_VERSION,
      { ...options, supportedProtocolVersions: [...HANDSHAKE_REVISIONS] },
      { methods: METHODS[era], knowsTool },
      onFault,
    );

    server.setRequestHandler('tools/list', (_request, context) => {
      const clientName = nameInEnvelope(context.mcpReq.envelope) ?? server.getClientVersion()?.name;
      const form = schemaForm(selection.profile, {
        ...(clientName === undefined ? {} : { clientName }),
        ...(userAgent === undefined ? {} : { userAgent }),
      });
      return { tools: toolLists(form, selection.group) };
    });

    server.setRequestHandler('tools/call', async (request, context) => {
      const operation = registry.findTool(request.params.name);
      if (operation === undefined) throw new Error('the gate let an unknown tool through');
      const given: unknown = request.params.arguments ?? {};
      if (!isJsonObject(given)) throw new Error('the gate let arguments through that are not an object');
      const parameters = unwrapStringified(operation.tool.composedInput, given);
      const result = await dispatcher.dispatch({
        operation,
        arguments: parameters,
        closed: true,
        caller,
        signal: context.mcpReq.signal,
        isListed: (row) => isInGroup(row, selection.group),
        ...(folder === undefined ? {} : { folder }),
      });
      const { content, structuredContent, isError } = toolResult(
        result,
        (value) => operation.tool.show?.(value, parameters) ?? value,
      );
      return {
        content: [...content],
        ...(structuredContent === undefined ? {} : { structuredContent }),
        ...(isError === undefined ? {} : { isError }),
      };
    });

    return server;
  };
}

/** The 2026-07-28 revision states the client with every request; earlier ones once, in the handshake. */
function nameInEnvelope(envelope: unknown): string | undefined {
  const client = isJsonObject(envelope) ? member(envelope, CLIENT_INFO_META_KEY) : undefined;
  const name = isJsonObject(client) ? member(client, 'name') : undefined;
  return typeof name === 'string' ? name : undefined;
}
