/**
 * The OpenAPI 3.1 document of `/v1`, made from the rows and from nothing else: every route, every input in the place
 * where it travels, every answer with an example. A capability that is not in the table is not in the document.
 */
import { type ErrorCode, errorCatalogue } from '../../base/errors.ts';
import { type JsonObject, type JsonValue, member } from '../../base/json.ts';
import { apiVersion } from '../../operations/api-version.ts';
import type { Registry } from '../../operations/operation.ts';
import { successOf } from './answer.ts';
import { type ApiOperation, apiOperations, apiPaths } from './api-routes.ts';
import { errorExample, routeErrors } from './edge-errors.ts';
import { exampleBody } from './example-request.ts';
import { createSchemaBook } from './json-schemas.ts';
import { nounOf, nounWords } from './nouns.ts';
import { routeInputs } from './route-inputs.ts';

export function openApiDocument(registry: Registry): JsonObject {
  const rows = apiOperations(registry);
  const book = createSchemaBook();
  const outputs = new Map(rows.map((row) => [row.name, book.add(row.http.output, 'output')]));
  const inputs = new Map(rows.map((row) => [row.name, book.add(row.http.input, 'input')]));
  const paths = apiPaths(registry).map(({ path, rows: rowsOfPath }): readonly [string, JsonObject] => [
    path,
    Object.fromEntries(
      rowsOfPath.map((row) => [
        row.http.method.toLowerCase(),
        operationOf(row, inputs.get(row.name) ?? {}, outputs.get(row.name) ?? {}),
      ]),
    ),
  ]);
  const codes = new Set(rows.flatMap(routeErrors));
  return {
    openapi: '3.1.1',
    info: {
      title: 'NeuralMind API (self-hosted)',
      version: apiVersion,
      summary: 'The code of a repository, and the decisions behind it.',
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This machine; host and port are in the discovery file.' }],
    security: [{ bearer: [] }],
    tags: [...new Set(rows.map(nounOf))].map((name) => ({ name, description: nounWords(name) })),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'The token of the daemon home.' } },
      headers: sharedHeaders,
      responses: errorResponses(rows),
      schemas: { ...Object.fromEntries(book.components), Error: errorSchema([...codes]) },
      examples: Object.fromEntries(
        [...codes].map((code) => [code, { summary: errorCatalogue[code].meaning, value: jsonOf(errorExample(code)) }]),
      ),
    },
  };
}

const description = [
  'Served on this machine alone. Inside version 1 changes only add: ignore members of answers that you do not know;',
  'unknown members of requests are ignored too. Every answer carries `NeuralMind-API-Version` and `X-Request-Id`.',
  'Every failure has one shape, `{"error": {"code", "message", "status", "request_id", "details"}}`; codes keep their',
  'meaning, messages may be reworded. Checks run in one order: Host, Origin, size, token, route and method, permission,',
  'media type, JSON, fields, and then whether the project and the record exist.',
].join(' ');

function operationOf(row: ApiOperation, input: JsonObject, output: JsonObject): JsonObject {
  const parameters = parametersOf(row, input);
  return {
    operationId: row.name,
    tags: [nounOf(row)],
    summary: row.summary,
    description: `Effects: ${row.effects}`,
    ...(row.http.deprecated === undefined ? {} : { deprecated: true }),
    ...(row.http.open === true ? { security: [] } : {}),
    'x-permission': row.permission,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(row.http.body ? { requestBody: bodyOf(row, input) } : {}),
    responses: { ...successesOf(row, output), ...errorsOf(row) },
  };
}

function parametersOf(row: ApiOperation, input: JsonObject): readonly JsonObject[] {
  return routeInputs(row, input)
    .filter(({ place }) => place !== 'body')
    .map(({ sent, place, required, repeated, description: words, schema, example }) => ({
      name: sent,
      in: place,
      ...(required ? { required: true } : {}),
      description: words,
      schema,
      ...(repeated ? { style: 'form', explode: true } : {}),
      ...(example === undefined ? {} : { example }),
    }));
}

function bodyOf(row: ApiOperation, input: JsonObject): JsonObject {
  const schema = bodySchema(row, input);
  const required = member(schema, 'required');
  const example = exampleBody(row);
  const { bodyBytesMax } = row.http;
  return {
    ...(bodyBytesMax === undefined ? {} : { description: `At most ${bodySize(bodyBytesMax)}.` }),
    required: Array.isArray(required) && required.length > 0,
    content: { 'application/json': { schema, example } },
  };
}

/** In whole MiB, as every such limit is set. */
export function bodySize(bytes: number): string {
  return `${bytes / (1024 * 1024)} MiB`;
}

