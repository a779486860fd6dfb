/**
 * Between the bytes of a record file and the record: reading refuses whatever is not exactly a record, writing has one
 * form. Nothing here throws on any bytes, and a refused file is only ever passed over, never repaired.
 *
 * Version 2 follows the value rules of creation and must lie where its own members say. Version 1 is taken verbatim
 * from any place. One deviation makes the whole file no record.
 */
import { isUtf8 } from 'node:buffer';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../../base/json.ts';
import { notebookLimits } from '../../base/limits.ts';
import {
  normaliseIdentifier,
  normaliseLanguage,
  normaliseNullableText,
  normaliseRevision,
  normaliseTags,
  normaliseText,
  normaliseTimestamp,
} from './normalise.ts';
import { isLegacyId, isMemoryId } from './parse-reference.ts';
import type { CanonicalRecord, Collection, LegacyRecord, Lifecycle, Namespace, NotebookRecord } from './record.ts';
import type { SkipReason } from './store.ts';
import { hasAtMost, isBlank } from './text.ts';
import {
  isScope,
  type MemoryKind,
  memoryKinds,
  type NamespaceKind,
  namespaceKinds,
  origins,
  recordedVias,
  type Scope,
  vocabulary,
} from './vocabulary.ts';

export type ParsedRecord =
  | { readonly ok: true; readonly record: NotebookRecord }
  | { readonly ok: false; readonly reason: SkipReason };

/**
 * The record in `bytes`, which lie at `path` (relative to the directory of `scope`, with `/`). The reasons are
 * `oversized`, `invalid_encoding`, `invalid_json`, `invalid_record` and, for version 2, `path_mismatch`.
 */
export function parseRecord(bytes: Buffer, scope: Scope, path: string): ParsedRecord {
  if (bytes.length > notebookLimits.recordBytesMax) return skip('oversized');
  if (!isUtf8(bytes) || startsWithByteOrderMark(bytes)) return skip('invalid_encoding');
  const text = bytes.toString('utf8');
  const value = parseJson(text);
  if (value === undefined) return skip('invalid_json');
  const record = isJsonObject(value) && !fractionalInteger.test(text) ? recordFrom(value) : undefined;
  if (record === undefined) return skip(isReadableJson(text) ? 'invalid_record' : 'invalid_json');
  if (record.schema_version === 2 && (record.scope !== scope || recordPath(identityOf(record)) !== path)) {
    return skip('path_mismatch');
  }
  return { ok: true, record };
}

/** The file of `record`: keys in published order, two-space indent, one trailing newline. Text is not escaped. */
export function serialiseRecord(record: CanonicalRecord): string {
  const { namespace, collection, provenance, lifecycle } = record;
  const ordered = {
    schema_version: record.schema_version,
    id: record.id,
    scope: record.scope,
    namespace: { kind: namespace.kind, id: namespace.id, label: namespace.label },
    collection: collection === null ? null : { id: collection.id, label: collection.label },
    kind: record.kind,
    language: record.language,
    title: record.title,
    content: record.content,
    tags: record.tags,
    provenance: { origin: provenance.origin, recorded_via: provenance.recorded_via },
    lifecycle: { state: lifecycle.state, revision: lifecycle.revision },
    created_at: record.created_at,
    updated_at: record.updated_at,
    ...(record.occurred_at === undefined ? {} : { occurred_at: record.occurred_at }),
  };
  return `${JSON.stringify(ordered, null, 2)}\n`;
}

/** What decides where a version-2 record lies; a `CanonicalReference` is one. */
export interface RecordIdentity {
  readonly namespace_id: string;
  readonly collection_id: string | null;
  readonly id: string;
}

/** The one path a version-2 record can have, relative to its scope directory: `ns/coll/id.json` or `ns/id.json`. */
export function recordPath(identity: RecordIdentity): string {
  return identity.collection_id === null
    ? `${identity.namespace_id}/${identity.id}.json`
    : `${identity.namespace_id}/${identity.collection_id}/${identity.id}.json`;
}

