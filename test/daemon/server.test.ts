import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openFileStore } from '../../src/memory/notebook/file-store.ts';
import { ok } from '../../src/memory/notebook/outcome.ts';
import { loopbackAddress } from '../../src/server/bind-address.ts';
import { discoveryPath } from '../../src/server/discovery.ts';
import {
  callTool,
  everyGateOn,
  headersFor,
  rememberArguments,
  type Sandbox,
  type Started,
  sandbox,
} from './processes.ts';

// Whole processes start here: a busy machine may need many seconds for each.
vi.setConfig({ testTimeout: 120_000 });

let box: Sandbox;
beforeEach(() => {
  box = sandbox();
});
afterEach(() => box.dispose());

async function busyPort(): Promise<{ readonly port: number; close(): void }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { port: address.port, close: () => server.close() };
}

test('CL7 a server serves, announces itself, ends on SIGTERM with 0 and leaves only its token', async () => {
  const server = await box.serve();
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
  expect((await callTool(server.url, box.token(), 'list_tools')).text).toContain('memory_recall');
  expect((await callTool(server.url, 'wrong', 'list_tools')).status).toBe(401);
  const announced = JSON.parse(readFileSync(discoveryPath(box.daemonHome), 'utf8')) as Record<string, unknown>;
  expect(announced).toMatchObject({ host: '127.0.0.1', pid: server.pid, token: box.token() });
  expect(server.url).toBe(`http://127.0.0.1:${announced['port']}`);
  expect(server.output()).toContain(join(box.daemonHome, 'token'));
  expect(server.output()).not.toContain(box.token());

  server.child.kill('SIGTERM');
  expect(await server.finished).toMatchObject({ code: 0, signal: null });
  expect(readdirSync(box.daemonHome)).toEqual(['token']);
  // Reading never makes the notebook's root.
  expect(existsSync(join(box.home, '.mnemosyne'))).toBe(false);
});

test('CL7 the token outlives a restart and a kill; leftovers of a killed server stop nobody', async () => {
  const first = await box.serve();
  const token = box.token();
  first.child.kill('SIGKILL');
  await first.finished;
  expect(readdirSync(box.daemonHome).toSorted()).toEqual(['daemon.json', 'daemon.lock', 'token']);

  const second = await box.serve();
  expect(box.token()).toBe(token);
  expect((await callTool(second.url, token, 'list_tools')).status).toBe(200);
  second.child.kill('SIGINT');
  expect(await second.finished).toMatchObject({ code: 0 });
});

