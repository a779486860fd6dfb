/**
 * The input schema of a tool, made from the zod schemas that check the call.
 *
 * One form for every client: flat, closed, each property of one type or of one type and null, without the keywords
 * that some clients reject. Lengths and patterns stay unsaid; the server checks them and says what was wrong.
 */
import { z } from 'zod';
import type { JsonValue } from '../base/json.ts';
import { isJsonObject, member } from '../base/json.ts';
import { projectLimits } from '../base/limits.ts';
import { text } from '../memory/decisions/parse.ts';
import type { Schema } from './operation.ts';

/** How a tool names its project. */
export const toolProject = { project_path: text(projectLimits.pathCharsMax, { blank: false }).optional() };

export type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * `words` describes properties; a property without words goes by its name. Every tool can name its project, by a
 * property that the instructions of the server describe once for all. Without `nulls` an optional property is shown as
 * one that is never null: leaving it out says the same.
 */
export function toolSchema(
  shape: Shape,
  words: Readonly<Record<string, string>>,
  { nulls = false }: { readonly nulls?: boolean } = {},
): Schema {
  let made: { readonly properties: Schema; readonly required: JsonValue } | null = null;
  const once = () => {
    made ??= inputsOf(shape, words, nulls);
    return made;
  };
  // Most commands load the table and list no tool: making these schemas would be a tenth of what a question takes.
  return {
    type: 'object',
    get properties() {
      return once().properties;
    },
    get required() {
      return once().required;
    },
    additionalProperties: false,
  };
}

function inputsOf(
  shape: Shape,
  words: Readonly<Record<string, string>>,
  nulls: boolean,
): { readonly properties: Schema; readonly required: JsonValue } {
  const all = z.object({ ...shape, ...toolProject });
  const whole: unknown = JSON.parse(JSON.stringify(z.toJSONSchema(all, { io: 'input' })));
  if (!isJsonObject(whole)) throw new Error('a schema is an object');
  const properties = member(whole, 'properties') ?? {};
  if (!isJsonObject(properties)) throw new Error('properties are an object');
  const unknown = Object.keys(words).filter((name) => !Object.hasOwn(properties, name));
  if (unknown.length > 0) throw new Error(`words for no property: ${unknown.join(', ')}`);
  const required = member(whole, 'required') ?? [];
  const mayBeNull = (name: string) => nulls || (Array.isArray(required) && required.includes(name));
  const flat = Object.keys(properties).map((name) => {
    const description = Object.hasOwn(words, name) ? words[name] : undefined;
    const schema = portableProperty(member(properties, name), name, mayBeNull(name));
    return [name, description === undefined ? schema : { ...schema, description }] as const;
  });
  return { properties: Object.fromEntries(flat), required };
}

function portableProperty(schema: JsonValue | undefined, name: string, mayBeNull: boolean): Schema {
  if (!isJsonObject(schema)) throw new Error(`the property ${name} has no schema object`);
  const branches = member(schema, 'anyOf');
  if (Array.isArray(branches)) {
    const [first, second, ...more]: readonly JsonValue[] = branches;
    const isNullable = isJsonObject(second) && member(second, 'type') === 'null' && more.length === 0;
    const flat = isNullable ? portableProperty(first, name, mayBeNull) : undefined;
    const type = flat === undefined ? undefined : member(flat, 'type');
    if (flat === undefined || typeof type !== 'string') throw new Error(`the property ${name} has more than one type`);
    return mayBeNull ? { ...flat, type: [type, 'null'] } : flat;
  }
  const kept = Object.entries(schema).filter(([keyword, value]) => isKept(keyword, value));
  const items = member(schema, 'items');
  return Object.fromEntries(
    items === undefined ? kept : [...kept, ['items', portableProperty(items, `${name}[]`, mayBeNull)] as const],
  );
}

/** Bounds that zod adds to every integer say nothing. */
function isKept(keyword: string, value: JsonValue): boolean {
  if (keyword === 'type' || keyword === 'enum') return true;
  if (keyword === 'minimum' || keyword === 'maximum') return Math.abs(Number(value)) <= 1_000_000;
  return keyword === 'maxItems' && Number(value) <= 100;
}
