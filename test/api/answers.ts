/** What every answer under `/v1` must look like; used by every suite of the API. */
import type { InjectOptions } from 'fastify';
import { expect } from 'vitest';
import { type ErrorCode, errorCatalogue } from '../../src/base/errors.ts';
import { type Door, doorToken } from '../edge/door.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export const token = { authorization: `Bearer ${doorToken}` };

/** Sends one request in process and checks what every answer has, whatever it says. */
export async function ask(door: Door, options: InjectOptions): Promise<Answer> {
  const { statusCode: status, headers, body: text } = await door.app.inject(options);
  const answer = { status, headers, text };
  expect(headers['x-request-id']).toMatch(/^[A-Za-z0-9-]{1,64}$/);
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  if (/^\/v1(?:[/?]|$)/.test(String(options.url))) {
    expect(headers['neuralmind-api-version']).toBe('1');
    if (status !== 204 && status !== 304 && !String(headers['content-type']).startsWith('text/markdown')) {
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    }
  }
  return answer;
}

/** A request with the token and, when there is one, a JSON body. */
export function send(
  door: Door,
  method: string,
  url: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const sent = { ...token, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers };
  const payload = body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) };
  return ask(door, { method: method as 'GET', url, headers: sent, ...payload });
}

export function jsonOf(answer: Answer): Record<string, unknown> {
  return JSON.parse(answer.text) as Record<string, unknown>;
}

/** The one shape of every failure. Answers its message and details. */
export function expectFailure(answer: Answer, code: ErrorCode): { message: string; details: Record<string, unknown> } {
  const { error } = jsonOf(answer) as { error: { message: string; details: Record<string, unknown> } };
  const status = errorCatalogue[code].http;
  expect({ status: answer.status, body: jsonOf(answer) }).toEqual({
    status,
    body: {
      error: {
        code,
        message: expect.stringMatching(/./),
        status,
        request_id: answer.headers['x-request-id'],
        details: expect.any(Object),
      },
    },
  });
  expect(Object.keys(error)).toEqual(['code', 'message', 'status', 'request_id', 'details']);
  if (code === 'validation_error') {
    const { errors } = error.details as { errors: readonly unknown[] };
    expect(errors.length).toBeGreaterThan(0);
    for (const each of errors) {
      expect(each).toEqual({ loc: expect.any(Array), msg: expect.any(String), type: expect.any(String) });
    }
  }
  return error;
}
