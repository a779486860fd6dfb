/** The inputs beside a request: which decision it is about, and under which conditions. */
import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import type { Repeatable } from '../../memory/decisions/decisions.ts';
import { idempotencyKeySchema, ifMatchSchema } from '../../memory/decisions/parse-write.ts';
import type { CallContext, ToolAnnotations } from '../operation.ts';

export const memoryTarget = z.object({ memory_id: z.string() });
export const changeTarget = z.object({ memory_id: z.string(), if_match: ifMatchSchema.optional() });
export const repeatableTarget = z.object({ idempotency_key: idempotencyKeySchema.optional() });
export const idempotencyHeader = { 'idempotency-key': 'idempotency_key' } as const;
export const ifMatchHeader = { 'if-match': 'if_match' } as const;

export const base = '/v1/projects/{project_id}/memories';

export function repeatableOf(key: string | undefined, call: CallContext): Repeatable | undefined {
  return key === undefined ? undefined : { principal: call.caller.principal, key };
}

/** Reading decisions changes nothing but their own freshness. */
export const readingTool: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Changes keep the old values in the history, so none of them destroys. */
export function changingTool(idempotent: boolean): ToolAnnotations {
  return { readOnlyHint: false, destructiveHint: false, idempotentHint: idempotent, openWorldHint: false };
}

/** What a store answers, as plain JSON. */
export function plain(value: object): JsonObject {
  const copy: JsonValue = JSON.parse(JSON.stringify(value));
  if (!isJsonObject(copy)) throw new Error('an answer is an object');
  return copy;
}
