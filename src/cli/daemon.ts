/**
 * `mnemosyne daemon start|stop|status`: the same server in the background.
 *
 * Starting waits until the server answers; stopping waits until it is gone. A signal goes only to the process that
 * wrote the discovery file: a number that belongs to another program by now is never touched.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, errorCatalogue, ProcessError } from '../base/errors.ts';
import { daemonLimits } from '../base/limits.ts';
import { launcherPath } from '../base/package-root.ts';
import { isRunning } from '../base/process-identity.ts';
import { baseUrl, type Discovery, readDiscovery } from '../server/discovery.ts';
import { checkDaemonHome, daemonHome, type Environment, ensureDaemonHome, memoryRoot } from '../server/home.ts';
import { readGates } from '../server/settings.ts';
import type { ServeCommandOptions } from './command-line.ts';
import type { Terminal } from './terminal.ts';

/** Throws what the server in the background failed with. */
export async function startDaemon(
  options: ServeCommandOptions,
  json: boolean,
  env: Environment,
  terminal: Terminal,
): Promise<void> {
  // Told here rather than by the process in the background, which is then not even started.
  readGates(env);
  const home = daemonHome(env);
  ensureDaemonHome(home);
  const running = runningDaemon(home);
  if (running !== null) {
    throw new ProcessError('already_running', `the daemon of this home already runs at ${baseUrl(running)}`);
  }
  const log = openLog(join(home, 'daemon.log'));
  let daemon: Discovery;
  try {
    const child = spawn(process.execPath, [launcherPath, ...serveArguments(options)], {
      cwd: home,
      detached: true,
      env: { ...env, ...absolutePlaces(env) },
      stdio: ['ignore', log.descriptor, log.descriptor],
    });
    daemon = await untilHealthy(child, home, log);
    child.unref();
  } finally {
    closeSync(log.descriptor);
  }
  if (json) terminal.print(JSON.stringify(describe(daemon)));
  else terminal.print(`Mnemosyne ${daemon.version} runs at ${baseUrl(daemon)} (pid ${daemon.pid})`);
}

export async function stopDaemon(json: boolean, env: Environment, terminal: Terminal): Promise<void> {
  const daemon = runningDaemon(daemonHome(env));
  if (daemon === null) throw new ProcessError('not_running', 'no daemon of this home is running');
  const identity = { pid: daemon.pid, begun: daemon.process_begun };
  if (isRunning(identity)) process.kill(daemon.pid, 'SIGTERM');
  const deadline = performance.now() + daemonLimits.stopMsMax;
  while (isRunning(identity)) {
    if (performance.now() > deadline) {
      throw new ProcessError('unavailable', `the daemon (pid ${daemon.pid}) was asked to end and still runs`);
    }
    await sleep(daemonLimits.pollMs);
  }
  terminal.print(json ? JSON.stringify({ running: false, stopped: daemon.pid }) : `Stopped (pid ${daemon.pid})`);
}

/** Answers the exit code: 0 when a daemon runs, that of `not_running` otherwise. */
export async function showDaemonStatus(json: boolean, env: Environment, terminal: Terminal): Promise<number> {
  const daemon = runningDaemon(daemonHome(env));
  if (daemon === null) {
    terminal.print(json ? JSON.stringify({ running: false }) : 'not running');
    return errorCatalogue.not_running.exit;
  }
  const healthy = await answersHealth(daemon);
  if (json) terminal.print(JSON.stringify({ ...describe(daemon), healthy }));
  else
    terminal.print(
      `${healthy ? 'running' : 'running, but not answering'} at ${baseUrl(daemon)} (pid ${daemon.pid}, version ${daemon.version}, since ${daemon.started_at})`,
    );
  return healthy ? 0 : errorCatalogue.unavailable.exit;
}

const seeLog = 'see daemon.log in the daemon home';

