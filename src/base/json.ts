/**
 * JSON as it arrives: `unknown` narrowed to what `JSON.parse` can produce.
 *
 * Keys are caller text. Read them with `Object.hasOwn` and `Object.keys`, never with `in` or a bare lookup on an
 * inherited object: `__proto__` and `constructor` are legal keys of a request.
 */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own member `key`, or undefined when absent. Inherited members are never seen. */
export function member(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Whether the own keys of `object` are exactly `required` plus any of `optional`. */
export function hasExactKeys(
  object: JsonObject,
  required: readonly string[],
  optional: readonly string[] = [],
): boolean {
  const keys = Object.keys(object);
  return (
    required.every((key) => Object.hasOwn(object, key)) &&
    keys.every((key) => required.includes(key) || optional.includes(key))
  );
}

/**
 * Whether the JSON in `text` holds more than `valuesMax` values, counted before parsing by its commas and opening
 * brackets. Linear and without memory; of text that is no JSON it says nothing.
 */
export function holdsMoreValues(text: string, valuesMax: number): boolean {
  if (text.length <= valuesMax) return false;
  let values = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (quoted) {
      if (unit === backslash) index += 1;
      else if (unit === quote) quoted = false;
    } else if (unit === quote) {
      quoted = true;
    } else if (unit === comma || unit === openBracket || unit === openBrace) {
      values += 1;
      if (values > valuesMax) return true;
    }
  }
  return false;
}

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const openBrace = 0x7b;
