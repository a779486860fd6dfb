/** Sessions of the handshake era: whose they are, how long they live, how many there are, how they end. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { httpLimits, mcpLimits } from '../../src/base/limits.ts';
import { createFixtureServer } from '../conformance/fixture-server.ts';
import { type Host, openHost, openProduct, type Product, productFactory } from './hosts.ts';

const bothTypes = 'application/json, text/event-stream';

let product: Product;
let host: Host;
let time: number;
const clock: Clock = { now: () => new Date(time) };

beforeEach(async () => {
  time = Date.parse('2026-01-01T00:00:00Z');
  product = await openProduct();
  host = await openHost({ serverFactory: productFactory(product), sessions: true, clock });
});

afterEach(async () => {
  expect(host.faults).toEqual([]);
  await host.close();
  await product.close();
});

describe('opening and using', () => {
  test('MC50 initialize opens a session under a random id and later calls are answered on event streams', async () => {
    const [one, two] = await Promise.all([open(), open()]);
    expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(one).not.toBe(two);
    const response = await call('ping', one, { accept: bothTypes });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(dataOf(await response.text())).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
    expect(
      (await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { 'mcp-session-id': one })).status,
    ).toBe(202);
  });

  test('MC51 a client that takes JSON alone gets JSON inside a session too', async () => {
    const opened = await post(initialize, { accept: 'application/json' });
    expect(opened.headers.get('content-type')).toBe('application/json');
    expect(await opened.json()).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } });
    const id = opened.headers.get('mcp-session-id') ?? '';
    const listed = await call('tools/list', id, { accept: 'application/json' });
    expect(listed.headers.get('content-type')).toBe('application/json');
    expect(await listed.json()).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
  });

  test('MC52 clients without a session are answered alone, as if there were no sessions', async () => {
    const response = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { accept: bothTypes });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('mcp-session-id')).toBeNull();
  });

  test('MC53 inside a session malformed messages get the answers they get everywhere', async () => {
    const id = await open();
    const refused = await post('[]', { 'mcp-session-id': id });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ id: null, error: { code: -32600, message: 'Invalid Request' } });
    const unknown = await call('nope', id, { accept: bothTypes });
    expect(dataOf(await unknown.text())).toMatchObject([{ error: { code: -32601, message: 'Unknown method: nope' } }]);
    expect((await post({ jsonrpc: '2.0', method: 'x', params: 5 }, { 'mcp-session-id': id })).status).toBe(202);
    expect((await call('ping', id, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
  });
});

describe('whose it is and how long it lives', () => {
  test('MC54 a session is unknown to every other caller', async () => {
    const id = await open();
    for (const method of ['POST', 'GET', 'DELETE']) {
      const response = await fetch(host.url, {
        method,
        headers: { 'mcp-session-id': id, 'x-principal': 'stranger', accept: bothTypes },
        ...(method === 'POST' ? { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) } : {}),
      });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: -32001, message: 'Session not found' } });
    }
    expect((await call('ping', id)).status).toBe(200);
  });

  test('MC54 a session id that was never given out is unknown', async () => {
    for (const id of ['x', '__proto__', '00000000-0000-4000-8000-000000000000']) {
      expect((await call('ping', id)).status).toBe(404);
      expect((await post(initialize, { 'mcp-session-id': id })).status).toBe(404);
    }
  });

  test('MC55 a session ends when nothing used it for the idle time, and use starts that time anew', async () => {
    const id = await open();
    time += mcpLimits.sessionIdleMs - 1;
    expect((await call('ping', id)).status).toBe(200);
    time += mcpLimits.sessionIdleMs - 1;
    expect((await call('ping', id)).status).toBe(200);
    time += mcpLimits.sessionIdleMs;
    expect((await call('ping', id)).status).toBe(404);
  });

  test('MC56 an open stream keeps its session alive', async () => {
    const id = await open();
    const stream = await fetch(host.url, { headers: { 'mcp-session-id': id, accept: 'text/event-stream' } });
    expect(stream.status).toBe(200);
    time += 2 * mcpLimits.sessionIdleMs;
    expect((await call('ping', id)).status).toBe(200);
    await stream.body?.cancel();
  });

  test('MC57 DELETE ends a session and needs its id', async () => {
    const id = await open();
    expect((await fetch(host.url, { method: 'DELETE' })).status).toBe(400);
    expect((await fetch(host.url, { method: 'DELETE', headers: { 'mcp-session-id': id } })).status).toBe(200);
    expect((await call('ping', id)).status).toBe(404);
    expect((await fetch(host.url, { method: 'DELETE', headers: { 'mcp-session-id': id } })).status).toBe(404);
  });
});

describe('limits', () => {
  test('MC58 when all sessions are in use a further one is refused until one ends or expires', async () => {
    const ids: string[] = [];
    for (let count = 0; count < mcpLimits.sessionsMax; count += 1) ids.push(await open());
    const refused = await post(initialize);
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ id: 1, error: { code: -32000 } });
    expect((await post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(200);
    await fetch(host.url, { method: 'DELETE', headers: { 'mcp-session-id': ids[0] ?? '' } });
    await open();
    time += mcpLimits.sessionIdleMs;
    await open();
    expect((await call('ping', ids[1] ?? '')).status).toBe(404);
  });

  test('MC59 the streams of sessions count for their caller', async () => {
    const plain = await Promise.all(Array.from({ length: httpLimits.streamsPerCallerMax }, () => fetch(host.url)));
    const id = await open();
    const refused = await fetch(host.url, { headers: { 'mcp-session-id': id, accept: 'text/event-stream' } });
    expect(refused.status).toBe(429);
    await Promise.all(plain.map((stream) => stream.body?.cancel()));
  });

  test('MC64 cancelling a call in a session ends the wait for its answer and frees its id', async () => {
    const own = await openHost({ serverFactory: createFixtureServer, sessions: true });
    const id = await open(own.url);
    const slow = { jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'test_tool_with_progress' } };
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } };
    for (const accept of [bothTypes, 'application/json']) {
      const waiting = post(slow, { 'mcp-session-id': id, accept }, own.url);
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect((await post(cancel, { 'mcp-session-id': id }, own.url)).status).toBe(202);
      expect(await (await waiting).text()).not.toContain('"result"');
    }
    const again = await post({ ...slow, params: { name: 'test_simple_text' } }, { 'mcp-session-id': id }, own.url);
    expect(await again.json()).toMatchObject({ id: 9, result: { content: expect.any(Array) } });
    await own.close();
  });

  test('MC63 an id that still waits for its answer cannot be used again in the session', async () => {
    const own = await openHost({ serverFactory: createFixtureServer, sessions: true });
    const id = await open(own.url);
    const slow = { jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'test_tool_with_progress' } };
    const [first, second] = await Promise.all([
      post(slow, { 'mcp-session-id': id, accept: bothTypes }, own.url),
      post(slow, { 'mcp-session-id': id, accept: bothTypes }, own.url),
    ]);
    expect([first.status, second.status].sort()).toEqual([200, 400]);
    await Promise.all([first.text(), second.text()]);
    const again = await post(slow, { 'mcp-session-id': id, accept: bothTypes }, own.url);
    expect(again.status).toBe(200);
    await again.text();
    await own.close();
  });
});

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'suite', version: '1' } },
};

async function open(url = host.url): Promise<string> {
  const response = await post(initialize, { accept: bothTypes }, url);
  expect(response.status).toBe(200);
  await response.text();
  return response.headers.get('mcp-session-id') ?? '';
}

function call(method: string, sessionId: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return post({ jsonrpc: '2.0', id: 1, method }, { 'mcp-session-id': sessionId, ...headers });
}

function post(
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  url: string = host.url,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
}

function dataOf(events: string): unknown[] {
  return events
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line): unknown => JSON.parse(line.slice(6)));
}
