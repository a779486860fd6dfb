/**
 * Gives what callers say the names that it has on the wire.
 *
 * Each kind of request is translated by a table with a row for every field. A field without a row is refused here:
 * the server would drop it, and what was meant would be gone without a word.
 */

import type { CallOptions } from './connection.ts';

export type Names<Request> = Readonly<Record<keyof Request, string>>;
export type WireRequest = Readonly<Record<string, unknown>>;

/** Throws TypeError for a field that `names` does not know; `what` is the request in words. */
export function translate(request: object, names: Readonly<Record<string, string>>, what: string): WireRequest {
  const wire: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(request)) {
    const name = Object.hasOwn(names, field) ? names[field] : undefined;
    if (name === undefined) throw new TypeError(unknownField(field, names, what));
    wire[name] = value instanceof Date ? value.toISOString() : value;
  }
  return wire;
}

/** Parts the options of a verb: its `own` as on the wire, and those of every call. Throws TypeError for any other. */
export function divided<Options extends CallOptions>(
  options: Options,
  own: Names<Omit<Options, keyof CallOptions>>,
  what: string,
): { readonly wire: WireRequest; readonly call: CallOptions } {
  const { timeoutMs, signal, ...rest } = options;
  return { wire: translate(rest, own, what), call: { timeoutMs, signal } };
}

/** What is none of the options of every call would be dropped without a word. Throws TypeError. */
export function checkCallOptions(options: CallOptions): void {
  divided(options, {}, 'the options of a call');
}

function unknownField(field: string, names: Readonly<Record<string, string>>, what: string): string {
  const meant = Object.entries(names).find(([, wireName]) => wireName === field)?.[0];
  return `${what} has no field ${JSON.stringify(field)}${meant === undefined ? '' : `; it is called ${meant} here`}`;
}
