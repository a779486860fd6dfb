/**
 * The OpenAPI document, the contract file and the reference page against the rows they are made from. After a change
 * that is meant: `UPDATE_PINS=1 npx vitest run test/api/openapi.test.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorCatalogue } from '../../src/base/errors.ts';
import type { JsonObject, JsonValue } from '../../src/base/json.ts';
import { isJsonObject, member } from '../../src/base/json.ts';
import { createRegistry } from '../../src/operations/registry.ts';
import { table } from '../../src/operations/table.ts';
import { successOf } from '../../src/transports/api/answer.ts';
import { apiOperations, pathInputs } from '../../src/transports/api/api-routes.ts';
import { contractOf } from '../../src/transports/api/contract.ts';
import { routeErrors } from '../../src/transports/api/edge-errors.ts';
import { exampleBody } from '../../src/transports/api/example-request.ts';
import { describedInputs } from '../../src/transports/api/input-words.ts';
import { plainSchema } from '../../src/transports/api/json-schemas.ts';
import { openApiDocument } from '../../src/transports/api/openapi.ts';
import { referencePage } from '../../src/transports/api/reference-page.ts';
import { type Door, openDoor } from '../edge/door.ts';
import { checkoutRoot } from '../source-files.ts';
import { ask, jsonOf } from './answers.ts';

const registry = createRegistry({ remember: true, archive_restore: true, revise: true, forget: true });
const rows = apiOperations(registry);
const document = openApiDocument(registry);
const update = process.env['UPDATE_PINS'] === '1';

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema(document, 'document');

let door: Door;
beforeAll(() => {
  door = openDoor();
});
afterAll(() => door.close());

function at(...keys: readonly string[]): JsonValue {
  return keys.reduce((value: JsonValue, key) => {
    const inner = isJsonObject(value) ? member(value, key) : undefined;
    if (inner === undefined) throw new Error(`nothing at ${keys.join(' / ')}`);
    return inner;
  }, document);
}

function objectAt(...keys: readonly string[]): JsonObject {
  const value = at(...keys);
  if (!isJsonObject(value)) throw new Error(`no object at ${keys.join(' / ')}`);
  return value;
}

const operations = Object.entries(objectAt('paths')).flatMap(([route, item]) =>
  Object.entries(isJsonObject(item) ? item : {}).flatMap(([method, operation]) =>
    isJsonObject(operation) ? [{ route, method, operation, keys: ['paths', route, method] }] : [],
  ),
);

/** The objects of the document that have a schema and an example, with the place of the schema. */
function exemplified(value: JsonValue, keys: readonly string[]): readonly (readonly [string, JsonValue])[] {
  if (Array.isArray(value))
    return value.flatMap((item: JsonValue, index) => exemplified(item, [...keys, String(index)]));
  if (!isJsonObject(value)) return [];
  const pointer = [...keys, 'schema'].map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  const found: (readonly [string, JsonValue])[] = [];
  if (isJsonObject(member(value, 'schema'))) {
    const example = member(value, 'example');
    if (example !== undefined) found.push([pointer, example]);
    const examples = member(value, 'examples');
    for (const each of isJsonObject(examples) ? Object.values(examples) : []) {
      const reference = isJsonObject(each) ? String(member(each, '$ref')) : '';
      found.push([pointer, at(...reference.replace('#/', '').split('/'), 'value')]);
    }
  }
  return [...found, ...Object.entries(value).flatMap(([key, inner]) => exemplified(inner, [...keys, key]))];
}

