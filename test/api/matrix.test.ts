/** Every route of the table against everything that can be wrong with a request, over real stores in temporary folders. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject } from '../../src/base/json.ts';
import { createRegistry } from '../../src/operations/registry.ts';
import { type ApiOperation, apiOperations, apiPaths, pathInputs } from '../../src/transports/api/api-routes.ts';
import { takesBody } from '../../src/transports/api/edge-errors.ts';
import { exampleBody, exampleTarget } from '../../src/transports/api/example-request.ts';
import { plainSchema } from '../../src/transports/api/json-schemas.ts';
import { type Door, doorToken, exchange, openDoor } from '../edge/door.ts';
import { type Answer, ask, expectFailure, jsonOf, send, token } from './answers.ts';

const registry = createRegistry({ remember: false, archive_restore: false, revise: false, forget: false });
const rows = apiOperations(registry);
const named = rows.map((row) => [`${row.http.method} ${row.http.path}`, row] as const);
const closed = named.filter(([, row]) => row.http.open !== true);
const withBody = named.filter(([, row]) => takesBody(row));
const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'];

let door: Door;
let small: Door;
let port: number;
let project = '';
let memory = '';

beforeAll(async () => {
  door = openDoor();
  small = openDoor({ limits: { apiBodyBytesMax: 1_024 } });
  port = await door.listen();
  const folder = join(door.folder, 'atlas');
  mkdirSync(folder);
  writeFileSync(join(folder, 'store.ts'), 'export {};\n');
  execFileSync('git', ['init', '--quiet', folder]);
  const registered = await send(door, 'POST', '/v1/projects', { path: folder });
  expect(registered.status).toBe(201);
  project = String(jsonOf(registered)['id']);
  memory = await newMemory();
});
afterAll(() => Promise.all([door.close(), small.close()]));

async function newMemory(): Promise<string> {
  const made = await send(door, 'POST', `/v1/projects/${project}/memories`, {
    title: 'A title',
    rationale: 'A reason.',
  });
  expect(made.status).toBe(201);
  return String(jsonOf(made)['id']);
}

interface Ids {
  readonly project_id: string;
  readonly memory_id: string;
  readonly job_id: string;
}

const noIds: Ids = { project_id: 'p_000000000000', memory_id: 'none', job_id: '000000000000' };

function urlOf(row: ApiOperation, ids: Ids = noIds): string {
  const known: ReadonlyMap<string, string> = new Map(Object.entries(ids));
  return pathInputs(row.http.path).reduce(
    (path, name) => path.replace(`{${name}}`, known.get(name) ?? 'unknown'),
    row.http.path,
  );
}

function requiredInputs(row: ApiOperation): readonly string[] {
  const { required, properties } = plainSchema(row.http.input, 'input');
  expect(isJsonObject(properties) || properties === undefined).toBe(true);
  return Array.isArray(required) ? required.map(String) : [];
}

function greatest(row: ApiOperation, name: string): number {
  const { properties } = plainSchema(row.http.input, 'input');
  const schema = isJsonObject(properties) ? properties[name] : undefined;
  const maximum = isJsonObject(schema) ? schema['maximum'] : undefined;
  if (typeof maximum !== 'number') throw new Error(`${row.name} does not bound ${name}`);
  return maximum;
}

const to = (row: ApiOperation, headers: Readonly<Record<string, string>>, at: Door = door, url = urlOf(row)) =>
  ask(at, { method: row.http.method, url, headers, ...(takesBody(row) ? { payload: '{}' } : {}) });

test('AP2 the table has the routes of the contract', () => {
  expect(named.length).toBeGreaterThanOrEqual(25);
  expect(rows.filter((row) => row.http.open).map((row) => row.http.path)).toEqual(['/v1/health', '/v1/openapi.json']);
});

describe.each(named)('%s', (_name, row) => {
  test('AP2 a foreign Host and a foreign Origin are 403 before anything else', async () => {
    const both = { host: 'evil.example', origin: 'http://evil.example', 'content-type': 'text/plain' };
    expectFailure(await to(row, both), 'host_not_allowed');
    expectFailure(await to(row, { ...token, host: '127.0.0.1.evil.example' }), 'host_not_allowed');
    expectFailure(await to(row, { ...token, origin: 'http://evil.example' }), 'origin_not_allowed');
    expectFailure(await to(row, { ...token, 'sec-fetch-site': 'cross-site' }), 'origin_not_allowed');
  });

  test('AP4 methods that the path has not are 405, with those it has', async () => {
    const { path } = row.http;
    const served = apiPaths(registry).find((each) => each.path === path)?.methods ?? [];
    for (const method of methods.filter((each) => !served.some((one) => one === each))) {
      const headers = { ...token, 'content-type': 'text/plain' };
      const answer = await ask(door, { method: method as 'GET', url: urlOf(row), headers });
      expect([answer.status, answer.headers['allow']]).toEqual([405, served.join(', ')]);
      if (method !== 'HEAD') expectFailure(answer, 'method_not_allowed');
    }
  });
});

describe.each(closed)('%s', (_name, row) => {
  test('AP3 without the token, with a wrong one or with one in the address it is 401', async () => {
    const bodies = new Set<string>();
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      'Bearer wrong',
      `Basic ${doorToken}`,
      `Bearer ${doorToken}x`,
    ]) {
      const answer = await to(row, {
        'x-request-id': 'same',
        ...(authorization === undefined ? {} : { authorization }),
      });
      expectFailure(answer, 'unauthorized');
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      bodies.add(answer.text);
    }
    expect(bodies.size).toBe(1);
    expectFailure(await to(row, token, door, `${urlOf(row)}?token=${doorToken}`), 'unauthorized');
  });
});

describe.each(withBody)('%s', (_name, row) => {
  const url = urlOf(row);
  const { method } = row.http;

  test('AP6 a body that is not application/json is 415', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      expectFailure(await send(door, method, url, '{}', { 'content-type': type }), 'unsupported_media_type');
    }
  });

  test('AP7 a body that is not JSON is 400, one that is no object 422', async () => {
    for (const body of ['{', 'title=x', '\u0000', '{"a":'.repeat(70)]) {
      expectFailure(await send(door, method, url, body), 'invalid_request');
    }
    for (const body of ['[]', 'null', '"x"']) expectFailure(await send(door, method, url, body), 'validation_error');
  });

  test('AP10 a body over the limit is 413', async () => {
    // A route with a limit of its own is not bound by that of the others.
    if (row.http.bodyBytesMax === undefined) {
      expectFailure(await send(small, method, url, JSON.stringify({ a: 'x'.repeat(2_000) })), 'payload_too_large');
    }
    const head = `${method} ${url} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${doorToken}\r\nContent-Type: application/json`;
    const promised = await exchange(port, `${head}\r\nContent-Length: 99999999\r\nConnection: close\r\n\r\n`);
    expect(promised).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('AP8 a missing field is 422 and named, before the project is looked for', async () => {
    const required = requiredInputs(row);
    if (required.length === 0) return;
    const { details } = expectFailure(await send(door, method, url, {}), 'validation_error');
    const { errors } = details as { errors: readonly { loc: readonly string[] }[] };
    expect(errors.map(({ loc }) => loc[0]).sort()).toEqual([...required].sort());
  });

  test('AP8 a field of a wrong type is 422', async () => {
    if (!row.http.body) return;
    for (const name of Object.keys(exampleBody(row))) {
      if (row.name === 'memories.import' && name === 'export') continue;
      const body = { ...exampleBody(row), [name]: { wrong: true } };
      const { details } = expectFailure(await send(door, method, url, body), 'validation_error');
      expect(JSON.stringify(details)).toContain(`"loc":["${name}"`);
    }
  });
});

describe.each(named.filter(([, row]) => row.http.query !== undefined))('%s', (_name, row) => {
  test('AP11 text that is no value of a declared type is 400, a repeated parameter too', async () => {
    for (const [name, type] of Object.entries(row.http.query ?? {})) {
      const ask400 = async (query: string) =>
        expectFailure(await send(door, row.http.method, `${urlOf(row)}?${query}`), 'invalid_request');
      if (type === 'integer' || type === 'number' || type === 'boolean') await ask400(`${name}=x`);
      if (type !== 'texts') await ask400(`${name}=1&${name}=1`);
    }
  });

  test('AP8 a number out of range is 422, never cut', async () => {
    for (const [name, type] of Object.entries(row.http.query ?? {})) {
      if (type !== 'integer' && type !== 'number') continue;
      for (const value of ['-1', String(greatest(row, name) + 1), '9'.repeat(400)]) {
        const answer = await send(door, row.http.method, `${urlOf(row)}?${name}=${value}`);
        const { details } = expectFailure(answer, 'validation_error');
        expect(JSON.stringify(details)).toContain(`"loc":["${name}"]`);
      }
    }
  });
});

describe.each(named.filter(([, row]) => pathInputs(row.http.path).length > 0))('%s', (_name, row) => {
  const inputs = pathInputs(row.http.path);
  const sendTo = (ids: Ids): Promise<Answer> =>
    send(
      door,
      row.http.method,
      `${urlOf(row, ids)}${exampleTarget(row).replace(/^[^?]*/, '')}`,
      row.http.body ? exampleBody(row) : undefined,
    );

  test('AP9 an unknown project, record or job is 404', async () => {
    if (inputs.includes('project_id'))
      expectFailure(await sendTo({ ...noIds, memory_id: memory }), 'project_not_found');
    if (inputs.includes('job_id')) expectFailure(await sendTo(noIds), 'job_not_found');
    if (inputs.includes('memory_id')) {
      expectFailure(await sendTo({ ...noIds, project_id: project }), 'memory_not_found');
    }
  });

  test('AP9 ids of any shape never become a fault of ours', async () => {
    for (const id of ['%00', '..%2f..', "'%20OR%201=1--", '%F0%9F%98%80', 'x'.repeat(3_000), '__proto__', '%25']) {
      const strange = inputs.map((name) => ({ project_id: project, memory_id: memory, job_id: 'none', [name]: id }));
      for (const ids of strange) {
        const answer = await sendTo(ids);
        expect([404, 422]).toContain(answer.status);
        expect(answer.text).toContain('"error"');
      }
    }
  });
});

test('AP5 what no row serves is 404 with the token and 401 without', async () => {
  for (const url of ['/v1/', '/v1/none', '/v1/projects/', `/v1/projects/${project}/none`, '/v2', '/v1/memories']) {
    expectFailure(await send(door, 'GET', url), 'not_found');
    expectFailure(await ask(door, { method: 'GET', url }), 'unauthorized');
  }
});

test('AP15 a decision lives its whole life over a socket', async () => {
  const base = `http://127.0.0.1:${port}/v1/projects/${project}/memories`;
  const call = async (method: string, url: string, body?: unknown, extra: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(url, {
      method,
      headers: { ...token, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...extra },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect(answer.headers.get('neuralmind-api-version')).toBe('1');
    return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
  };
  const fields = { title: 'Über Größe', rationale: 'Because.', tags: ['büro'], files_affected: ['store.ts'] };
  const key = { 'idempotency-key': 'once' };
  const made = await call('POST', base, fields, key);
  expect(made).toMatchObject({ status: 201, body: { ...fields, possible_duplicates: [] } });
  const again = await call('POST', base, fields, key);
  expect(again.body).toEqual(made.body);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(made.headers.get('idempotency-replayed')).toBeNull();
  expect((await call('POST', base, { ...fields, title: 'Other' }, key)).status).toBe(409);

  const url = `http://127.0.0.1:${port}${made.headers.get('location')}`;
  const read = await call('GET', url);
  expect(read).toMatchObject({ status: 200, body: fields });
  const etag = read.headers.get('etag') ?? '';
  expect((await call('GET', url, undefined, { 'if-none-match': etag })).status).toBe(304);
  const changed = await call('PATCH', url, { confidence: 0.5 }, { 'if-match': etag });
  expect(changed).toMatchObject({ status: 200, body: { confidence: 0.5 } });
  expect((await call('PATCH', url, { confidence: 0.6 }, { 'if-match': etag })).status).toBe(412);
  expect((await call('GET', url, undefined, { 'if-none-match': etag })).status).toBe(200);

  expect((await call('GET', `${base}?tag=${encodeURIComponent('büro')}&tag=x&status=all`)).body.items).toHaveLength(1);
  expect((await call('POST', `${base}/search`, { query: 'größe', mode: 'keyword' })).body.results[0].id).toBe(
    made.body.id,
  );
  const page = await fetch(`${base}/export?format=md`, { headers: token });
  expect(page.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(await page.text()).toContain('Über Größe');

  expect(await call('DELETE', url)).toMatchObject({ status: 204, body: null });
  expect((await call('DELETE', url)).status).toBe(404);
  expect((await call('GET', `${url}/history`)).body).toMatchObject({ deleted: true, total: 3 });
});

test('AP15 long work answers 202 with its job, or 200 when it is waited for', async () => {
  const started = await send(door, 'POST', `/v1/projects/${project}/memories/scan`);
  expect(started.status).toBe(202);
  const { job } = jsonOf(started) as { job: { id: string } };
  expect(started.headers['location']).toBe(`/v1/jobs/${job.id}`);
  expect((await send(door, 'GET', `/v1/jobs/${job.id}`)).status).toBe(200);
  const waited = await send(door, 'POST', `/v1/projects/${project}/memories/scan`, { wait: true });
  expect(waited.status).toBe(200);
  expect(jsonOf(waited)).toMatchObject({ job: { finished_at: expect.any(String) } });
});

test('AP13 a body cannot lead to another project than the path', async () => {
  const elsewhere = join(door.folder, 'elsewhere');
  mkdirSync(elsewhere);
  const body = { title: 'A', rationale: 'B', project_id: 'p_000000000000', project_path: elsewhere };
  const made = await send(door, 'POST', `/v1/projects/${project}/memories`, body);
  expect(made.status).toBe(201);
  expect(jsonOf(made)['project_id']).toBe(project);
  expect(readdirSync(elsewhere)).toEqual([]);
});