/** What may be shown of a daemon: all but its token. */
function describe(daemon: Discovery): Readonly<Record<string, string | number | boolean>> {
  const { host, port, pid, version, started_at } = daemon;
  return { running: true, url: baseUrl(daemon), host, port, pid, version, started_at };
}

/** The living daemon of `home`, or null. Throws `unsafe_home` when what is written there cannot be trusted. */
function runningDaemon(home: string): Discovery | null {
  checkDaemonHome(home);
  const state = readDiscovery(home);
  switch (state.kind) {
    case 'running':
      return state.daemon;
    case 'unsafe':
      throw new ProcessError('unsafe_home', `the discovery file ${state.fault}`);
    case 'none':
    case 'stale':
      return null;
  }
}

/** The background process has another working directory, so relative places are settled here. */
function absolutePlaces(env: Environment): Environment {
  return { NEURALMIND_DAEMON_HOME: daemonHome(env), MNEMOSYNE_MEMORY_ROOT: memoryRoot(env) };
}

function serveArguments(options: ServeCommandOptions): readonly string[] {
  const { host, port, mcpAuth, mcpSessions, logLevel } = options;
  return [
    ...['--host', host, '--port', String(port), '--mcp-auth', mcpAuth, '--log-level', logLevel],
    ...(mcpSessions ? ['--mcp-sessions'] : []),
  ];
}

interface DaemonLog {
  readonly descriptor: number;
  /** Bytes that were there before this start. */
  readonly before: number;
}

/** For appending, 0600. One that has grown large is begun anew. */
function openLog(path: string): DaemonLog {
  const append = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
  const descriptor = openSync(path, append, 0o600);
  const { size } = fstatSync(descriptor);
  if (size <= daemonLimits.logBytesMax) return { descriptor, before: size };
  closeSync(descriptor);
  return { descriptor: openSync(path, append | constants.O_TRUNC, 0o600), before: 0 };
}

async function untilHealthy(child: ChildProcess, home: string, log: DaemonLog): Promise<Discovery> {
  let ending: { readonly exitCode: number | null } | undefined;
  let spawnError: Error | undefined;
  child.once('error', (error) => {
    spawnError = error;
  });
  child.once('exit', (exitCode) => {
    ending = { exitCode };
  });
  const deadline = performance.now() + daemonLimits.startMsMax;
  while (performance.now() < deadline) {
    if (spawnError !== undefined) {
      throw new ProcessError('unavailable', 'the server process could not be started', { cause: spawnError });
    }
    if (ending !== undefined) throw failureOf(ending.exitCode, log);
    const state = readDiscovery(home);
    if (state.kind === 'running' && state.daemon.pid === child.pid && (await answersHealth(state.daemon))) {
      return state.daemon;
    }
    await sleep(daemonLimits.pollMs);
  }
  child.kill('SIGTERM');
  throw new ProcessError('unavailable', `the server did not answer in time; ${seeLog}`);
}

async function answersHealth(daemon: Discovery): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(daemonLimits.healthMsMax);
    return (await fetch(`${baseUrl(daemon)}/health`, { signal })).ok;
  } catch {
    // No answer is the answer.
    return false;
  }
}

/** Repeats the failure that the background process printed last, under the same code. */
function failureOf(exitCode: number | null, log: DaemonLog): ProcessError {
  const printed = [...readSince(log).matchAll(/^mnemosyne: ([a-z_]+): (.+)$/gm)].at(-1);
  const code = printed?.[1];
  if (printed !== undefined && code !== undefined && isErrorCode(code)) {
    return new ProcessError(code, printed[2] ?? '');
  }
  return new ProcessError(
    'unavailable',
    `the server ended during its start (${exitCode === null ? 'by a signal' : `exit code ${exitCode}`}); ${seeLog}`,
  );
}

function readSince({ descriptor, before }: DaemonLog): string {
  const length = Math.min(Math.max(fstatSync(descriptor).size - before, 0), daemonLimits.logBytesMax);
  const buffer = Buffer.alloc(length);
  return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, length, before));
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}
