import { once } from 'node:events';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SERVER_VERSION } from '../../src/base/version.ts';
import { callTool, type Sandbox, sandbox } from './processes.ts';

// Whole processes start here: a busy machine may need many seconds for each.
vi.setConfig({ testTimeout: 120_000 });

let box: Sandbox;
beforeEach(() => {
  box = sandbox();
});
afterEach(async () => {
  await box.command('daemon', 'stop');
  await box.dispose();
});

test('CL12 daemon start, status and stop as processes of their own', async () => {
  const started = await box.run(['daemon', 'start', '--port', '0']);
  expect(started).toMatchObject({ code: 0, stderr: '' });
  const [, url = ''] = /^Mnemosyne \S+ runs at (\S+) \(pid \d+\)\n$/.exec(started.stdout) ?? [];
  expect((await callTool(url, box.token(), 'list_tools')).status).toBe(200);
  const status = await box.run(['daemon', 'status']);
  expect(status).toMatchObject({ code: 0, stdout: expect.stringContaining(`running at ${url}`) });
  expect(await box.run(['daemon', 'stop'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Stopped') });
  await expect(fetch(`${url}/health`)).rejects.toThrow();
});

test('CL12 daemon commands for programs, and what they answer when nothing runs', async () => {
  expect(await box.command('daemon', 'status')).toMatchObject({ code: 1, stdout: 'not running\n' });
  expect(await box.command('daemon', 'status', '--json')).toMatchObject({ code: 1, stdout: '{"running":false}\n' });
  expect(await box.command('daemon', 'stop')).toMatchObject({
    code: 1,
    stderr: 'mnemosyne: not_running: no daemon of this home is running\n',
  });
  expect(existsSync(box.daemonHome)).toBe(false);

  const started = await box.command('daemon', 'start', '--port', '0', '--json');
  expect(started).toMatchObject({ code: 0, stderr: '' });
  const daemon = JSON.parse(started.stdout) as { url: string; pid: number };
  expect(daemon).toMatchObject({ running: true, host: '127.0.0.1', version: SERVER_VERSION });
  expect(lstatSync(join(box.daemonHome, 'daemon.log')).mode & 0o777).toBe(0o600);

  const status = await box.command('daemon', 'status', '--json');
  expect(status.code).toBe(0);
  expect(JSON.parse(status.stdout)).toEqual({ ...daemon, healthy: true });
  expect(status.stdout + started.stdout).not.toContain(box.token());

  const again = await box.command('daemon', 'start', '--port', '0');
  expect(again.code).toBe(1);
  expect(again.stderr).toBe(`mnemosyne: already_running: the daemon of this home already runs at ${daemon.url}\n`);

  expect(await box.command('daemon', 'stop', '--json')).toMatchObject({
    code: 0,
    stdout: `{"running":false,"stopped":${daemon.pid}}\n`,
  });
  expect((await box.command('daemon', 'status')).code).toBe(1);
  expect(readFileSync(join(box.daemonHome, 'daemon.log'), 'utf8')).not.toContain(box.token());
});

test('CL12 a start that fails in the background fails here too, with the same code', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const attempt = await box.command('daemon', 'start', '--port', String(address.port));
  server.close();
  expect(attempt.code).toBe(1);
  expect(attempt.stderr).toContain(`mnemosyne: port_in_use: port ${address.port} on 127.0.0.1 is taken`);
  expect((await box.command('daemon', 'start', '--host', '0.0.0.0')).code).toBe(2);
});

test('CL14 the token is shown by place, handed to clients as headers, and rotated only at rest', async () => {
  const path = join(box.daemonHome, 'token');
  expect(await box.command('daemon', 'token', 'show-path')).toMatchObject({ code: 0, stdout: `${path}\n` });
  const headers = await box.run(['auth-headers']);
  expect(JSON.parse(headers.stdout)).toEqual({ Authorization: `Bearer ${box.token()}` });
  const before = box.token();

  const server = await box.serve();
  expect(box.token()).toBe(before);
  const refused = await box.command('daemon', 'token', 'rotate');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('already_running: stop the daemon first');
  expect(box.token()).toBe(before);
  server.child.kill('SIGTERM');
  await server.finished;

  const rotated = await box.command('daemon', 'token', 'rotate');
  expect(rotated.code).toBe(0);
  expect(box.token()).not.toBe(before);
  expect(rotated.stdout + rotated.stderr).not.toContain(box.token());
});

test('CL15 what is not understood is exit code 2 with the nearest right word, help and version are 0', async () => {
  const say = (...args: string[]) => box.command(...args);
  expect(await say('--prot', '1')).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean --port?') });
  expect((await say('daemon', 'strat')).stderr).toContain('Did you mean start?');
  expect(await say('deamon')).toMatchObject({ code: 2, stderr: expect.stringContaining('daemon') });
  expect((await say('daemon')).code).toBe(2);
  for (const port of ['-1', '65536', 'x', '80.5', '']) expect((await say(`--port=${port}`)).code).toBe(2);
  expect((await say('--mcp-auth', 'off')).code).toBe(2);
  expect((await say('mcp', '--schema', 'x')).stderr).toContain('portable');
  expect(await say('--version')).toMatchObject({ code: 0, stdout: `${SERVER_VERSION}\n` });
  expect(await say('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('--mcp-auth') });
  expect(existsSync(box.daemonHome)).toBe(false);
});

test('CL15 what the system refuses is told by its code alone, without a path', async () => {
  mkdirSync(join(box.daemonHome, 'daemon.lock'), { recursive: true, mode: 0o700 });
  chmodSync(box.daemonHome, 0o700);
  const attempt = await box.command('--port', '0');
  expect(attempt.code).toBe(4);
  expect(attempt.stderr).toMatch(
    /^mnemosyne: unavailable: the system refused a file or network operation \(E[A-Z]+\)\n$/,
  );
});

test('CL16 mcp answers on standard output alone and ends with its input, without a daemon or its home', async () => {
  const lines = [
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_tools', arguments: {} } },
  ];
  const session = await box.run(
    ['mcp', '--schema', 'portable'],
    {},
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  expect(session.code).toBe(0);
  const answers = session.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number });
  expect(answers.map(({ id }) => id)).toEqual([1, 2]);
  expect(session.stderr).toContain('"logger":"mcp.list_tools"');
  expect(existsSync(box.daemonHome)).toBe(false);
});

test('CL19 a start whose reader goes away leaves neither announcement nor lock', async () => {
  const repository = join(box.home, 'atlas');
  mkdirSync(repository);
  writeFileSync(join(repository, 'a.py'), 'def alpha():\n    return 1\n');
  const started = box.start(['start', repository, '--once', '--port', '0']);
  // As `| head -1` does: one line is read, then nothing more.
  await once(started.child.stdout ?? started.child, 'data');
  started.child.stdout?.destroy();
  const { code, signal } = await started.finished;
  expect([code, signal]).toEqual([0, null]);
  for (const name of ['daemon.json', 'daemon.lock']) expect(existsSync(join(box.daemonHome, name))).toBe(false);
});
