/** The example of a row as the request that it travels in. */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { member } from '../../base/json.ts';
import { type ApiOperation, pathInputs } from './api-routes.ts';
import { pathInput } from './path-inputs.ts';
import { inputsOutsideBody } from './route-inputs.ts';

/** Method, target, headers and body as text, without what every request carries. */
export function exampleRequest(row: ApiOperation): string {
  const { http } = row;
  const headers = Object.entries(http.headers ?? {}).flatMap(([header, name]) => {
    const value = member(row.example.input, name);
    return value === undefined ? [] : [`${header}: ${String(value)}`];
  });
  const body = exampleBody(row);
  const lines = [`${http.method} ${exampleTarget(row)}`, ...headers];
  if (!http.body || Object.keys(body).length === 0) return lines.join('\n');
  return [...lines, 'content-type: application/json', '', JSON.stringify(body, null, 2)].join('\n');
}

/** Path and query. */
export function exampleTarget(row: ApiOperation): string {
  const { path, query = {} } = row.http;
  const { input } = row.example;
  const target = pathInputs(path).reduce((text, name) => {
    const value = member(input, name);
    return text.replace(`{${name}}`, encodeURIComponent(typeof value === 'string' ? value : pathInput(name).example));
  }, path);
  const parameters = new URLSearchParams();
  for (const name of Object.keys(query)) {
    for (const value of listOf(member(input, name))) parameters.append(name, String(value));
  }
  return parameters.size === 0 ? target : `${target}?${parameters.toString()}`;
}

/** The part of the example that travels in the body. */
export function exampleBody(row: ApiOperation): JsonObject {
  const elsewhere = inputsOutsideBody(row);
  return Object.fromEntries(Object.entries(row.example.input).filter(([name]) => !elsewhere.has(name)));
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
