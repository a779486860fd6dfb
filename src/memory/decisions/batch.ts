/**
 * Up to a hundred creations, amendments and invalidations in one transaction. Each is checked and answered on its own;
 * one that fails leaves the others standing, and each sees what the ones before it did.
 */
import { amend } from './amend.ts';
import { invalidate } from './change-status.ts';
import { type CreateDefaults, create } from './create.ts';
import type { Decision } from './decision.ts';
import type { Failure, Result } from './outcome.ts';
import { parseWith } from './parse.ts';
import { type BatchRequest, batchTargetSchema, parseAmend, parseCreate, parseInvalidate } from './parse-write.ts';
import { type Surroundings, settle } from './settle.ts';
import type { WriteContext } from './write.ts';

export type BatchOperation = BatchRequest['operations'][number];

export type BatchItem =
  | { readonly index: number; readonly op: BatchOperation['op']; readonly ok: true; readonly memory: Decision }
  | { readonly index: number; readonly op: BatchOperation['op']; readonly ok: false; readonly failure: Failure };

export function batch(
  context: WriteContext,
  request: BatchRequest,
  around: Surroundings,
  defaults: CreateDefaults,
): readonly BatchItem[] {
  return request.operations.map((operation, index) => {
    context.db.exec('SAVEPOINT operation');
    const result = runOne(index === 0 ? context : { ...context, now: context.tick() }, operation, around, defaults);
    if (!result.ok) context.db.exec('ROLLBACK TO operation');
    context.db.exec('RELEASE operation');
    return result.ok
      ? { index, op: operation.op, ok: true, memory: result.value }
      : { index, op: operation.op, ok: false, failure: result.failure };
  });
}

function runOne(
  context: WriteContext,
  operation: BatchOperation,
  around: Surroundings,
  defaults: CreateDefaults,
): Result<Decision> {
  if (operation.op === 'create') {
    const request = parseCreate(operation);
    if (!request.ok) return request;
    const settled = settle(request.value, around);
    return settled.ok ? create(context, settled.value, defaults) : settled;
  }
  const target = parseWith(batchTargetSchema, operation);
  if (!target.ok) return target;
  if (operation.op === 'invalidate') {
    const request = parseInvalidate(operation);
    return request.ok ? invalidate(context, target.value.id, request.value.reason ?? '') : request;
  }
  const patch = parseAmend(operation);
  if (!patch.ok) return patch;
  const settled = settle(patch.value, around);
  return settled.ok ? amend(context, target.value.id, settled.value, target.value.if_match) : settled;
}
