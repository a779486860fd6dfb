/**
 * Deletes a decision for good. Its events stay, with a last one that says so; its search terms, vector and
 * fingerprints go with it, and a decision that it replaced or was replaced by no longer points to it.
 */

import { unlinkReplacement } from './change-status.ts';
import type { Decision } from './decision.ts';
import { appendEvent, deletedEvent } from './events.ts';
import { nextAfter } from './instant.ts';
import { ok, type Result } from './outcome.ts';
import { deleteDecision, readDecision } from './rows.ts';
import { actorOf, existing, saveChange, type WriteContext } from './write.ts';

/** The record as it was. Fails: `memory_not_found`. */
export function remove(context: WriteContext, id: string): Result<Decision> {
  const found = existing(context, id);
  if (!found.ok) return found;
  const decision = found.value;
  deleteDecision(context.db, id);
  const at = nextAfter(decision.updated_at, context.now);
  appendEvent(context.db, deletedEvent(decision, at, actorOf(context, decision), null));
  if (decision.superseded_by !== null) unlinkReplacement(context, decision.superseded_by, id);
  const old = decision.supersedes === null ? null : readDecision(context.db, decision.supersedes);
  if (old?.superseded_by === id) {
    saveChange(context, old, { superseded_by: null }, 'amended', `${id}, which replaced this decision, was deleted.`);
  }
  return ok(decision);
}
