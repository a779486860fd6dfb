/**
 * Listing: every valid record of one selection, in a fixed order, page by page, without any of its content. A listing is
 * whole or fails; a page that could be of another state of the files than the one before it is refused.
 */
import { type JsonObject, type JsonValue, member } from '../../base/json.ts';
import { notebookLimits } from '../../base/limits.ts';
import { type CanonicalReferenceAnswer, type LegacyReferenceAnswer, type Plain, referenceAnswer } from './answer.ts';
import {
  type CursorPosition,
  decodeCursor,
  digestSelection,
  digestSnapshot,
  encodeCursor,
  invalidCursor,
  staleCursor,
} from './cursor.ts';
import { normaliseIdentifier } from './normalise.ts';
import type { Notebook } from './notebook.ts';
import { invalid, ok, type Result } from './outcome.ts';
import type { CanonicalRecord, LegacyRecord, Lifecycle } from './record.ts';
import type { Selection, StoredRecord } from './store.ts';
import { codePointLength, compareCodePoints } from './text.ts';
import { isScope, type MemoryKind } from './vocabulary.ts';

export interface ListRequest {
  readonly selection: Selection;
  readonly start: ListStart;
}

export type ListStart =
  | { readonly kind: 'first-page'; readonly pageSize: number }
  /** A cursor of bounded length, not decoded yet: that takes the key of the process. */
  | { readonly kind: 'continuation'; readonly cursor: string };

export type Inspectability = 'exact' | 'ambiguous';

export type ListedLegacy = {
  readonly reference: LegacyReferenceAnswer;
  readonly title: string | null;
  readonly inspectability: Inspectability;
};

export type ListedCanonical = {
  readonly reference: CanonicalReferenceAnswer;
  readonly title: string | null;
  readonly inspectability: 'exact';
  readonly kind: MemoryKind;
  readonly lifecycle: Plain<Pick<Lifecycle, 'state'>>;
};

export type ListPage = {
  readonly number: number;
  readonly count: number;
  readonly total_count: number;
  readonly total_pages: number;
  readonly truncated: boolean;
  readonly next_cursor: string | null;
};

export type ListAnswer = {
  readonly status: 'ok';
  readonly memories: readonly (ListedLegacy | ListedCanonical)[];
  readonly page: ListPage;
};

const listArguments = ['scope', 'namespace_id', 'collection_id', 'page_size', 'cursor'];

export function parseListRequest(raw: JsonObject): Result<ListRequest> {
  if (!Object.keys(raw).every((key) => listArguments.includes(key))) {
    return invalid(
      'invalid_request',
      'listing takes only scope, namespace_id, collection_id, page_size and cursor; leave out every other argument',
      'request',
    );
  }
  const selection = parseSelection(raw);
  if (!selection.ok) return selection;
  const start = parseStart(member(raw, 'cursor'), member(raw, 'page_size'));
  if (!start.ok) return start;
  return ok({ selection: selection.value, start: start.value });
}

export async function list(notebook: Notebook, request: ListRequest): Promise<Result<ListAnswer>> {
  const { store, cursorSecret } = notebook;
  const selectionDigest = digestSelection(cursorSecret, request.selection);
  const begin = beginning(notebook, request.start, selectionDigest);
  if (!begin.ok) return begin;
  const { offset, pageSize, promised } = begin.value;

  const scanned = await store.scan(request.selection, 'is-unavailable');
  if (!scanned.ok) return scanned;
  const inventory = inListingOrder(scanned.value, request.selection);
  const total = inventory.length;
  const end = Math.min(offset + pageSize, total);

  // The digest is needed to check a cursor or to make one; a listing of a single page does neither.
  const snapshot =
    promised !== undefined || end < total ? digestSnapshot(cursorSecret, inventory.map(snapshotEntry)) : '';
  if (promised !== undefined) {
    if (promised.snapshot !== snapshot) return staleCursor();
    if (offset >= total) return invalidCursor();
  }

  const isAmbiguous = ambiguityIn(inventory);
  const memories = inventory.slice(offset, end).map((stored) => listedMemory(stored, isAmbiguous));
  return ok({
    status: 'ok',
    memories,
    page: {
      number: offset / pageSize + 1,
      count: memories.length,
      total_count: total,
      total_pages: Math.ceil(total / pageSize),
      truncated: end < total,
      next_cursor:
        end < total
          ? encodeCursor(cursorSecret, { selection: selectionDigest, snapshot, offset: end, pageSize })
          : null,
    },
  });
}

function parseSelection(raw: JsonObject): Result<Selection> {
  const scope = member(raw, 'scope');
  if (!isScope(scope)) {
    return invalid(
      'invalid_scope',
      'scope must be exactly one of self, relationship, preference, practice, project, knowledge',
      'scope',
    );
  }
  const rawNamespace = member(raw, 'namespace_id');
  const namespaceId = rawNamespace === undefined ? undefined : normaliseIdentifier(rawNamespace);
  if (rawNamespace !== undefined && namespaceId === undefined) {
    return invalid(
      'invalid_namespace',
      'namespace_id must be a namespace id: 1 to 64 of a-z, 0-9, dash and underscore, with a letter or digit at both ends; leave it out to list the whole scope',
      'namespace_id',
    );
  }
  const rawCollection = member(raw, 'collection_id');
  if (namespaceId === undefined) {
    if (rawCollection === undefined) return ok({ kind: 'scope', scope });
    return invalid(
      'invalid_collection',
      'collection_id needs namespace_id beside it; name the namespace or leave collection_id out',
      'collection_id',
    );
  }
  if (rawCollection === undefined) return ok({ kind: 'namespace', scope, namespaceId });
  const collectionId = rawCollection === null ? null : normaliseIdentifier(rawCollection);
  if (collectionId === undefined) {
    return invalid(
      'invalid_collection',
      'collection_id must be a collection id (1 to 64 of a-z, 0-9, dash and underscore, with a letter or digit at both ends), or null for records outside collections, or left out for both',
      'collection_id',
    );
  }
  return ok({ kind: 'level', scope, namespaceId, collectionId });
}

