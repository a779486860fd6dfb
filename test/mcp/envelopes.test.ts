/** One table of malformed and odd messages, sent through both doors: the answers must be the same. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpLimits, mcpLimits } from '../../src/base/limits.ts';
import { createDispatcher, type Dispatcher } from '../../src/operations/dispatch.ts';
import { createServerFactory } from '../../src/transports/mcp/server-factory.ts';
import { serveStdio } from '../../src/transports/mcp/stdio.ts';
import { type Host, noGates, openHost, openProduct, type Product, productFactory } from './hosts.ts';

interface Row {
  readonly rule: string;
  readonly message: string;
  readonly status: number;
  /** Absent when nothing may be answered. */
  readonly answer?: unknown;
}

const parseError = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } };
const invalidRequest = { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid Request' } };
const invalidParams = (id: unknown, more = '') => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32602, message: `Invalid params${more}` },
});
const unknownMethod = (id: unknown, name: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32601, message: `Unknown method: ${name}` },
});
const unknownTool = (id: unknown, name: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32602, message: `Unknown tool: ${name}` },
});
const empty = (id: unknown) => ({ jsonrpc: '2.0', id, result: {} });
const call = (params: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 4, method: 'tools/call', params });
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
const long = 'x'.repeat(5_000);

const rows: readonly Row[] = [
  ...['nonsense', '{"id":1,', '{"id":1,"method":"ping"} x', "{'id':1}"].map((message) => ({
    rule: 'MC1 a message that is not JSON is a parse error without an id',
    message,
    status: 400,
    answer: parseError,
  })),
  ...['[]', '3', 'null', '"x"', 'true', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'].map((message) => ({
    rule: 'MC2 a message that is not an object is an invalid request, batches included',
    message,
    status: 400,
    answer: invalidRequest,
  })),
  ...['null', 'true', '1.5', '{}', '[]', '1e300', '9007199254740993'].map((id) => ({
    rule: 'MC3 an id that is neither a string nor a whole number is an invalid request',
    message: `{"jsonrpc":"2.0","id":${id},"method":"ping"}`,
    status: 400,
    answer: invalidRequest,
  })),
  ...['abc', '', 0, -7, 9007199254740991].map((id) => ({
    rule: 'MC4 string and whole-number ids are echoed',
    message: JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }),
    status: 200,
    answer: empty(id),
  })),
  ...[
    { method: 'ping' },
    { method: 'notifications/cancelled', params: { requestId: 1, reason: 'x' } },
    { method: 'tools/call', params: { name: 'list_tools' } },
    { method: 'ping', params: 5 },
    { method: 7 },
    {},
    { result: {} },
  ].map((message) => ({
    rule: 'MC5 a message without an id is accepted and never answered',
    message: JSON.stringify(message),
    status: 202,
  })),
  ...['[]', 'null', '1', '"x"', 'false'].map((params) => ({
    rule: 'MC6 params that are not an object are refused with the id kept',
    message: `{"jsonrpc":"2.0","id":2,"method":"ping","params":${params}}`,
    status: 200,
    answer: invalidParams(2),
  })),
  {
    rule: 'MC7 params are judged before the method',
    message: '{"jsonrpc":"2.0","id":2,"method":"nope","params":[]}',
    status: 200,
    answer: invalidParams(2),
  },
  ...(
    [
      ['"nope"', 'nope'],
      ['"toString"', 'toString'],
      ['"__proto__"', '__proto__'],
      ['"notifications/cancelled"', 'notifications/cancelled'],
      ['"resources/list"', 'resources/list'],
      ['"logging/setLevel"', 'logging/setLevel'],
      ['"server/discover"', 'server/discover'],
      ['null', '(not a string)'],
      ['["ping"]', '(not a string)'],
      [`"${long}"`, `${'x'.repeat(mcpLimits.echoedNameCharsMax)}…`],
    ] as const
  ).map(([method, name]) => ({
    rule: 'MC8 a method that does not exist is named in the answer, shortened',
    message: `{"jsonrpc":"2.0","id":3,"method":${method}}`,
    status: 200,
    answer: unknownMethod(3, name),
  })),
  ...['{"jsonrpc":"2.0","id":3}', '{"jsonrpc":"2.0","id":3,"result":{}}'].map((message) => ({
    rule: 'MC9 a message with an id and no method names no method, an answer that nobody asked for included',
    message,
    status: 200,
    answer: unknownMethod(3, '(missing)'),
  })),
  ...[[], null, '{}', 0, true].map((args) => ({
    rule: 'MC10 tool arguments that are not an object are refused before the tool is looked up',
    message: call({ name: 'no_such_tool', arguments: args }),
    status: 200,
    answer: invalidParams(4),
  })),
  ...(
    [
      [{ name: 'hello', arguments: {} }, 'hello'],
      [{ name: 'memory_remember' }, 'memory_remember'],
      [{ name: 'constructor' }, 'constructor'],
      [{ name: 5 }, '(not a string)'],
      [{ name: null }, '(not a string)'],
      [{}, '(missing)'],
      [undefined, '(missing)'],
    ] as const
  ).map(([params, name]) => ({
    rule: 'MC11 a tool that is unknown, missing, not a string or switched off is an unknown tool',
    message: call(params),
    status: 200,
    answer: unknownTool(4, name),
  })),
  {
    rule: 'MC12 nesting beyond the limit is refused with the id kept',
    message: call({ name: 'list_tools', arguments: { x: nested(httpLimits.jsonDepthMax) } }),
    status: 200,
    answer: invalidParams(4, `: nested deeper than ${httpLimits.jsonDepthMax} levels`),
  },
  {
    rule: 'MC13 the key __proto__ is refused wherever it stands in params',
    message:
      '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"list_tools","arguments":{"a":[{"__proto__":1}]}}}',
    status: 200,
    answer: invalidParams(4, ': the key __proto__ is not allowed'),
  },
  ...['5', '[]', '{"progressToken":{}}'].map((meta) => ({
    rule: 'MC14 a malformed _meta is refused without a validation dump',
    message: `{"jsonrpc":"2.0","id":2,"method":"ping","params":{"_meta":${meta}}}`,
    status: 200,
    answer: invalidParams(2),
  })),
  ...['{"id":5,"method":"ping"}', '{"jsonrpc":"1.0","id":5,"method":"ping","more":[]}'].map((message) => ({
    rule: 'MC15 the jsonrpc member and unknown members are not looked at in the handshake era',
    message,
    status: 200,
    answer: empty(5),
  })),
  {
    rule: 'MC16 notifications/initialized sent as a request gets an empty answer',
    message: '{"jsonrpc":"2.0","id":6,"method":"notifications/initialized"}',
    status: 200,
    answer: empty(6),
  },
];

