/**
 * What the HTTP door tells the log about a message: its id, its method, how it ended. Never what it carried.
 *
 * A method or an id is text from outside and could hold anything, so only known methods and harmless ids are named.
 */
import type { ErrorCode } from '../base/errors.ts';
import { isJsonObject, member } from '../base/json.ts';

export interface EnvelopeSketch {
  /** Null when the message has no id, or one that is not safe to write down. */
  readonly id: string | number | null;
  /** `unknown` for every method that we do not serve. */
  readonly method: string;
  /** No `id` member: nobody waits for an answer. */
  readonly notification: boolean;
}

export interface ExchangeEnd {
  readonly outcome: 'answered' | 'disconnected';
  /** HTTP status. */
  readonly code: number;
  readonly durationMs: number;
}

/** Implementations never throw. */
export interface HttpLog {
  request(envelope: EnvelopeSketch): void;
  response(envelope: EnvelopeSketch, end: ExchangeEnd): void;
  /** A request that was turned away before anything looked at its message. */
  refused(code: ErrorCode): void;
  /** A fault of ours: where, and the class name of the error. */
  fault(place: string, errorName: string): void;
}

const knownMethods: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'server/discover',
  'subscriptions/listen',
  'logging/setLevel',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
]);

const safeId = /^[A-Za-z0-9._:-]{1,40}$/;

/** Reads id and method of a parsed message without judging it; what is no JSON object is an unknown request. */
export function sketchEnvelope(message: unknown): EnvelopeSketch {
  if (!isJsonObject(message)) return { id: null, method: 'unknown', notification: false };
  const id = member(message, 'id');
  const method = member(message, 'method');
  return {
    id: isSafeId(id) ? id : null,
    method: typeof method === 'string' && knownMethods.has(method) ? method : 'unknown',
    notification: id === undefined,
  };
}

function isSafeId(id: unknown): id is string | number {
  return typeof id === 'number' ? Number.isSafeInteger(id) : typeof id === 'string' && safeId.test(id);
}