test('CL8 of two servers that start together on one home one serves and the other names it', async () => {
  const servers = [box.start(['--port', '0']), box.start(['--port', '0'])];
  const loser = await Promise.race(servers.map((server) => server.finished));
  expect(loser.code).toBe(1);
  const winner = servers.find((server) => server.child.exitCode === null);
  const url = /listens on (http:\/\/\S+)/.exec(winner?.output() ?? '')?.[1];
  expect(url).toBeDefined();
  expect(loser.stderr).toContain(`already_running: the daemon of this home already runs at ${url}`);
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

test('CL9 a busy port is told clearly with exit code 1, and nothing is left locked', async () => {
  const busy = await busyPort();
  const attempt = await box.run(['--port', String(busy.port)]);
  busy.close();
  expect(attempt.code).toBe(1);
  expect(attempt.stderr).toMatch(
    new RegExp(`^mnemosyne: port_in_use: port ${busy.port} on 127\\.0\\.0\\.1 is taken`, 'm'),
  );
  expect(readdirSync(box.daemonHome)).toEqual(['token']);
});

test('CL10 an address beyond loopback is refused with exit code 2 before anything is made', async () => {
  for (const host of ['0.0.0.0', '::', '192.168.1.1', 'example.com', '127.evil.example', '']) {
    const attempts = [
      await box.command('--host', host, '--port', '0'),
      await box.command('daemon', 'start', '--host', host),
    ];
    for (const attempt of attempts) {
      expect(attempt.code).toBe(2);
      expect(attempt.stderr).toMatch(/^mnemosyne: bind_refused: .*server mode/m);
    }
  }
  expect((await box.run(['--host', '0.0.0.0', '--port', '0'])).code).toBe(2);
  expect(existsSync(box.daemonHome)).toBe(false);
});

test('CL10 localhost is 127.0.0.1, and another loopback address is served under its own name', async () => {
  expect([loopbackAddress('localhost'), loopbackAddress('[::1]')]).toEqual(['127.0.0.1', '::1']);
  const server = await box.serve(['--host', '127.0.0.2']);
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.2:/);
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
});

/** Holds the notebook of `box` as another process would, until the answered function is called. */
async function holdNotebook(): Promise<() => Promise<void>> {
  const store = openFileStore({ root: () => box.memoryRoot, log: { skipped: () => {}, lock: () => {} } });
  let release = (): void => {};
  let held: Promise<unknown> = Promise.resolve();
  await new Promise<void>((taken) => {
    held = store.exclusively({ createRoot: false }, async () => {
      taken();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return ok(null);
    });
  });
  return async () => {
    release();
    await held;
  };
}

/** Waits until the server has logged that `count` messages came in. */
async function untilAsked(server: Started, count: number): Promise<void> {
  const asked = () => server.output().match(/"msg":"request /g)?.length ?? 0;
  await expect.poll(asked, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
}

async function untilLogged(server: Started, words: string): Promise<void> {
  await expect.poll(() => server.output(), { timeout: 20_000 }).toContain(words);
}

test('CL11 a write that runs when the signal comes is finished, answered and on the disk', async () => {
  const server = await box.serve([], everyGateOn);
  // The first record makes the root, which can then be held from here.
  await callTool(server.url, box.token(), 'memory_remember', rememberArguments('first'));
  const release = await holdNotebook();
  const write = callTool(server.url, box.token(), 'memory_remember', rememberArguments('second'));
  await untilAsked(server, 2);
  server.child.kill('SIGTERM');
  await untilLogged(server, '"msg":"stopping"');
  const refused = () =>
    fetch(`${server.url}/health`).then(
      () => false,
      () => true,
    );
  await expect.poll(refused, { timeout: 20_000 }).toBe(true);
  await release();
  expect((await write).text).toContain('remembered');
  expect(await server.finished).toMatchObject({ code: 0 });
  const names = readdirSync(box.memoryRoot, { recursive: true, encoding: 'utf8' });
  expect(names.filter((name) => name.endsWith('.json'))).toHaveLength(2);
});

test('CL11 open event streams do not hold the end up', async () => {
  const server = await box.serve();
  const headers = { ...headersFor(box.token()), accept: 'text/event-stream' };
  const stream = await fetch(`${server.url}/mcp`, { headers });
  expect(stream.status).toBe(200);
  server.child.kill('SIGTERM');
  expect(await server.finished).toMatchObject({ code: 0 });
  expect(server.output()).not.toContain('were cut');
  await stream.body?.cancel().catch(() => {});
});

test('CL11 a second signal ends the server at once', async () => {
  const server = await box.serve([], everyGateOn);
  await callTool(server.url, box.token(), 'memory_remember', rememberArguments('first'));
  const release = await holdNotebook();
  const write = callTool(server.url, box.token(), 'memory_remember', rememberArguments('x')).catch(() => 'cut');
  await untilAsked(server, 2);
  server.child.kill('SIGTERM');
  await untilLogged(server, '"msg":"stopping"');
  expect(server.child.exitCode).toBeNull();
  server.child.kill('SIGTERM');
  expect(await server.finished).toMatchObject({ code: 143 });
  expect(await write).toBe('cut');
  await release();
});

test('ST8 a switch that is not exactly right stops every way to start, unechoed, before anything is made', async () => {
  const env = { MNEMOSYNE_MEMORY_FORGET_ENABLED: 'zebra_quokka' };
  for (const args of [['--port', '0'], ['mcp'], ['daemon', 'start', '--port', '0']]) {
    const attempt = await box.run(args, env);
    expect(attempt.code).toBe(2);
    expect(attempt.stderr).toContain(
      'mnemosyne: invalid_settings: MNEMOSYNE_MEMORY_FORGET_ENABLED must be exactly true or false',
    );
    expect(attempt.stdout + attempt.stderr).not.toContain('zebra');
    expect(existsSync(join(box.home, '.mnemosyne'))).toBe(false);
    expect(existsSync(discoveryPath(box.daemonHome))).toBe(false);
  }
});

test('CL13 a discovery file that names a stranger with our old pid is never a reason for a signal', async () => {
  const server = await box.serve();
  const text = readFileSync(discoveryPath(box.daemonHome), 'utf8');
  server.child.kill('SIGTERM');
  await server.finished;
  const stranger = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)']);
  try {
    const forged = { ...(JSON.parse(text) as object), pid: stranger.pid };
    writeFileSync(discoveryPath(box.daemonHome), JSON.stringify(forged), { mode: 0o600 });
    expect((await box.command('daemon', 'stop')).code).toBe(1);
    expect((await box.command('daemon', 'status')).code).toBe(1);
    await sleep(100);
    expect(stranger.exitCode).toBeNull();
    expect(stranger.signalCode).toBeNull();
  } finally {
    stranger.kill('SIGKILL');
  }
});
