/**
 * Reads answers of the server, which are `unknown` until every field was looked at.
 *
 * A client must live with servers that are newer: fields it does not know are kept in `raw`, and words it does not know
 * are passed on. What must be there and is not makes the answer unexpected. Everything that is handed out is frozen.
 */
import { NeuralMindConnectionError } from './errors.ts';

/** A JSON object as it arrived, frozen to its depths. */
export interface RawObject {
  readonly [key: string]: unknown;
}

/** One of the words known today, or a word of a later server. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** `what` names the value in the message when it is no object. */
export function objectOf(value: unknown, what: string): RawObject {
  if (!isObject(value)) throw unexpected(`${what} is not an object`);
  return value;
}

export function isObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function text(raw: RawObject, key: string): string {
  const value = own(raw, key);
  if (typeof value !== 'string') throw unexpected(`"${key}" is not text`);
  return value;
}

/** Null when the field is null or missing. */
export function textOrNull(raw: RawObject, key: string): string | null {
  return isMissing(raw, key) ? null : text(raw, key);
}

/** Empty when the field is missing. */
export function texts(raw: RawObject, key: string): readonly string[] {
  if (isMissing(raw, key)) return [];
  return list(raw, key).map((item) => {
    if (typeof item !== 'string') throw unexpected(`"${key}" holds something other than text`);
    return item;
  });
}

export function number(raw: RawObject, key: string): number {
  const value = own(raw, key);
  if (typeof value !== 'number') throw unexpected(`"${key}" is not a number`);
  return value;
}

export function numberOrNull(raw: RawObject, key: string): number | null {
  return isMissing(raw, key) ? null : number(raw, key);
}

export function boolean(raw: RawObject, key: string): boolean {
  const value = own(raw, key);
  if (typeof value !== 'boolean') throw unexpected(`"${key}" is not true or false`);
  return value;
}

export function object(raw: RawObject, key: string): RawObject {
  return objectOf(own(raw, key), `"${key}"`);
}

export function list(raw: RawObject, key: string): readonly unknown[] {
  const value = own(raw, key);
  if (!Array.isArray(value)) throw unexpected(`"${key}" is not a list`);
  return value;
}

/** Each item of the list is an object that `read` understands. */
export function listOf<Item>(raw: RawObject, key: string, read: (item: RawObject) => Item): readonly Item[] {
  return list(raw, key).map((item) => read(objectOf(item, `an item of "${key}"`)));
}

/** Freezes `value` and all that hangs on it. For JSON and for objects made from it, which have no cycles. */
export function deepFreeze<Value>(value: Value): Value {
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const inner of Object.values(next)) if (inner !== undefined) open.push(inner);
  }
  return value;
}

export function unexpected(fault: string): NeuralMindConnectionError {
  return new NeuralMindConnectionError(
    'unexpected_answer',
    `the answer is not one of the NeuralMind API: ${fault}; check that the address is that of the daemon`,
  );
}

function isMissing(raw: RawObject, key: string): boolean {
  const value = own(raw, key);
  return value === undefined || value === null;
}

function own(raw: RawObject, key: string): unknown {
  return Object.hasOwn(raw, key) ? raw[key] : undefined;
}
