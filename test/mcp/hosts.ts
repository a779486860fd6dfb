/** Real servers for the MCP suites: the product's tools over a notebook in a temp folder, behind HTTP or streams. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/base/clock.ts';
import { systemClock } from '../../src/base/clock.ts';
import { openEngine } from '../../src/engine/open-engine.ts';
import { createDispatcher, type Dispatcher } from '../../src/operations/dispatch.ts';
import type { Caller, Gates } from '../../src/operations/operation.ts';
import { createRegistry } from '../../src/operations/registry.ts';
import { parseMessage } from '../../src/transports/mcp/gate.ts';
import { createMcpHttp, type HttpServerFactory, type McpHttp } from '../../src/transports/mcp/http.ts';
import { createServerFactory } from '../../src/transports/mcp/server-factory.ts';

export const allGates: Gates = { remember: true, archive_restore: true, revise: true, forget: true };
export const noGates: Gates = { remember: false, archive_restore: false, revise: false, forget: false };

export interface Product {
  readonly dispatcher: Dispatcher;
  close(): Promise<void>;
}

export async function openProduct(gates: Gates = allGates): Promise<Product> {
  const home = await mkdtemp(join(tmpdir(), 'mnemosyne-mcp-'));
  const engine = openEngine({
    memoryRoot: () => join(home, 'memory'),
    clock: systemClock,
    notebookLog: { skipped: () => {}, lock: () => {} },
  });
  return {
    dispatcher: createDispatcher(engine, createRegistry(gates), () => {}),
    async close() {
      await engine.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

export interface Host {
  readonly url: string;
  readonly mcp: McpHttp;
  /** Content-free faults that were reported, as `place errorName`. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

export interface HostOptions {
  readonly serverFactory: HttpServerFactory;
  readonly sessions: boolean;
  readonly clock?: Clock;
}

export const productFactory = (product: Product): HttpServerFactory =>
  createServerFactory(product.dispatcher, () => {});

/** The handler on a bare HTTP server. The header `x-principal` plays the part of the credential. */
export async function openHost(options: HostOptions): Promise<Host> {
  const faults: string[] = [];
  const mcp = createMcpHttp({ ...options, onFault: (place, name) => faults.push(`${place} ${name}`) });
  const server = createServer(async (req, res) => {
    const url = new URL(req.url ?? '/', 'http://127.0.0.1');
    const caller: Caller = { kind: 'local-token', principal: String(req.headers['x-principal'] ?? 'someone') };
    if (req.method === 'POST') await mcp.handlePost(req, res, parseMessage(await bodyOf(req)), caller, url);
    else if (req.method === 'DELETE') await mcp.handleDelete(req, res, caller, url);
    else await mcp.handleGet(req, res, caller, url);
  });
  const port = await listening(server);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    mcp,
    faults,
    async close() {
      await mcp.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
