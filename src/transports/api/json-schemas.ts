/**
 * JSON Schemas of the document, made from the zod schemas of the rows by zod itself.
 *
 * A schema that carries an id (`.meta({ id: 'Memory' })`) becomes a shared component. Answers stay open: a later
 * version may add members, so what zod would close is left open, and a client must not refuse what it does not know.
 */
import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { isJsonObject, member } from '../../base/json.ts';

export interface SchemaBook {
  /** The schema as it stands in the document; what it shares is kept in `components`. */
  add(schema: z.ZodType, side: 'input' | 'output'): JsonObject;
  readonly components: ReadonlyMap<string, JsonObject>;
}

/** Add all outputs before the first input: a shape that differs as an input gets a name of its own then. */
export function createSchemaBook(): SchemaBook {
  const components = new Map<string, JsonObject>();
  return {
    components,
    add(schema, side) {
      const { $schema: _, $defs: shared = {}, ...root } = plainSchema(schema, side);
      const names = new Map<string, string>();
      if (isJsonObject(shared)) {
        for (const name of Object.keys(shared)) names.set(name, name);
        for (const [name, shape] of Object.entries(shared)) {
          const known = components.get(name);
          if (known !== undefined && JSON.stringify(known) !== JSON.stringify(publish(shape, side, names))) {
            names.set(name, `${name}Input`);
          }
        }
        for (const [name, shape] of Object.entries(shared)) {
          const published = publish(shape, side, names);
          if (isJsonObject(published)) components.set(names.get(name) ?? name, published);
        }
      }
      const published = publish(root, side, names);
      if (!isJsonObject(published)) throw new Error('a schema is an object');
      return published;
    },
  };
}

/** What zod makes of it, untouched. Throws for what JSON Schema cannot say. */
export function plainSchema(schema: z.ZodType, side: 'input' | 'output'): JsonObject {
  const made: unknown = z.toJSONSchema(schema, { io: side, target: 'draft-2020-12' });
  const plain: unknown = JSON.parse(JSON.stringify(made));
  if (!isJsonObject(plain)) throw new Error('a schema is an object');
  return plain;
}

/** References point into the document, answers are open, and the bounds of a safe integer are left unsaid. */
function publish(value: JsonValue, side: 'input' | 'output', names: ReadonlyMap<string, string>): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => publish(item, side, names));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).flatMap(([key, inner]): readonly (readonly [string, JsonValue])[] => {
    if (key === '$ref' && typeof inner === 'string') {
      const name = inner.replace(/^#\/\$defs\//, '');
      return [[key, `#/components/schemas/${names.get(name) ?? name}`]];
    }
    if (key === 'additionalProperties' && inner === false && side === 'output') return [];
    if (isSafeBound(value, key, inner)) return [];
    return [[key, publish(inner, side, names)]];
  });
  return Object.fromEntries(members);
}

function isSafeBound(holder: JsonObject, key: string, value: JsonValue): boolean {
  if (member(holder, 'type') !== 'integer') return false;
  return (
    (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) || (key === 'maximum' && value === Number.MAX_SAFE_INTEGER)
  );
}
