/**
 * Turns an argument into the reference it states. A reference names one record and nothing else: a missing or extra
 * key, or another version, makes it no reference at all, and the answer names the first part that is wrong.
 */
import { hasExactKeys, isJsonObject, type JsonObject, type JsonValue, member } from '../../base/json.ts';
import { notebookLimits } from '../../base/limits.ts';
import { normaliseIdentifier } from './normalise.ts';
import { invalid, ok, type Result } from './outcome.ts';
import type { CanonicalReference, LegacyReference, Reference } from './record.ts';
import { isScope } from './vocabulary.ts';

const canonicalKeys = ['schema_version', 'scope', 'namespace_id', 'collection_id', 'id'] as const;
const legacyKeys = ['schema_version', 'scope', 'id'] as const;

const memoryIdShape = /^mem_[0-9a-f]{32}$/;
const legacyIdShape = new RegExp(`^[A-Za-z0-9._-]{1,${notebookLimits.legacyIdCharsMax}}$`);

/** Either version. Fails with `invalid_reference` and the field `reference` or `reference.<key>`. */
export function parseReference(value: JsonValue | undefined): Result<Reference> {
  if (!isJsonObject(value)) return wrong('reference');
  return member(value, 'schema_version') === 1 ? parseLegacy(value) : parseCanonical(value);
}

/** Version 2 alone, for everything that changes a record. Fails as `parseReference` does. */
export function parseCanonicalReference(value: JsonValue | undefined): Result<CanonicalReference> {
  return isJsonObject(value) ? parseCanonical(value) : wrong('reference');
}

/** Whether `value` is an id that the notebook gives to its records: `mem_` and 32 lower-case hexadecimal digits. */
export function isMemoryId(value: unknown): value is string {
  return typeof value === 'string' && memoryIdShape.test(value);
}

/** Whether `value` may be the id of a version-1 record. Such an id is never used as a path. */
export function isLegacyId(value: unknown): value is string {
  return typeof value === 'string' && legacyIdShape.test(value);
}

function parseCanonical(value: JsonObject): Result<CanonicalReference> {
  if (member(value, 'schema_version') !== 2 || !hasExactKeys(value, canonicalKeys)) return wrong('reference');
  const scope = member(value, 'scope');
  if (!isScope(scope)) return wrong('reference.scope');
  const namespaceId = normaliseIdentifier(member(value, 'namespace_id'));
  if (namespaceId === undefined) return wrong('reference.namespace_id');
  const rawCollectionId = member(value, 'collection_id');
  const collectionId = rawCollectionId === null ? null : normaliseIdentifier(rawCollectionId);
  if (collectionId === undefined) return wrong('reference.collection_id');
  const id = member(value, 'id');
  if (!isMemoryId(id)) return wrong('reference.id');
  return ok({ schema_version: 2, scope, namespace_id: namespaceId, collection_id: collectionId, id });
}

function parseLegacy(value: JsonObject): Result<LegacyReference> {
  if (!hasExactKeys(value, legacyKeys)) return wrong('reference');
  const scope = member(value, 'scope');
  if (!isScope(scope)) return wrong('reference.scope');
  const id = member(value, 'id');
  if (!isLegacyId(id)) return wrong('reference.id');
  return ok({ schema_version: 1, scope, id });
}

function wrong(field: string): Result<never> {
  return invalid(
    'invalid_reference',
    'memory reference is invalid; repeat one exactly as a notebook tool returned it',
    field,
  );
}
