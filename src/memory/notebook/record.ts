/**
 * The shapes of notebook records and of the references that name them. Parsing lives beside: `parse-record.ts` turns
 * bytes of a file into one of these, `parse-reference.ts` turns arguments into a reference. A value of these types is
 * valid by construction and frozen in spirit: nothing changes it, a revision makes a new one.
 */
import type { CallerOrigin, MemoryKind, NamespaceKind, Origin, RecordedVia, Scope } from './vocabulary.ts';

export type LifecycleState = 'active' | 'archived';

export interface Lifecycle {
  readonly state: LifecycleState;
  /** At least 1; grows by one with each change. */
  readonly revision: number;
}

export interface Namespace {
  readonly kind: NamespaceKind;
  readonly id: string;
  readonly label: string | null;
}

export interface Collection {
  readonly id: string;
  readonly label: string | null;
}

/** What a caller may say about a new record, already normalised. */
export interface NewRecord {
  readonly scope: Scope;
  readonly namespace: Namespace;
  readonly collection: Collection | null;
  readonly kind: MemoryKind;
  readonly language: string;
  readonly title: string | null;
  readonly content: string;
  readonly tags: readonly string[];
  readonly origin: CallerOrigin;
  /** Set exactly for events. */
  readonly occurredAt?: string;
}

/** A version-2 record, with the member names of the file. `occurred_at` is there exactly for events. */
export interface CanonicalRecord {
  readonly schema_version: 2;
  readonly id: string;
  readonly scope: Scope;
  readonly namespace: Namespace;
  readonly collection: Collection | null;
  readonly kind: MemoryKind;
  readonly language: string;
  readonly title: string | null;
  readonly content: string;
  readonly tags: readonly string[];
  readonly provenance: { readonly origin: Origin; readonly recorded_via: RecordedVia };
  readonly lifecycle: Lifecycle;
  readonly created_at: string;
  readonly updated_at: string;
  readonly occurred_at?: string;
}

/** A version-1 record: text verbatim, `title` null and `tags` empty when the file has none. Never written by us. */
export interface LegacyRecord {
  readonly schema_version: 1;
  readonly id: string;
  readonly content: string;
  readonly title: string | null;
  readonly tags: readonly string[];
}

export type NotebookRecord = CanonicalRecord | LegacyRecord;

export interface CanonicalReference {
  readonly schema_version: 2;
  readonly scope: Scope;
  readonly namespace_id: string;
  readonly collection_id: string | null;
  readonly id: string;
}

export interface LegacyReference {
  readonly schema_version: 1;
  readonly scope: Scope;
  readonly id: string;
}

export type Reference = CanonicalReference | LegacyReference;

/** The reference that names `record`, keys in published order. */
export function referenceOf(record: CanonicalRecord): CanonicalReference {
  return {
    schema_version: 2,
    scope: record.scope,
    namespace_id: record.namespace.id,
    collection_id: record.collection === null ? null : record.collection.id,
    id: record.id,
  };
}
