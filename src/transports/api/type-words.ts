/** What a JSON Schema admits, in a few words for people: `text (1 to 500 characters)`, `list of text`, `ACTIVE or STALE`. */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { isJsonObject, member } from '../../base/json.ts';

export function typeWords(schema: JsonObject): string {
  const reference = member(schema, '$ref');
  if (typeof reference === 'string') return reference.replace(/^.*\//, '');
  const choices = member(schema, 'enum');
  if (Array.isArray(choices)) return orList(choices.map(String));
  const fixed = member(schema, 'const');
  if (fixed !== undefined) return String(fixed);
  const branches = member(schema, 'anyOf') ?? member(schema, 'oneOf');
  if (Array.isArray(branches)) return orList(branches.filter(isJsonObject).map(typeWords));
  const type = member(schema, 'type');
  const types = Array.isArray(type) ? type : [type ?? 'any'];
  return orList(types.map((name) => wordsOf(name, schema)));
}

function wordsOf(type: JsonValue, schema: JsonObject): string {
  switch (type) {
    case 'string':
      return `text${range(schema, 'minLength', 'maxLength', ' characters')}`;
    case 'array': {
      const items = member(schema, 'items');
      const what = isJsonObject(items) ? typeWords(items) : 'anything';
      return `list of ${what}${range(schema, 'minItems', 'maxItems', ' items')}`;
    }
    case 'integer':
    case 'number':
      return `${type}${range(schema, 'minimum', 'maximum', '')}`;
    case 'any':
      return 'anything';
    default:
      return String(type);
  }
}

function range(schema: JsonObject, low: string, high: string, unit: string): string {
  const least = member(schema, low);
  const most = member(schema, high);
  if (least === undefined && most === undefined) return '';
  if (most === undefined) return ` (at least ${String(least)}${unit})`;
  return least === undefined ? ` (at most ${String(most)}${unit})` : ` (${String(least)} to ${String(most)}${unit})`;
}

function orList(words: readonly string[]): string {
  const distinct = [...new Set(words)];
  const last = distinct.at(-1) ?? 'anything';
  return distinct.length < 2 ? last : `${distinct.slice(0, -1).join(', ')} or ${last}`;
}
