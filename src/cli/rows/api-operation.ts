/** A row that is a route, which is what a command stands for. */
import type { JsonValue } from '../../base/json.ts';
import type { Operation } from '../../operations/operation.ts';
import type { ApiOperation } from '../../transports/api/api-routes.ts';

export type { ApiOperation };

export function apiOperation(rows: readonly Operation[], name: string): ApiOperation {
  const row = rows.filter(hasRoute).find((one) => one.name === name);
  if (row === undefined) throw new Error(`no route stands behind ${name}`);
  return row;
}

function hasRoute(row: Operation): row is ApiOperation {
  return row.http !== undefined;
}

/** What the route sends as the body of a success value, as plain JSON; null when it sends none. */
export function bodyOf(row: ApiOperation, value: JsonValue): JsonValue {
  const success = row.http.respond?.(value);
  if (success?.status === 204) return null;
  return asJson(success?.body ?? value);
}

/** What is left of a value once it was written as JSON and read again. */
export function asJson(value: unknown): JsonValue {
  const copy: JsonValue = JSON.parse(JSON.stringify(value));
  return copy;
}