describe('the document', () => {
  test('OA1 an independent validator takes it as OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    const broken = { ...structuredClone(document), paths: { 'no-slash': { get: { responses: 1 } } } };
    expect((await validator.validate(broken)).valid).toBe(false);
  });

  test('OA2 it has exactly the routes of the rows, each under the name of its row and the tag of its noun', () => {
    const described = operations.map(({ route, method, operation }) => [
      `${method.toUpperCase()} ${route}`,
      operation['operationId'],
      operation['tags'],
    ]);
    const declared = rows.map(({ name, http }) => [`${http.method} ${http.path}`, name, [name.split('.')[0]]]);
    expect([...described].sort()).toEqual([...declared].sort());
    const ids = described.map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('OA3 every answer of a row is there: each success, each error of the row and each of the door', () => {
    for (const { name, http } of rows) {
      const responses = objectAt('paths', http.path, http.method.toLowerCase(), 'responses');
      const row = rows.find((each) => each.name === name);
      const codes = row === undefined ? [] : routeErrors(row);
      expect(row?.errors.filter((code) => !codes.includes(code))).toEqual([]);
      expect(codes).toEqual(expect.arrayContaining(['host_not_allowed', 'origin_not_allowed', 'internal_error']));
      expect(codes.includes('unauthorized')).toBe(http.open !== true);
      const readsBody = ['payload_too_large', 'unsupported_media_type', 'invalid_request', 'validation_error'];
      if (http.method !== 'GET') expect(codes).toEqual(expect.arrayContaining(readsBody));
      const statuses = new Set([
        ...Object.keys(http.success),
        ...codes.map((code) => String(errorCatalogue[code].http)),
        ...(row !== undefined && http.method === 'GET' && successOf(http, row.example.output).etag ? ['304'] : []),
      ]);
      expect(Object.keys(responses).sort()).toEqual([...statuses].sort());
      for (const code of codes) {
        const { $ref } = objectAt(
          'paths',
          http.path,
          http.method.toLowerCase(),
          'responses',
          String(errorCatalogue[code].http),
        );
        const answer = JSON.stringify(at(...String($ref).replace('#/', '').split('/')));
        expect(answer).toContain(`#/components/examples/${code}"`);
      }
    }
  });

  test('OA4 every example is what its schema says', () => {
    const pairs = exemplified(document, []);
    expect(pairs.length).toBeGreaterThan(rows.length * 2);
    for (const [pointer, example] of pairs) {
      const check = ajv.getSchema(`document#/${encodeURI(pointer)}`);
      if (check === undefined) throw new Error(`no schema at ${pointer}`);
      check(example);
      expect({ pointer, example, errors: check.errors ?? [] }).toMatchObject({ errors: [] });
    }
  });

  test.each(rows.map((row) => [row.name, row] as const))(
    'OA4 %s: its example is complete, has no member that its schema does not know, and its parser takes it',
    (_name, row) => {
      const success = successOf(row.http, row.example.output);
      const body = success.body ?? row.example.output;
      const closed = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
      if (success.status !== 204) {
        const check = closed.compile(plainSchema(row.http.output, 'output'));
        check(body);
        expect(check.errors ?? []).toEqual([]);
        expect(row.http.output.safeParse(body).success).toBe(true);
      }
      expect(row.parse(row.example.input)).toMatchObject({ ok: true });
      const { input } = row.example;
      for (const name of pathInputs(row.http.path)) expect(typeof member(input, name)).toBe('string');
      const known = new Set([
        ...pathInputs(row.http.path),
        ...Object.keys(objectOf(plainSchema(row.http.input, 'input')['properties'])),
      ]);
      expect(Object.keys(input).filter((name) => !known.has(name))).toEqual([]);
      if (!row.http.body) expect(exampleBody(row)).toEqual({});
    },
  );

  test('OA5 every route needs the bearer token but the two open ones, and says which permission', () => {
    expect(document['security']).toEqual([{ bearer: [] }]);
    expect(objectAt('components', 'securitySchemes', 'bearer')).toMatchObject({ type: 'http', scheme: 'bearer' });
    const open = operations.filter(({ operation }) => operation['security'] !== undefined);
    expect(open.map(({ route, operation }) => [route, operation['security']])).toEqual([
      ['/v1/health', []],
      ['/v1/openapi.json', []],
    ]);
    for (const { operation } of operations) expect(operation['x-permission']).toMatch(/^[a-z]+\.[a-z]+$/);
  });

  test('OA6 every input is in the place where it travels, with a description', () => {
    for (const { http } of rows) {
      const operation = objectAt('paths', http.path, http.method.toLowerCase());
      const parameters = Array.isArray(operation['parameters']) ? operation['parameters'].filter(isJsonObject) : [];
      expect(parameters.map((each) => `${each['in']} ${each['name']}`)).toEqual([
        ...pathInputs(http.path).map((name) => `path ${name}`),
        ...Object.keys(http.query ?? {}).map((name) => `query ${name}`),
        ...Object.keys(http.headers ?? {}).map((name) => `header ${name}`),
      ]);
      for (const each of parameters) expect(each['description']).toMatch(/\S.*\.$/);
      expect(operation['requestBody'] !== undefined).toBe(http.body);
      if (!http.body) continue;
      const schema = objectAt(
        'paths',
        http.path,
        http.method.toLowerCase(),
        'requestBody',
        'content',
        'application/json',
        'schema',
      );
      const elsewhere = parameters.map((each) => each['name']);
      for (const [name, property] of Object.entries(objectOf(schema['properties']))) {
        expect(elsewhere).not.toContain(name);
        expect(objectOf(property)['description']).toMatch(/\S.*\.$/);
      }
    }
  });

  test('OA6 the words of the API are for inputs that rows have and do not describe themselves', () => {
    const bare = rows.flatMap((row) =>
      Object.entries(objectOf(plainSchema(row.http.input, 'input')['properties']))
        .filter(([, property]) => objectOf(property)['description'] === undefined)
        .flatMap(([name]) => [name, `${row.name}/${name}`]),
    );
    expect(describedInputs().filter((entry) => !bare.includes(entry))).toEqual([]);
  });

  test('OA7 shared shapes are components, every reference leads somewhere, and answers are open', () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(references.length).toBeGreaterThan(100);
    for (const reference of new Set(references)) expect(isJsonObject(at(...reference.split('/')))).toBe(true);
    for (const name of ['Memory', 'Project', 'Job', 'Error'])
      expect(references).toContain(`components/schemas/${name}`);
    expect(text).not.toContain('"$defs"');
    for (const { keys } of operations) {
      expect(JSON.stringify(at(...keys, 'responses'))).not.toContain('"additionalProperties":false');
    }
  });

  test('OA8 a running server answers this document without a token', async () => {
    const answer = await ask(door, { method: 'GET', url: '/v1/openapi.json' });
    expect(answer.status).toBe(200);
    expect(jsonOf(answer)).toEqual(document);
  });
});

