/**
 * The arguments of remember, turned into a new record that fits the vocabulary and is normalised throughout. The checks
 * run in one published order and stop at the first that fails; no file is touched by any of them.
 */
import { hasExactKeys, isJsonObject, type JsonObject, type JsonValue, member } from '../../base/json.ts';
import { notebookLimits } from '../../base/limits.ts';
import {
  normaliseIdentifier,
  normaliseLanguage,
  normaliseNullableText,
  normaliseOccurredAt,
  normaliseTags,
  normaliseText,
} from './normalise.ts';
import { invalid, ok, type Result } from './outcome.ts';
import type { Collection, Namespace, NewRecord } from './record.ts';
import {
  type CallerOrigin,
  callerOrigins,
  isScope,
  type MemoryKind,
  memoryKinds,
  type NamespaceKind,
  type Scope,
  vocabulary,
} from './vocabulary.ts';

const requiredMembers = [
  'scope',
  'namespace',
  'collection',
  'kind',
  'language',
  'title',
  'content',
  'tags',
  'origin',
] as const;

/** The origin comes first of all: who says so matters before what is said. */
export function parseNewRecord(raw: JsonObject): Result<NewRecord> {
  const origin = member(raw, 'origin');
  if (!isCallerOrigin(origin)) {
    return invalid(
      'invalid_origin',
      'origin must be explicit_user_statement when the user said it, or user_approved_proposal when the user approved your proposal',
      'origin',
    );
  }
  if (!hasExactKeys(raw, requiredMembers, ['occurred_at'])) {
    return invalid(
      'invalid_record',
      'a memory takes exactly scope, namespace, collection, kind, language, title, content, tags and origin, and occurred_at for an event; send null where there is no collection, language or title',
      'memory',
    );
  }
  const scope = member(raw, 'scope');
  if (!isScope(scope)) {
    return invalid(
      'invalid_scope',
      'scope must be exactly one of self, relationship, preference, practice, project, knowledge',
      'scope',
    );
  }
  const namespace = parseNamespace(member(raw, 'namespace'));
  if (!namespace.ok) return namespace;
  const collection = parseCollection(member(raw, 'collection'));
  if (!collection.ok) return collection;
  const place = parsePlace(scope, namespace.value.kind, member(raw, 'kind'));
  if (!place.ok) return place;
  const { namespaceKind, kind } = place.value;
  const occurredAt = parseOccurredAt(kind, raw);
  if (!occurredAt.ok) return occurredAt;
  const text = parseText(raw);
  if (!text.ok) return text;
  return ok({
    scope,
    namespace: { kind: namespaceKind, id: namespace.value.id, label: namespace.value.label },
    collection: collection.value,
    kind,
    ...text.value,
    origin,
    ...(occurredAt.value === undefined ? {} : { occurredAt: occurredAt.value }),
  });
}

function isCallerOrigin(value: JsonValue | undefined): value is CallerOrigin {
  return callerOrigins.some((origin) => origin === value);
}

/** A namespace whose kind is still any text: whether it fits is judged together with the scope, later. */
interface UnplacedNamespace {
  readonly kind: string;
  readonly id: string;
  readonly label: Namespace['label'];
}

function parseNamespace(value: JsonValue | undefined): Result<UnplacedNamespace> {
  if (!isJsonObject(value) || !hasExactKeys(value, ['kind', 'id', 'label'])) {
    return invalid('invalid_record', 'namespace must be an object with exactly kind, id and label', 'namespace');
  }
  const kind = member(value, 'kind');
  if (typeof kind !== 'string') {
    return invalid('invalid_namespace', 'namespace.kind must be text: a namespace kind of the scope', 'namespace.kind');
  }
  const id = normaliseIdentifier(member(value, 'id'));
  if (id === undefined) {
    return invalid(
      'invalid_namespace',
      'namespace.id must be 1 to 64 of a-z, 0-9, dash and underscore, with a letter or digit at both ends',
      'namespace.id',
    );
  }
  const label = normaliseNullableText(member(value, 'label'), notebookLimits.labelCharsMax);
  if (label === undefined) {
    return invalid(
      'invalid_record',
      'namespace.label must be null or text that is not blank and has at most 100 characters',
      'namespace.label',
    );
  }
  return ok({ kind, id, label });
}

