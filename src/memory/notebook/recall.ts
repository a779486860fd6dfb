/**
 * Recall: the few active records of one scope that answer a query best. It reads, ranks and keeps nothing: no index, no
 * trace of the query. It never looks outside the scope and never shows a path or a score.
 */
import { type JsonObject, type JsonValue, member } from '../../base/json.ts';
import { notebookLimits } from '../../base/limits.ts';
import { type LegacyReferenceAnswer, type Plain, type ReferenceAnswer, referenceAnswer } from './answer.ts';
import { normaliseIdentifier } from './normalise.ts';
import type { Notebook } from './notebook.ts';
import { invalid, ok, type Result } from './outcome.ts';
import { type Match, makeQuery, matchRecord } from './ranking.ts';
import type { Selection, StoredRecord } from './store.ts';
import { codePointLength, compareCodePoints, isBlank, isWellFormed } from './text.ts';
import { isScope, type Scope } from './vocabulary.ts';

export interface RecallRequest {
  /** As sent; folding happens while ranking. */
  readonly query: string;
  readonly scope: Scope;
  /** Empty when none were sent. */
  readonly tags: readonly string[];
  /** Null for the whole scope, legacy records included. */
  readonly namespaceId: string | null;
}

export type RecalledMemory = {
  readonly reference: ReferenceAnswer;
  readonly id: string;
  readonly scope: Scope;
  readonly title: string | null;
  readonly content: string;
  readonly tags: readonly string[];
  readonly match: Plain<Pick<Match, 'terms' | 'tags'>>;
};

export type RecallAnswer = {
  readonly status: 'ok' | 'no_matches';
  /** At most five, best first. */
  readonly memories: readonly RecalledMemory[];
};

const recallArguments = ['query', 'scope', 'tags', 'namespace_id'];

/** The errors of recall's values name no field; only an unknown argument does. */
export function parseRecallRequest(raw: JsonObject): Result<RecallRequest> {
  if (!Object.keys(raw).every((key) => recallArguments.includes(key))) {
    return invalid(
      'invalid_request',
      'recall takes only query, scope, tags and namespace_id; leave out every other argument',
      'request',
    );
  }
  const query = member(raw, 'query');
  if (!isQuery(query)) {
    return invalid('invalid_query', 'query must be text that is not blank and has at most 1000 characters');
  }
  const scope = member(raw, 'scope');
  if (!isScope(scope)) {
    return invalid(
      'invalid_scope',
      'scope must be exactly one of self, relationship, preference, practice, project, knowledge',
    );
  }
  const tags = member(raw, 'tags');
  if (tags !== undefined && !isTagList(tags)) {
    return invalid(
      'invalid_tags',
      'tags must be 1 to 10 different texts of at most 50 characters, none blank; leave tags out to search without them',
    );
  }
  const namespaceId = parseNamespaceId(member(raw, 'namespace_id'));
  if (namespaceId === undefined) {
    return invalid(
      'invalid_namespace',
      'namespace_id must be a namespace id: 1 to 64 of a-z, 0-9, dash and underscore, with a letter or digit at both ends; leave it out to search the whole scope',
    );
  }
  return ok({ query, scope, tags: tags ?? [], namespaceId });
}

export async function recall(notebook: Notebook, request: RecallRequest): Promise<Result<RecallAnswer>> {
  // A linked scope directory is no error here, unlike in listing: there is simply nothing to recall.
  const scanned = await notebook.store.scan(selectionOf(request), 'is-empty');
  if (!scanned.ok) return { ok: false, failure: { ...scanned.failure, status: 'retrieval_error' } };
  const query = makeQuery(request.query, request.tags);
  const best: Found[] = [];
  for (const stored of scanned.value) {
    if (!isRecallable(stored, request)) continue;
    const match = matchRecord(query, stored);
    if (match !== undefined) keepBest(best, { stored, match });
  }
  if (best.length === 0) return ok({ status: 'no_matches', memories: [] });
  return ok({ status: 'ok', memories: best.map(recalledMemory) });
}

interface Found {
  readonly stored: StoredRecord;
  readonly match: Match;
}

function isQuery(value: JsonValue | undefined): value is string {
  return (
    typeof value === 'string' &&
    isWellFormed(value) &&
    !isBlank(value) &&
    codePointLength(value) <= notebookLimits.queryCharsMax
  );
}

/** Bounds and difference are of the text as sent: tags that differ only in case pass, and then count once. */
function isTagList(value: JsonValue): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length >= 1 &&
    value.length <= notebookLimits.tagsMax &&
    value.every(
      (tag) =>
        typeof tag === 'string' &&
        isWellFormed(tag) &&
        !isBlank(tag) &&
        codePointLength(tag) <= notebookLimits.tagCharsMax,
    ) &&
    new Set(value).size === value.length
  );
}

/** Null when absent, undefined when wrong. */
function parseNamespaceId(value: JsonValue | undefined): string | null | undefined {
  return value === undefined ? null : normaliseIdentifier(value);
}

function selectionOf({ scope, namespaceId }: RecallRequest): Selection {
  return namespaceId === null ? { kind: 'scope', scope } : { kind: 'namespace', scope, namespaceId };
}

function isRecallable({ record }: StoredRecord, request: RecallRequest): boolean {
  return record.schema_version === 1 ? request.namespaceId === null : record.lifecycle.state === 'active';
}

/** Puts `found` where it belongs among the few best; sorting everything that matched would cost more than matching. */
function keepBest(best: Found[], found: Found): void {
  const worse = best.findIndex((other) => byRank(found, other) < 0);
  best.splice(worse === -1 ? best.length : worse, 0, found);
  if (best.length > notebookLimits.recallResultsMax) best.pop();
}

function byRank(left: Found, right: Found): number {
  return (
    right.match.score - left.match.score ||
    compareCodePoints(left.stored.path, right.stored.path) ||
    compareCodePoints(left.stored.record.id, right.stored.record.id)
  );
}

function recalledMemory({ stored, match }: Found): RecalledMemory {
  const { record, scope } = stored;
  const legacy: LegacyReferenceAnswer = { schema_version: 1, scope, id: record.id };
  return {
    reference: record.schema_version === 1 ? legacy : referenceAnswer(record),
    id: record.id,
    scope,
    title: record.title,
    content: record.content,
    tags: [...record.tags],
    match: { terms: match.terms, tags: match.tags },
  };
}
