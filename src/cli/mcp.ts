/**
 * `mnemosyne mcp`: the tools on standard input and output, for clients that start their own server.
 *
 * It works with or without a daemon, since several processes may use one notebook. Standard output belongs to the
 * protocol, so the log goes to standard error. Whoever started the process is its caller; there is no token.
 */
import { constants } from 'node:os';
import { systemClock } from '../base/clock.ts';
import { errorCatalogue } from '../base/errors.ts';
import { openEngine } from '../engine/open-engine.ts';
import { createDispatcher } from '../operations/dispatch.ts';
import { createRegistry } from '../operations/registry.ts';
import { daemonHome, type Environment, memoryRoot, userHome } from '../server/home.ts';
import { createLog } from '../server/log.ts';
import { readGates } from '../server/settings.ts';
import { serveStdio } from '../transports/mcp/stdio.ts';
import type { McpCommandOptions } from './command-line.ts';

/** Answers the exit code once the input has ended and every running call is finished. */
export async function serveMcpStdio(options: McpCommandOptions, env: Environment): Promise<number> {
  process.umask(0o077);
  const registry = createRegistry(readGates(env));
  const log = createLog(options.logLevel);
  const engine = openEngine({
    memoryRoot: () => memoryRoot(env),
    clock: systemClock,
    notebookLog: log.notebook,
    userHome: userHome(env),
    daemonHome: daemonHome(env),
    onCodeTrouble: log.http.fault,
  });
  const connection = serveStdio({
    dispatcher: createDispatcher(engine, registry, log.events),
    caller: { kind: 'stdio', principal: 'stdio' },
    profile: options.schema,
    group: options.tools,
    folder: process.cwd(),
    input: process.stdin,
    output: process.stdout,
    onFault: log.http.fault,
  });
  process.stdout.on('error', () => {
    // The client is gone; running calls still finish before the process ends.
    void connection.close();
  });
  let signals = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      signals += 1;
      if (signals > 1) process.exit(128 + constants.signals[signal]);
      void connection.close();
    });
  }
  for (const kind of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(kind, (error: unknown) => {
      log.process('error', `${kind}; the process ends`, { error: error instanceof Error ? error.name : typeof error });
      process.exit(errorCatalogue.internal_error.exit);
    });
  }
  await connection.closed;
  await engine.close();
  return 0;
}
