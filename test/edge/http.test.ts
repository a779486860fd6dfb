import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ErrorCode, errorCatalogue } from '../../src/base/errors.ts';
import { clientHeaders, type Door, doorToken, exchange, openDoor, toolCall } from './door.ts';

let door: Door;
let open: Door;
let port: number;

beforeAll(async () => {
  door = openDoor();
  open = openDoor({ mcpAuth: 'none' });
  port = await door.listen();
});
afterAll(() => Promise.all([door.close(), open.close()]));

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

async function send(options: InjectOptions, at: Door = door): Promise<Answer> {
  const { statusCode, headers, body } = await at.app.inject(options);
  return { status: statusCode, headers, text: body };
}

function connectionsOf({ app }: Door): Promise<number> {
  return new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

/** The one shape of every refusal. */
function expectError(answer: Answer, code: ErrorCode): void {
  const { error } = JSON.parse(answer.text) as { error: Record<string, unknown> };
  const status = errorCatalogue[code].http;
  expect({ status: answer.status, error }).toEqual({
    status,
    error: {
      code,
      message: errorCatalogue[code].meaning,
      status,
      request_id: answer.headers['x-request-id'],
      details: {},
    },
  });
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
}

const routes = [
  ['GET', '/health'],
  ['GET', '/version'],
  ['GET', '/mcp'],
  ['POST', '/mcp'],
  ['DELETE', '/mcp'],
  ['PUT', '/mcp'],
  ['POST', '/health'],
  ['OPTIONS', '/mcp'],
  ['GET', '/nowhere'],
  ['GET', '/%zz'],
  ['GET', '/.well-known/oauth-protected-resource'],
] as const;

describe('the machine and the page', () => {
  test.each(routes)('ED1 %s %s with a foreign Host is 403 before anything else', async (method, url) => {
    for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost.', 'localhost.:80']) {
      const headers = clientHeaders({ host, origin: 'http://evil.example', 'content-type': 'text/plain' });
      expectError(await send({ method, url, headers }), 'host_not_allowed');
    }
  });

  test.each(routes)('ED1 %s %s without a Host is 403', async (method, url) => {
    const answer = await exchange(port, `${method} ${url} HTTP/1.1\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    if (method !== 'OPTIONS') expect(answer).toContain('"code":"host_not_allowed"');
  });

  test('ED1 two Hosts and a foreign absolute target are 403, a local absolute target is served', async () => {
    const ask = (head: string) => exchange(port, `${head}\r\nConnection: close\r\n\r\n`);
    expect(await ask('GET /health HTTP/1.1\r\nHost: localhost\r\nHost: localhost')).toMatch(/^HTTP\/1\.1 (400|403) /);
    expect(await ask('GET http://evil.example/health HTTP/1.1\r\nHost: localhost')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await ask('GET http://localhost/health HTTP/1.1\r\nHost: evil.example')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await ask('GET http://localhost/health HTTP/1.1\r\nHost: localhost')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask('GET http://localhost/mcp HTTP/1.1\r\nHost: localhost')).toMatch(/^HTTP\/1\.1 401 /);
    expect(await ask('CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost')).not.toMatch(/^HTTP\/1\.1 2/);
  });

  test.each(routes)('ED2 %s %s from a foreign page is 403 before size and token', async (method, url) => {
    for (const origin of ['http://evil.example', 'null', 'http://localhost.evil.example']) {
      const headers = { origin, 'content-length': String(1 << 30) };
      expectError(await send({ method, url, headers }), 'origin_not_allowed');
    }
    expectError(await send({ method, url, headers: { 'sec-fetch-site': 'cross-site' } }), 'origin_not_allowed');
  });

  test('ED2 a page of this machine is let in and no answer ever grants another one access', async () => {
    const headers = clientHeaders({ origin: 'http://localhost:3000' });
    const answer = await send({ method: 'POST', url: '/mcp', headers, payload: toolCall('list_tools') });
    expect(answer.status).toBe(200);
    const preflight = { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' };
    for (const seen of [answer, await send({ method: 'OPTIONS', url: '/mcp', headers: preflight }, open)]) {
      expect(Object.keys(seen.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });
});

describe('the token', () => {
  test('ED3 missing, malformed and wrong tokens get the same 401 on every route that is not open', async () => {
    const attempts = [undefined, '', 'Bearer', `Basic ${doorToken}`, 'Bearer wrong', `Bearer ${doorToken}x`];
    for (const [method, url] of routes) {
      if (url === '/health' || url === '/version') continue;
      const bodies = new Set<string>();
      for (const authorization of attempts) {
        const headers = { 'x-request-id': 'same', ...(authorization === undefined ? {} : { authorization }) };
        const answer = await send({ method, url, headers });
        expectError(answer, 'unauthorized');
        expect(answer.headers['www-authenticate']).toBe('Bearer');
        bodies.add(answer.text);
      }
      expect(bodies.size).toBe(1);
    }
  });

  test('ED4 a token in the query is refused even beside the right header', async () => {
    const ask = (query: string) =>
      send({ method: 'POST', url: `/mcp?${query}`, headers: clientHeaders(), payload: toolCall('list_tools') });
    expectError(await ask(`token=${doorToken}`), 'unauthorized');
    expectError(await ask(`access_token=${doorToken}`), 'unauthorized');
    expect((await ask('schema=portable')).status).toBe(200);
  });

  test('ED5 without MCP authentication /mcp is open and nothing else is', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await send({ method: 'POST', url: '/mcp', headers, payload: toolCall('list_tools') }, open);
    expect(answer.status).toBe(200);
    expectError(await send({ method: 'PUT', url: '/mcp' }, open), 'method_not_allowed');
    for (const url of ['/nowhere', '/.well-known/oauth-protected-resource']) {
      expectError(await send({ method: 'GET', url }, open), 'not_found');
    }
    const foreign = { ...headers, host: 'evil.example' };
    expectError(await send({ method: 'POST', url: '/mcp', headers: foreign }, open), 'host_not_allowed');
  });

  test('ED6 no OAuth metadata is served', async () => {
    for (const url of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration',
    ]) {
      expectError(await send({ url }), 'unauthorized');
      expectError(await send({ url, headers: clientHeaders() }), 'not_found');
    }
  });
});

describe('routes', () => {
  test('ED7 GET /health answers its one member without a token', async () => {
    const answer = await send({ url: '/health' });
    expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  test('ED7 GET /version answers exactly name, version and the newest revision', async () => {
    const answer = await send({ url: '/version' });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({
      name: 'mnemosyne',
      version: '9.9.9',
      protocolVersion: '2026-07-28',
    });
  });

  test('ED8 an unknown path is 404, a known path with another method 405 with Allow', async () => {
    const headers = clientHeaders();
    for (const url of ['/', '/nowhere', '/mcp/', '/mcp/x', '/health/', '/%zz', '/..%2f..%2fetc/passwd']) {
      expectError(await send({ url, headers }), 'not_found');
    }
    for (const method of ['PUT', 'PATCH', 'OPTIONS'] as const) {
      const answer = await send({ method, url: '/mcp?x=1', headers });
      expectError(answer, 'method_not_allowed');
      expect(answer.headers['allow']).toBe('GET, POST, DELETE');
    }
    for (const url of ['/health', '/version', '/mcp']) {
      const answer = await send({ method: 'HEAD', url, headers });
      expect([answer.status, answer.text]).toEqual([405, '']);
    }
    for (const url of ['/health', '/version']) {
      for (const method of ['POST', 'PUT', 'DELETE'] as const) {
        const answer = await send({ method, url });
        expectError(answer, 'method_not_allowed');
        expect(answer.headers['allow']).toBe('GET');
      }
    }
  });

  test('ED9 the request id is echoed when it is harmless and made otherwise', async () => {
    const idFor = async (given: string) =>
      (await send({ url: '/health', headers: { 'x-request-id': given } })).headers['x-request-id'];
    expect(await idFor('Abc-123')).toBe('Abc-123');
    expect(await idFor('x'.repeat(64))).toBe('x'.repeat(64));
    for (const bad of ['', 'x'.repeat(65), 'a b', 'a_b', 'ä', '{"a":1}']) {
      expect(await idFor(bad)).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

describe('bodies', () => {
  const post = (headers: Readonly<Record<string, string>>, payload: string | Buffer = toolCall('list_tools')) =>
    send({ method: 'POST', url: '/mcp', headers, payload });

  test.each([
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/octet-stream',
    '',
    'nonsense',
  ])('ED10 a body of type %j is 415', async (type) => {
    expectError(await post(clientHeaders({ 'content-type': type })), 'unsupported_media_type');
  });

  test('ED10 JSON is taken with parameters, and so is a body without a type; a compressed one is 415', async () => {
    for (const type of ['application/json', 'Application/JSON; charset=utf-8', 'application/json;x=y']) {
      expect((await post(clientHeaders({ 'content-type': type }))).status).toBe(200);
    }
    const body = toolCall('list_tools');
    const head = ['POST /mcp HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${doorToken}`, 'Connection: close'];
    const untyped = await exchange(port, [...head, `Content-Length: ${body.length}`, '', body].join('\r\n'));
    expect(untyped).toMatch(/^HTTP\/1\.1 200 /);
    expectError(await post(clientHeaders({ 'content-encoding': 'gzip' })), 'unsupported_media_type');
  });

  test('ED11 what is no JSON gets the JSON-RPC answer, never a 5xx', async () => {
    for (const payload of ['', '{', 'hello', Buffer.from([0x22, 0xff, 0x22]), '['.repeat(100_000)]) {
      const answer = await post(clientHeaders(), payload);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.text)).toMatchObject({ id: null, error: { code: -32700 } });
    }
  });

  test('ED12 a stated length over the limit is 413 before the token is asked for', async () => {
    const large = { 'content-length': String(4 * 1024 * 1024 + 1) };
    expectError(await send({ method: 'POST', url: '/mcp', headers: large }), 'payload_too_large');
    const overApi = { 'content-length': String(1024 * 1024 + 1) };
    expectError(await send({ method: 'POST', url: '/nowhere', headers: overApi }), 'payload_too_large');
    expectError(await send({ method: 'POST', url: '/health', headers: overApi }), 'payload_too_large');
  });

  test('ED12 a body that grows over the limit while it is read is 413, one at the limit is taken', async () => {
    const small = openDoor({ limits: { mcpBodyBytesMax: 2_000 } });
    try {
      const at = await small.listen();
      const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${doorToken}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
      const chunk = (size: number) => `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`;
      const over = await exchange(at, `${head}${chunk(1_000)}${chunk(1_001)}0\r\n\r\n`);
      expect(over).toMatch(/^HTTP\/1\.1 413 /);
      expect(over).toContain('"code":"payload_too_large"');
      expect(await exchange(at, `${head}${chunk(1_000)}${chunk(1_000)}0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
      const payload = toolCall('list_tools').padEnd(2_000);
      expect((await send({ method: 'POST', url: '/mcp', headers: clientHeaders(), payload }, small)).status).toBe(200);
    } finally {
      await small.close();
    }
  });
});

describe('connections', () => {
  const malformed = [
    ['garbage', 'this is no HTTP\r\n\r\n'],
    ['a bad header', 'GET /health HTTP/1.1\r\nHost: localhost\r\nA B: c\r\n\r\n'],
    ['two lengths', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'],
    [
      'length and chunks together',
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a huge header', `GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ] as const;

  test.each(malformed)('ED13 %s gets a 400 in our shape and the connection ends', async (_name, bytes) => {
    const answer = await exchange(port, bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as { error: { code: string } };
    expect(body.error.code).toBe('invalid_request');
    expect(answer).not.toContain('xxxx');
  });

  test('ED14 headers that do not arrive in time end the connection with 408, others are served meanwhile', async () => {
    const slow = openDoor({ limits: { headersTimeoutMs: 1_000 } });
    try {
      const at = await slow.listen();
      const began = performance.now();
      const trickle = exchange(at, 'GET /health HTTP/1.1\r\nHost: local');
      const silent = exchange(at, '');
      const other = await exchange(at, 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      expect(other).toMatch(/^HTTP\/1\.1 200 /);
      expect(await trickle).toMatch(/^HTTP\/1\.1 408 /);
      expect(await trickle).toContain('"code":"request_timeout"');
      await silent;
      expect(performance.now() - began).toBeLessThan(10_000);
    } finally {
      await slow.close();
    }
  });

  test('ED14 a body that does not arrive in time ends the connection with 408', async () => {
    const slow = openDoor({ limits: { headersTimeoutMs: 1_000, requestTimeoutMs: 1_200 } });
    try {
      const at = await slow.listen();
      const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${doorToken}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
      expect(await exchange(at, head)).toMatch(/^HTTP\/1\.1 408 /);
    } finally {
      await slow.close();
    }
  });

  test('ED15 an event stream outlives the time that a request may take, and ends when the door closes', async () => {
    const slow = openDoor({ limits: { headersTimeoutMs: 600, requestTimeoutMs: 700, keepAliveTimeoutMs: 100 } });
    const at = await slow.listen();
    let ended = false;
    const type = await new Promise<string | undefined>((resolve, reject) => {
      get({ host: '127.0.0.1', port: at, path: '/mcp', headers: clientHeaders() }, (response) => {
        response.on('close', () => {
          ended = true;
        });
        response.resume();
        resolve(response.headers['content-type']);
      }).on('error', reject);
    });
    expect(type).toMatch(/^text\/event-stream/);
    await sleep(2_500);
    expect(ended).toBe(false);
    await slow.close();
    await expect.poll(() => ended).toBe(true);
  });

  test('ED17 connections beyond the limit are dropped, and served again once one has ended', async () => {
    const narrow = openDoor({ limits: { connectionsMax: 1 } });
    try {
      const at = await narrow.listen();
      const ask = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
      const first = connect(at, '127.0.0.1');
      await once(first, 'connect');
      await expect.poll(() => connectionsOf(narrow)).toBe(1);
      const dropped = await exchange(at, ask).catch(() => '');
      expect(dropped).toBe('');
      first.destroy();
      await once(first, 'close');
      const served = () => exchange(at, ask).catch(() => '');
      await expect.poll(served, { timeout: 5_000 }).toMatch(/^HTTP\/1\.1 200 /);
    } finally {
      await narrow.close();
    }
  });

  test('ED16 fifty connections and streams leave no handle behind', async () => {
    const handles = () => process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
    const visit = () =>
      new Promise<void>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () =>
          socket.write(`GET /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${doorToken}\r\n\r\n`),
        );
        socket.once('data', () => socket.destroy());
        socket.once('close', () => resolve());
        socket.once('error', reject);
      });
    await visit();
    await sleep(100);
    const before = handles();
    for (let round = 0; round < 50; round += 1) await visit();
    await expect.poll(handles, { timeout: 5_000 }).toBeLessThanOrEqual(before);
  });

  test('ED16 fifty doors opened and closed leave no handle behind', async () => {
    const handles = () => process.getActiveResourcesInfo().filter((name) => name !== 'Timeout').length;
    const before = handles();
    for (let round = 0; round < 50; round += 1) {
      const brief = openDoor();
      const at = await brief.listen();
      await exchange(at, 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      await brief.close();
    }
    await expect.poll(handles, { timeout: 5_000 }).toBeLessThanOrEqual(before);
  });
});
