/** Rows that say back what reached them, for what the routes do before and after a row. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../src/base/json.ts';
import type { HttpRoute } from '../../src/operations/http-route.ts';
import { type Operation, operation } from '../../src/operations/operation.ts';

type Route = Partial<HttpRoute> & Pick<HttpRoute, 'method' | 'path'>;

const anything = z.looseObject({});

export function sampleRow(
  name: string,
  route: Route,
  run: (input: JsonObject, signal: AbortSignal) => Promise<JsonValue> = async (input) => ({ input }),
): Operation {
  return operation<JsonObject, JsonValue>({
    name,
    summary: 'A sample.',
    permission: route.method === 'GET' ? 'memories.read' : 'memories.write',
    scope: 'global',
    effects: 'None.',
    errors: ['internal_error'],
    example: { input: {}, output: {} },
    http: { body: false, success: { 200: 'Done.' }, input: anything, output: anything, ...route },
    parse: (raw) => ({ ok: true, value: raw }),
    async run(_engine, input, { signal }) {
      return { ok: true, value: await run(input, signal) };
    },
    event: () => ({}),
  });
}

class HiddenTrouble extends Error {}

export const waiting: { aborted: number; running: number } = { aborted: 0, running: 0 };

export const sampleRows: readonly Operation[] = [
  sampleRow('memories.echo', {
    method: 'POST',
    path: '/v1/echo/{memory_id}',
    body: true,
    query: { limit: 'integer' },
    headers: { 'if-match': 'if_match' },
  }),
  sampleRow('memories.search', { method: 'POST', path: '/v1/echo/search', body: true }),
  sampleRow('memories.get', { method: 'GET', path: '/v1/echo/{memory_id}' }),
  sampleRow('memories.typed', {
    method: 'GET',
    path: '/v1/typed',
    query: { text: 'text', count: 'integer', ratio: 'number', flag: 'boolean', tag: 'texts' },
  }),
  sampleRow('memories.ignored', { method: 'POST', path: '/v1/bodiless' }),
  sampleRow('server.open', { method: 'GET', path: '/v1/open', open: true }),
  sampleRow('memories.gone', { method: 'DELETE', path: '/v1/gone', success: { 204: 'Gone.' } }, async () => null),
  sampleRow('memories.made', {
    method: 'POST',
    path: '/v1/made',
    body: true,
    success: { 201: 'Made.' },
    respond: () => ({ status: 201, location: '/v1/made/1', body: { made: true }, replayed: true }),
  }),
  sampleRow('memories.tagged', {
    method: 'GET',
    path: '/v1/tagged',
    respond: () => ({ status: 200, etag: '"2026-10-02T12:00:00.000000Z"' }),
  }),
  sampleRow('memories.page', {
    method: 'GET',
    path: '/v1/page',
    respond: () => ({ status: 200, body: '# Ü\n', contentType: 'text/markdown; charset=utf-8' }),
  }),
  sampleRow('memories.old', {
    method: 'GET',
    path: '/v1/old',
    deprecated: { since: '2027-01-31', successor: '/v1/typed' },
  }),
  sampleRow('memories.broken', { method: 'GET', path: '/v1/broken' }, async () => {
    throw new HiddenTrouble('a secret sentence');
  }),
  sampleRow('memories.slow', { method: 'GET', path: '/v1/slow' }, async (_input, signal) => {
    waiting.running += 1;
    await sleep(20_000, undefined, { signal }).catch(() => {
      waiting.aborted += 1;
    });
    return {};
  }),
];
