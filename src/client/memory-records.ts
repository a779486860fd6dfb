/** What is told about decisions beside the decisions themselves: history, surroundings, audit, import, batch. */
import { apiError, type NeuralMindAPIError } from './errors.ts';
import { type Memory, readMemory } from './memory.ts';
import {
  boolean,
  deepFreeze,
  isObject,
  list,
  listOf,
  number,
  type Open,
  object,
  type RawObject,
  text,
  textOrNull,
  texts,
  unexpected,
} from './raw.ts';

export type MemoryEventKind =
  | 'created'
  | 'amended'
  | 'stale'
  | 'active'
  | 'invalidated'
  | 'restored'
  | 'superseded'
  | 'feedback'
  | 'deleted';

export interface MemoryEvent {
  /** Grows with every event of the project. */
  readonly id: number;
  readonly memoryId: string;
  readonly at: string;
  readonly kind: Open<MemoryEventKind>;
  readonly actor: string | null;
  /** Per field, in the names of the wire, the value before and after. */
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>>;
  readonly note: string | null;
  readonly raw: RawObject;
}

/** What was decided just before and after a decision. Both lists are oldest first. */
export interface MemoryTimeline {
  readonly anchor: Memory;
  readonly before: readonly Memory[];
  readonly after: readonly Memory[];
  readonly raw: RawObject;
}

export interface MemoryAudit {
  /** Active decisions that may no longer hold. */
  readonly items: readonly { readonly memory: Memory; readonly reasons: readonly Open<'age' | 'orphaned'>[] }[];
  /** What was looked at; without a repository nothing can be orphaned. */
  readonly checked: readonly Open<'age' | 'orphaned'>[];
  /** How many active decisions there are. */
  readonly active: number;
  readonly raw: RawObject;
}

export interface MemoryImport {
  /** Nothing was changed; this is what would be. */
  readonly dryRun: boolean;
  readonly created: number;
  readonly replaced: number;
  /** Differ, and were kept as they were. */
  readonly kept: number;
  readonly unchanged: number;
  /** Histories of deleted decisions that were added. */
  readonly histories: number;
  /** Files of a folder that hold no decision record, and why not. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  readonly raw: RawObject;
}

/** How one operation of a batch ended. */
export type MemoryBatchResult =
  | { readonly index: number; readonly op: string; readonly ok: true; readonly memory: Memory }
  | { readonly index: number; readonly op: string; readonly ok: false; readonly error: NeuralMindAPIError };

export function readEvent(raw: RawObject): MemoryEvent {
  return deepFreeze({
    id: number(raw, 'id'),
    memoryId: text(raw, 'decision_id'),
    at: text(raw, 'at'),
    kind: text(raw, 'kind'),
    actor: textOrNull(raw, 'actor'),
    changes: changesOf(object(raw, 'changes')),
    note: textOrNull(raw, 'note'),
    raw,
  });
}

export function readTimeline(raw: RawObject): MemoryTimeline {
  return deepFreeze({
    anchor: readMemory(object(raw, 'anchor')),
    before: listOf(raw, 'before', readMemory),
    after: listOf(raw, 'after', readMemory),
    raw,
  });
}

export function readAudit(raw: RawObject): MemoryAudit {
  return deepFreeze({
    items: listOf(raw, 'items', (item) => ({
      memory: readMemory(object(item, 'memory')),
      reasons: texts(item, 'reasons'),
    })),
    checked: texts(raw, 'checked'),
    active: number(raw, 'active'),
    raw,
  });
}

export function readImport(raw: RawObject): MemoryImport {
  return deepFreeze({
    dryRun: boolean(raw, 'dry_run'),
    created: number(raw, 'created'),
    replaced: number(raw, 'replaced'),
    kept: number(raw, 'kept'),
    unchanged: number(raw, 'unchanged'),
    histories: number(raw, 'histories'),
    skipped: listOf(raw, 'skipped', (file) => ({ path: text(file, 'path'), reason: text(file, 'reason') })),
    raw,
  });
}

export function readBatchResult(raw: RawObject): MemoryBatchResult {
  const index = number(raw, 'index');
  const op = text(raw, 'op');
  if (boolean(raw, 'ok')) return Object.freeze({ index, op, ok: true, memory: readMemory(object(raw, 'memory')) });
  const { details, ...failure } = object(raw, 'error');
  const error = apiError({
    status: number(failure, 'status'),
    code: text(failure, 'code'),
    message: text(failure, 'message'),
    details: isObject(details) ? details : {},
    requestId: null,
  });
  return Object.freeze({ index, op, ok: false, error });
}

function changesOf(raw: RawObject): Readonly<Record<string, readonly [unknown, unknown]>> {
  const pairs = Object.keys(raw).map((field): [string, readonly [unknown, unknown]] => {
    const pair = list(raw, field);
    if (pair.length !== 2) throw unexpected('a change without the value before and after');
    return [field, [pair[0], pair[1]]];
  });
  return Object.fromEntries(pairs);
}
