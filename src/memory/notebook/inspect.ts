/**
 * Inspection: one record in full, named by an exact reference. Archived records look like active ones. Nothing is
 * searched for and nothing is guessed: two legacy records with one id are a conflict, not a choice.
 */
import { hasExactKeys, type JsonObject, member } from '../../base/json.ts';
import {
  type CanonicalReferenceAnswer,
  type LegacyReferenceAnswer,
  type LifecycleAnswer,
  lifecycleAnswer,
  type Plain,
  recordNotFound,
  referenceAnswer,
} from './answer.ts';
import type { Notebook } from './notebook.ts';
import { fail, invalid, ok, type Result } from './outcome.ts';
import { parseReference } from './parse-reference.ts';
import type {
  CanonicalRecord,
  CanonicalReference,
  Collection,
  LegacyReference,
  Namespace,
  Reference,
} from './record.ts';

export interface InspectRequest {
  readonly reference: Reference;
}

/** Members in the order of the file, after the reference. */
export type InspectedCanonical = {
  readonly reference: CanonicalReferenceAnswer;
  readonly schema_version: 2;
  readonly id: string;
  readonly scope: CanonicalRecord['scope'];
  readonly namespace: Plain<Namespace>;
  readonly collection: Plain<Collection> | null;
  readonly kind: CanonicalRecord['kind'];
  readonly language: string;
  readonly title: string | null;
  readonly content: string;
  readonly tags: readonly string[];
  readonly provenance: Plain<CanonicalRecord['provenance']>;
  readonly lifecycle: LifecycleAnswer;
  readonly created_at: string;
  readonly updated_at: string;
  /** Events only. */
  readonly occurred_at?: string;
};

export type InspectedLegacy = {
  readonly reference: LegacyReferenceAnswer;
  readonly schema_version: 1;
  readonly id: string;
  readonly content: string;
  readonly title: string | null;
  readonly tags: readonly string[];
};

export type InspectAnswer = {
  readonly status: 'ok';
  readonly memory: InspectedCanonical | InspectedLegacy;
};

export function parseInspectRequest(raw: JsonObject): Result<InspectRequest> {
  if (!hasExactKeys(raw, ['reference'])) {
    return invalid(
      'invalid_reference',
      'inspection takes exactly one argument, reference; copy it from a recall or listing',
      'reference',
    );
  }
  const reference = parseReference(member(raw, 'reference'));
  return reference.ok ? ok({ reference: reference.value }) : reference;
}

export async function inspect(notebook: Notebook, { reference }: InspectRequest): Promise<Result<InspectAnswer>> {
  return reference.schema_version === 1
    ? await inspectLegacy(notebook, reference)
    : await inspectCanonical(notebook, reference);
}

async function inspectCanonical({ store }: Notebook, reference: CanonicalReference): Promise<Result<InspectAnswer>> {
  const read = await store.read(reference);
  if (!read.ok) return read;
  if (read.value === null) return recordNotFound();
  const { record } = read.value;
  return ok({
    status: 'ok',
    memory: {
      reference: referenceAnswer(record),
      schema_version: 2,
      id: record.id,
      scope: record.scope,
      namespace: { kind: record.namespace.kind, id: record.namespace.id, label: record.namespace.label },
      collection: record.collection === null ? null : { id: record.collection.id, label: record.collection.label },
      kind: record.kind,
      language: record.language,
      title: record.title,
      content: record.content,
      tags: [...record.tags],
      provenance: { origin: record.provenance.origin, recorded_via: record.provenance.recorded_via },
      lifecycle: lifecycleAnswer(record),
      created_at: record.created_at,
      updated_at: record.updated_at,
      ...(record.occurred_at === undefined ? {} : { occurred_at: record.occurred_at }),
    },
  });
}

/** A legacy id says nothing about a path, so the whole scope is read to find it, and to know that it is the only one. */
async function inspectLegacy({ store }: Notebook, reference: LegacyReference): Promise<Result<InspectAnswer>> {
  const scanned = await store.scan({ kind: 'scope', scope: reference.scope }, 'is-empty');
  if (!scanned.ok) return scanned;
  const records = scanned.value.flatMap(({ record }) =>
    record.schema_version === 1 && record.id === reference.id ? [record] : [],
  );
  const [record] = records;
  if (record === undefined) return recordNotFound();
  if (records.length > 1) {
    return fail({
      status: 'conflict',
      code: 'ambiguous_reference',
      message: 'several legacy records of this scope carry this id, so none can be inspected by it',
    });
  }
  return ok({
    status: 'ok',
    memory: {
      reference: { schema_version: 1, scope: reference.scope, id: record.id },
      schema_version: 1,
      id: record.id,
      content: record.content,
      title: record.title,
      tags: [...record.tags],
    },
  });
}
