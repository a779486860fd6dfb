/**
 * Remember: one approved memory becomes one file, or none when it is already there. What must not be kept is refused
 * before anything is looked up or made. The search for a duplicate and the creation are one step to everybody else.
 */
import { toUtcSeconds } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import { type CanonicalReferenceAnswer, type LifecycleAnswer, lifecycleAnswer } from './answer.ts';
import { findDuplicate } from './duplicate.ts';
import type { Notebook } from './notebook.ts';
import { ok, type Result } from './outcome.ts';
import { parseNewRecord } from './parse-new-record.ts';
import type { CanonicalRecord, NewRecord } from './record.ts';
import { type InspectedField, refuseDisallowed } from './refusal.ts';

export type RememberRequest = NewRecord;

export type RememberAnswer = {
  readonly status: 'remembered' | 'already_exists' | 'existing_archived';
  /** The one reference without a version. */
  readonly reference: Omit<CanonicalReferenceAnswer, 'schema_version'>;
  readonly lifecycle: LifecycleAnswer;
};

export function parseRememberRequest(raw: JsonObject): Result<RememberRequest> {
  return parseNewRecord(raw);
}

export async function remember(notebook: Notebook, draft: RememberRequest): Promise<Result<RememberAnswer>> {
  const refused = refuseDisallowed(inspectedFields(draft));
  if (refused !== undefined) return refused;
  return await notebook.store.exclusively<RememberAnswer>({ createRoot: true }, async (writer) => {
    const scanned = await writer.scan({ kind: 'scope', scope: draft.scope }, 'is-unavailable');
    if (!scanned.ok) return scanned;
    const duplicate = findDuplicate(draft, scanned.value);
    if (duplicate !== undefined) {
      return ok(answer(duplicate.lifecycle.state === 'active' ? 'already_exists' : 'existing_archived', duplicate));
    }
    const record = newRecord(notebook, draft);
    const created = await writer.create(record);
    if (!created.ok) return created;
    return ok(answer('remembered', record));
  });
}

/** Both halves of a namespace and of a collection go by the name of the whole, and tags have no index. */
function inspectedFields(draft: NewRecord): readonly InspectedField[] {
  return [
    { field: 'namespace', text: draft.namespace.id },
    { field: 'namespace', text: draft.namespace.label },
    { field: 'collection', text: draft.collection?.id ?? null },
    { field: 'collection', text: draft.collection?.label ?? null },
    { field: 'title', text: draft.title },
    { field: 'content', text: draft.content },
    ...draft.tags.map((tag) => ({ field: 'tags', text: tag })),
  ];
}

function newRecord(notebook: Notebook, draft: NewRecord): CanonicalRecord {
  const now = toUtcSeconds(notebook.clock.now());
  return {
    schema_version: 2,
    id: notebook.newId(),
    scope: draft.scope,
    namespace: draft.namespace,
    collection: draft.collection,
    kind: draft.kind,
    language: draft.language,
    title: draft.title,
    content: draft.content,
    tags: draft.tags,
    provenance: { origin: draft.origin, recorded_via: 'memory_remember' },
    lifecycle: { state: 'active', revision: 1 },
    created_at: now,
    updated_at: now,
    ...(draft.occurredAt === undefined ? {} : { occurred_at: draft.occurredAt }),
  };
}

function answer(status: RememberAnswer['status'], record: CanonicalRecord): RememberAnswer {
  return {
    status,
    reference: {
      scope: record.scope,
      namespace_id: record.namespace.id,
      collection_id: record.collection === null ? null : record.collection.id,
      id: record.id,
    },
    lifecycle: lifecycleAnswer(record),
  };
}
