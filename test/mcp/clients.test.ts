/** The protocol's own client against the product: both eras, over HTTP and over a real process on stdio. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveStdio } from '../../src/transports/mcp/stdio.ts';
import { COMPOSED_SCHEMA_META_KEY } from '../../src/transports/mcp/tool-list.ts';
import { startEnvironment } from '../start-environment.ts';
import { type Host, openHost, openProduct, type Product, productFactory } from './hosts.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const gates = {
  MNEMOSYNE_MEMORY_REMEMBER_ENABLED: 'true',
  MNEMOSYNE_MEMORY_REVISE_ENABLED: 'true',
  MNEMOSYNE_MEMORY_ARCHIVE_RESTORE_ENABLED: 'true',
  MNEMOSYNE_MEMORY_FORGET_ENABLED: 'true',
};
const eras = [
  { era: 'handshake', mode: 'legacy', revision: '2025-11-25' },
  { era: 'modern', mode: { pin: '2026-07-28' }, revision: '2026-07-28' },
  { era: 'negotiated', mode: 'auto', revision: '2026-07-28' },
] as const;
const toolNames = [
  'list_tools',
  'memory_recall',
  'memory_list',
  'memory_inspect',
  'memory_archive',
  'memory_restore',
  'memory_remember',
  'memory_revise',
  'memory_forget',
];
const decisionTools = [
  'neuralmind_record_decision',
  'neuralmind_memory_search',
  'neuralmind_query_decisions',
  'neuralmind_memory_get',
  'neuralmind_update_decision',
  'neuralmind_invalidate_decision',
  'neuralmind_restore_decision',
  'neuralmind_supersede_decision',
  'neuralmind_memory_history',
  'neuralmind_memory_timeline',
  'neuralmind_audit_decisions',
];
const codeTools = [
  'neuralmind_wakeup',
  'neuralmind_query',
  'neuralmind_search',
  'neuralmind_skeleton',
  'neuralmind_structural_neighbors',
  'neuralmind_impact',
  'neuralmind_build',
  'neuralmind_ingest_document',
  'neuralmind_stats',
  'neuralmind_health',
  'neuralmind_savings',
  'neuralmind_validate',
];
let home: string;
let product: Product;
let plain: Host;
let withSessions: Host;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'mnemosyne-clients-'));
  product = await openProduct();
  plain = await openHost({ serverFactory: productFactory(product), sessions: false });
  withSessions = await openHost({ serverFactory: productFactory(product), sessions: true });
});

afterAll(async () => {
  await plain.close();
  await withSessions.close();
  await product.close();
  await rm(home, { recursive: true, force: true });
});

describe.each(eras)('the $era era', ({ mode, revision }) => {
  test('MC80 the client lists and calls the tools over HTTP, with sessions and without', async () => {
    for (const host of [plain, withSessions]) {
      const client = clientOf(mode);
      await client.connect(new StreamableHTTPClientTransport(new URL(host.url)));
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      await exercise(client);
      await client.close();
      expect(host.faults).toEqual([]);
    }
  });

  test('MC81 the client lists and calls the tools over stdio, in a process of its own', async () => {
    const client = clientOf(mode);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [main, 'mcp'],
      env: {
        ...startEnvironment,
        ...gates,
        HOME: home,
        MNEMOSYNE_MEMORY_ROOT: join(home, String(revision)),
      },
      stderr: 'pipe',
    });
    await client.connect(transport);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    await exercise(client, [...toolNames, ...decisionTools, ...codeTools]);
    await client.close();
  }, 30_000);
});

describe('what is listed', () => {
  const list = async (query: string, name = 'suite', mode: Mode = 'legacy') => {
    const client = clientOf(mode, name);
    await client.connect(new StreamableHTTPClientTransport(new URL(`${withSessions.url}${query}`)));
    const { tools } = await client.listTools();
    await client.close();
    return tools;
  };

  test('MC82 tools/list has the same bytes every time and ignores a cursor', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: 'x' } });
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () => (await fetch(plain.url, { method: 'POST', body })).text()),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).not.toContain('nextCursor');
    const odd = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: 5 } });
    expect(await (await fetch(plain.url, { method: 'POST', body: odd })).text()).toBe(answers[0]);
  });

  test('MC83 every tool shows title, description, four annotations and the complete schema in _meta', async () => {
    for (const tool of await list('?schema=portable')) {
      const row = product.dispatcher.registry.findTool(tool.name)?.tool;
      expect(tool.title).toBe(row?.title);
      expect(tool.description).toBe(row?.description);
      expect(tool.inputSchema).toEqual(row?.portableInput);
      expect(tool.outputSchema).toEqual(row?.output);
      expect(Object.keys(tool.annotations ?? {}).sort()).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
      ]);
      expect(tool._meta?.[COMPOSED_SCHEMA_META_KEY]).toEqual(row?.composedInput);
    }
  });

  test('MC84 the form follows the query, else the name of the client in either era', async () => {
    const form = (tools: Awaited<ReturnType<typeof list>>) =>
      tools.some((tool) => 'oneOf' in tool.inputSchema) ? 'composed' : 'portable';
    expect(form(await list('?schema=portable'))).toBe('portable');
    expect(form(await list('?schema=composed', 'claude-code'))).toBe('composed');
    for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
      expect(form(await list('', 'suite', mode))).toBe('composed');
      expect(form(await list('', 'claude-code', mode))).toBe('portable');
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const headers = { 'user-agent': 'opencode/1.2' };
    const byAgent = await (await fetch(plain.url, { method: 'POST', body, headers })).json();
    expect(form((byAgent as { result: { tools: Awaited<ReturnType<typeof list>> } }).result.tools)).toBe('portable');
  });

  test('MC85 tools narrows the list and nothing else', async () => {
    const names = async (query: string) => (await list(query)).map((tool) => tool.name);
    expect(await names('?tools=all')).toEqual([...toolNames, ...decisionTools, ...codeTools]);
    expect(await names('?tools=memory')).toEqual(toolNames);
    expect(await names('?tools=code')).toEqual(['list_tools', ...decisionTools, ...codeTools]);
    expect(await names('')).toEqual(toolNames);
    const client = clientOf('legacy');
    await client.connect(new StreamableHTTPClientTransport(new URL(`${plain.url}?tools=code`)));
    expect((await client.callTool({ name: 'memory_list', arguments: { scope: 'self' } })).isError).toBeUndefined();
    await client.close();
  });

  test('MC72 an unknown value in the query is a bad request with the id kept', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const response = await fetch(`${plain.url}?schema=flat`, { method: 'POST', body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      id: 1,
      error: { code: -32602, message: expect.stringContaining('schema') },
    });
  });
});

describe('the end of a stdio connection', () => {
  test('MC86 requests taken in before the input ended are answered before the connection closes', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const { closed } = serveStdio({
      dispatcher: product.dispatcher,
      caller: { kind: 'stdio', principal: 'stdio' },
      input,
      output,
    });
    const written = text(output);
    const calls = Array.from({ length: 20 }, (_, id) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'memory_list', arguments: { scope: 'self' } },
      }),
    );
    // The last line lacks its newline, as when a script pipes its input.
    input.end(calls.join('\n'));
    await closed;
    output.end();
    const ids = (await written)
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id);
    expect(ids.sort((one, other) => one - other)).toEqual(calls.map((_, id) => id));
  });

  test('MC87 an input that ends at once ends the connection without a word', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const { closed } = serveStdio({
      dispatcher: product.dispatcher,
      caller: { kind: 'stdio', principal: 'stdio' },
      input,
      output,
    });
    const written = text(output);
    input.end();
    await closed;
    output.end();
    expect(await written).toBe('');
  });
});

type Mode = (typeof eras)[number]['mode'];

function clientOf(mode: Mode, name = 'suite'): Client {
  return new Client({ name, version: '1' }, { versionNegotiation: { mode } });
}

/** One of everything: a list, prose, a success with structured content, an error, a stringified argument. */
async function exercise(client: Client, names: readonly string[] = toolNames): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name)).toEqual(names);
  const prose = await client.callTool({ name: 'list_tools', arguments: { ignored: true } });
  expect(prose.content).toEqual([
    { type: 'text', text: expect.stringMatching(/^Server: mnemosyne .*Available tools: list_tools, memory_recall/) },
  ]);
  expect(prose.structuredContent).toBeUndefined();
  const listed = await client.callTool({ name: 'memory_list', arguments: { scope: 'self', page_size: '5' } });
  expect(listed.isError).toBeUndefined();
  expect(listed.structuredContent).toMatchObject({ status: expect.any(String) });
  const [item] = listed.content;
  expect(item?.type === 'text' && JSON.parse(item.text)).toEqual(listed.structuredContent);
  const refused = await client.callTool({ name: 'memory_list', arguments: { scope: 'nowhere' } });
  expect(refused.isError).toBe(true);
  expect(refused.structuredContent).toBeUndefined();
  await expect(client.callTool({ name: 'hello', arguments: {} })).rejects.toThrow('Unknown tool: hello');
}
