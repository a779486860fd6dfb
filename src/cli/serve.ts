/**
 * `mnemosyne`: serves in the foreground until a signal or a caller ends it.
 *
 * The first SIGINT or SIGTERM lets running calls finish; a second one ends the process at once. A fault that nothing
 * caught ends it too: going on with unknown state would risk what is remembered.
 */
import { constants } from 'node:os';
import { errorCatalogue } from '../base/errors.ts';
import { SERVER_VERSION } from '../base/version.ts';
import type { Environment } from '../server/home.ts';
import { createLog, type Log } from '../server/log.ts';
import { type RunningServer, startServer } from '../server/start.ts';
import type { ServeCommandOptions } from './command-line.ts';
import type { Terminal } from './terminal.ts';

/**
 * What is done while the server runs. Answers the exit code to end with, or null to go on serving. `ending` is aborted
 * when the server is asked to end first. May throw.
 */
export type Meanwhile = (ending: AbortSignal) => Promise<number | null>;

/** Answers the exit code once everything is closed. */
export async function serve(
  options: ServeCommandOptions,
  env: Environment,
  terminal: Terminal,
  meanwhile: Meanwhile = async () => null,
): Promise<number> {
  // Whatever this process makes is for its user alone, also where no mode is given.
  process.umask(0o077);
  const log = createLog(options.logLevel);
  const server = await startServer(options, env, log);
  const ended = untilSignal();
  endOnFault(server, log);
  // However the process ends by itself, a reader of its output that went away included, nothing points to it then.
  process.once('exit', server.abandon);
  terminal.print(`Mnemosyne ${SERVER_VERSION} listens on ${server.url} (MCP at ${server.url}/mcp)`);
  terminal.print(
    options.mcpAuth === 'none'
      ? `/mcp asks for no token; everything else needs the one in ${server.tokenPath}`
      : `The token lies in ${server.tokenPath}`,
  );
  const ending = new AbortController();
  let exitCode = 0;
  const done = meanwhile(ending.signal).then((code) => {
    if (code === null) return new Promise<never>(() => {});
    exitCode = code;
    return 'done' as const;
  });
  try {
    const cause = await Promise.race([ended, server.shutdownAsked.then(() => 'request' as const), done]);
    log.process('info', 'stopping', { cause });
  } finally {
    ending.abort();
    await server.close();
    process.removeListener('exit', server.abandon);
  }
  log.process('info', 'stopped');
  return exitCode;
}

/** The first signal. Handlers stay, so that a second one ends the process instead of doing nothing. */
function untilSignal(): Promise<'SIGINT' | 'SIGTERM'> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(128 + constants.signals[signal]);
        asked = true;
        resolve(signal);
      });
    }
  });
}

function endOnFault(server: RunningServer, log: Log): void {
  const end = (kind: string) => (error: unknown) => {
    log.process('error', `${kind}; the process ends`, { error: error instanceof Error ? error.name : typeof error });
    server.abandon();
    process.exit(errorCatalogue.internal_error.exit);
  };
  process.on('uncaughtException', end('uncaught exception'));
  process.on('unhandledRejection', end('unhandled rejection'));
}
