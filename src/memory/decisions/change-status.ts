/**
 * The verbs that say whether a decision still holds. Any status may follow any other; each verb leaves a line in the
 * evidence and an event.
 */
import type { Decision } from './decision.ts';
import { ok, type Result } from './outcome.ts';
import { readDecision } from './rows.ts';
import { existing, saveChange, type WriteContext } from './write.ts';

/** Fails: `memory_not_found`. */
export function invalidate(context: WriteContext, id: string, reason: string): Result<Decision> {
  const found = existing(context, id);
  if (!found.ok) return found;
  const line = reason.trim() === '' ? 'Invalidated' : `Invalidated: ${reason.trim()}`;
  const change = { status: 'INVALIDATED', evidence: [...found.value.evidence, line] } as const;
  return ok(saveChange(context, found.value, change, 'invalidated', noteOf(reason)));
}

/** Fails: `memory_not_found`. */
export function markStale(context: WriteContext, id: string, reason: string): Result<Decision> {
  const found = existing(context, id);
  if (!found.ok) return found;
  const line = reason.trim() === '' ? 'Marked STALE' : `Marked STALE: ${reason.trim()}`;
  const change = { status: 'STALE', evidence: [...found.value.evidence, line] } as const;
  return ok(saveChange(context, found.value, change, 'stale', noteOf(reason)));
}

/** Marks those that are ACTIVE, and answers which they were. Ids that are unknown or have another status are passed over. */
export function markAllStale(
  context: WriteContext,
  changes: readonly { readonly id: string; readonly reason: string }[],
): Result<readonly Decision[]> {
  const marked: Decision[] = [];
  for (const { id, reason } of changes) {
    if (readDecision(context.db, id)?.status !== 'ACTIVE') continue;
    const result = markStale(context, id, reason);
    if (!result.ok) return result;
    marked.push(result.value);
  }
  return ok(marked);
}

/** Back to ACTIVE without a new anchor, as when a commit that made it stale is undone. Fails: `memory_not_found`. */
export function markActive(context: WriteContext, id: string, reason: string): Result<Decision> {
  const found = existing(context, id);
  if (!found.ok) return found;
  return ok(saveChange(context, found.value, { status: 'ACTIVE' }, 'active', noteOf(reason)));
}

/**
 * ACTIVE again, anchored to `commit` ("" keeps the old anchor). A review day that is past is taken off, since the
 * decision would read STALE at once. If it had been replaced, both links are taken off: it holds again.
 * Fails: `memory_not_found`.
 */
export function restore(context: WriteContext, id: string, commit: string): Result<Decision> {
  const found = existing(context, id);
  if (!found.ok) return found;
  const before = found.value;
  const overdue = before.review_by !== null && before.review_by < context.today;
  const restored = saveChange(
    context,
    before,
    {
      status: 'ACTIVE',
      commit_sha: commit === '' ? before.commit_sha : commit,
      evidence: [...before.evidence, commit === '' ? 'Restored' : `Restored at commit ${commit}`],
      review_by: overdue ? null : before.review_by,
      superseded_by: null,
    },
    'restored',
    null,
  );
  if (before.superseded_by !== null) unlinkReplacement(context, before.superseded_by, id);
  return ok(restored);
}

/** The newer decision no longer replaces `old`. */
export function unlinkReplacement(context: WriteContext, newer: string, old: string): void {
  const decision = readDecision(context.db, newer);
  if (decision?.supersedes !== old) return;
  saveChange(context, decision, { supersedes: null }, 'amended', `${old} is no longer replaced by this decision.`);
}

function noteOf(reason: string): string | null {
  return reason.trim() === '' ? null : reason.trim();
}
