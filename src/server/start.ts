/**
 * Starts the one process that serves: settings, home, lock, token, engine, door, announcement; ends it in reverse.
 *
 * Whatever is not exactly right stops the start before anything listens. Only loopback addresses are bound.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { systemClock, toUtcSeconds } from '../base/clock.ts';
import { ProcessError } from '../base/errors.ts';
import { httpLimits } from '../base/limits.ts';
import { errnoOf } from '../base/private-file.ts';
import { SERVER_NAME, SERVER_VERSION } from '../base/version.ts';
import { openEngine } from '../engine/open-engine.ts';
import { createDispatcher } from '../operations/dispatch.ts';
import { createRegistry } from '../operations/registry.ts';
import { buildHttp } from '../transports/http.ts';
import { createMcpHttp } from '../transports/mcp/http.ts';
import { NEWEST_REVISION } from '../transports/mcp/revisions.ts';
import { createServerFactory } from '../transports/mcp/server-factory.ts';
import { apiBodyBytesMax } from './api-settings.ts';
import { loopbackAddress } from './bind-address.ts';
import { acquireDaemonLock, type DaemonLock } from './daemon-lock.ts';
import { baseUrl, readDiscovery, removeOwnDiscovery, writeDiscovery } from './discovery.ts';
import { createEdgeGuard } from './edge.ts';
import { daemonHome, type Environment, ensureDaemonHome, memoryRoot, userHome } from './home.ts';
import type { Log } from './log.ts';
import { readGates } from './settings.ts';
import { createTokenCheck, loadToken, tokenPath } from './token.ts';

export interface ServeOptions {
  /** `localhost` or a loopback address. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly mcpAuth: 'token' | 'none';
  readonly mcpSessions: boolean;
}

export interface RunningServer {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly tokenPath: string;
  /** Resolves when a caller asks the server to end. Ending it is for whoever started it. */
  readonly shutdownAsked: Promise<void>;
  /** Stops accepting, lets running calls finish, closes the engine. Idempotent. */
  close(): Promise<void>;
  /** Withdraws the announcement and the lock at once and waits for nothing: for a process that is about to die. */
  abandon(): void;
}

/** How long a start waits for another one on the same home to become reachable or to give up. */
const otherStartMsMax = 5_000;
const pollMs = 25;

/** Throws ProcessError: bind_refused, invalid_settings, unsafe_home, already_running, port_in_use. */
export async function startServer(options: ServeOptions, env: Environment, log: Log): Promise<RunningServer> {
  const host = loopbackAddress(options.host);
  const registry = createRegistry(readGates(env));
  const bodyBytesMax = apiBodyBytesMax(env);
  const home = daemonHome(env);
  ensureDaemonHome(home);
  const lock = await lockHome(home);
  try {
    const token = loadToken(home);
    let askShutdown = (): void => {};
    const shutdownAsked = new Promise<void>((resolve) => {
      askShutdown = resolve;
    });
    const engine = openEngine({
      memoryRoot: () => memoryRoot(env),
      clock: systemClock,
      notebookLog: log.notebook,
      userHome: userHome(env),
      daemonHome: home,
      shutdown: askShutdown,
      onCodeTrouble: log.http.fault,
    });
    const dispatcher = createDispatcher(engine, registry, log.events);
    const mcp = createMcpHttp({
      serverFactory: createServerFactory(dispatcher, log.http.fault),
      sessions: options.mcpSessions,
      onFault: log.http.fault,
    });
    const app = buildHttp({
      guard: createEdgeGuard({ boundHost: host, checkToken: createTokenCheck(token), mcpAuth: options.mcpAuth }),
      mcp,
      api: { dispatcher },
      log: log.http,
      identity: { name: SERVER_NAME, version: SERVER_VERSION, protocolVersion: NEWEST_REVISION },
      limits: { apiBodyBytesMax: bodyBytesMax },
    });
    const port = await listen(app, host, options.port);
    const abandon = (): void => {
      removeOwnDiscovery(home);
      lock.release();
    };
    const close = async (): Promise<void> => {
      const ended = endDoor(app, mcp, log);
      // A new start on this home need not wait for our last write: the notebook's own lock keeps the two apart.
      await untilNotListening(app);
      abandon();
      await ended;
      await engine.close();
    };
    try {
      const started_at = toUtcSeconds(systemClock.now());
      writeDiscovery(home, { host, port, version: SERVER_VERSION, started_at, token });
    } catch (error) {
      await close();
      throw error;
    }
    let closed: Promise<void> | undefined;
    return {
      url: baseUrl({ host, port }),
      host,
      port,
      tokenPath: tokenPath(home),
      shutdownAsked,
      close: () => {
        closed ??= close();
        return closed;
      },
      abandon,
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The lock of `home`. Waits while another start is neither reachable nor over. */
async function lockHome(home: string): Promise<DaemonLock> {
  const deadline = performance.now() + otherStartMsMax;
  for (;;) {
    const attempt = await acquireDaemonLock(home);
    if (attempt.kind === 'acquired') return attempt.lock;
    const discovery = readDiscovery(home);
    if (discovery.kind === 'running' && discovery.daemon.pid === attempt.pid) {
      const address = baseUrl(discovery.daemon);
      throw new ProcessError(
        'already_running',
        `the daemon of this home already runs at ${address} (pid ${attempt.pid})`,
      );
    }
    if (performance.now() > deadline) {
      throw new ProcessError(
        'already_running',
        `another daemon of this home is starting or stopping (pid ${attempt.pid})`,
      );
    }
    await sleep(pollMs);
  }
}

async function listen(app: FastifyInstance, host: string, port: number): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    switch (errnoOf(error)) {
      case 'EADDRINUSE':
        throw new ProcessError(
          'port_in_use',
          `port ${port} on ${host} is taken by another program; choose another with --port, or any free one with --port 0`,
          { cause: error },
        );
      case 'EACCES':
        throw new ProcessError('bind_refused', `this user may not listen on port ${port}`, { cause: error });
      case 'EADDRNOTAVAIL':
        throw new ProcessError('bind_refused', `this machine has no address ${host}`, { cause: error });
      default:
        throw error;
    }
  }
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}

/** Ends streams, waits for calls in flight, then cuts what is left after the grace. */
async function endDoor(app: FastifyInstance, mcp: { close(): Promise<void> }, log: Log): Promise<void> {
  const cut = setTimeout(() => {
    log.process('warn', 'connections that did not end in time were cut');
    app.server.closeAllConnections();
  }, httpLimits.shutdownGraceMs);
  try {
    await Promise.all([app.close(), mcp.close()]);
  } finally {
    clearTimeout(cut);
  }
}

async function untilNotListening(app: FastifyInstance): Promise<void> {
  while (app.server.listening) await sleep(1);
}
