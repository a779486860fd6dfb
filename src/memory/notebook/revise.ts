/**
 * Revise: the labels, title, content and tags of one record are replaced as a whole, at the exact revision the caller
 * has seen. What the record is (its place, kind, language, origin, state and times) never changes, and no earlier text
 * is kept.
 */
import type { JsonObject } from '../../base/json.ts';
import { lifecycleAnswer, referenceAnswer } from './answer.ts';
import type { ChangedAnswer } from './lifecycle.ts';
import { nextVersion } from './next-version.ts';
import type { Notebook } from './notebook.ts';
import { invalid, ok, type Result } from './outcome.ts';
import { parseRevision, type Revision } from './parse-revision.ts';
import type { CanonicalRecord } from './record.ts';
import { type InspectedField, refuseDisallowed } from './refusal.ts';
import { changeRecord } from './target.ts';

export type ReviseRequest = Revision;

export type ReviseAnswer = ChangedAnswer<'revised' | 'already_current'>;

export function parseReviseRequest(raw: JsonObject): Result<ReviseRequest> {
  return parseRevision(raw);
}

export async function revise(notebook: Notebook, request: ReviseRequest): Promise<Result<ReviseAnswer>> {
  const refused = refuseDisallowed(inspectedFields(request));
  if (refused !== undefined) return refused;
  return await changeRecord<ReviseAnswer>(notebook, request, async (writer, current) => {
    const { record } = current;
    if (record.collection === null && request.collectionLabel !== null) {
      return invalid(
        'invalid_collection',
        'the record is in no collection, so there is none to label; leave collection_label out or send null',
        'collection_label',
      );
    }
    if (isCurrent(record, request)) {
      return ok({
        status: 'already_current',
        reference: referenceAnswer(record),
        lifecycle: lifecycleAnswer(record),
      });
    }
    const next = nextVersion(record, notebook.clock, {
      namespace: { ...record.namespace, label: request.namespaceLabel },
      collection: record.collection === null ? null : { ...record.collection, label: request.collectionLabel },
      title: request.title,
      content: request.content,
      tags: request.tags,
    });
    const replaced = await writer.replace(current, next);
    if (!replaced.ok) return replaced;
    return ok({ status: 'revised', reference: referenceAnswer(next), lifecycle: lifecycleAnswer(next) });
  });
}

/** Only what is new in a revision; its reference was judged when the record was made. */
function inspectedFields(request: Revision): readonly InspectedField[] {
  return [
    { field: 'namespace_label', text: request.namespaceLabel },
    { field: 'collection_label', text: request.collectionLabel },
    { field: 'title', text: request.title },
    { field: 'content', text: request.content },
    ...request.tags.map((tag) => ({ field: 'tags', text: tag })),
  ];
}

/** Here the order and case of tags count: the caller may have come to change just that. */
function isCurrent(record: CanonicalRecord, request: Revision): boolean {
  return (
    record.namespace.label === request.namespaceLabel &&
    (record.collection?.label ?? null) === request.collectionLabel &&
    record.title === request.title &&
    record.content === request.content &&
    record.tags.length === request.tags.length &&
    record.tags.every((tag, index) => tag === request.tags[index])
  );
}
