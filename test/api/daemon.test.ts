/** `/v1` as the program serves it: a real process, its discovery file and its settings. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Sandbox, sandbox } from '../daemon/processes.ts';

vi.setConfig({ testTimeout: 120_000 });

let box: Sandbox;
beforeEach(() => {
  box = sandbox();
});
afterEach(() => box.dispose());

test('AP26 the daemon serves /v1 and /docs, takes its body limit from the environment, and ends on request', async () => {
  const server = await box.serve([], { NEURALMIND_API_MAX_BODY_BYTES: '2048' });
  const headers = { authorization: `Bearer ${box.token()}`, 'content-type': 'application/json' };
  const call = (method: string, path: string, body?: unknown) =>
    fetch(`${server.url}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });

  expect(await (await fetch(`${server.url}/v1/health`)).json()).toEqual({ ok: true, api_version: '1' });
  expect((await fetch(`${server.url}/docs`)).status).toBe(200);
  expect((await fetch(`${server.url}/v1/status`)).status).toBe(401);
  expect(await (await call('GET', '/v1/status')).json()).toMatchObject({ pid: server.pid, mode: 'loopback' });

  const folder = join(box.home, 'atlas');
  mkdirSync(folder);
  const project = (await (await call('POST', '/v1/projects', { path: folder })).json()) as { id: string };
  const memories = `/v1/projects/${project.id}/memories`;
  expect((await call('POST', memories, { title: 'A', rationale: 'x'.repeat(3_000) })).status).toBe(413);
  expect((await call('POST', memories, { title: 'A', rationale: 'B' })).status).toBe(201);

  expect(await (await call('POST', '/v1/admin/shutdown')).json()).toEqual({ stopping: true });
  expect(await server.finished).toMatchObject({ code: 0 });
});

test('AP20 a body limit that is not exactly right stops the start', async () => {
  await expect(box.serve([], { NEURALMIND_API_MAX_BODY_BYTES: '1MiB' })).rejects.toThrow(
    'NEURALMIND_API_MAX_BODY_BYTES must be a whole number of bytes from 1024 to 67108864',
  );
});
