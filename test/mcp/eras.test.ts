/** Two eras on one endpoint: negotiation, the statuses of each, streams, and what a client sees of a tool call. */
import { request as httpRequest } from 'node:http';
import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpLimits, mcpLimits } from '../../src/base/limits.ts';
import { SERVER_VERSION } from '../../src/base/version.ts';
import { createFixtureServer } from '../conformance/fixture-server.ts';
import { type Host, openHost, openProduct, type Product, productFactory } from './hosts.ts';

const REVISION = '2026-07-28';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

let product: Product;
let host: Host;

beforeAll(async () => {
  product = await openProduct();
  host = await openHost({ serverFactory: productFactory(product), sessions: false });
});

afterAll(async () => {
  await host.close();
  await product.close();
});

describe('the handshake era', () => {
  test.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
    'MC20 initialize agrees to %s',
    async (protocolVersion) => {
      const { result } = await rpc('initialize', { protocolVersion, capabilities: {}, clientInfo });
      expect(result).toMatchObject({
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'mnemosyne', version: SERVER_VERSION },
        instructions: expect.stringContaining('Mnemosyne'),
      });
    },
  );

  test.each([
    { protocolVersion: '1999-01-01', capabilities: {}, clientInfo },
    { protocolVersion: REVISION, capabilities: {}, clientInfo },
    { protocolVersion: 5, capabilities: 'x', clientInfo: [] },
    {},
    undefined,
  ])('MC21 initialize offers the newest handshake revision whatever else it is sent: %j', async (params) => {
    const { result } = await rpc('initialize', params);
    expect(result).toMatchObject({ protocolVersion: '2025-11-25' });
  });

  test.each(['*/*', 'application/json', 'text/html', 'text/event-stream, application/json'])(
    'MC22 without sessions the answer is plain JSON for Accept %s',
    async (accept) => {
      const response = await post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { accept });
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('mcp-session-id')).toBeNull();
      expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    },
  );

  test('MC23 an unknown revision in the header is a bad request, except on initialize', async () => {
    const headers = { 'mcp-protocol-version': '1999-01-01' };
    const response = await post({ jsonrpc: '2.0', id: 1, method: 'ping' }, headers);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 1, error: { data: { supported: expect.any(Array) } } });
    expect((await post({ jsonrpc: '2.0', id: 1, method: 'initialize' }, headers)).status).toBe(200);
    expect((await post({ jsonrpc: '2.0', method: 'ping' }, headers)).status).toBe(400);
    for (const revision of ['2024-11-05', '2025-11-25']) {
      const known = await post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { 'mcp-protocol-version': revision });
      expect(known.status).toBe(200);
    }
  });

  test('MC24 DELETE without sessions is a method that is not allowed', async () => {
    const response = await fetch(host.url, { method: 'DELETE' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, POST');
    expect(await response.json()).toMatchObject({ error: { message: 'Method not allowed' } });
  });
});

