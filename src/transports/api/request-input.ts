/**
 * Puts together what a row is asked: body fields, header inputs, query inputs and path inputs in one raw object.
 *
 * Each input travels in exactly one place, the one that its row declares. A body field with the name of an input that
 * travels elsewhere is passed over, so that a body can never contradict the path it was sent to.
 */
import type { FastifyRequest } from 'fastify';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { distinctHeaders } from '../distinct-headers.ts';
import { type ApiOperation, pathInputs } from './api-routes.ts';
import { readJsonBody } from './json-body.ts';
import { type Inputs, readQuery } from './query-inputs.ts';
import { type Reading, refusal } from './reading.ts';
import { inputsOutsideBody } from './route-inputs.ts';

export function readInput(row: ApiOperation, request: FastifyRequest): Reading<JsonObject> {
  const { http } = row;
  const body = readBody(request);
  if (!body.ok) return body;
  const query = readQuery(request.url, http.query ?? {});
  if (!query.ok) return query;
  const headers = readHeaders(http.headers ?? {}, distinctHeaders(request.raw.rawHeaders));
  if (!headers.ok) return headers;

  const elsewhere = inputsOutsideBody(row);
  const fields = http.body ? Object.entries(body.value).filter(([name]) => !elsewhere.has(name)) : [];
  // `fromEntries` defines own members, so a field called `__proto__` stays an ordinary field.
  return {
    ok: true,
    value: Object.fromEntries([
      ...fields,
      ...headers.value,
      ...query.value,
      ...pathValues(pathInputs(http.path), request.params),
    ]),
  };
}

/** A body is checked wherever one is sent, also where the row takes none. */
function readBody(request: FastifyRequest): Reading<JsonObject> {
  const { body } = request;
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  return readJsonBody(bytes, request.headers['content-type'], request.headers['content-encoding']);
}

/** `names` maps a header to the input it carries. */
function readHeaders(
  names: Readonly<Record<string, string>>,
  sent: Readonly<Record<string, readonly string[] | undefined>>,
): Reading<Inputs> {
  const inputs: (readonly [string, JsonValue])[] = [];
  for (const [header, input] of Object.entries(names)) {
    const values = sent[header] ?? [];
    const [value] = values;
    if (value === undefined) continue;
    if (values.length > 1) {
      const msg = 'is given more than once';
      return refusal('invalid_request', {
        message: `the header ${header} ${msg}`,
        details: { errors: [{ loc: [input], msg, type: 'repeated' }] },
      });
    }
    inputs.push([input, value]);
  }
  return { ok: true, value: inputs };
}

/** The router has decoded the values, once. */
function pathValues(names: readonly string[], params: unknown): Inputs {
  const values: ReadonlyMap<string, unknown> = new Map(
    typeof params === 'object' && params !== null ? Object.entries(params) : [],
  );
  return names.map((name) => {
    const value = values.get(name);
    if (typeof value !== 'string') throw new Error(`the router gave no ${name}`);
    return [name, value];
  });
}
