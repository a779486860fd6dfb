/**
 * One request, one answer, no connection: the handshake era without sessions.
 *
 * A server cannot ask the client anything here. Such a request fails at once instead of waiting for an answer that has
 * no way back; notifications on the way to the answer are dropped.
 */
import {
  isJSONRPCNotification,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type Server,
  type Transport,
} from '@modelcontextprotocol/server';

/** What can serve an exchange: the library's two server classes. */
export type Connectable = Pick<Server, 'connect' | 'close'>;

/** The answer, or undefined when `signal` ended the exchange before there was one. Closes the server. */
export async function answerOnce(
  server: Connectable,
  request: JSONRPCRequest,
  signal: AbortSignal,
): Promise<JSONRPCResponse | undefined> {
  const exchange = new SingleExchange();
  const end = (): void => void exchange.close();
  try {
    await server.connect(exchange);
    if (signal.aborted) return undefined;
    signal.addEventListener('abort', end, { once: true });
    exchange.deliver(request);
    return await exchange.answer;
  } finally {
    signal.removeEventListener('abort', end);
    await server.close();
  }
}

class SingleExchange implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly answer: Promise<JSONRPCResponse | undefined>;
  readonly #settle: (answer: JSONRPCResponse | undefined) => void;
  #closed = false;

  constructor() {
    const { promise, resolve } = withResolvers<JSONRPCResponse | undefined>();
    this.answer = promise;
    this.#settle = resolve;
  }

  async start(): Promise<void> {}

  deliver(request: JSONRPCRequest): void {
    this.onmessage?.(request);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCResponse(message)) this.#settle(message);
    else if (!isJSONRPCNotification(message)) throw new Error('no request can reach this client');
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#settle(undefined);
    this.onclose?.();
  }
}

interface Resolvers<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
}

function withResolvers<Value>(): Resolvers<Value> {
  let settle: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value) => settle(value) };
}