function parseCollection(value: JsonValue | undefined): Result<Collection | null> {
  if (value === null) return ok(null);
  if (!isJsonObject(value) || !hasExactKeys(value, ['id', 'label'])) {
    return invalid('invalid_record', 'collection must be null or an object with exactly id and label', 'collection');
  }
  const id = normaliseIdentifier(member(value, 'id'));
  if (id === undefined) {
    return invalid(
      'invalid_collection',
      'collection.id must be 1 to 64 of a-z, 0-9, dash and underscore, with a letter or digit at both ends',
      'collection.id',
    );
  }
  const label = normaliseNullableText(member(value, 'label'), notebookLimits.labelCharsMax);
  if (label === undefined) {
    return invalid(
      'invalid_record',
      'collection.label must be null or text that is not blank and has at most 100 characters',
      'collection.label',
    );
  }
  return ok({ id, label });
}

interface Place {
  readonly namespaceKind: NamespaceKind;
  readonly kind: MemoryKind;
}

/** A kind that exists nowhere is told before anything that does not fit this scope. */
function parsePlace(scope: Scope, rawNamespaceKind: string, rawKind: JsonValue | undefined): Result<Place> {
  const kind = memoryKinds.find((known) => known === rawKind);
  if (kind === undefined) {
    return invalid('invalid_kind', 'kind must be one of the memory kinds that the scope allows', 'kind');
  }
  const allowed = vocabulary[scope];
  const namespaceKind = allowed.namespaceKinds.find((known) => known === rawNamespaceKind);
  if (namespaceKind === undefined) {
    return invalid(
      'invalid_namespace',
      'namespace.kind does not fit the scope: self takes aspect; relationship takes person, group or relationship; preference and practice take domain; project takes project; knowledge takes topic',
      'namespace.kind',
    );
  }
  if (!allowed.kinds.has(kind)) {
    return invalid(
      'invalid_kind',
      'kind does not fit the scope: self takes attribute; relationship takes perspective or summary; preference takes preference; practice takes practice; project takes decision, constraint, state, event, question, reference or summary; knowledge takes reference or summary',
      'kind',
    );
  }
  return ok({ namespaceKind, kind });
}

function parseOccurredAt(kind: MemoryKind, raw: JsonObject): Result<string | undefined> {
  const value = member(raw, 'occurred_at');
  if (kind !== 'event') {
    if (value === undefined) return ok(undefined);
    return invalid('invalid_record', 'occurred_at belongs to events alone; leave it out, even as null', 'occurred_at');
  }
  const occurredAt = normaliseOccurredAt(value);
  if (occurredAt === undefined) {
    return invalid(
      'invalid_record',
      'an event needs occurred_at, a real time from the year 1000 on written YYYY-MM-DDTHH:MM:SSZ in UTC',
      'occurred_at',
    );
  }
  return ok(occurredAt);
}

function parseText(raw: JsonObject): Result<Pick<NewRecord, 'language' | 'title' | 'content' | 'tags'>> {
  const language = normaliseLanguage(member(raw, 'language'));
  if (language === undefined) {
    return invalid(
      'invalid_record',
      'language must be null or a language tag such as en or pt-br, at most 35 characters',
      'language',
    );
  }
  const title = normaliseNullableText(member(raw, 'title'), notebookLimits.titleCharsMax);
  if (title === undefined) return invalidTitle();
  const content = normaliseText(member(raw, 'content'), notebookLimits.contentCharsMax);
  if (content === undefined) return invalidContent();
  const tags = normaliseTags(member(raw, 'tags'));
  if (tags === undefined) return invalidTags();
  return ok({ language, title, content, tags });
}

/** Shared with revise, which replaces the same three texts. */
export function invalidTitle(): Result<never> {
  return invalid(
    'invalid_record',
    'title must be there and be null or text that is not blank and has at most 200 characters',
    'title',
  );
}

export function invalidContent(): Result<never> {
  return invalid(
    'invalid_record',
    'content must be there and be text that is not blank and has at most 4000 characters',
    'content',
  );
}

export function invalidTags(): Result<never> {
  return invalid(
    'invalid_record',
    'tags must be there and be a list of 0 to 10 texts of 1 to 50 characters, no two alike apart from case and spacing',
    'tags',
  );
}
