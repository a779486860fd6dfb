/**
 * The border: `unknown` in, a checked request or the list of wrong fields out.
 *
 * Nothing is coerced and unknown fields are dropped. The schemas are zod, so the table of operations can publish them
 * as JSON Schema; lengths count Unicode code points.
 */
import { z } from 'zod';
import { decisionLimits } from '../../base/limits.ts';
import { type FieldProblem, invalid, ok, type Result } from './outcome.ts';
import { problemWords } from './problem-words.ts';

export function parseWith<Schema extends z.ZodType>(schema: Schema, raw: unknown): Result<z.output<Schema>> {
  const parsed = schema.safeParse(raw, { error: problemWords(schema) });
  return parsed.success ? ok(parsed.data) : invalid(parsed.error.issues.map((issue) => problemOf(issue, raw)));
}

/** Text without lone surrogates (they cannot be stored) of `min` to `max` code points. */
export function text(max: number, options: { readonly blank: boolean }) {
  return z
    .string()
    .superRefine((value, context) => {
      const refuse = (type: string, message: string) => context.addIssue({ code: 'custom', message, params: { type } });
      if (/\p{Cs}|\u0000/u.test(value)) refuse('string_unicode', 'holds a character that cannot be stored');
      if (!options.blank && value.trim() === '') refuse('string_too_short', 'must not be blank');
      if (value.length > max && [...value].length > max) refuse('string_too_long', `at most ${max} characters`);
    })
    .meta(options.blank ? { maxLength: max } : { minLength: 1, maxLength: max });
}

export const name = text(decisionLimits.nameCharsMax, { blank: false });

export function listOf<Item extends z.ZodType>(item: Item, max: number = decisionLimits.itemsMax) {
  return z.array(item).max(max);
}

const typeNames: Readonly<Record<string, string>> = {
  invalid_value: 'enum',
  too_small: 'greater_than_equal',
  too_big: 'less_than_equal',
  invalid_format: 'string_pattern_mismatch',
};

function problemOf(issue: z.core.$ZodIssue, raw: unknown): FieldProblem {
  const loc = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'custom') {
    const type: unknown = issue.params?.['type'];
    return { loc, msg: issue.message, type: typeof type === 'string' ? type : 'value_error' };
  }
  // A closed set of words says `invalid_value` also of a field that is not there.
  const typed = issue.code === 'invalid_type';
  if ((typed || issue.code === 'invalid_value') && valueAt(raw, loc) === undefined) {
    return { loc, msg: 'Field required', type: 'missing' };
  }
  if (typed) return { loc, msg: issue.message, type: `${issue.expected}_type` };
  return { loc, msg: issue.message, type: typeNames[issue.code] ?? issue.code };
}

function valueAt(raw: unknown, loc: readonly (string | number)[]): unknown {
  let value = raw;
  for (const key of loc) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
