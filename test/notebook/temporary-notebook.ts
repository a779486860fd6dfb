/** A real notebook on real files in a folder of its own, gone when the test is over. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { openFileStore } from '../../src/memory/notebook/file-store.ts';
import { forget } from '../../src/memory/notebook/forget.ts';
import { inspect, parseInspectRequest } from '../../src/memory/notebook/inspect.ts';
import { archive, parseLifecycleRequest, restore } from '../../src/memory/notebook/lifecycle.ts';
import { list, parseListRequest } from '../../src/memory/notebook/list.ts';
import { createNotebook, type Notebook } from '../../src/memory/notebook/notebook.ts';
import type { Result } from '../../src/memory/notebook/outcome.ts';
import { parseRecallRequest, recall } from '../../src/memory/notebook/recall.ts';
import { parseRememberRequest, remember } from '../../src/memory/notebook/remember.ts';
import { parseReviseRequest, revise } from '../../src/memory/notebook/revise.ts';
import type { SkipReason } from '../../src/memory/notebook/store.ts';

export interface TemporaryNotebook {
  readonly folder: string;
  readonly root: string;
  readonly notebook: Notebook;
  readonly skips: readonly SkipReason[];
  /** Moves the clock; it stands still otherwise. */
  setTime(time: string): void;
  /** Writes a file below the root: text as it is, anything else as JSON. */
  write(file: string, content: unknown): void;
  read(file: string): string;
  /** Every file below the root, sorted. Empty also when there is no root. */
  files(): readonly string[];
}

export function temporaryNotebook(options: { readonly newId?: () => string } = {}): TemporaryNotebook {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mnemosyne-notebook-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = path.join(folder, 'memory');
  const skips: SkipReason[] = [];
  let now = new Date('2026-07-20T10:00:00Z');
  const store = openFileStore({
    root: () => root,
    log: { skipped: (_, reason) => skips.push(reason), lock: () => {} },
  });
  const notebook = createNotebook({ store, clock: { now: () => now }, ...options });
  return {
    folder,
    root,
    notebook,
    skips,
    setTime: (time) => {
      now = new Date(time);
    },
    write: (file, content) => {
      const target = path.join(root, file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, typeof content === 'string' ? content : JSON.stringify(content));
    },
    read: (file) => readFileSync(path.join(root, file), 'utf8'),
    files: () => filesBelow(root),
  };
}

function filesBelow(root: string): readonly string[] {
  try {
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
      .filter((file) => file.endsWith('.json') || file.endsWith('.tmp'))
      .sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

type Call<Value> = (notebook: Notebook, raw: JsonObject) => Promise<Result<Value>>;

function call<Request, Value>(
  parse: (raw: JsonObject) => Result<Request>,
  run: (notebook: Notebook, request: Request) => Promise<Result<Value>>,
): Call<Value> {
  return async (notebook, raw) => {
    const request = parse(raw);
    return request.ok ? await run(notebook, request.value) : request;
  };
}

/** The calls as a caller meets them: raw arguments in, outcome out. */
export const calls = {
  recall: call(parseRecallRequest, recall),
  list: call(parseListRequest, list),
  inspect: call(parseInspectRequest, inspect),
  remember: call(parseRememberRequest, remember),
  revise: call(parseReviseRequest, revise),
  archive: call(parseLifecycleRequest, archive),
  restore: call(parseLifecycleRequest, restore),
  forget: call(parseLifecycleRequest, forget),
} satisfies Record<string, Call<JsonObject>>;

/** A failure in one word, `status/code@field`; a success by its status. */
export function outcome(result: Result<{ readonly status: string }>): string {
  if (result.ok) return result.value.status;
  const { status, code, field, reason, message } = result.failure;
  if (message.length < 20) throw new Error('a failure must say what to do');
  return `${status}/${code}${field === undefined ? '' : `@${field}`}${reason === undefined ? '' : ` ${reason}`}`;
}

/** The value of a success; a failure ends the test with its code. */
export function must<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`unexpected ${result.failure.status}/${result.failure.code}`);
  return result.value;
}

/** `mem_` and the number in 32 digits. */
export function memoryId(number: number): string {
  return `mem_${number.toString(16).padStart(32, '0')}`;
}

/** Complete arguments of remember, with `changes` made; a change to undefined leaves the key out. */
export function draft(changes: Readonly<Record<string, JsonObject[string] | undefined>> = {}): JsonObject {
  return without({
    scope: 'project',
    namespace: { kind: 'project', id: 'harbour', label: 'Harbour' },
    collection: { id: 'choices', label: 'Choices' },
    kind: 'decision',
    language: 'en',
    title: 'Boats stay small',
    content: 'Small boats fit through the old lock, large ones do not.',
    tags: ['boats', 'lock'],
    origin: 'user_approved_proposal',
    ...changes,
  });
}

/** A version-2 file of `project/harbour/choices`, with `changes` made. */
export function file(
  number: number,
  changes: Readonly<Record<string, JsonObject[string] | undefined>> = {},
): JsonObject {
  return without({
    schema_version: 2,
    id: memoryId(number),
    scope: 'project',
    namespace: { kind: 'project', id: 'harbour', label: 'Harbour' },
    collection: { id: 'choices', label: 'Choices' },
    kind: 'decision',
    language: 'en',
    title: `Title ${number}`,
    content: `Content ${number}.`,
    tags: [],
    provenance: { origin: 'manual', recorded_via: 'filesystem' },
    lifecycle: { state: 'active', revision: 1 },
    created_at: '2026-07-01T00:00:00Z',
    updated_at: '2026-07-01T00:00:00Z',
    ...changes,
  });
}

export function filePath(number: number): string {
  return `project/harbour/choices/${memoryId(number)}.json`;
}

export function reference(number: number, changes: JsonObject = {}): JsonObject {
  return {
    schema_version: 2,
    scope: 'project',
    namespace_id: 'harbour',
    collection_id: 'choices',
    id: memoryId(number),
    ...changes,
  };
}

function without(members: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
  const kept: Record<string, JsonObject[string]> = {};
  for (const [key, value] of Object.entries(members)) if (value !== undefined) kept[key] = value;
  return kept;
}
