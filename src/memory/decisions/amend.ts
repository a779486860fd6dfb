/**
 * Changes the content of a decision. Its status is changed by the verbs of `change-status.ts`.
 *
 * A patch that leaves everything as it was is answered with the record and writes nothing. With `ifMatch` the change
 * is made only to the state that the caller has seen.
 */
import type { Decision } from './decision.ts';
import { difference } from './events.ts';
import { parseInstant } from './instant.ts';
import { fail, ok, type Result } from './outcome.ts';
import { type AmendRequest, unquoted } from './parse-write.ts';
import { existing, saveChange, type WriteContext } from './write.ts';

/** Fails: `memory_not_found`, `precondition_failed`. */
export function amend(
  context: WriteContext,
  id: string,
  patch: AmendRequest,
  ifMatch: string | undefined,
): Result<Decision> {
  const found = existing(context, id);
  if (!found.ok) return found;
  const before = found.value;
  if (ifMatch !== undefined && parseInstant(unquoted(ifMatch)) !== before.updated_at) {
    const message = `memory ${id} was changed at ${before.updated_at}`;
    return fail({ code: 'precondition_failed', message, updatedAt: before.updated_at });
  }
  const change = changeOf(before, patch);
  const nothing = Object.keys(difference(before, { ...before, ...change })).length === 0;
  return ok(nothing ? before : saveChange(context, before, change, 'amended', null));
}

function changeOf(before: Decision, patch: AmendRequest): Partial<Decision> {
  return {
    title: patch.title ?? before.title,
    rationale: patch.rationale ?? before.rationale,
    commit_sha: patch.commit_sha ?? before.commit_sha,
    files_affected: patch.files_affected ?? before.files_affected,
    decision_type: patch.decision_type ?? before.decision_type,
    confidence: patch.confidence ?? before.confidence,
    author: patch.author === undefined ? before.author : patch.author,
    evidence: [...(patch.evidence ?? before.evidence), ...(patch.evidence_append ?? [])],
    rejected_alternatives: [
      ...(patch.rejected_alternatives ?? before.rejected_alternatives),
      ...(patch.rejected_append ?? []),
    ],
    dependency_constraints: patch.dependency_constraints ?? before.dependency_constraints,
    tags: patch.tags === undefined ? before.tags : [...new Set(patch.tags)],
    agent: patch.agent === undefined ? before.agent : patch.agent,
    session_id: patch.session_id === undefined ? before.session_id : patch.session_id,
    review_by: patch.review_by === undefined ? before.review_by : patch.review_by,
  };
}