let product: Product;
let host: Host;

beforeAll(async () => {
  product = await openProduct(noGates);
  host = await openHost({ serverFactory: productFactory(product), sessions: false });
});

afterAll(async () => {
  await host.close();
  await product.close();
});

describe('the same answers at both doors', () => {
  for (const { rule, message, status, answer } of rows) {
    test(`${rule} (HTTP): ${message.slice(0, 80)}`, async () => {
      const response = await post(message);
      expect(response.status).toBe(status);
      const body = await response.text();
      if (answer === undefined) expect(body).toBe('');
      else expect(JSON.parse(body)).toEqual(answer);
      expect(host.faults).toEqual([]);
    });

    test(`${rule} (stdio): ${message.slice(0, 80)}`, async () => {
      const { answers, faults } = await overStdio([message, '{"jsonrpc":"2.0","id":"after","method":"ping"}']);
      const after = empty('after');
      expect(answers).toHaveLength(answer === undefined ? 1 : 2);
      expect(answers).toEqual(expect.arrayContaining(answer === undefined ? [after] : [answer, after]));
      expect(faults).toEqual([]);
    });
  }
});

describe('faults and texts of the library', () => {
  const secret = 'ENOENT /home/someone/secret';
  const callBody = '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"list_tools"}}';
  const internal = { jsonrpc: '2.0', id: 4, error: { code: -32603, message: 'Internal error' } };
  const broken = (): Dispatcher => {
    const { engine, registry } = product.dispatcher;
    return createDispatcher(engine, registry, () => {
      throw new Error(secret);
    });
  };

  test('MC25 a fault of ours is told in fixed words over HTTP, in a session and on stdio', async () => {
    for (const sessions of [false, true]) {
      const faults: string[] = [];
      const serverFactory = createServerFactory(broken(), (place, name) => faults.push(`${place} ${name}`));
      const own = await openHost({ serverFactory, sessions });
      const opened = await post('{"jsonrpc":"2.0","id":1,"method":"initialize"}', {}, own.url);
      const response = await post(callBody, { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }, own.url);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual(internal);
      expect(faults).toEqual(['mcp handler JSON-RPC -32603']);
      await own.close();
    }
    const { answers, faults } = await overStdio([callBody], broken());
    expect(answers).toEqual([internal]);
    expect(faults).toEqual(['mcp handler JSON-RPC -32603']);
  });

  test("MC26 the library's own refusals carry no text of its own", async () => {
    const params = { name: 'list_tools', requestState: 5 };
    const response = await post(JSON.stringify({ jsonrpc: '2.0', id: 4, method: 'tools/call', params }));
    expect(await response.json()).toEqual(invalidParams(4));
  });
});

