/**
 * JSON-RPC messages as lines, in and out, with the gate at the door.
 *
 * A line that the gate refuses is answered here, with the words an HTTP client would get, and the connection goes on;
 * the library would drop it. Blank lines say nothing and are skipped. When the input ends, requests that were taken in
 * are still answered before the connection closes.
 */
import type { Readable, Writable } from 'node:stream';
import { isJSONRPCResponse, type JSONRPCMessage, type RequestId, type Transport } from '@modelcontextprotocol/server';
import { mcpLimits } from '../../base/limits.ts';
import { judgeMessage, parseMessage } from './gate.ts';
import { failureOf, unknownMethod } from './json-rpc.ts';

export interface LineTransportOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly lineBytesMax?: number;
  readonly drainMs?: number;
}

const NEWLINE = 0x0a;

export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lineBytesMax: number;
  readonly #drainMs: number;
  /** Requests that were taken in and not answered yet; a careless client may use an id twice. */
  readonly #open: RequestId[] = [];
  /** The pieces of a line whose end has not arrived. */
  #pieces: Buffer[] = [];
  #pieceBytes = 0;
  /** The line was too long and has been answered; the rest of it is thrown away. */
  #skipping = false;
  #closed = false;
  #onDrained: () => void = () => {};

  constructor({ input, output, lineBytesMax, drainMs }: LineTransportOptions) {
    this.#input = input;
    this.#output = output;
    this.#lineBytesMax = lineBytesMax ?? mcpLimits.stdioLineBytesMax;
    this.#drainMs = drainMs ?? mcpLimits.stdioDrainMs;
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#onData);
    this.#input.once('end', this.#onEnd);
    this.#input.once('close', this.#onEnd);
    this.#input.on('error', this.#onStreamError);
    this.#output.on('error', this.#onStreamError);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) throw new Error('the connection is closed');
    await this.#write(message);
    if (isJSONRPCResponse(message) && message.id !== undefined) this.#settle(message.id);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#input.off('data', this.#onData);
    this.#input.off('end', this.#onEnd);
    this.#input.off('close', this.#onEnd);
    this.#input.pause();
    this.#onDrained();
    this.onclose?.();
  }

  readonly #onData = (chunk: Buffer | string): void => {
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      this.#collect(rest.subarray(0, end));
      this.#endLine();
      rest = rest.subarray(end + 1);
    }
    this.#collect(rest);
  };

  readonly #onEnd = (): void => {
    this.#input.off('end', this.#onEnd);
    this.#input.off('close', this.#onEnd);
    this.#endLine();
    void this.#drained().then(() => this.close());
  };

  /** A broken pipe on either side: nobody is there to be answered. */
  readonly #onStreamError = (error: Error): void => {
    this.onerror?.(error);
    void this.close();
  };

  #collect(piece: Buffer): void {
    if (this.#skipping || piece.length === 0) return;
    this.#pieceBytes += piece.length;
    if (this.#pieceBytes <= this.#lineBytesMax) {
      this.#pieces.push(piece);
      return;
    }
    this.#skipping = true;
    this.#pieces = [];
    this.#answer(
      failureOf(null, 'invalid_envelope', `Invalid Request: a line is longer than ${this.#lineBytesMax} bytes`),
    );
  }

  #endLine(): void {
    const bytes = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#pieceBytes = 0;
    this.#skipping = false;
    const text = utf8(bytes);
    if (text === undefined) this.#answer(failureOf(null, 'parse_error', 'Parse error'));
    else if (text.trim() !== '') this.#take(text);
  }

  #take(line: string): void {
    const verdict = judgeMessage(parseMessage(line));
    switch (verdict.kind) {
      case 'refused':
        this.#answer(verdict.answer);
        return;
      case 'response':
        // Nothing is ever asked of a client here, so this answers no request of ours.
        this.#answer(unknownMethod(verdict.id, undefined));
        return;
      case 'notification':
        if (verdict.message === undefined) return;
        if (verdict.message.method === 'notifications/cancelled') this.#cancel(verdict.message.params?.['requestId']);
        this.onmessage?.(verdict.message);
        return;
      case 'request':
        // A subscription is answered when it ends, which may be never.
        if (verdict.message.method !== 'subscriptions/listen') this.#open.push(verdict.message.id);
        this.onmessage?.(verdict.message);
    }
  }

  /** A cancelled request gets no answer. */
  #cancel(requestId: unknown): void {
    if (typeof requestId === 'string' || typeof requestId === 'number') this.#settle(requestId);
  }

  #settle(id: RequestId): void {
    const at = this.#open.indexOf(id);
    if (at >= 0) this.#open.splice(at, 1);
    if (this.#open.length === 0) this.#onDrained();
  }

  async #drained(): Promise<void> {
    if (this.#closed || this.#open.length === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#drainMs);
      this.#onDrained = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #answer(answer: unknown): void {
    this.#write(answer).catch((error: unknown) => {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    });
  }

  #write(message: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }
}

/** Undefined for bytes that are no UTF-8: replacing them would change what somebody said. */
function utf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
