/** A server that answers what the test lays out and keeps what it was asked. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly method: string;
  /** Path and query as sent, without `/v1`. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed JSON, or null without a body. */
  readonly body: unknown;
}

export interface Reply {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
}

export interface RecordingServer {
  readonly url: string;
  readonly asked: Asked[];
  /** Answers of the next requests, in order. */
  next(...replies: readonly Reply[]): void;
  /** Drops what was asked and what was laid out. */
  clear(): void;
  close(): Promise<void>;
}

export async function recordingServer(): Promise<RecordingServer> {
  const asked: Asked[] = [];
  const replies: Reply[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      asked.push({
        method: request.method ?? '',
        target: (request.url ?? '').replace(/^\/v1/, ''),
        headers: request.headers,
        body: body === '' ? null : JSON.parse(body),
      });
      const { status = 200, json, text } = replies.shift() ?? { status: 500, text: 'nothing was laid out' };
      response.statusCode = status;
      if (json !== undefined) response.setHeader('content-type', 'application/json; charset=utf-8');
      else if (text !== undefined) response.setHeader('content-type', 'text/markdown; charset=utf-8');
      response.end(json === undefined ? text : JSON.stringify(json));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    next: (...more) => {
      replies.push(...more);
    },
    clear: () => {
      asked.length = 0;
      replies.length = 0;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