describe('the era of 2026-07-28', () => {
  test('MC30 server/discover names the revision, the tools capability and how long that holds', async () => {
    const response = await modern('server/discover');
    expect(response.status).toBe(200);
    const { result } = await json(response);
    expect(result).toMatchObject({
      resultType: 'complete',
      supportedVersions: [REVISION],
      capabilities: { tools: {} },
      ttlMs: mcpLimits.discoverTtlMs,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'mnemosyne', version: SERVER_VERSION } },
    });
  });

  test('MC31 tools/list may be reused for a minute by the same client', async () => {
    const { result } = await json(await modern('tools/list'));
    expect(result).toMatchObject({ resultType: 'complete', ttlMs: mcpLimits.toolListTtlMs, cacheScope: 'private' });
  });

  test('MC32 a tool call needs the headers that repeat it', async () => {
    const params = { name: 'list_tools' };
    expect((await modern('tools/call', params, { 'mcp-name': 'list_tools' })).status).toBe(200);
    for (const headers of [{}, { 'mcp-name': 'memory_list' }]) {
      const response = await modern('tools/call', params, headers);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ id: 7, error: { code: -32020 } });
    }
  });

  test('MC33 an unknown method is answered with 404, ping and initialize included', async () => {
    for (const method of ['nope', 'ping', 'initialize', 'resources/list', 'logging/setLevel']) {
      const response = await modern(method);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({
        id: 7,
        error: { code: -32601, message: `Unknown method: ${method}` },
      });
    }
  });

  test('MC34 an unknown revision is answered with the known ones', async () => {
    const response = await modern('tools/list', {}, { 'mcp-protocol-version': '2031-01-01' }, '2031-01-01');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32022, data: { supported: [REVISION] } } });
  });

  test('MC35 a modern header without the envelope, or without the jsonrpc member, is a bad request', async () => {
    const bare = await post({ jsonrpc: '2.0', id: 7, method: 'tools/list' }, headersFor('tools/list'));
    expect(bare.status).toBe(400);
    expect(await bare.json()).toMatchObject({ id: 7, error: { code: -32602 } });
    const { jsonrpc: _, ...versionless } = envelope('tools/list', {}, REVISION);
    const response = await post(versionless, headersFor('tools/list'));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 7, error: { code: -32600 } });
    const noObject = await post({ jsonrpc: '2.0', id: 7, method: 'ping', params: [] }, headersFor('ping'));
    expect(noObject.status).toBe(400);
  });

  test('MC36 tool problems are told inside the protocol, with the same words as in the other era', async () => {
    const unknown = await modern('tools/call', { name: 'hello' }, { 'mcp-name': 'hello' });
    expect(unknown.status).toBe(200);
    expect(await unknown.json()).toMatchObject({ error: { code: -32602, message: 'Unknown tool: hello' } });
    const odd = await modern('tools/call', { name: 'hello', arguments: [] }, { 'mcp-name': 'hello' });
    expect(odd.status).toBe(200);
    expect(await odd.json()).toMatchObject({ error: { code: -32602, message: 'Invalid params' } });
  });

  test('MC38 a subscription to changes that never happen here ends at once', async () => {
    const response = await modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/notifications\/subscriptions\/acknowledged[\s\S]*"resultType":"complete"/);
  });

  test('MC37 a subscription stream opens, counts for its caller and ends with the server', async () => {
    const own = await openHost({ serverFactory: createFixtureServer, sessions: false });
    const body = envelope('subscriptions/listen', { notifications: { toolsListChanged: true } }, REVISION);
    const open = async (principal: string) =>
      fetch(own.url, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: {
          'content-type': 'application/json',
          ...headersFor('subscriptions/listen'),
          'x-principal': principal,
        },
      });
    const streams = await Promise.all(Array.from({ length: httpLimits.streamsPerCallerMax }, () => open('one')));
    expect(streams.map((stream) => stream.headers.get('content-type'))).toEqual(streams.map(() => 'text/event-stream'));
    expect((await open('one')).status).toBe(429);
    const other = await open('two');
    expect(other.status).toBe(200);
    await own.close();
    await Promise.all([...streams, other].map((stream) => stream.text()));
  });
});

describe('the plain stream of GET', () => {
  test('MC40 GET answers with an event stream that carries a comment at once', async () => {
    const response = await fetch(host.url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toMatch(/^: .*\n\n$/);
    await reader?.cancel();
  });

  test('MC41 one caller may hold a limited number of streams, and a closed one makes room', async () => {
    const own = await openHost({ serverFactory: productFactory(product), sessions: false });
    const streams = await Promise.all(Array.from({ length: httpLimits.streamsPerCallerMax }, () => fetch(own.url)));
    const refused = await fetch(own.url);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ error: { message: 'Too many open streams' } });
    expect((await fetch(own.url, { headers: { 'x-principal': 'another' } })).status).toBe(200);
    await streams[0]?.body?.cancel();
    await expect.poll(async () => (await fetch(own.url)).status).toBe(200);
    await own.close();
    // The server has ended every stream that was still open.
    await Promise.all(streams.slice(1).map((stream) => stream.text()));
  });
});

describe('leaving and closing', () => {
  test('MC42 a closed server answers 503 and a client that leaves early harms nobody', async () => {
    const own = await openHost({ serverFactory: productFactory(product), sessions: false });
    await new Promise<void>((resolve) => {
      const leaving = httpRequest(own.url, { method: 'POST', headers: { 'content-type': 'application/json' } });
      leaving.on('error', () => resolve());
      leaving.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }), () => leaving.destroy());
      leaving.on('close', () => resolve());
    });
    const after = await fetch(own.url, { method: 'POST', body: '{"id":1,"method":"ping"}' });
    expect(after.status).toBe(200);
    expect(own.faults).toEqual([]);
    await own.mcp.close();
    const closed = await fetch(own.url, { method: 'POST', body: '{"id":1,"method":"ping"}' });
    expect(closed.status).toBe(503);
    await own.close();
  });
});

const clientInfo = { name: 'suite', version: '1' };

function envelope(method: string, params: object, revision: string) {
  return {
    jsonrpc: '2.0',
    id: 7,
    method,
    params: { ...params, _meta: { [PROTOCOL_VERSION_META_KEY]: revision, [CAPABILITIES]: {} } },
  };
}

const headersFor = (method: string) => ({ 'mcp-protocol-version': REVISION, 'mcp-method': method });

function modern(
  method: string,
  params: object = {},
  headers: Readonly<Record<string, string>> = {},
  revision = REVISION,
): Promise<Response> {
  return post(envelope(method, params, revision), { ...headersFor(method), ...headers });
}

function post(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(host.url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
}

async function rpc(method: string, params?: unknown): Promise<Record<string, unknown>> {
  const response = await post({ jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) });
  expect(response.status).toBe(200);
  return json(response);
}

async function json(response: Response): Promise<Record<string, unknown>> {
  return (await response.json()) as Record<string, unknown>;
}
