/** Real processes of the command with a home of their own. Everything that is started is ended by `dispose`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { startEnvironment } from '../start-environment.ts';

export const launcher = fileURLToPath(new URL('../../bin/mnemosyne.mjs', import.meta.url));
/** The sources as they are: the launcher would take a build where one lies, however old it is. */
const program = ['--disable-warning=ExperimentalWarning', fileURLToPath(new URL('../../src/main.ts', import.meta.url))];

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly pid: number;
  readonly child: ChildProcess;
  /** Both outputs so far. */
  output(): string;
  readonly finished: Promise<Finished>;
}

export interface Sandbox {
  readonly home: string;
  readonly daemonHome: string;
  readonly memoryRoot: string;
  /** Runs a command to its end. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>, input?: string): Promise<Finished>;
  /** The same inside this process: no start-up time, and everything but the launcher is the real thing. */
  command(...args: readonly string[]): Promise<Finished>;
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Started;
  /** Starts the foreground server on a free port and waits until it listens. */
  serve(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<Started & { readonly url: string }>;
  token(): string;
  dispose(): Promise<void>;
}

export function sandbox(): Sandbox {
  const home = mkdtempSync(join(tmpdir(), 'process-'));
  const daemonHome = join(home, '.neuralmind');
  const started: Started[] = [];

  const start: Sandbox['start'] = (args, env = {}) => {
    const child = spawn(process.execPath, [...program, ...args], {
      cwd: home,
      env: { ...startEnvironment, HOME: home, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += String(text);
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += String(text);
    });
    const finished = once(child, 'close').then(([code, signal]) => ({
      code: typeof code === 'number' ? code : null,
      signal: signal as NodeJS.Signals | null,
      stdout,
      stderr,
    }));
    if (child.pid === undefined) throw new Error('the command could not be started');
    const entry: Started = { pid: child.pid, child, output: () => stdout + stderr, finished };
    started.push(entry);
    return entry;
  };

  return {
    home,
    daemonHome,
    memoryRoot: join(home, '.mnemosyne', 'memory'),
    start,
    async command(...args) {
      let stdout = '';
      let stderr = '';
      const code = await runCommandLine(
        args,
        { PATH: process.env['PATH'], HOME: home },
        {
          print: (line) => {
            stdout += `${line}\n`;
          },
          error: (line) => {
            stderr += `${line}\n`;
          },
          write: (text) => {
            stdout += text;
          },
          writeError: (text) => {
            stderr += text;
          },
        },
      );
      return { code, signal: null, stdout, stderr };
    },
    async run(args, env, input) {
      const { child, finished } = start(args, env);
      child.stdin?.end(input ?? '');
      return finished;
    },
    async serve(args = [], env) {
      const server = start(['--port', '0', ...args], env);
      let ended = false;
      void server.finished.then(() => {
        ended = true;
      });
      for (;;) {
        const match = /listens on (http:\/\/\S+)/.exec(server.output());
        if (match?.[1] !== undefined) return { ...server, url: match[1] };
        if (ended) throw new Error(`the server ended: ${server.output()}`);
        await sleep(10);
      }
    },
    token: () => readFileSync(join(daemonHome, 'token'), 'utf8'),
    async dispose() {
      for (const { child } of started) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await Promise.all(started.map((entry) => entry.finished));
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export function headersFor(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
}

/** One tool call over HTTP. */
export async function callTool(
  url: string,
  token: string,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  query = '',
): Promise<{ readonly status: number; readonly text: string }> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
  const response = await fetch(`${url}/mcp${query}`, { method: 'POST', headers: headersFor(token), body });
  return { status: response.status, text: await response.text() };
}

/** Arguments of `memory_remember` that are accepted. */
export function rememberArguments(content: string): Record<string, unknown> {
  return {
    scope: 'self',
    namespace: { kind: 'aspect', id: 'work', label: 'Work' },
    collection: null,
    kind: 'attribute',
    language: 'en',
    title: null,
    content,
    tags: [],
    origin: 'explicit_user_statement',
  };
}

export const everyGateOn = {
  MNEMOSYNE_MEMORY_REMEMBER_ENABLED: 'true',
  MNEMOSYNE_MEMORY_ARCHIVE_RESTORE_ENABLED: 'true',
  MNEMOSYNE_MEMORY_FORGET_ENABLED: 'true',
  MNEMOSYNE_MEMORY_REVISE_ENABLED: 'true',
};
