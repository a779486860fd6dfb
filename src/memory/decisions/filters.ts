/**
 * The filters of list and search as SQL conditions on `decisions d`, combined with AND.
 *
 * A condition keeps its name, so that an explanation can say which filter cut how many. Status is the one that holds
 * on the day asked about: an active decision past its review day is STALE here too. Text is compared as it is stored
 * and in both of its Unicode normal forms.
 */
import type { Database, Statement } from 'better-sqlite3';
import type { DecisionStatus } from './decision.ts';
import { earliestOf, latestOf, toStored } from './instant.ts';
import type { FilterRequest } from './parse-read.ts';
import { prepared } from './prepared.ts';

export interface Condition {
  readonly name: string;
  readonly sql: string;
  readonly params: readonly (string | number)[];
}

/** Filters in one form: what is equal here selects the same records. */
export interface Filters {
  /** Null is every status. */
  readonly statuses: readonly DecisionStatus[] | null;
  readonly files: readonly string[];
  readonly tags: readonly string[];
  readonly type: string | null;
  readonly author: string | null;
  readonly agent: string | null;
  readonly sessionId: string | null;
  /** Stored form, inside. */
  readonly createdFrom: string | null;
  readonly createdTo: string | null;
  readonly confidenceMin: number | null;
}

/** `files` are the stored spellings of `request.file`. */
export function filtersOf(
  request: FilterRequest,
  files: readonly string[],
  defaultStatus: DecisionStatus | 'ALL',
): Filters {
  const status = request.status ?? defaultStatus;
  const from = request.created_after === undefined ? null : earliestOf(request.created_after);
  const to = request.created_before === undefined ? null : latestOf(request.created_before);
  return {
    statuses: status === 'ALL' ? null : [status],
    files: [...new Set(files)].sort(),
    tags: [...new Set(request.tag ?? [])].sort(),
    type: request.type ?? null,
    author: request.author ?? null,
    agent: request.agent ?? null,
    sessionId: request.session_id ?? null,
    createdFrom: from === null ? null : toStored(from),
    createdTo: to === null ? null : toStored(to),
    confidenceMin: request.min_confidence ?? null,
  };
}

/** `today` is the day whose statuses hold. */
export function conditionsOf(filters: Filters, today: string): readonly Condition[] {
  const conditions: Condition[] = [];
  const add = (name: string, sql: string, params: readonly (string | number)[]) =>
    conditions.push({ name, sql, params });
  if (filters.statuses !== null) {
    const status = "CASE WHEN d.status = 'ACTIVE' AND d.review_by < ? THEN 'STALE' ELSE d.status END";
    add('status', `${status} IN (${marks(filters.statuses)})`, [today, ...filters.statuses]);
  }
  if (filters.files.length > 0) {
    const spellings = filters.files.flatMap(spellingsOf);
    add('file', `d.id IN (SELECT decision_id FROM decision_files WHERE path IN (${marks(spellings)}))`, spellings);
  }
  if (filters.tags.length > 0) {
    const spellings = filters.tags.flatMap(spellingsOf);
    add('tag', `EXISTS (SELECT 1 FROM json_each(d.tags) WHERE value IN (${marks(spellings)}))`, spellings);
  }
  if (filters.type !== null) add('type', 'd.decision_type = ?', [filters.type]);
  for (const [name, column, value] of [
    ['author', 'd.author', filters.author],
    ['agent', 'd.agent', filters.agent],
    ['session_id', 'd.session_id', filters.sessionId],
  ] as const) {
    if (value === null) continue;
    const spellings = spellingsOf(value);
    add(name, `${column} IN (${marks(spellings)})`, spellings);
  }
  if (filters.createdFrom !== null) add('created_after', 'd.created_at >= ?', [filters.createdFrom]);
  if (filters.createdTo !== null) add('created_before', 'd.created_at <= ?', [filters.createdTo]);
  if (filters.confidenceMin !== null) add('min_confidence', 'd.confidence >= ?', [filters.confidenceMin]);
  return conditions;
}

export function whereOf(conditions: readonly Condition[]): { sql: string; params: readonly (string | number)[] } {
  return {
    sql: conditions.length === 0 ? '1' : conditions.map((condition) => `(${condition.sql})`).join(' AND '),
    params: conditions.flatMap((condition) => condition.params),
  };
}

/**
 * A statement with `conditions` in its text. Kept for the next call when there is at most one, which is nearly always
 * the status; texts of every combination would pile up.
 */
export function filteredStatement<Row>(
  db: Database,
  conditions: readonly Condition[],
  sql: string,
): Statement<unknown[], Row> {
  return conditions.length <= 1 ? prepared<Row>(db, sql) : db.prepare<unknown[], Row>(sql);
}

function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}

function spellingsOf(text: string): readonly string[] {
  return [...new Set([text, text.normalize('NFC'), text.normalize('NFD')])];
}
