/**
 * Decisions in their table: one row each, lists as JSON text, times with `+00:00`.
 *
 * Columns are always named, never counted on by position: files of the first version and of other programs differ in
 * their order. A row that cannot be a decision is a damaged file, and reading it throws.
 */
import type { Database } from 'better-sqlite3';
import { type Decision, isDecisionStatus, isDecisionType } from './decision.ts';
import { fromStored, toStored } from './instant.ts';
import { prepared } from './prepared.ts';

export interface DecisionRow {
  readonly id: string;
  readonly title: string;
  readonly rationale: string;
  readonly commit_sha: string;
  readonly files_affected: string;
  readonly decision_type: string;
  readonly confidence: number;
  readonly status: string;
  readonly author: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly evidence: string;
  readonly rejected_alternatives: string;
  readonly dependency_constraints: string;
  readonly tags: string;
  readonly agent: string | null;
  readonly session_id: string | null;
  readonly review_by: string | null;
  readonly supersedes: string | null;
  readonly superseded_by: string | null;
}

const columns = [
  'id',
  'title',
  'rationale',
  'commit_sha',
  'files_affected',
  'decision_type',
  'confidence',
  'status',
  'author',
  'created_at',
  'updated_at',
  'evidence',
  'rejected_alternatives',
  'dependency_constraints',
  'tags',
  'agent',
  'session_id',
  'review_by',
  'supersedes',
  'superseded_by',
] as const satisfies readonly (keyof DecisionRow)[];

/** The columns of table alias `d`, for a SELECT. */
export const decisionColumns = columns.map((column) => `d.${column}`).join(', ');

const insertSql = `INSERT INTO decisions (${columns.join(', ')}) VALUES (${columns.map((name) => `@${name}`).join(', ')})`;
const updateSql = `UPDATE decisions SET ${columns
  .filter((name) => name !== 'id')
  .map((name) => `${name} = @${name}`)
  .join(', ')} WHERE id = @id`;

export function insertDecision(db: Database, decision: Decision): void {
  prepared(db, insertSql).run(toRow(decision));
}

export function updateDecision(db: Database, decision: Decision): void {
  prepared(db, updateSql).run(toRow(decision));
}

export function deleteDecision(db: Database, id: string): void {
  prepared(db, 'DELETE FROM decisions WHERE id = ?').run(id);
}

export function readDecision(db: Database, id: string): Decision | null {
  const row = prepared<DecisionRow>(db, `SELECT ${decisionColumns} FROM decisions d WHERE d.id = ?`).get(id);
  return row === undefined ? null : fromRow(row);
}

export function fromRow(row: DecisionRow): Decision {
  if (!isDecisionType(row.decision_type) || !isDecisionStatus(row.status)) {
    throw new Error('a stored decision holds an unknown type or status');
  }
  return {
    id: row.id,
    title: row.title,
    rationale: row.rationale,
    commit_sha: row.commit_sha,
    files_affected: listOf(row.files_affected),
    decision_type: row.decision_type,
    confidence: row.confidence,
    status: row.status,
    author: row.author,
    evidence: listOf(row.evidence),
    rejected_alternatives: listOf(row.rejected_alternatives),
    dependency_constraints: listOf(row.dependency_constraints),
    tags: listOf(row.tags),
    created_at: fromStored(row.created_at),
    updated_at: fromStored(row.updated_at),
    agent: row.agent,
    session_id: row.session_id,
    review_by: row.review_by,
    supersedes: row.supersedes,
    superseded_by: row.superseded_by,
  };
}

function toRow(decision: Decision): DecisionRow {
  return {
    ...decision,
    files_affected: JSON.stringify(decision.files_affected),
    evidence: JSON.stringify(decision.evidence),
    rejected_alternatives: JSON.stringify(decision.rejected_alternatives),
    dependency_constraints: JSON.stringify(decision.dependency_constraints),
    tags: JSON.stringify(decision.tags),
    created_at: toStored(decision.created_at),
    updated_at: toStored(decision.updated_at),
  };
}

function listOf(text: string): readonly string[] {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value) || !value.every((item): item is string => typeof item === 'string')) {
    throw new Error('a stored list is not a list of texts');
  }
  return value;
}
