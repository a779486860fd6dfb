/**
 * What a schema must look like so that every known client, model API and grammar converter takes it. Each finding is
 * one sentence with the place in it; an empty list is a clean schema.
 */
import { isJsonObject, type JsonObject, type JsonValue, member } from '../../src/base/json.ts';

const scalarTypes = ['string', 'integer', 'number', 'boolean', 'object', 'array'];
const forbidden = [
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'const',
  'default',
  'examples',
  'format',
  'pattern',
  'uniqueItems',
  'propertyNames',
  'patternProperties',
  'contentEncoding',
  'dependentSchemas',
  '$ref',
  '$defs',
  '$anchor',
  '$schema',
  'nullable',
];
const levelsMax = 2;

export interface LintOptions {
  /** An input is closed at every level; a result is open, so that members can be added. */
  readonly use: 'input' | 'output';
  /** Of an input; 12 by default. */
  readonly propertiesMax?: number;
}

export function lintSchema(schema: JsonObject, { use, propertiesMax = 12 }: LintOptions): readonly string[] {
  const findings = [...lintNode(schema, '$', 0, 'root', use)];
  if (use !== 'input') return findings;
  const unexpected = Object.keys(schema).filter(
    (key) => !['type', 'properties', 'required', 'additionalProperties', 'title', 'description'].includes(key),
  );
  if (unexpected.length > 0) findings.push(`$: the root has ${unexpected.join(', ')}`);
  const properties = member(schema, 'properties');
  if (isJsonObject(properties) && Object.keys(properties).length > propertiesMax) {
    findings.push(`$: more than ${propertiesMax} properties`);
  }
  return findings;
}

type Place = 'root' | 'property' | 'items';

function lintNode(
  schema: JsonValue | undefined,
  at: string,
  level: number,
  place: Place,
  use: LintOptions['use'],
): readonly string[] {
  if (!isJsonObject(schema)) return [`${at}: not a schema object`];
  const found = forbidden
    .filter((keyword) => Object.hasOwn(schema, keyword))
    .map((keyword) => `${at}: ${keyword} is not portable`);
  const type = member(schema, 'type');
  const kind = kindOf(type);
  if (kind === undefined) return [...found, `${at}: no single type, and no pair with null`];
  if (typeof type !== 'string' && place !== 'property') found.push(`${at}: only a property may be nullable`);
  if (place === 'root' && kind !== 'object') found.push(`${at}: the root is no object`);
  found.push(...lintBounds(schema, at));
  if (kind === 'object') found.push(...lintObject(schema, at, level, use));
  if (kind === 'array') found.push(...lintArray(schema, at, level, use));
  return found;
}

/** The one type besides null, or undefined when `type` is neither a word nor a pair of a word and null. */
function kindOf(type: JsonValue | undefined): string | undefined {
  if (typeof type === 'string') return scalarTypes.includes(type) ? type : undefined;
  if (!Array.isArray(type) || type.length !== 2 || type[1] !== 'null') return undefined;
  const first: unknown = type[0];
  return typeof first === 'string' && scalarTypes.includes(first) ? first : undefined;
}

function lintBounds(schema: JsonObject, at: string): readonly string[] {
  const found: string[] = [];
  if (Number(member(schema, 'maxLength') ?? 0) > 500) found.push(`${at}: maxLength is more than 500`);
  if (Number(member(schema, 'maxItems') ?? 0) > 100) found.push(`${at}: maxItems is more than 100`);
  for (const bound of ['minimum', 'maximum']) {
    if (Math.abs(Number(member(schema, bound) ?? 0)) > 1_000_000) found.push(`${at}: ${bound} is no small number`);
  }
  const words = member(schema, 'enum');
  if (words !== undefined && !(Array.isArray(words) && words.every((word) => typeof word === 'string'))) {
    found.push(`${at}: an enum of something other than text`);
  }
  return found;
}

function lintObject(schema: JsonObject, at: string, level: number, use: LintOptions['use']): readonly string[] {
  const found: string[] = [];
  if (level > levelsMax) found.push(`${at}: objects nest more than ${levelsMax} levels below the root`);
  const properties = member(schema, 'properties');
  if (!isJsonObject(properties)) return [...found, `${at}: an object without properties`];
  const names = Object.keys(properties);
  const required = member(schema, 'required');
  // Older drafts forbid an empty list, so an object without properties needs none.
  if (names.length > 0 && !Array.isArray(required)) found.push(`${at}: no list of required properties`);
  if (Array.isArray(required) && !required.every((name) => typeof name === 'string' && names.includes(name))) {
    found.push(`${at}: requires a property that it does not have`);
  }
  const closed = member(schema, 'additionalProperties');
  if (use === 'input' && closed !== false) found.push(`${at}: additional properties are not refused`);
  if (use === 'output' && closed !== undefined) found.push(`${at}: a result says something about further members`);
  for (const name of names) {
    if (!/^[a-z][a-z0-9_]{0,39}$/.test(name)) found.push(`${at}: the property name ${name}`);
    found.push(...lintNode(member(properties, name), `${at}.${name}`, level + 1, 'property', use));
  }
  return found;
}

function lintArray(schema: JsonObject, at: string, level: number, use: LintOptions['use']): readonly string[] {
  return lintNode(member(schema, 'items'), `${at}[]`, level, 'items', use);
}