describe('one door only', () => {
  test('MC1 an empty body is a parse error', async () => {
    const response = await post('');
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual(parseError);
  });

  test('MC17 blank lines are skipped and bytes that are not UTF-8 are a parse error', async () => {
    const { answers } = await overStdio(['', '  \r', Buffer.from([0xff, 0xfe])]);
    expect(answers).toEqual([parseError]);
  });

  test('MC18 a line beyond the limit is answered, skipped and harms nothing after it', async () => {
    const tooLong = JSON.stringify({ id: 1, method: 'ping', params: { x: 'y'.repeat(mcpLimits.stdioLineBytesMax) } });
    const { answers } = await overStdio([tooLong, '{"jsonrpc":"2.0","id":2,"method":"ping"}']);
    expect(answers).toEqual([
      {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32600,
          message: `Invalid Request: a line is longer than ${mcpLimits.stdioLineBytesMax} bytes`,
        },
      },
      empty(2),
    ]);
  });

  test('MC12 nesting of a great many levels is answered like any other', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    expect((await post(deep)).status).toBe(400);
    const inParams = await post(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${deep}}}`);
    expect(await inParams.json()).toMatchObject({ id: 1, error: { code: -32602 } });
  });
});

describe('messages of a great many values', () => {
  const many = httpLimits.jsonValuesMax;
  const refusal = {
    jsonrpc: '2.0',
    id: null,
    error: { code: -32600, message: `Invalid Request: more than ${many} values` },
  };

  test('MC88 a message with too many values is refused unparsed, and quickly, on HTTP and on stdio', async () => {
    const bytes = httpLimits.mcpBodyBytesMax;
    for (const body of [
      '['.repeat(bytes),
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":[${'[],'.repeat(bytes / 3 - 40)}1]}}`,
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":[${'1,'.repeat(bytes / 2 - 40)}1]}}`,
      '{"a":'.repeat(Math.floor(bytes / 5)),
    ]) {
      const began = performance.now();
      const answer = await post(body);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toEqual(refusal);
      // Parsing these takes many seconds on a busy machine.
      expect(performance.now() - began).toBeLessThan(3_000);
    }
    const { answers } = await overStdio(['['.repeat(many + 1), '{"jsonrpc":"2.0","id":2,"method":"ping"}']);
    expect(answers).toEqual([refusal, empty(2)]);
  });

  test('MC88 commas and brackets in text are no values, and the limit itself is served', async () => {
    const text = JSON.stringify(`${'[{,'.repeat(200_000)}"\\`);
    const served = await post(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${text}}}`);
    expect(await served.json()).toEqual(empty(1));
    const message = (zeros: number) =>
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":[${'0,'.repeat(zeros)}0]}}`;
    // Three brackets and three commas are there already.
    expect(await (await post(message(many - 6))).json()).toEqual(empty(1));
    expect(await (await post(message(many - 5))).json()).toEqual(refusal);
  });
});

describe('arbitrary messages', () => {
  const member = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('ping', 'initialize', 'tools/list', 'tools/call', 'list_tools', 'memory_list', 1, {}),
  );
  const message = fc
    .record(
      {
        jsonrpc: member,
        id: member,
        method: member,
        params: fc.oneof(
          member,
          fc.record(
            { name: member, arguments: member, _meta: member, cursor: member, task: member },
            { requiredKeys: [] },
          ),
          fc.record({ protocolVersion: member, capabilities: member, clientInfo: member }, { requiredKeys: [] }),
        ),
        result: member,
        error: member,
      },
      { requiredKeys: ['id'] },
    )
    .map((value) => JSON.stringify(value));

  test('MC19 no message leads to a status above 499, a fault or an answer that shows validation internals (seed 7)', async () => {
    await fc.assert(
      fc.asyncProperty(message, async (text) => {
        const response = await post(text);
        const body = await response.text();
        expect([200, 202, 400]).toContain(response.status);
        expect(body).not.toMatch(/"issues"|invalid_type|invalid_union|expected.{0,20}received|-32603/);
        expect(host.faults).toEqual([]);
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});

function post(body: string, headers: Readonly<Record<string, string>> = {}, url: string = host.url): Promise<Response> {
  return fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
}

/** A whole connection: the lines go in, the input ends, and every answer is there when the connection has closed. */
async function overStdio(
  lines: readonly (string | Buffer)[],
  dispatcher: Dispatcher = product.dispatcher,
): Promise<{ answers: unknown[]; faults: string[] }> {
  const input = new PassThrough();
  const output = new PassThrough();
  const faults: string[] = [];
  const { closed } = serveStdio({
    dispatcher,
    caller: { kind: 'stdio', principal: 'stdio' },
    input,
    output,
    onFault: (place, name) => faults.push(`${place} ${name}`),
  });
  const written = text(output);
  for (const line of lines) {
    input.write(line);
    input.write('\n');
  }
  input.end();
  await closed;
  output.end();
  return {
    answers: (await written)
      .split('\n')
      .filter((line) => line !== '')
      .map((line): unknown => JSON.parse(line)),
    faults,
  };
}
