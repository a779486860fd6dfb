/**
 * What a decision record is: its fields, its closed vocabularies, and the two ways it is read.
 *
 * `Decision` is what the store holds. `toView` gives what a reader sees: the same record with the status that holds
 * today, because a decision past its `review_by` reads STALE without anybody writing it. Field names are those of the
 * wire and of the files.
 */
import { decisionLimits } from '../../base/limits.ts';
import type { Instant } from './instant.ts';

export const decisionTypes = ['ARCHITECTURE', 'DEPENDENCY', 'TEST', 'REFACTOR', 'BUGFIX', 'CONFIG'] as const;
export type DecisionType = (typeof decisionTypes)[number];

export const decisionStatuses = ['ACTIVE', 'STALE', 'INVALIDATED'] as const;
export type DecisionStatus = (typeof decisionStatuses)[number];

/** Ids that would hide a route beside the records. */
export const reservedIds: readonly string[] = [
  'search',
  'batch',
  'export',
  'import',
  'audit',
  'scan',
  'timeline',
  'history',
  'supersede',
];
/** What a caller may choose as an id. Older files may hold others; those stay readable. */
export const idPattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

export interface Decision {
  readonly id: string;
  readonly title: string;
  readonly rationale: string;
  /** The commit it was recorded at, or "". */
  readonly commit_sha: string;
  /** Project-relative, with `/`. */
  readonly files_affected: readonly string[];
  readonly decision_type: DecisionType;
  /** 0 to 1. */
  readonly confidence: number;
  readonly status: DecisionStatus;
  readonly author: string | null;
  readonly evidence: readonly string[];
  readonly rejected_alternatives: readonly string[];
  /** Ids of the decisions it depends on. */
  readonly dependency_constraints: readonly string[];
  readonly tags: readonly string[];
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly agent: string | null;
  readonly session_id: string | null;
  /** A day in UTC; the decision reads STALE from the day after. */
  readonly review_by: string | null;
  /** The decision that this one replaced. */
  readonly supersedes: string | null;
  /** The decision that replaced this one. */
  readonly superseded_by: string | null;
}

export type DecisionField = keyof Decision;

/** Every field but the id, in the order of the wire. */
export const changeableFields = [
  'title',
  'rationale',
  'commit_sha',
  'files_affected',
  'decision_type',
  'confidence',
  'status',
  'author',
  'evidence',
  'rejected_alternatives',
  'dependency_constraints',
  'tags',
  'created_at',
  'updated_at',
  'agent',
  'session_id',
  'review_by',
  'supersedes',
  'superseded_by',
] as const satisfies readonly DecisionField[];

/** The status that holds on the day `today` (UTC). */
export function effectiveStatus(decision: Pick<Decision, 'status' | 'review_by'>, today: string): DecisionStatus {
  const overdue = decision.review_by !== null && decision.review_by < today;
  return decision.status === 'ACTIVE' && overdue ? 'STALE' : decision.status;
}

/** The record as a reader sees it on the day `today`. */
export function toView(decision: Decision, today: string): Decision {
  const status = effectiveStatus(decision, today);
  return status === decision.status ? decision : { ...decision, status };
}

export interface CompactDecision {
  readonly id: string;
  readonly title: string;
  readonly status: DecisionStatus;
  readonly type: DecisionType;
  readonly commit: string;
  /** The day of the last change. */
  readonly updated: string;
  /** How many files it governs. */
  readonly files: number;
}

/** A row of 50 to 100 tokens for lists that an agent scans. Takes the record as a reader sees it. */
export function toCompact(view: Decision): CompactDecision {
  return {
    id: view.id,
    title: [...view.title].slice(0, decisionLimits.compactTitleChars).join(''),
    status: view.status,
    type: view.decision_type,
    commit: view.commit_sha.slice(0, 10),
    updated: view.updated_at.slice(0, 10),
    files: view.files_affected.length,
  };
}

export function isDecisionType(value: unknown): value is DecisionType {
  return decisionTypes.some((type) => type === value);
}

export function isDecisionStatus(value: unknown): value is DecisionStatus {
  return decisionStatuses.some((status) => status === value);
}
