/** The row for up to a hundred creations, amendments and invalidations in one call. */
import { z } from 'zod';
import { errorCatalogue } from '../../base/errors.ts';
import type { JsonValue } from '../../base/json.ts';
import { decisionLimits } from '../../base/limits.ts';
import type { BatchItem } from '../../memory/decisions/batch.ts';
import { ok } from '../../memory/decisions/outcome.ts';
import {
  amendSchema,
  batchSchema,
  createSchema,
  ifMatchSchema,
  invalidateSchema,
} from '../../memory/decisions/parse-write.ts';
import { decisionFailure } from '../failures.ts';
import { projectRow } from '../project-row.ts';
import { projectExample } from '../projects/project-schema.ts';
import { memoryExample, memorySchema, shownMemory } from './memory-schema.ts';
import { base, idempotencyHeader, repeatableOf, repeatableTarget } from './target.ts';

const { status: _status, ...amendFields } = amendSchema.shape;
const operations = z
  .array(
    z.discriminatedUnion('op', [
      z.object({ op: z.literal('create'), ...createSchema.shape }),
      z.object({ op: z.literal('update'), id: z.string(), if_match: ifMatchSchema.optional(), ...amendFields }),
      z.object({ op: z.literal('invalidate'), id: z.string(), ...invalidateSchema.shape }),
    ]),
  )
  .min(1)
  .max(decisionLimits.batchOperationsMax);

const resultSchema = z.union([
  z.object({ index: z.int(), op: z.string(), ok: z.literal(true), memory: memorySchema }),
  z.object({
    index: z.int(),
    op: z.string(),
    ok: z.literal(false),
    error: z.object({ code: z.string(), message: z.string(), status: z.int(), details: z.looseObject({}) }),
  }),
]);

export const batchMemories = projectRow({
  name: 'memories.batch',
  summary: 'Carries out up to a hundred operations in order; each succeeds or fails on its own.',
  permission: 'memories.write',
  effects: 'Writes what succeeded, in one transaction, each operation with its event.',
  errors: ['conflict'],
  example: {
    input: {
      project_id: projectExample.id,
      operations: [
        { op: 'create', title: memoryExample.title, rationale: memoryExample.rationale },
        { op: 'invalidate', id: 'adr-7', reason: 'Overtaken' },
      ],
    },
    output: {
      results: [
        { index: 0, op: 'create', ok: true, memory: memoryExample },
        {
          index: 1,
          op: 'invalidate',
          ok: false,
          error: {
            code: 'memory_not_found',
            message: 'no memory with id adr-7',
            status: 404,
            details: { id: 'adr-7' },
          },
        },
      ],
      replayed: false,
    },
  },
  target: repeatableTarget,
  request: batchSchema,
  http: {
    method: 'POST',
    path: `${base}/batch`,
    headers: idempotencyHeader,
    body: true,
    success: { 200: 'One result for each operation, in their order.' },
    input: z.object({ operations, ...repeatableTarget.shape }),
    output: z.object({ results: z.array(resultSchema) }),
    respond(value) {
      const { results, replayed } = batchValue.parse(value);
      return { status: 200, body: { results }, ...(replayed ? { replayed } : {}) };
    },
  },
  async run({ decisions, target, request, call }) {
    const repeat = repeatableOf(target.idempotency_key, call);
    const result = await decisions.batch(request, { actor: null }, repeat);
    if (!result.ok) return result;
    return ok({ results: result.value.answer.map(shownItem), replayed: result.value.replayed });
  },
  event: ({ results, replayed }) => ({ operations: results.length, replayed }),
});

const batchValue = z.object({ results: z.array(z.json()), replayed: z.boolean() });

function shownItem(item: BatchItem): JsonValue {
  const { index, op } = item;
  if (item.ok) return { index, op, ok: true, memory: shownMemory(item.memory) };
  const { code, message, details = {} } = decisionFailure(item.failure);
  return { index, op, ok: false, error: { code, message, status: errorCatalogue[code].http, details } };
}
