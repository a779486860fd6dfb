/** A real HTTP door over a real notebook in a temporary folder, with the log caught in memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { systemClock } from '../../src/base/clock.ts';
import { openEngine } from '../../src/engine/open-engine.ts';
import { createDispatcher } from '../../src/operations/dispatch.ts';
import type { Caller, Gates, Operation, Permission, Registry } from '../../src/operations/operation.ts';
import { createRegistry } from '../../src/operations/registry.ts';
import { createEdgeGuard } from '../../src/server/edge.ts';
import { createLog } from '../../src/server/log.ts';
import type { LogLevel } from '../../src/server/log-level.ts';
import { createTokenCheck } from '../../src/server/token.ts';
import { buildHttp, type HttpDoorLimits } from '../../src/transports/http.ts';
import { createMcpHttp } from '../../src/transports/mcp/http.ts';
import { NEWEST_REVISION } from '../../src/transports/mcp/revisions.ts';
import { createServerFactory } from '../../src/transports/mcp/server-factory.ts';

export const doorToken = 'T0ken_'.padEnd(43, 'x');
export const everyGate: Gates = { remember: true, archive_restore: true, forget: true, revise: true };

const noGate: Gates = { remember: false, archive_restore: false, revise: false, forget: false };

export interface Door {
  readonly app: FastifyInstance;
  readonly registry: Registry;
  /** Temporary; gone when the door is closed. */
  readonly folder: string;
  readonly root: string;
  /** What was logged so far. */
  logged(): string;
  /** Listens on a free port and answers it. */
  listen(): Promise<number>;
  close(): Promise<void>;
}

export interface DoorOptions {
  readonly mcpAuth?: 'token' | 'none';
  readonly gates?: Gates;
  readonly limits?: Partial<HttpDoorLimits>;
  readonly logLevel?: LogLevel;
  /** In place of the table; they have no gates. */
  readonly rows?: readonly Operation[];
  readonly permits?: (caller: Caller, permission: Permission) => boolean;
}

export function openDoor(options: DoorOptions = {}): Door {
  const folder = mkdtempSync(join(tmpdir(), 'door-'));
  const root = join(folder, 'memory');
  const lines: string[] = [];
  const log = createLog(options.logLevel ?? 'debug', { write: (line) => void lines.push(line) });
  const engine = openEngine({
    memoryRoot: () => root,
    clock: systemClock,
    notebookLog: log.notebook,
    userHome: folder,
    daemonHome: join(folder, 'daemon'),
    embedder: null,
  });
  const gates = options.rows === undefined ? (options.gates ?? everyGate) : noGate;
  const dispatcher = createDispatcher(engine, createRegistry(gates, options.rows), log.events);
  const mcp = createMcpHttp({
    serverFactory: createServerFactory(dispatcher, log.http.fault),
    sessions: false,
    onFault: log.http.fault,
  });
  const app = buildHttp({
    guard: createEdgeGuard({
      boundHost: '127.0.0.1',
      checkToken: createTokenCheck(doorToken),
      mcpAuth: options.mcpAuth ?? 'token',
    }),
    mcp,
    api: { dispatcher, ...(options.permits === undefined ? {} : { permits: options.permits }) },
    log: log.http,
    identity: { name: 'mnemosyne', version: '9.9.9', protocolVersion: NEWEST_REVISION },
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  return {
    app,
    registry: dispatcher.registry,
    folder,
    root,
    logged: () => lines.join(''),
    async listen() {
      await app.listen({ host: '127.0.0.1', port: 0 });
      const address = app.server.address();
      if (address === null || typeof address === 'string') throw new Error('no port');
      return address.port;
    },
    async close() {
      await Promise.all([app.close(), mcp.close()]);
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Sends raw bytes and answers everything that comes back until the server ends the connection. */
export function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8');
    socket.on('data', (text) => {
      received += String(text);
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}

/** Headers that a well-behaved client sends. */
export function clientHeaders(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    authorization: `Bearer ${doorToken}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...extra,
  };
}

/** One `tools/call` on the handshake leg. */
export function toolCall(name: string, args: Readonly<Record<string, unknown>> = {}, id: string | number = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
}