/** A cursor brings its own page size, so the two exclude each other and a bad size beside a cursor is not judged. */
function parseStart(cursor: JsonValue | undefined, pageSize: JsonValue | undefined): Result<ListStart> {
  if (cursor !== undefined) {
    if (pageSize !== undefined || typeof cursor !== 'string') return invalidCursor();
    const length = codePointLength(cursor);
    if (length < 1 || length > notebookLimits.cursorCharsMax) return invalidCursor();
    return ok({ kind: 'continuation', cursor });
  }
  if (pageSize === undefined) return ok({ kind: 'first-page', pageSize: notebookLimits.pageSizeDefault });
  if (!isPageSize(pageSize)) {
    return invalid(
      'invalid_page_size',
      'page_size must be an integer from 1 to 100; leave it out for pages of 50',
      'page_size',
    );
  }
  return ok({ kind: 'first-page', pageSize });
}

function isPageSize(value: JsonValue): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= notebookLimits.pageSizeMax;
}

interface Beginning {
  readonly offset: number;
  readonly pageSize: number;
  /** What the cursor says the listing looks like; undefined on a first page. */
  readonly promised: CursorPosition | undefined;
}

function beginning(notebook: Notebook, start: ListStart, selectionDigest: string): Result<Beginning> {
  if (start.kind === 'first-page') return ok({ offset: 0, pageSize: start.pageSize, promised: undefined });
  const decoded = decodeCursor(notebook.cursorSecret, start.cursor);
  if (!decoded.ok) return decoded;
  const promised = decoded.value;
  if (promised.selection !== selectionDigest) return invalidCursor();
  return ok({ offset: promised.offset, pageSize: promised.pageSize, promised });
}

/** Legacy records first; they have no namespace, so a narrower selection leaves them out. */
function inListingOrder(records: readonly StoredRecord[], selection: Selection): readonly StoredRecord[] {
  const legacy: StoredRecord<LegacyRecord>[] = [];
  const canonical: StoredRecord<CanonicalRecord>[] = [];
  for (const stored of records) {
    if (isCanonical(stored)) canonical.push(stored);
    else if (isLegacy(stored) && selection.kind === 'scope') legacy.push(stored);
  }
  return [...legacy.sort(byLegacyIdentity), ...canonical.sort(byCanonicalIdentity)];
}

function isCanonical(stored: StoredRecord): stored is StoredRecord<CanonicalRecord> {
  return stored.record.schema_version === 2;
}

function isLegacy(stored: StoredRecord): stored is StoredRecord<LegacyRecord> {
  return stored.record.schema_version === 1;
}

function byLegacyIdentity(left: StoredRecord<LegacyRecord>, right: StoredRecord<LegacyRecord>): number {
  return compareAscii(left.record.id, right.record.id) || compareCodePoints(left.path, right.path);
}

function byCanonicalIdentity(left: StoredRecord<CanonicalRecord>, right: StoredRecord<CanonicalRecord>): number {
  return (
    compareAscii(left.record.namespace.id, right.record.namespace.id) ||
    // No collection id is empty, so the empty text puts collectionless records first.
    compareAscii(left.record.collection?.id ?? '', right.record.collection?.id ?? '') ||
    compareAscii(left.record.id, right.record.id)
  );
}

/** Ids are ASCII by their grammars, where the engine's own order is code point order. */
function compareAscii(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Identity, place and bytes of one record on one line: JSON escapes every line feed. */
function snapshotEntry({ record, path, sha256 }: StoredRecord): string {
  return record.schema_version === 1
    ? JSON.stringify([1, record.id, path, sha256])
    : JSON.stringify([2, record.namespace.id, record.collection?.id ?? null, record.id, path, sha256]);
}

/** Whether a legacy id names several records of the whole selection, so that inspection cannot choose one. */
function ambiguityIn(inventory: readonly StoredRecord[]): (legacyId: string) => boolean {
  const counts = new Map<string, number>();
  for (const { record } of inventory) {
    if (record.schema_version === 2) break;
    counts.set(record.id, (counts.get(record.id) ?? 0) + 1);
  }
  return (legacyId) => (counts.get(legacyId) ?? 0) > 1;
}

function listedMemory(
  { record, scope }: StoredRecord,
  isAmbiguous: (legacyId: string) => boolean,
): ListedLegacy | ListedCanonical {
  if (record.schema_version === 1) {
    return {
      reference: { schema_version: 1, scope, id: record.id },
      title: record.title,
      inspectability: isAmbiguous(record.id) ? 'ambiguous' : 'exact',
    };
  }
  return {
    reference: referenceAnswer(record),
    title: record.title,
    inspectability: 'exact',
    kind: record.kind,
    lifecycle: { state: record.lifecycle.state },
  };
}
