/**
 * Gives what callers say the names that it has on the wire.
 *
 * Each kind of request is translated by a table with a row for every field. A field without a row is refused here:
 * the server would drop it, and what was meant would be gone without a word.
 */

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

function unknownField(field: string, names: Readonly<Record<string, string>>, what: string): string {
  const meant = Object.entries(names).find(([, wireName]) => wireName === field)?.[0];
  return `${what} has no field ${JSON.stringify(field)}${meant === undefined ? '' : `; it is called ${meant} here`}`;
}
