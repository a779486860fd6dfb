/**
 * When two memories are the same memory: same place, same kind, same occurrence, same words. Labels, language, origin,
 * times, lifecycle and the order and case of tags make no difference. Legacy records are never the same as anything.
 */
import { tagKey } from './normalise.ts';
import type { CanonicalRecord, NewRecord } from './record.ts';
import type { StoredRecord } from './store.ts';
import { compareCodePoints } from './text.ts';

/** The first of `records`, in their order and in whatever state, that already says what `draft` says. */
export function findDuplicate(draft: NewRecord, records: readonly StoredRecord[]): CanonicalRecord | undefined {
  const tags = tagMultiset(draft.tags);
  for (const { record } of records) {
    if (record.schema_version === 2 && isSamePlaceAndText(draft, record) && tagMultiset(record.tags) === tags) {
      return record;
    }
  }
  return undefined;
}

function isSamePlaceAndText(draft: NewRecord, record: CanonicalRecord): boolean {
  return (
    draft.content === record.content &&
    draft.title === record.title &&
    draft.scope === record.scope &&
    draft.namespace.kind === record.namespace.kind &&
    draft.namespace.id === record.namespace.id &&
    (draft.collection?.id ?? null) === (record.collection?.id ?? null) &&
    draft.kind === record.kind &&
    draft.occurredAt === record.occurred_at
  );
}

/** One text for one multiset of folded tags. */
function tagMultiset(tags: readonly string[]): string {
  return JSON.stringify(tags.map(tagKey).sort(compareCodePoints));
}
