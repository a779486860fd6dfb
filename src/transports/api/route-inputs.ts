/** Every input of a route with the place where it travels: what the document, the reference and the page are made from. */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { isJsonObject, member } from '../../base/json.ts';
import { type ApiOperation, pathInputs } from './api-routes.ts';
import { inputWords } from './input-words.ts';
import { pathInput } from './path-inputs.ts';

export interface RouteInput {
  /** As the row calls it. */
  readonly name: string;
  /** As it is called on the wire; differs for headers. */
  readonly sent: string;
  readonly place: 'path' | 'query' | 'header' | 'body';
  readonly required: boolean;
  /** May be given several times; query only. */
  readonly repeated: boolean;
  readonly description: string;
  /** Without the description. */
  readonly schema: JsonObject;
  readonly example?: JsonValue;
}

/** `schema` is the row's input as JSON Schema. Throws when the row declares an input that its schema does not know. */
export function routeInputs(row: ApiOperation, schema: JsonObject): readonly RouteInput[] {
  const { path, query = {}, headers = {}, body } = row.http;
  const inPath = pathInputs(path).map(
    (name): RouteInput => ({
      name,
      sent: name,
      place: 'path',
      required: true,
      repeated: false,
      description: pathInput(name).description,
      schema: { type: 'string' },
      example: member(row.example.input, name) ?? pathInput(name).example,
    }),
  );
  const inQuery = Object.entries(query).map(([name, type]) => {
    const input = declaredInput(row, schema, name, 'query');
    return { ...input, repeated: type === 'texts', schema: withoutNull(input.schema) };
  });
  const inHeaders = Object.entries(headers).map(([header, name]) => {
    const input = declaredInput(row, schema, name, 'header');
    return { ...input, sent: header, schema: withoutNull(input.schema) };
  });
  const elsewhere = inputsOutsideBody(row);
  const inBody = body
    ? Object.keys(propertiesOf(schema))
        .filter((name) => !elsewhere.has(name))
        .map((name) => declaredInput(row, schema, name, 'body'))
    : [];
  return [...inPath, ...inQuery, ...inHeaders, ...inBody];
}

/** Names that a body cannot carry: what travels elsewhere, and the other doors' name for what the path says. */
export function inputsOutsideBody(row: ApiOperation): ReadonlySet<JsonValue> {
  const { path, query = {}, headers = {} } = row.http;
  return new Set([...pathInputs(path), ...Object.keys(query), ...Object.values(headers), 'project_path']);
}

function declaredInput(
  row: ApiOperation,
  schema: JsonObject,
  name: string,
  place: Exclude<RouteInput['place'], 'path'>,
): RouteInput {
  const property = member(propertiesOf(schema), name);
  if (!isJsonObject(property)) throw new Error(`${row.name} declares the ${place} input ${name} but no schema for it`);
  const { description: own, ...rest } = property;
  const description = typeof own === 'string' ? own : inputWords(row.name, name);
  if (description === undefined) throw new Error(`${row.name} does not describe its input ${name}`);
  const required = member(schema, 'required');
  const example = member(row.example.input, name);
  return {
    name,
    sent: name,
    place,
    required: Array.isArray(required) && required.includes(name),
    repeated: false,
    description,
    schema: rest,
    ...(example === undefined ? {} : { example }),
  };
}

function propertiesOf(schema: JsonObject): JsonObject {
  const properties = member(schema, 'properties');
  return isJsonObject(properties) ? properties : {};
}

/** Parameters are never null: an absent one says that. */
function withoutNull(schema: JsonObject): JsonObject {
  const type = member(schema, 'type');
  if (Array.isArray(type)) {
    const types = type.filter((name) => name !== 'null');
    return { ...schema, type: types.length === 1 ? (types[0] ?? 'string') : types };
  }
  const branches = member(schema, 'anyOf');
  if (!Array.isArray(branches)) return schema;
  const left = branches.filter((branch: JsonValue) => !isJsonObject(branch) || member(branch, 'type') !== 'null');
  const { anyOf: _, ...rest } = schema;
  const [only] = left;
  return left.length === 1 && isJsonObject(only) ? { ...rest, ...only } : { ...schema, anyOf: left };
}