/** The input without what travels elsewhere, every field described. */
function bodySchema(row: ApiOperation, input: JsonObject): JsonObject {
  const fields = routeInputs(row, input).filter(({ place }) => place === 'body');
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const { properties: _properties, required: _required, ...rest } = input;
  return {
    ...rest,
    properties: Object.fromEntries(
      fields.map(({ name, schema, description: words }) => [name, { ...schema, description: words }]),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
}

function successesOf(row: ApiOperation, output: JsonObject): JsonObject {
  const { http } = row;
  const shown = successOf(http, row.example.output);
  const answers = Object.entries(http.success).map(([status, words]): readonly [string, JsonObject] => [
    status,
    {
      description: words,
      headers: {
        ...headerReferences(['NeuralMind-API-Version', 'X-Request-Id']),
        ...(status === '201' || status === '202' ? headerReferences(['Location']) : {}),
        ...(shown.etag === undefined ? {} : headerReferences(['ETag'])),
        ...(http.deprecated === undefined ? {} : headerReferences(['Deprecation', 'Link'])),
        ...(takesIdempotencyKey(row) ? headerReferences(['Idempotency-Replayed']) : {}),
      },
      ...(status === '204' ? {} : { content: contentOf(row, output, shown.body ?? row.example.output) }),
    },
  ]);
  if (http.method === 'GET' && shown.etag !== undefined) {
    answers.push(['304', { description: 'Unchanged since the state that If-None-Match names.' }]);
  }
  return Object.fromEntries(answers);
}

function contentOf(row: ApiOperation, schema: JsonObject, example: JsonValue): JsonObject {
  const texts = Object.entries(row.http.texts ?? {}).map(([type, text]): readonly [string, JsonObject] => [
    type,
    { schema: { type: 'string' }, example: text },
  ]);
  return { 'application/json': { schema, example }, ...Object.fromEntries(texts) };
}

function takesIdempotencyKey(row: ApiOperation): boolean {
  return Object.hasOwn(row.http.headers ?? {}, 'idempotency-key');
}

/** One answer for each status. Answers with the same codes are one component. */
function errorsOf(row: ApiOperation): JsonObject {
  return Object.fromEntries(
    statusesOf(row).map(([status, codes]) => [status, { $ref: `#/components/responses/${codes.join('.')}` }]),
  );
}

function errorResponses(rows: readonly ApiOperation[]): JsonObject {
  const answers = rows.flatMap(statusesOf).map(([status, codes]): readonly [string, JsonObject] => [
    codes.join('.'),
    {
      description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].meaning}`).join('\n\n'),
      headers: headerReferences([
        'NeuralMind-API-Version',
        'X-Request-Id',
        ...(status === '401' ? ['WWW-Authenticate'] : []),
      ]),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
        },
      },
    },
  ]);
  return Object.fromEntries(answers);
}

function statusesOf(row: ApiOperation): readonly (readonly [status: string, codes: readonly ErrorCode[]])[] {
  const byStatus = new Map<string, ErrorCode[]>();
  for (const code of routeErrors(row)) {
    const status = String(errorCatalogue[code].http);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus];
}

function errorSchema(codes: readonly ErrorCode[]): JsonObject {
  return {
    type: 'object',
    description: 'Every failure.',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'status', 'request_id', 'details'],
        properties: {
          code: { type: 'string', description: `Keeps its meaning. Known now: ${codes.join(', ')}.` },
          message: { type: 'string', description: 'For people; may be reworded.' },
          status: { type: 'integer', description: 'The HTTP status.' },
          request_id: { type: 'string', description: 'As in X-Request-Id.' },
          details: {
            type: 'object',
            description:
              'Facts for programs. `errors` lists what is wrong with the fields of a request. `exception` is the class name of an error behind a fault of the server; its message is kept back because messages can hold content.',
            properties: {
              errors: {
                type: 'array',
                items: {
                  type: 'object',
                  required: ['loc', 'msg', 'type'],
                  properties: {
                    loc: { type: 'array', items: { type: ['string', 'integer'] } },
                    msg: { type: 'string' },
                    type: { type: 'string' },
                  },
                },
              },
              exception: { type: 'string' },
            },
          },
        },
      },
    },
  };
}

const textHeader = (words: string): JsonObject => ({ description: words, schema: { type: 'string' } });

const sharedHeaders: JsonObject = {
  'NeuralMind-API-Version': { ...textHeader('The version of this contract.'), example: apiVersion },
  'X-Request-Id': {
    ...textHeader(
      'The id that the request was sent with when it is 1 to 64 letters, digits or dashes, else a new one.',
    ),
    example: 'a1b2c3',
  },
  'WWW-Authenticate': { ...textHeader('Always Bearer.'), example: 'Bearer' },
  Location: textHeader('The path of what was made.'),
  ETag: textHeader('The state of the record, for If-Match and If-None-Match.'),
  Deprecation: textHeader('Since when the route is deprecated: @ and seconds since 1970 (RFC 9745).'),
  Link: textHeader('The route to use instead, with rel="successor-version".'),
  'Idempotency-Replayed': {
    ...textHeader('true when an earlier request with the same key is answered again.'),
    example: 'true',
  },
};

function headerReferences(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** A value of a known shape as JSON. */
function jsonOf(value: { readonly error: JsonObject }): JsonObject {
  return { error: value.error };
}
