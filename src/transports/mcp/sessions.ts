/**
 * Sessions of the handshake era, for clients that need requests or notifications from the server.
 *
 * A session belongs to the caller who opened it and is never a proof of identity: for anyone else it does not exist. It
 * ends when it is deleted, when nothing has used it for `idleMs`, or with the process; an exchange or stream under way
 * counts as use. There are at most `max` at a time.
 */
import { randomUUID } from 'node:crypto';
import {
  isJSONRPCNotification,
  type JSONRPCMessage,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Clock } from '../../base/clock.ts';
import { httpLimits, mcpLimits } from '../../base/limits.ts';
import type { Connectable } from './single-exchange.ts';

export interface SessionStoreOptions {
  readonly clock: Clock;
  readonly max?: number;
  readonly idleMs?: number;
}

export class SessionStore {
  readonly #sessions = new Map<string, Session>();
  readonly #clock: Clock;
  readonly #max: number;
  readonly #idleMs: number;
  readonly #sweeper: NodeJS.Timeout;

  constructor({ clock, max = mcpLimits.sessionsMax, idleMs = mcpLimits.sessionIdleMs }: SessionStoreOptions) {
    this.#clock = clock;
    this.#max = max;
    this.#idleMs = idleMs;
    // Every use checks the age as well; the timer only frees memory when nobody comes any more.
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(idleMs, 60_000));
    this.#sweeper.unref();
  }

  /** The session of that id if it is alive and the caller's own. */
  find(id: string, principal: string): Session | undefined {
    this.#sweep();
    const session = this.#sessions.get(id);
    return session?.principal === principal ? session : undefined;
  }

  /** A new session, not yet initialized; undefined when all are in use. */
  async open(principal: string, server: Connectable): Promise<Session | undefined> {
    this.#sweep();
    if (this.#sessions.size >= this.#max) return undefined;
    const session = new Session(principal, this.#clock);
    this.#sessions.set(session.id, session);
    session.transport.onclose = () => this.#sessions.delete(session.id);
    await server.connect(session.transport);
    return session;
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all([...this.#sessions.values()].map((session) => session.transport.close()));
  }

  #sweep(): void {
    const oldest = this.#clock.now().getTime() - this.#idleMs;
    for (const session of this.#sessions.values()) {
      if (session.isIdleSince(oldest)) void session.transport.close();
    }
  }
}

export class Session {
  readonly id: string = randomUUID();
  readonly principal: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly #clock: Clock;
  readonly #inFlight = new Set<RequestId>();
  #uses = 0;
  #usedAt: number;

  constructor(principal: string, clock: Clock) {
    this.principal = principal;
    this.#clock = clock;
    this.#usedAt = clock.now().getTime();
    this.transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => this.id,
      keepAliveMs: httpLimits.streamCommentIntervalMs,
    });
  }

  /**
   * Takes up an id for a request. False when a request of that id still waits for its answer: the answers could not be
   * told apart.
   */
  claim(id: RequestId): boolean {
    if (this.#inFlight.has(id)) return false;
    this.#inFlight.add(id);
    return true;
  }

  release(id: RequestId): void {
    this.#inFlight.delete(id);
  }

  /** Hands a request to the session's transport. `done` must be called when the answer has been written or given up. */
  async exchange(request: Request, message?: JSONRPCMessage): Promise<{ response: Response; done: () => void }> {
    this.#uses += 1;
    const done = once(() => {
      this.#uses -= 1;
      this.#usedAt = this.#clock.now().getTime();
    });
    try {
      const response = await this.transport.handleRequest(
        request,
        message === undefined ? {} : { parsedBody: message },
      );
      return { response, done };
    } catch (error) {
      done();
      throw error;
    }
  }

  /** A cancelled request is never answered: the stream that waits for its answer ends when `message` cancels it. */
  forgetCancelled(message: JSONRPCMessage): void {
    if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return;
    const id: unknown = message.params?.['requestId'];
    if (typeof id === 'string' || typeof id === 'number') this.transport.closeSSEStream(id);
  }

  isIdleSince(time: number): boolean {
    return this.#uses === 0 && this.#usedAt <= time;
  }
}

function once(action: () => void): () => void {
  let pending = true;
  return () => {
    if (pending) action();
    pending = false;
  };
}
