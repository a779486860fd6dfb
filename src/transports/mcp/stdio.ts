/**
 * MCP over a pair of streams, both eras. The output carries protocol lines and nothing else.
 *
 * The era is decided by how the connection opens and holds until its end. Whoever started the process is the caller, so
 * there is no token.
 */
import type { Readable, Writable } from 'node:stream';
import { serveStdio as serveConnection } from '@modelcontextprotocol/server/stdio';
import type { Dispatcher } from '../../operations/dispatch.ts';
import type { Caller } from '../../operations/operation.ts';
import { errorName, type FaultSink } from './guarded-server.ts';
import { LineTransport } from './line-transport.ts';
import { DEFAULT_SELECTION, type SchemaProfile, type ToolGroup } from './profile.ts';
import { createServerFactory } from './server-factory.ts';

export interface StdioOptions {
  readonly dispatcher: Dispatcher;
  readonly caller: Caller;
  readonly profile?: SchemaProfile;
  readonly group?: ToolGroup;
  /** The project of calls that name none. */
  readonly folder?: string;
  readonly input: Readable;
  readonly output: Writable;
  readonly onFault?: FaultSink;
}

export interface StdioConnection {
  /** Resolves when the connection has ended: the input is at its end and every request taken in is answered. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export function serveStdio(options: StdioOptions): StdioConnection {
  const { caller, folder, onFault = () => {} } = options;
  const selection = {
    profile: options.profile ?? DEFAULT_SELECTION.profile,
    group: options.group ?? DEFAULT_SELECTION.group,
  };
  const createServer = createServerFactory(options.dispatcher, onFault);
  const transport = new LineTransport({ input: options.input, output: options.output });
  const handle = serveConnection(
    ({ era }) => createServer({ era, caller, selection, ...(folder === undefined ? {} : { folder }) }),
    {
      transport,
      // Mostly what a client did wrong, and that has been answered already.
      onerror: (error) => onFault('mcp stdio', errorName(error)),
    },
  );
  const closed = new Promise<void>((resolve) => {
    const onclose = transport.onclose;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
  return { closed, close: () => handle.close() };
}
