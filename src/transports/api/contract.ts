/** The table as data, for `contract.json`: what others can see of each row, so that review shows every change of it. */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { JsonObject } from '../../base/json.ts';
import { apiVersion } from '../../operations/api-version.ts';
import type { Operation } from '../../operations/operation.ts';
import { plainSchema } from './json-schemas.ts';

export function contractOf(rows: readonly Operation[]): JsonObject {
  return { api_version: apiVersion, operations: rows.map(entryOf) };
}

function entryOf(row: Operation): JsonObject {
  const { name, summary, effects, permission, scope, gate, errors, http, tool } = row;
  return {
    name,
    summary,
    effects,
    permission,
    scope,
    ...(gate === undefined ? {} : { gate }),
    errors,
    ...(http === undefined
      ? {}
      : {
          http: {
            method: http.method,
            path: http.path,
            ...(http.open === undefined ? {} : { open: true }),
            ...(http.query === undefined ? {} : { query: http.query }),
            ...(http.headers === undefined ? {} : { headers: http.headers }),
            body: http.body,
            ...(http.bodyBytesMax === undefined ? {} : { body_bytes_max: http.bodyBytesMax }),
            success: Object.fromEntries(Object.entries(http.success)),
            ...(http.texts === undefined ? {} : { texts: Object.keys(http.texts) }),
            ...(http.deprecated === undefined ? {} : { deprecated: { ...http.deprecated } }),
            input: schemaDigest(http.input, 'input'),
            output: schemaDigest(http.output, 'output'),
          },
        }),
    ...(tool === undefined
      ? {}
      : {
          tool: {
            name: tool.name,
            title: tool.title,
            annotations: { ...tool.annotations },
            composed_input: digest(tool.composedInput),
            portable_input: digest(tool.portableInput),
            ...(tool.output === undefined ? {} : { output: digest(tool.output) }),
          },
        }),
  };
}

function schemaDigest(schema: z.ZodType, side: 'input' | 'output'): string {
  return digest(plainSchema(schema, side));
}

function digest(value: JsonObject): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
