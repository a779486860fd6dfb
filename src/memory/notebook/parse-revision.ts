/**
 * The arguments of revise: a target, and the complete new state of everything a caller may change. There are no partial
 * revisions, so a member that is left out is an error and never means "keep".
 */
import { type JsonObject, member } from '../../base/json.ts';
import { notebookLimits } from '../../base/limits.ts';
import { normaliseNullableText, normaliseTags, normaliseText } from './normalise.ts';
import { invalid, ok, type Result } from './outcome.ts';
import { invalidContent, invalidTags, invalidTitle } from './parse-new-record.ts';
import { parseTarget, type Target, targetArguments } from './target.ts';

export interface Revision extends Target {
  readonly namespaceLabel: string | null;
  /** Null also when it was left out, which only a reference without a collection allows. */
  readonly collectionLabel: string | null;
  readonly title: string | null;
  readonly content: string;
  readonly tags: readonly string[];
}

const requiredMembers = ['namespace_label', 'title', 'content', 'tags'] as const;
const knownArguments: readonly string[] = [...targetArguments, ...requiredMembers, 'collection_label'];

export function parseRevision(raw: JsonObject): Result<Revision> {
  if (!Object.keys(raw).every((key) => knownArguments.includes(key))) {
    return invalid(
      'invalid_record',
      'a revision takes only reference, expected_revision, namespace_label, collection_label, title, content and tags; nothing else of a record can be revised',
      'revision',
    );
  }
  const target = parseTarget(raw);
  if (!target.ok) return target;
  const missing = requiredMembers.find((name) => !Object.hasOwn(raw, name));
  if (missing !== undefined) {
    return invalid(
      'invalid_record',
      'a revision replaces the whole text of a record, so namespace_label, title, content and tags must all be there; repeat what should stay',
      missing,
    );
  }
  if (target.value.reference.collection_id !== null && !Object.hasOwn(raw, 'collection_label')) {
    return invalid(
      'invalid_record',
      'the record is in a collection, so collection_label must be there; repeat the present label, or send null for none',
      'collection_label',
    );
  }
  const namespaceLabel = normaliseNullableText(member(raw, 'namespace_label'), notebookLimits.labelCharsMax);
  if (namespaceLabel === undefined) return invalidLabel('namespace_label');
  const collectionLabel = normaliseNullableText(member(raw, 'collection_label') ?? null, notebookLimits.labelCharsMax);
  if (collectionLabel === undefined) return invalidLabel('collection_label');
  const title = normaliseNullableText(member(raw, 'title'), notebookLimits.titleCharsMax);
  if (title === undefined) return invalidTitle();
  const content = normaliseText(member(raw, 'content'), notebookLimits.contentCharsMax);
  if (content === undefined) return invalidContent();
  const tags = normaliseTags(member(raw, 'tags'));
  if (tags === undefined) return invalidTags();
  return ok({ ...target.value, namespaceLabel, collectionLabel, title, content, tags });
}

function invalidLabel(field: 'namespace_label' | 'collection_label'): Result<never> {
  return invalid(
    'invalid_record',
    'a label must be null or text that is not blank and has at most 100 characters',
    field,
  );
}
