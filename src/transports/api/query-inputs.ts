/**
 * Reads the inputs that travel in the query string, each as the type that its row declares.
 *
 * Text that cannot be read as its type, a repeated parameter that has one value, and a wrong percent encoding are
 * malformed requests. Whether a value is in range is the row's own question. Parameters that no row declares are
 * passed over.
 */
import type { JsonValue } from '../../base/json.ts';
import type { QueryType } from '../../operations/http-route.ts';
import { type Reading, refusal } from './reading.ts';

export type Inputs = readonly (readonly [name: string, value: JsonValue])[];

/** `target` is path and query as sent. */
export function readQuery(target: string, types: Readonly<Record<string, QueryType>>): Reading<Inputs> {
  if (Object.keys(types).length === 0) return { ok: true, value: [] };
  const sent = parametersOf(target);
  if (sent === null) {
    return refusal('invalid_request', { message: 'the query string is not percent-encoded UTF-8' });
  }
  const inputs: (readonly [string, JsonValue])[] = [];
  for (const [name, type] of Object.entries(types)) {
    const texts = sent.filter((parameter) => parameter.name === name).map((parameter) => parameter.text);
    if (texts.length === 0) continue;
    if (type === 'texts') {
      inputs.push([name, texts]);
      continue;
    }
    const [text = ''] = texts;
    if (texts.length > 1) return refusedParameter(name, 'is given more than once', 'repeated');
    const value = typed(text, type);
    if (value === undefined) return refusedParameter(name, shapes[type], `${type}_parsing`);
    inputs.push([name, value]);
  }
  return { ok: true, value: inputs };
}

/** Names and texts of all parameters, decoded; null when one cannot be. */
function parametersOf(target: string): readonly { readonly name: string; readonly text: string }[] | null {
  const start = target.indexOf('?');
  if (start === -1) return [];
  try {
    return target
      .slice(start + 1)
      .split('&')
      .filter((part) => part !== '')
      .map((part) => {
        const equals = part.indexOf('=');
        return equals === -1
          ? { name: decoded(part), text: '' }
          : { name: decoded(part.slice(0, equals)), text: decoded(part.slice(equals + 1)) };
      });
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

function decoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

const shapes: Readonly<Record<Exclude<QueryType, 'texts'>, string>> = {
  text: 'must be a text',
  integer: 'must be an integer in decimal digits',
  number: 'must be a decimal number',
  boolean: 'must be true or false',
};

/** Undefined when the text is not of the type. A number too large for a double is read as the largest one. */
function typed(text: string, type: Exclude<QueryType, 'texts'>): JsonValue | undefined {
  switch (type) {
    case 'text':
      return text;
    case 'integer':
      return /^-?\d+$/.test(text) ? bounded(text) : undefined;
    case 'number':
      return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? bounded(text) : undefined;
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : undefined;
  }
}

/** JSON has no infinity, and the largest number is out of every range as well. */
function bounded(text: string): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(text)));
}

/** Only names that a row declares get here, so the name may be repeated to the caller. */
function refusedParameter(name: string, msg: string, type: string) {
  return refusal('invalid_request', {
    message: `the parameter ${name} ${msg}`,
    details: { errors: [{ loc: [name], msg, type }] },
  });
}