describe('what is committed', () => {
  test('OA9 docs/openapi.json is the document that the rows make', () => {
    expect(pinned('docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`)).toEqual(document);
  });

  test('OA10 contract.json is the table as data: every row, with digests of its schemas', () => {
    const contract = contractOf(table);
    expect(pinned('contract.json', `${JSON.stringify(contract, null, 2)}\n`)).toEqual(contract);
    const entries = contract['operations'];
    expect(Array.isArray(entries) ? entries.map((each) => objectOf(each)['name']) : []).toEqual(
      table.map((row) => row.name),
    );
    for (const row of table) {
      const entry = Array.isArray(entries) ? objectOf(entries.find((each) => objectOf(each)['name'] === row.name)) : {};
      expect([entry['permission'], entry['errors'], entry['scope']]).toEqual([row.permission, row.errors, row.scope]);
      expect(entry['http'] === undefined ? undefined : objectOf(entry['http'])['path']).toBe(row.http?.path);
      expect(entry['tool'] === undefined ? undefined : objectOf(entry['tool'])['name']).toBe(row.tool?.name);
    }
  });

  test('OA11 docs/api.md is the page that the rows make, with every route and every error of it', () => {
    const made = referencePage(registry);
    const file = path.join(checkoutRoot, 'docs/api.md');
    if (update) writeFileSync(file, made);
    const page = readFileSync(file, 'utf8');
    expect(page).toBe(made);
    const headings = [...page.matchAll(/^### ((?:GET|POST|PATCH|DELETE) \S+)$/gm)].map((match) => match[1] ?? '');
    expect([...headings].sort()).toEqual(rows.map(({ http }) => `${http.method} ${http.path}`).sort());
    for (const row of rows) {
      const [, section = ''] = page.split(`### ${row.http.method} ${row.http.path}\n`);
      const own = section.split('\n### ')[0] ?? '';
      for (const code of row.errors) expect(own).toContain(`\`${code}\` ${errorCatalogue[code].http}`);
      expect(own).toContain(row.summary);
      expect(own).toContain(row.effects);
    }
  });
});

function pinned(name: string, text: string): unknown {
  const file = path.join(checkoutRoot, name);
  if (update) writeFileSync(file, text);
  const committed = readFileSync(file, 'utf8');
  expect(committed).toBe(text);
  return JSON.parse(committed);
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
