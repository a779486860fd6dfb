import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { Connection } from './connection.ts';
import {
  Conflict,
  Forbidden,
  NeuralMindAPIError,
  NeuralMindConnectionError,
  NotFound,
  PreconditionFailed,
  RateLimited,
  Unauthorized,
  Unavailable,
  ValidationFailed,
} from './errors.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const token = 'token-that-must-never-show';
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function serve(handler: Handler): Promise<{ base: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    request.resume();
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { base: `http://127.0.0.1:${port}`, requests };
}

function connectionTo(base: string, found = false): Connection {
  return new Connection({ target: async () => ({ base, token, found }), timeoutMs: 5_000, fetch });
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => {
      throw new Error('the call succeeded');
    },
    (error: unknown) => error,
  );
}

test('CT1 the token travels in the header, a body as JSON, ids encoded and lists repeated', async () => {
  let body = '';
  const { base, requests } = await serve((request, response) => {
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => json(response, 200, { answer: true }));
  });
  const answer = await connectionTo(base).object({
    method: 'POST',
    path: ['projects', 'a/b?c#ü', 'memories'],
    query: { file: ['a b', 'c&d'], limit: 3, left: undefined },
    body: { title: 'ß' },
  });
  expect(answer).toEqual({ answer: true });
  expect(requests[0]?.url).toBe('/v1/projects/a%2Fb%3Fc%23%C3%BC/memories?file=a+b&file=c%26d&limit=3');
  expect(requests[0]?.headers).toMatchObject({
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  });
  expect(JSON.parse(body)).toEqual({ title: 'ß' });
});

test('CT2 ids that would name something else are refused before anything is sent', async () => {
  const { base, requests } = await serve((_request, response) => json(response, 200, {}));
  const connection = connectionTo(base);
  for (const id of ['', '.', '..', '\ud800']) {
    await expect(connection.send({ method: 'DELETE', path: ['projects', id] })).rejects.toThrow(TypeError);
  }
  expect(requests).toEqual([]);
});

test('CT3 an answer is frozen to its depths and keeps fields that nobody knows', async () => {
  const { base } = await serve((_request, response) => json(response, 200, { later: { field: [{ deep: 1 }] } }));
  const answer = await connectionTo(base).object({ method: 'GET', path: [] });
  expect(answer).toEqual({ later: { field: [{ deep: 1 }] } });
  expect(() => Object.assign(answer['later'] as object, { field: 1 })).toThrow(TypeError);
  expect(() => (answer['later'] as { field: unknown[] }).field.push(1)).toThrow(TypeError);
});

test.each([
  [401, 'unauthorized', Unauthorized],
  [403, 'host_not_allowed', Forbidden],
  [404, 'memory_not_found', NotFound],
  [409, 'conflict', Conflict],
  [412, 'precondition_failed', PreconditionFailed],
  [422, 'validation_error', ValidationFailed],
  [429, 'rate_limited', RateLimited],
  [503, 'unavailable', Unavailable],
  [400, 'invalid_request', NeuralMindAPIError],
  [500, 'code_of_a_later_server', NeuralMindAPIError],
])('CT4 status %i with code %s is an error of its kind', async (status, code, kind) => {
  const error = { code, message: 'in words', status, request_id: 'abc', details: { fact: 1 } };
  const { base } = await serve((_request, response) => json(response, status, { error }, { 'retry-after': '7' }));
  const failure = await failureOf(connectionTo(base).send({ method: 'GET', path: ['status'] }));
  expect(failure).toBeInstanceOf(kind);
  expect(failure).toBeInstanceOf(NeuralMindAPIError);
  expect((failure as Error).constructor).toBe(kind);
  expect(failure).toMatchObject({
    name: kind.name,
    message: 'in words',
    status,
    code,
    requestId: 'abc',
    details: { fact: 1 },
  });
  if (failure instanceof RateLimited) expect(failure.retryAfterSeconds).toBe(7);
});

test('CT4 every wrong field of a refused request is listed', async () => {
  const errors = [{ loc: ['title'], msg: 'must not be blank', type: 'string_too_short' }];
  const error = { code: 'validation_error', message: 'no', status: 422, request_id: 'a', details: { errors } };
  const { base } = await serve((_request, response) => json(response, 422, { error }));
  const failure = await failureOf(connectionTo(base).send({ method: 'POST', path: [], body: {} }));
  expect(failure instanceof ValidationFailed && failure.problems).toEqual(errors);
});

