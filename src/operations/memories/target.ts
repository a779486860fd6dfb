/** The inputs beside a request: which decision it is about, and under which conditions. */
import { z } from 'zod';
import type { Repeatable } from '../../memory/decisions/decisions.ts';
import { idempotencyKeySchema, ifMatchSchema } from '../../memory/decisions/parse-write.ts';
import type { CallContext } from '../operation.ts';

export const memoryTarget = z.object({ memory_id: z.string() });
export const changeTarget = z.object({ memory_id: z.string(), if_match: ifMatchSchema.optional() });
export const repeatableTarget = z.object({ idempotency_key: idempotencyKeySchema.optional() });
export const idempotencyHeader = { 'idempotency-key': 'idempotency_key' } as const;
export const ifMatchHeader = { 'if-match': 'if_match' } as const;

export const base = '/v1/projects/{project_id}/memories';

export function repeatableOf(key: string | undefined, call: CallContext): Repeatable | undefined {
  return key === undefined ? undefined : { principal: call.caller.principal, key };
}
