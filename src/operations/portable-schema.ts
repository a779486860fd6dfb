/**
 * Makes the portable form of a composed input schema: the same JSON types at every place, without the keywords that
 * some clients, model APIs and grammar converters reject or choke on.
 *
 * Root combinators go (their meaning is in the descriptions), and so do patterns, defaults, `uniqueItems` and large
 * `maxLength` values; `const` becomes bounds or a one-word enum. The server checks all of it in either case. A
 * combinator below the root cannot be flattened by rule and is refused: such a tool writes that part flat by hand.
 */
import type { JsonObject, JsonValue } from '../base/json.ts';
import { isJsonObject, member } from '../base/json.ts';
import { mcpLimits } from '../base/limits.ts';
import type { Schema } from './operation.ts';

const combinators = new Set(['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else']);
const dropped = new Set(['pattern', 'default', 'uniqueItems']);

/** Throws when a combinator stands below the root or a `const` is neither integer nor string. */
export function portableOf(composed: Schema): Schema {
  return flatten(Object.fromEntries(Object.entries(composed).filter(([keyword]) => !combinators.has(keyword))));
}

function flatten(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).flatMap(([keyword, value]) => rewrite(keyword, value)));
}

function rewrite(keyword: string, value: JsonValue): readonly (readonly [string, JsonValue])[] {
  if (combinators.has(keyword)) throw new Error(`${keyword} below the root cannot be made portable`);
  if (dropped.has(keyword)) return [];
  if (keyword === 'maxLength' && Number(value) > mcpLimits.portableLengthMax) return [];
  if (keyword === 'const') return fixedValue(value);
  if (keyword === 'properties' && isJsonObject(value)) return [[keyword, flattenProperties(value)]];
  if (keyword === 'items' && isJsonObject(value)) return [[keyword, flatten(value)]];
  return [[keyword, value]];
}

function flattenProperties(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.keys(properties).map((name) => {
      const schema = member(properties, name);
      if (!isJsonObject(schema)) throw new Error(`the property ${name} has no schema object`);
      return [name, flatten(schema)];
    }),
  );
}

/** Bounds for an integer, since one model API knows enums of strings only. */
function fixedValue(value: JsonValue): readonly (readonly [string, JsonValue])[] {
  if (typeof value === 'string') return [['enum', [value]]];
  if (Number.isInteger(value)) {
    return [
      ['minimum', value],
      ['maximum', value],
    ];
  }
  throw new Error('only integers and strings can be fixed in a portable schema');
}