test('CT5 what answers but is not this API is told apart, redirects included', async () => {
  const elsewhere = await serve((_request, response) => json(response, 200, {}));
  const answers: Handler[] = [
    (_request, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
    (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"cut":'),
    (_request, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('hello'),
    (_request, response) => json(response, 200, ['a list']),
    (_request, response) => json(response, 500, { error: 'text' }),
    (_request, response) => response.writeHead(307, { location: `${elsewhere.base}/v1/status` }).end(),
  ];
  for (const answer of answers) {
    const { base } = await serve(answer);
    const failure = await failureOf(connectionTo(base).object({ method: 'GET', path: ['status'] }));
    expect(failure).toBeInstanceOf(NeuralMindConnectionError);
    expect(failure).toMatchObject({ reason: 'unexpected_answer' });
  }
  expect(elsewhere.requests).toEqual([]);
});

test('CT6 a server that is not there is told with what to do', async () => {
  const { base } = await serve(() => {});
  await cleanups.pop()?.();
  const given = await failureOf(connectionTo(base).send({ method: 'GET', path: [] }));
  const found = await failureOf(connectionTo(base, true).send({ method: 'GET', path: [] }));
  expect(given).toMatchObject({ reason: 'unreachable', message: expect.stringContaining('check the address') });
  expect(found).toMatchObject({ reason: 'unreachable', message: expect.stringContaining('mnemosyne daemon start') });
  expect(String(given)).toContain('ECONNREFUSED');
});

test('CT7 only a GET is sent again after a reset, and only once', async () => {
  for (const [method, resets, sent, succeeds] of [
    ['GET', 1, 2, true],
    ['GET', 2, 2, false],
    ['POST', 1, 1, false],
    ['PATCH', 1, 1, false],
    ['DELETE', 1, 1, false],
  ] as const) {
    let left: number = resets;
    const { base, requests } = await serve((request, response) => {
      if (left-- > 0) request.socket.resetAndDestroy();
      else json(response, 200, {});
    });
    const work = connectionTo(base).send({ method, path: ['status'] });
    if (succeeds) await work;
    else expect(await failureOf(work)).toMatchObject({ reason: 'interrupted' });
    expect(requests).toHaveLength(sent);
  }
});

test('CT7 an answer cut in the middle is a reset as well', async () => {
  let cut = true;
  const { base, requests } = await serve((_request, response) => {
    if (!cut) return json(response, 200, { whole: true });
    cut = false;
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"half":');
    setTimeout(() => response.destroy(), 20);
  });
  expect(await connectionTo(base).object({ method: 'GET', path: [] })).toEqual({ whole: true });
  expect(requests).toHaveLength(2);
});

test('CT8 a call ends at its timeout and says whether a change may have happened', async () => {
  const { base } = await serve(() => {});
  const connection = connectionTo(base);
  const read = await failureOf(connection.send({ method: 'GET', path: [] }, { timeoutMs: 30 }));
  expect(read).toMatchObject({ reason: 'timeout', message: 'no answer within 30 ms' });
  const write = await failureOf(connection.send({ method: 'POST', path: [], body: {} }, { timeoutMs: 30 }));
  expect(write).toMatchObject({ reason: 'timeout', message: expect.stringContaining('not known') });
  for (const timeoutMs of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    await expect(connection.send({ method: 'GET', path: [] }, { timeoutMs })).rejects.toThrow(RangeError);
  }
});

test('CT8 a body that never ends is cut by the timeout too', async () => {
  const { base } = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{');
  });
  const failure = await failureOf(connectionTo(base).send({ method: 'GET', path: [] }, { timeoutMs: 50 }));
  expect(failure).toMatchObject({ reason: 'timeout' });
});

test('CT9 the signal of the caller ends a call with its own reason, before or while it runs', async () => {
  const { base, requests } = await serve(() => {});
  const connection = connectionTo(base);
  const reason = new Error('enough');
  expect(await failureOf(connection.send({ method: 'GET', path: [] }, { signal: AbortSignal.abort(reason) }))).toBe(
    reason,
  );
  expect(requests).toEqual([]);
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 30);
  expect(await failureOf(connection.send({ method: 'GET', path: [] }, { signal: controller.signal }))).toBe(reason);
});

test('CT10 no error and no view of the client shows the token', async () => {
  const { base } = await serve((request) => request.socket.resetAndDestroy());
  const connection = connectionTo(base);
  const failures = [
    await failureOf(connection.send({ method: 'POST', path: [], body: {} })),
    await failureOf(connection.send({ method: 'GET', path: [], headers: { 'if-match': 'ü' } })),
    await failureOf(connectionTo('http://127.0.0.1:1').send({ method: 'GET', path: [] })),
  ];
  for (const shown of [...failures, connection]) {
    expect(inspect(shown, { depth: 20, showHidden: true })).not.toContain(token);
    expect(JSON.stringify(shown)).not.toContain(token);
  }
});
