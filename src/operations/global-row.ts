/** Makes a row of the whole server: its request checked by a schema, its refusals already failures. */
import type { z } from 'zod';
import type { ErrorCode } from '../base/errors.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { Engine } from '../engine/engine.ts';
import { parseWith } from '../memory/decisions/parse.ts';
import { decisionFailure, failed } from './failures.ts';
import type { HttpRoute } from './http-route.ts';
import {
  type CallContext,
  type EventFields,
  type Operation,
  type OperationResult,
  operation,
  type Permission,
} from './operation.ts';

export interface GlobalRow<Request extends z.ZodType, Output extends JsonValue> {
  readonly name: string;
  readonly summary: string;
  readonly permission: Permission;
  readonly effects: string;
  readonly errors: readonly ErrorCode[];
  readonly example: { readonly input: JsonObject; readonly output: JsonValue };
  readonly request: Request;
  readonly http: HttpRoute;
  run(engine: Engine, request: z.output<Request>, call: CallContext): Promise<OperationResult<Output>>;
  /** Counts and words of closed sets, never content. */
  event?(output: Output): EventFields;
}

export function globalRow<Request extends z.ZodType, Output extends JsonValue>(
  row: GlobalRow<Request, Output>,
): Operation {
  const { name, summary, permission, effects, errors, example, http } = row;
  return operation<z.output<Request>, Output>({
    name,
    summary,
    permission,
    scope: 'global',
    effects,
    errors: [...errors, 'internal_error'],
    example,
    http,
    parse(raw) {
      const request = parseWith(row.request, raw);
      return request.ok ? request : failed(decisionFailure(request.failure));
    },
    run: (engine, request, call) => row.run(engine, request, call),
    event: (_request, result) => (result.ok ? (row.event?.(result.value) ?? {}) : {}),
  });
}