const canonicalKeys = [
  'schema_version',
  'id',
  'scope',
  'namespace',
  'collection',
  'kind',
  'language',
  'title',
  'content',
  'tags',
  'provenance',
  'lifecycle',
  'created_at',
  'updated_at',
] as const;
const eventKeys = [...canonicalKeys, 'occurred_at'] as const;
const namespaceKeys = ['kind', 'id', 'label'] as const;
const collectionKeys = ['id', 'label'] as const;
const provenanceKeys = ['origin', 'recorded_via'] as const;
const lifecycleKeys = ['state', 'revision'] as const;

/**
 * A number written `1.0` is no integer, although `JSON.parse` makes 1 of it. Only these two members are numbers, and a
 * quote inside a string is always escaped, so this finds members alone.
 */
const fractionalInteger = /"(?:schema_version|revision)"[ \t\r\n]*:[ \t\r\n]*-?[0-9]+[.eE]/;

function skip(reason: SkipReason): ParsedRecord {
  return { ok: false, reason };
}

function identityOf(record: CanonicalRecord): RecordIdentity {
  const { namespace, collection, id } = record;
  return { namespace_id: namespace.id, collection_id: collection === null ? null : collection.id, id };
}

function startsWithByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Any failure means the same here, a stack that overflows on nesting included: these bytes are not JSON to us. */
function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function recordFrom(value: JsonObject): NotebookRecord | undefined {
  const version = member(value, 'schema_version');
  if (version === 2) return canonicalFrom(value);
  return version === 1 ? legacyFrom(value) : undefined;
}

function canonicalFrom(value: JsonObject): CanonicalRecord | undefined {
  const isEvent = member(value, 'kind') === 'event';
  if (!hasOnly(value, isEvent ? eventKeys : canonicalKeys)) return undefined;
  const { id, scope } = value;
  if (!isMemoryId(id) || !isScope(scope)) return undefined;
  const namespace = namespaceFrom(value['namespace'], scope);
  const collection = value['collection'] === null ? null : collectionFrom(value['collection']);
  const kind = kindFrom(value['kind'], scope);
  if (namespace === undefined || collection === undefined || kind === undefined) return undefined;
  const language = normaliseLanguage(value['language']);
  const title = normaliseNullableText(value['title'], notebookLimits.titleCharsMax);
  const content = normaliseText(value['content'], notebookLimits.contentCharsMax);
  const tags = normaliseTags(value['tags']);
  if (language === undefined || title === undefined || content === undefined || tags === undefined) return undefined;
  const provenance = provenanceFrom(value['provenance']);
  const lifecycle = lifecycleFrom(value['lifecycle']);
  const created_at = normaliseTimestamp(value['created_at']);
  const updated_at = normaliseTimestamp(value['updated_at']);
  if (provenance === undefined || lifecycle === undefined) return undefined;
  // The form has a fixed width, so text order is time order.
  if (created_at === undefined || updated_at === undefined || updated_at < created_at) return undefined;
  const record: CanonicalRecord = {
    schema_version: 2,
    id,
    scope,
    namespace,
    collection,
    kind,
    language,
    title,
    content,
    tags,
    provenance,
    lifecycle,
    created_at,
    updated_at,
  };
  if (!isEvent) return record;
  const occurred_at = normaliseTimestamp(value['occurred_at']);
  return occurred_at === undefined ? undefined : { ...record, occurred_at };
}

function namespaceFrom(value: JsonValue | undefined, scope: Scope): Namespace | undefined {
  if (!isJsonObject(value) || !hasOnly(value, namespaceKeys)) return undefined;
  const kind = oneOf(namespaceKinds, value['kind']);
  const id = normaliseIdentifier(value['id']);
  const label = normaliseNullableText(value['label'], notebookLimits.labelCharsMax);
  if (kind === undefined || id === undefined || label === undefined) return undefined;
  return allowsNamespace(scope, kind) ? { kind, id, label } : undefined;
}

