/** What is wrong with a field, in words for people: what would be right, with the whole range where there is one. */
import { z } from 'zod';
import { counted, grouped } from '../../base/numbers.ts';

/** A parser of zod takes this as its `error`; words that a schema brings itself stay. Undefined leaves those of zod. */
export function problemWords(schema: z.ZodType): z.core.$ZodErrorMap {
  return (issue) => {
    switch (issue.code) {
      case 'invalid_type':
        return `must be ${typeWords[issue.expected] ?? issue.expected}`;
      case 'invalid_value':
        return issue.values.length === 1
          ? `must be ${String(issue.values[0])}`
          : `must be one of ${issue.values.map(String).join(', ')}`;
      case 'too_small':
        return sizeWords(issue.origin, Number(issue.minimum), numberMost(schema, issue.path ?? []));
      case 'too_big':
        return sizeWords(issue.origin, numberLeast(schema, issue.path ?? []), Number(issue.maximum));
      default:
        return undefined;
    }
  };
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** `must be 1 to 200,000`, `must have at most 20 items`. Both ends count as allowed. */
function sizeWords(origin: string, least: number | null, most: number | null): string {
  if (origin !== 'number' && origin !== 'int') {
    const bound = most === null ? `at least ${counted(least ?? 0, 'item')}` : `at most ${counted(most, 'item')}`;
    return `must have ${bound}`;
  }
  if (least !== null && most !== null) return `must be ${shown(least)} to ${shown(most)}`;
  return most === null ? `must be at least ${shown(least ?? 0)}` : `must be at most ${shown(most)}`;
}

function shown(bound: number): string {
  return Number.isInteger(bound) ? grouped(bound) : String(bound);
}

function numberLeast(schema: z.ZodType, path: readonly PropertyKey[]): number | null {
  return saidBound(numberAt(schema, path)?.minValue ?? null);
}

function numberMost(schema: z.ZodType, path: readonly PropertyKey[]): number | null {
  return saidBound(numberAt(schema, path)?.maxValue ?? null);
}

/** The bounds of every whole number say nothing. */
function saidBound(bound: number | null): number | null {
  return bound !== null && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : null;
}

/** The schema of the number at `path`; null where something else stands there, or a schema that is none of these. */
function numberAt(schema: unknown, path: readonly PropertyKey[]): z.ZodNumber | null {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return numberAt(schema.unwrap(), path);
  const [key, ...rest] = path;
  if (key === undefined) return schema instanceof z.ZodNumber ? schema : null;
  if (schema instanceof z.ZodArray) return numberAt(schema.element, rest);
  if (!(schema instanceof z.ZodObject) || typeof key !== 'string') return null;
  const shape: Readonly<Record<string, unknown>> = schema.shape;
  return numberAt(shape[key], rest);
}
