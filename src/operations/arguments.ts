/**
 * Takes one layer of JSON text off arguments that a client sent as strings.
 *
 * Some clients write objects, lists and numbers as JSON text. A string is replaced by what it says only where the
 * schema admits no string and admits the JSON type found; everything else goes on untouched to the tool's own check.
 * A value that came out of a string is never looked into again, so no text is decoded twice.
 *
 * "Admits" reads the JSON types named by `type`, `const`, `oneOf` and `anyOf`, and nothing else: bounds, enums and
 * patterns are for the tool to judge.
 */
import type { JsonObject, JsonValue } from '../base/json.ts';
import { isJsonObject, member } from '../base/json.ts';
import { mcpLimits } from '../base/limits.ts';
import type { Schema } from './operation.ts';

type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

/** `schema` is the composed input schema of the tool. The arguments are not changed; a new object comes back. */
export function unwrapStringified(schema: Schema, args: JsonObject): JsonObject {
  return unwrapMembers([schema], args);
}

/** The schemas are alternatives; none at all means nothing is known about the place. */
function unwrapValue(alternatives: readonly Schema[], value: JsonValue): JsonValue {
  if (alternatives.length === 0) return value;
  if (typeof value === 'string') return unwrapString(alternatives, value);
  if (isJsonObject(value)) return unwrapMembers(alternatives, value);
  if (Array.isArray(value)) return unwrapItems(alternatives, value);
  return value;
}

function unwrapString(alternatives: readonly Schema[], text: string): JsonValue {
  if (alternatives.some((schema) => admits(schema, 'string', text))) return text;
  const decoded = decode(text);
  if (decoded === undefined) return text;
  return alternatives.some((schema) => admits(schema, typeOf(decoded), decoded)) ? decoded : text;
}

/** `fromEntries` defines own members, so a key called `__proto__` stays an ordinary key. */
function unwrapMembers(alternatives: readonly Schema[], object: JsonObject): JsonObject {
  const open = alternatives.flatMap((schema) => applicable(schema, object));
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [
      key,
      unwrapValue(
        open.flatMap((schema) => schemaAt(propertiesOf(schema), key)),
        value,
      ),
    ]),
  );
}

function unwrapItems(alternatives: readonly Schema[], items: readonly JsonValue[]): readonly JsonValue[] {
  const itemSchemas = alternatives
    .flatMap((schema) => [schema, ...branchesOf(schema).flat()])
    .flatMap((schema) => schemaAt(schema, 'items'));
  return items.map((item) => unwrapValue(itemSchemas, item));
}

/**
 * The schema itself and, however deep, those of its branches whose fixed members do not contradict `object`. Only
 * branches are chosen between; a schema that stands alone is what the place has, even when `object` does not fit it.
 */
function applicable(schema: Schema, object: JsonObject): readonly Schema[] {
  const branches = branchesOf(schema)
    .flat()
    .filter((branch) => !contradicts(branch, object));
  return [schema, ...branches.flatMap((branch) => applicable(branch, object))];
}

/** A member that is absent contradicts nothing. */
function contradicts(schema: Schema, object: JsonObject): boolean {
  const properties = propertiesOf(schema);
  return Object.keys(properties).some((key) => {
    const given = member(object, key);
    const fixed = schemaAt(properties, key).map((property) => member(property, 'const'))[0];
    return given !== undefined && fixed !== undefined && given !== fixed;
  });
}

function admits(schema: Schema, type: JsonType, value: JsonValue): boolean {
  const named = member(schema, 'type');
  const fixed = member(schema, 'const');
  return (
    (named === undefined || listOf(named).some((name) => namesType(name, type, value))) &&
    (fixed === undefined || typeOf(fixed) === type) &&
    branchesOf(schema).every((branches) => branches.some((branch) => admits(branch, type, value)))
  );
}

function namesType(name: JsonValue, type: JsonType, value: JsonValue): boolean {
  return name === 'integer' ? type === 'number' && Number.isInteger(value) : name === type;
}

function listOf(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? value : [value];
}

/** Each `oneOf` and `anyOf` of the schema as a list of branches. */
function branchesOf(schema: Schema): readonly (readonly Schema[])[] {
  return ['oneOf', 'anyOf']
    .map((keyword) => member(schema, keyword))
    .filter((branches) => Array.isArray(branches))
    .map((branches: readonly JsonValue[]) => branches.filter(isJsonObject));
}

function propertiesOf(schema: Schema): JsonObject {
  return schemaAt(schema, 'properties')[0] ?? {};
}

/** The schema under `key`, as a list of one or none. */
function schemaAt(holder: JsonObject, key: string): readonly Schema[] {
  const found = member(holder, key);
  return isJsonObject(found) ? [found] : [];
}

function typeOf(value: JsonValue): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

/**
 * What the text says, or undefined when it is too long, is no JSON, nests too deeply or holds a number that no double
 * can hold (an integer literal of hundreds of digits).
 */
function decode(text: string): JsonValue | undefined {
  if (isLongerThan(text, mcpLimits.stringifiedCharsMax)) return undefined;
  try {
    const decoded: JsonValue = JSON.parse(text);
    return isReasonable(decoded, mcpLimits.stringifiedDepthMax) ? decoded : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** In code points. The count of UTF-16 units settles almost every case without looking at the text. */
function isLongerThan(text: string, charsMax: number): boolean {
  if (text.length <= charsMax) return false;
  if (text.length > 2 * charsMax) return true;
  return Array.from(text).length > charsMax;
}

function isReasonable(value: JsonValue, depthLeft: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return depthLeft > 0 && Object.values(value).every((inner: JsonValue) => isReasonable(inner, depthLeft - 1));
}
