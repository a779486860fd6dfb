/** What the routes do around a row, shown on rows that say back what reached them. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../src/operations/operation.ts';
import { createRegistry } from '../../src/operations/registry.ts';
import { openApiPaths } from '../../src/transports/api/api-routes.ts';
import { type Door, doorToken, exchange, openDoor } from '../edge/door.ts';
import { type Answer, ask, expectFailure, jsonOf, send, token } from './answers.ts';
import { sampleRow, sampleRows, waiting } from './sample-rows.ts';

const noGate = { remember: false, archive_restore: false, revise: false, forget: false };

let door: Door;
let reader: Door;
let port: number;

beforeAll(async () => {
  door = openDoor({ rows: sampleRows, limits: { apiBodyBytesMax: 4_096 } });
  reader = openDoor({ rows: sampleRows, permits: (_caller, permission) => permission === 'memories.read' });
  port = await door.listen();
});
afterAll(() => Promise.all([door.close(), reader.close()]));

const inputOf = (answer: Answer) => {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
  return jsonOf(answer)['input'];
};

describe('inputs', () => {
  const typed = (query: string) => send(door, 'GET', `/v1/typed?${query}`);

  test('AP11 each query parameter arrives as its declared type', async () => {
    const query = 'text=a+b%2Bc&count=-12&ratio=1.5e-1&flag=true&tag=x&tag=y%26';
    expect(inputOf(await typed(query))).toEqual({
      text: 'a b+c',
      count: -12,
      ratio: 0.15,
      flag: true,
      tag: ['x', 'y&'],
    });
    expect(inputOf(await typed('tag=one&flag=false&text='))).toEqual({ tag: ['one'], flag: false, text: '' });
    expect(inputOf(await typed('unknown=1&unknown=2&&=x'))).toEqual({});
  });

  test.each([
    'count=',
    'count=1.5',
    'count=1e3',
    'count=abc',
    'count=%2B1',
    'count=0x10',
    'count=١',
    'ratio=',
    'ratio=.5',
    'ratio=NaN',
    'ratio=Infinity',
    'ratio=1,5',
    'flag=1',
    'flag=TRUE',
    'flag=',
    'flag',
  ])('AP11 the text of %s is no value of its type: 400 that names the parameter', async (query) => {
    const { message, details } = expectFailure(await typed(query), 'invalid_request');
    const name = query.split('=')[0];
    expect(message).toContain(`the parameter ${name} `);
    expect(details).toEqual({ errors: [{ loc: [name], msg: expect.any(String), type: expect.any(String) }] });
  });

  test('AP11 a number beyond every range is for the row to refuse', async () => {
    const huge = '9'.repeat(400);
    expect(inputOf(await typed(`count=${huge}&ratio=-1e999`))).toEqual({
      count: Number.MAX_VALUE,
      ratio: -Number.MAX_VALUE,
    });
  });

  test.each(['text=%', 'text=%zz', 'text=%ff', '%ff=1', 'unknown=%c3'])(
    'AP11 the query %s is not percent-encoded UTF-8: 400',
    async (query) => {
      expectFailure(await typed(query), 'invalid_request');
    },
  );

  test('AP12 a parameter or header of one value that is given twice is 400', async () => {
    for (const query of ['text=a&text=a', 'count=1&count=2', 'flag=true&flag=true', 'te%78t=a&text=b']) {
      expectFailure(await typed(query), 'invalid_request');
    }
    const head = `POST /v1/echo/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${doorToken}`;
    const twice = await exchange(port, `${head}\r\nIf-Match: "a"\r\nIf-Match: "b"\r\nConnection: close\r\n\r\n`);
    expect(twice).toMatch(/^HTTP\/1\.1 400 /);
    expect(twice).toContain('the header if-match is given more than once');
  });

  test('AP13 path, query, header and body become one input, and the body cannot contradict the others', async () => {
    const body = {
      memory_id: 'other',
      limit: 99,
      if_match: 'body',
      project_path: '/somewhere',
      title: 'kept',
      nested: { memory_id: 'kept' },
    };
    expect(inputOf(await send(door, 'POST', '/v1/echo/m1?limit=3', body, { 'if-match': '"t"' }))).toEqual({
      title: 'kept',
      nested: { memory_id: 'kept' },
      if_match: '"t"',
      limit: 3,
      memory_id: 'm1',
    });
    expect(inputOf(await send(door, 'POST', '/v1/echo/m1', { limit: 99 }))).toEqual({ memory_id: 'm1' });
  });

  test('AP13 a row without a body takes no input from one, but a wrong one is still refused', async () => {
    expect(inputOf(await send(door, 'POST', '/v1/bodiless', { a: 1 }))).toEqual({});
    expectFailure(await send(door, 'POST', '/v1/bodiless', '{'), 'invalid_request');
    expectFailure(
      await send(door, 'POST', '/v1/bodiless', '{}', { 'content-type': 'text/plain' }),
      'unsupported_media_type',
    );
  });

  test('AP7 of two equal keys the later one counts, and __proto__ is an ordinary key', async () => {
    const answer = await send(door, 'POST', '/v1/echo/m', '{"a":1,"a":2,"__proto__":{"x":1},"constructor":3}');
    expect(answer.text).toContain('"__proto__":{"x":1}');
    expect(inputOf(answer)).toHaveProperty('a', 2);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  test('AP14 a path input is decoded exactly once', async () => {
    const get = async (id: string) => inputOf(await send(door, 'GET', `/v1/echo/${id}`));
    expect(await get('a%2Fb')).toEqual({ memory_id: 'a/b' });
    expect(await get('%2541')).toEqual({ memory_id: '%41' });
    expect(await get('%C3%BC%20%3F')).toEqual({ memory_id: 'ü ?' });
    expect(await get('a+b')).toEqual({ memory_id: 'a+b' });
    expect(await get('..%2f..%2fetc')).toEqual({ memory_id: '../../etc' });
    expect(await get('%00')).toEqual({ memory_id: '\u0000' });
    const long = 'x'.repeat(4_000);
    expect(await get(long)).toEqual({ memory_id: long });
  });

  test.each(['%', '%zz', '%ff', '%c3', 'a%e2%82'])('AP14 the path input %s cannot be decoded: 404', async (id) => {
    expectFailure(await send(door, 'GET', `/v1/echo/${id}`), 'not_found');
  });
});

describe('bodies', () => {
  const post = (body: string, headers: Readonly<Record<string, string>> = {}) =>
    send(door, 'POST', '/v1/echo/m', body, headers);

  test.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])('AP6 the media type %s is taken', async (type) => {
    expect(inputOf(await post('{"a":"ü"}', { 'content-type': type }))).toEqual({ a: 'ü', memory_id: 'm' });
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/merge-patch+json',
    'text/json',
    'application/json; charset=latin1',
    'garbage',
    '',
  ])('AP6 a body of type %j is 415', async (type) => {
    expectFailure(await post('{}', { 'content-type': type }), 'unsupported_media_type');
  });

  test('AP6 a body without a type and a compressed one are 415', async () => {
    expectFailure(
      await ask(door, { method: 'POST', url: '/v1/echo/m', headers: token, payload: Buffer.from('{}') }),
      'unsupported_media_type',
    );
    expectFailure(await post('{}', { 'content-encoding': 'gzip' }), 'unsupported_media_type');
  });

  test('AP6 no body counts as an empty object and needs no type', async () => {
    for (const headers of [{}, { 'content-length': '0' }, { 'content-type': 'application/json' }]) {
      const answer = await ask(door, { method: 'POST', url: '/v1/echo/m', headers: { ...token, ...headers } });
      expect(inputOf(answer)).toEqual({ memory_id: 'm' });
    }
    const chunked = `POST /v1/echo/m HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${doorToken}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n`;
    expect(await exchange(port, chunked)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each(['{', '[', 'nul', '{"a":1,}', "{'a':1}", '\u0000', '{"a":"\u0001"}', '{} {}', ' '])(
    'AP7 the body %j is not JSON: 400',
    async (body) => {
      const { message } = expectFailure(await post(body), 'invalid_request');
      expect(message).toBe('the body is not JSON');
    },
  );

  test.each(['[]', '[{}]', '"text"', '1', 'true', 'null'])('AP8 the body %s is no object: 422', async (body) => {
    expectFailure(await post(body), 'validation_error');
  });

  test('AP7 bytes that are no UTF-8 are 400', async () => {
    const payload = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    const headers = { ...token, 'content-type': 'application/json' };
    expectFailure(await ask(door, { method: 'POST', url: '/v1/echo/m', headers, payload }), 'invalid_request');
  });

  test('AP7 nesting beyond 64 levels is 400, brackets inside of texts do not count', async () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    expect((await post(nested(64))).status).toBe(200);
    expectFailure(await post(nested(65)), 'invalid_request');
    expectFailure(await post(`{"a":${'['.repeat(2_000)}`), 'invalid_request');
    expect((await post(JSON.stringify({ a: '[{"'.repeat(500) }))).status).toBe(200);
  });

  test('AP10 a body over the limit is 413, stated or not, with any type and even where none is taken', async () => {
    const large = JSON.stringify({ a: 'x'.repeat(5_000) });
    expectFailure(await post(large), 'payload_too_large');
    expectFailure(await post(large, { 'content-type': 'text/plain' }), 'payload_too_large');
    expectFailure(await send(door, 'DELETE', '/v1/gone', large), 'payload_too_large');
    expect((await post(JSON.stringify({ a: 'x'.repeat(4_000) }))).status).toBe(200);
    const size = large.length.toString(16);
    const chunked = `POST /v1/echo/m HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${doorToken}\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n${size}\r\n${large}\r\n0\r\n\r\n`;
    const answer = await exchange(port, chunked);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toMatch(/neuralmind-api-version: 1/i);
  });
});

describe('routes', () => {
  test('AP4 another method is 405 and Allow names those that are there', async () => {
    for (const method of ['PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND', 'SEARCH', 'QUERY']) {
      const answer = await ask(door, { method: method as 'GET', url: '/v1/echo/m', headers: token });
      expect([method, answer.status, answer.headers['allow']]).toEqual([method, 405, 'POST, GET']);
      if (method !== 'HEAD') expectFailure(answer, 'method_not_allowed');
    }
  });

  test('AP4 the literal path goes before one with an input, also for its methods', async () => {
    expect(inputOf(await send(door, 'POST', '/v1/echo/search', {}))).toEqual({});
    const answer = await send(door, 'GET', '/v1/echo/search');
    expectFailure(answer, 'method_not_allowed');
    expect(answer.headers['allow']).toBe('POST');
  });

  test('AP4 an open path says 405 without a token', async () => {
    const answer = await ask(door, { method: 'POST', url: '/v1/open' });
    expectFailure(answer, 'method_not_allowed');
    expect(answer.headers['allow']).toBe('GET');
  });

  test.each([
    '/v1/',
    '/v1',
    '/v1/nothing',
    '/v1/echo',
    '/v1/echo/',
    '/v1/echo/a/b',
    '/V1/open',
    '/v1/open/',
    '/v1//open',
  ])('AP5 %s does not exist: 404 with the token, 401 without', async (url) => {
    for (const method of ['GET', 'POST', 'PUT'] as const) {
      const headers = { 'content-type': 'garbage' };
      expectFailure(await send(door, method, url, '{', headers), 'not_found');
      expectFailure(await ask(door, { method, url, headers, payload: '{' }), 'unauthorized');
    }
  });

  test('AP21 a caller without the permission gets 403, before the body is looked at', async () => {
    const answer = await send(reader, 'POST', '/v1/echo/m', '{', { 'content-type': 'text/plain' });
    expectFailure(answer, 'forbidden');
    expect((await send(reader, 'GET', '/v1/echo/m')).status).toBe(200);
    expect((await ask(reader, { method: 'GET', url: '/v1/open' })).status).toBe(200);
  });

  test('AP25 two rows on one route and an open path with an input stop the start', async () => {
    const openPaths = (rows: readonly Operation[]) => openApiPaths(createRegistry(noGate, rows));
    const one = sampleRow('memories.one', { method: 'GET', path: '/v1/same' });
    const other = sampleRow('memories.other', { method: 'GET', path: '/v1/same' });
    expect(() => openPaths([one, other])).toThrow('two operations answer GET /v1/same');
    const open = sampleRow('memories.open', { method: 'GET', path: '/v1/{memory_id}', open: true });
    expect(() => openPaths([open])).toThrow('an open path');
    const mixed = sampleRow('memories.mixed', { method: 'POST', path: '/v1/same', open: true });
    expect(() => openPaths([one, mixed])).toThrow('an open path');
  });
});

describe('answers', () => {
  test('AP15 201 has Location and its own body, 204 has neither body nor type', async () => {
    const made = await send(door, 'POST', '/v1/made', {});
    expect(made).toMatchObject({ status: 201, text: '{"made":true}' });
    expect(made.headers).toMatchObject({ location: '/v1/made/1', 'idempotency-replayed': 'true' });
    const gone = await send(door, 'DELETE', '/v1/gone');
    expect(gone).toMatchObject({ status: 204, text: '' });
    expect(gone.headers['content-type']).toBeUndefined();
  });

  test('AP15 a text answer is sent as it is, with its own type', async () => {
    const page = await send(door, 'GET', '/v1/page');
    expect(page).toMatchObject({ status: 200, text: '# Ü\n' });
    expect(page.headers['content-type']).toBe('text/markdown; charset=utf-8');
  });

  test('AP16 a known entity tag is 304 without a body, others are 200 with the tag', async () => {
    const etag = '"2026-10-02T12:00:00.000000Z"';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await send(door, 'GET', '/v1/tagged', undefined, { 'if-none-match': known });
      expect(answer).toMatchObject({ status: 304, text: '' });
      expect(answer.headers['etag']).toBe(etag);
    }
    for (const other of ['"other"', '2026-10-02T12:00:00.000000Z', '']) {
      const answer = await send(door, 'GET', '/v1/tagged', undefined, { 'if-none-match': other });
      expect(answer.status).toBe(200);
      expect(answer.headers['etag']).toBe(etag);
    }
  });

  test('AP17 a deprecated route says since when and what to use instead, also when it refuses', async () => {
    const { headers } = await send(door, 'GET', '/v1/old');
    expect(headers['deprecation']).toBe(`@${Date.UTC(2027, 0, 31) / 1000}`);
    expect(headers['link']).toBe('</v1/typed>; rel="successor-version"');
    expect((await send(door, 'GET', '/v1/typed')).headers['deprecation']).toBeUndefined();
  });

  test('AP18 a fault of ours tells the class of the error and nothing of its message', async () => {
    const answer = await send(door, 'GET', '/v1/broken');
    const { details } = expectFailure(answer, 'internal_error');
    expect(details).toEqual({ exception: 'HiddenTrouble' });
    expect(answer.text + door.logged()).not.toContain('secret sentence');
  });

  test('AP19 a client that goes away aborts its call', async () => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET /v1/slow HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${doorToken}\r\n\r\n`),
    );
    while (waiting.running === 0) await sleep(5);
    expect(waiting.aborted).toBe(0);
    socket.destroy();
    while (waiting.aborted === 0) await sleep(5);
    expect(waiting).toEqual({ running: 1, aborted: 1 });
  });

  test('AP23 the request id of the client comes back when it is harmless', async () => {
    const given = await send(door, 'GET', '/v1/typed', undefined, { 'x-request-id': 'Run-7' });
    expect(given.headers['x-request-id']).toBe('Run-7');
    const failed = await send(door, 'GET', '/v1/none', undefined, { 'x-request-id': 'a b' });
    expect(failed.headers['x-request-id']).not.toBe('a b');
    expectFailure(failed, 'not_found');
  });
});

test('AP24 the checks run in their order: taking away one fault shows the next', async () => {
  const wrong = {
    host: 'evil.example',
    origin: 'http://evil.example',
    'content-length': '9999',
    'content-type': 'text/plain',
  };
  const to = (url: string, headers: Readonly<Record<string, string>>, payload = '{') =>
    ask(door, { method: 'POST', url, headers, payload });
  const { host: _host, ...here } = wrong;
  const { origin: _origin, ...ours } = here;
  const { 'content-length': _length, ...small } = ours;
  expectFailure(await to('/v1/none', wrong), 'host_not_allowed');
  expectFailure(await to('/v1/none', here), 'origin_not_allowed');
  expectFailure(await to('/v1/none', ours), 'payload_too_large');
  expectFailure(await to('/v1/none', small), 'unauthorized');
  expectFailure(await to('/v1/none', { ...small, ...token }), 'not_found');
  expectFailure(await to('/v1/typed?count=x', { ...small, ...token }), 'method_not_allowed');
  expectFailure(await to('/v1/echo/m?limit=x', { ...small, ...token }), 'unsupported_media_type');
  const json = { ...token, 'content-type': 'application/json' };
  expect(expectFailure(await to('/v1/echo/m?limit=x', json), 'invalid_request').message).toContain('the body');
  expect(expectFailure(await to('/v1/echo/m?limit=x', json, '{}'), 'invalid_request').message).toContain('limit');
});