function allowsNamespace(scope: Scope, kind: NamespaceKind): boolean {
  return vocabulary[scope].namespaceKinds.includes(kind);
}

function collectionFrom(value: JsonValue | undefined): Collection | undefined {
  if (!isJsonObject(value) || !hasOnly(value, collectionKeys)) return undefined;
  const id = normaliseIdentifier(value['id']);
  const label = normaliseNullableText(value['label'], notebookLimits.labelCharsMax);
  return id === undefined || label === undefined ? undefined : { id, label };
}

function kindFrom(value: JsonValue | undefined, scope: Scope): MemoryKind | undefined {
  const kind = oneOf(memoryKinds, value);
  return kind !== undefined && vocabulary[scope].kinds.has(kind) ? kind : undefined;
}

function provenanceFrom(value: JsonValue | undefined): CanonicalRecord['provenance'] | undefined {
  if (!isJsonObject(value) || !hasOnly(value, provenanceKeys)) return undefined;
  const origin = oneOf(origins, value['origin']);
  const recorded_via = oneOf(recordedVias, value['recorded_via']);
  return origin === undefined || recorded_via === undefined ? undefined : { origin, recorded_via };
}

function lifecycleFrom(value: JsonValue | undefined): Lifecycle | undefined {
  if (!isJsonObject(value) || !hasOnly(value, lifecycleKeys)) return undefined;
  const state = value['state'];
  const revision = normaliseRevision(value['revision']);
  if (revision === undefined || (state !== 'active' && state !== 'archived')) return undefined;
  return { state, revision };
}

function legacyFrom(value: JsonObject): LegacyRecord | undefined {
  const hasTitle = Object.hasOwn(value, 'title');
  const hasTags = Object.hasOwn(value, 'tags');
  if (Object.keys(value).length !== 3 + Number(hasTitle) + Number(hasTags)) return undefined;
  const id = member(value, 'id');
  const content = member(value, 'content');
  if (!isLegacyId(id) || !isVerbatim(content, notebookLimits.contentCharsMax)) return undefined;
  const title = hasTitle ? value['title'] : null;
  if (title !== null && !isVerbatim(title, notebookLimits.titleCharsMax)) return undefined;
  const tags = hasTags ? legacyTagsFrom(value['tags']) : [];
  return tags === undefined ? undefined : { schema_version: 1, id, content, title, tags };
}

/** At least one tag when the key is there; only exact repetition counts, so variants in case are two tags. */
function legacyTagsFrom(value: JsonValue | undefined): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > notebookLimits.tagsMax) return undefined;
  const tags: string[] = [];
  for (const tag of value as readonly JsonValue[]) {
    if (!isVerbatim(tag, notebookLimits.tagCharsMax)) return undefined;
    tags.push(tag);
  }
  return new Set(tags).size === tags.length ? tags : undefined;
}

function isVerbatim(value: JsonValue | undefined, charsMax: number): value is string {
  return typeof value === 'string' && !isBlank(value) && hasAtMost(value, charsMax);
}

function oneOf<Word extends string>(words: readonly Word[], value: JsonValue | undefined): Word | undefined {
  return words.find((word) => word === value);
}

function hasOnly(value: JsonObject, keys: readonly string[]): boolean {
  return Object.keys(value).length === keys.length && keys.every((key) => Object.hasOwn(value, key));
}

/**
 * Whether a careful reader could take `text`, which is JSON, in: nested no deeper than the limit and without a number
 * of absurd length. Only asked about files that are no record anyway, to name the reason.
 */
function isReadableJson(text: string): boolean {
  let depth = 0;
  let digits = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
      continue;
    }
    digits = character >= '0' && character <= '9' ? digits + 1 : 0;
    if (digits > notebookLimits.recordIntegerDigitsMax) return false;
    if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > notebookLimits.recordJsonDepthMax) return false;
  }
  return true;
}
