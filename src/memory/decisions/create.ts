/**
 * A new decision, alone or in place of another.
 *
 * A replaced decision reads INVALIDATED and both records name each other. A decision that was replaced before is left
 * alone: the caller is told which decision holds now.
 */
import { randomUUID } from 'node:crypto';
import type { Decision } from './decision.ts';
import { conflict, invalidField, ok, type Result } from './outcome.ts';
import type { CreateRequest } from './parse-write.ts';
import { readDecision } from './rows.ts';
import { saveChange, saveNew, type WriteContext } from './write.ts';

export interface CreateDefaults {
  /** Full id of HEAD, or "". */
  readonly commit: string;
  /** Why the old decision is replaced. */
  readonly reason?: string | undefined;
}

/** Fails: `conflict` (the id exists, the old decision is replaced already), `validation_error` (no such old decision). */
export function create(context: WriteContext, request: CreateRequest, defaults: CreateDefaults): Result<Decision> {
  const id = request.id ?? randomUUID();
  if (readDecision(context.db, id) !== null) return conflict(`a memory with id ${id} exists already`, [id]);
  const replaced = request.supersedes ?? null;
  const old = replaced === null ? null : readDecision(context.db, replaced);
  if (replaced !== null && old === null) {
    return invalidField(['supersedes'], `no memory with id ${replaced}`, 'memory_not_found');
  }
  if (old !== null && old.superseded_by !== null) {
    return conflict(`${old.id} is replaced by ${old.superseded_by} already`, [old.superseded_by]);
  }
  const decision = saveNew(context, newDecision(context, id, request, defaults), null);
  if (old !== null) {
    const reason = defaults.reason?.trim() ? `: ${defaults.reason.trim()}` : '';
    const note = `Superseded by ${id}${reason}`;
    const change = { status: 'INVALIDATED', superseded_by: id, evidence: [...old.evidence, note] } as const;
    saveChange(context, old, change, 'superseded', defaults.reason ?? null);
  }
  return ok(decision);
}

function newDecision(context: WriteContext, id: string, request: CreateRequest, defaults: CreateDefaults): Decision {
  return {
    id,
    title: request.title,
    rationale: request.rationale,
    commit_sha: request.commit_sha ?? defaults.commit,
    files_affected: request.files_affected ?? [],
    decision_type: request.decision_type ?? 'ARCHITECTURE',
    confidence: request.confidence ?? 1,
    status: request.status ?? 'ACTIVE',
    author: request.author ?? null,
    evidence: request.evidence ?? [],
    rejected_alternatives: request.rejected_alternatives ?? [],
    dependency_constraints: request.dependency_constraints ?? [],
    tags: [...new Set(request.tags ?? [])],
    created_at: context.now,
    updated_at: context.now,
    agent: request.agent ?? null,
    session_id: request.session_id ?? null,
    review_by: request.review_by ?? null,
    supersedes: request.supersedes ?? null,
    superseded_by: null,
  };
}
