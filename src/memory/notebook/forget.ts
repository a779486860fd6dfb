/**
 * Forgetting: the file of an archived record is deleted, and nothing is kept that says it was there. Only an archived
 * record can be forgotten, so deleting always takes two decisions.
 */
import { type CanonicalReferenceAnswer, referenceAnswer } from './answer.ts';
import type { LifecycleRequest } from './lifecycle.ts';
import type { Notebook } from './notebook.ts';
import { fail, ok, type Result } from './outcome.ts';
import { changeRecord } from './target.ts';

export type ForgetAnswer = {
  readonly status: 'forgotten';
  readonly reference: CanonicalReferenceAnswer;
};

export function forget(notebook: Notebook, request: LifecycleRequest): Promise<Result<ForgetAnswer>> {
  return changeRecord<ForgetAnswer>(notebook, request, async (writer, current) => {
    if (current.record.lifecycle.state !== 'archived') {
      return fail({
        status: 'conflict',
        code: 'not_archived',
        message: 'only an archived record can be forgotten; archive it first, then forget it at its new revision',
      });
    }
    const removed = await writer.remove(current);
    if (!removed.ok) return removed;
    return ok({ status: 'forgotten', reference: referenceAnswer(current.record) });
  });
}
