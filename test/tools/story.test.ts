/**
 * One record's life through dispatch, on real files: every result fits its published schema, every call leaves exactly
 * the log fields that its tool may leave, and none of them holds content.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, onTestFinished, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../../src/base/json.ts';
import { openEngine } from '../../src/engine/open-engine.ts';
import { createDispatcher, type TerminalEvent } from '../../src/operations/dispatch.ts';
import type { OperationResult } from '../../src/operations/operation.ts';
import { createRegistry } from '../../src/operations/registry.ts';
import { toolResult } from '../../src/operations/tool-result.ts';

const ajv = new Ajv2020({ strict: true, strictTypes: false });

interface Called {
  readonly value: JsonObject;
  readonly event: TerminalEvent;
}

/** Calls tools on a notebook of its own; `failing` is for calls that must not succeed. */
interface Caller {
  readonly root: string;
  call(tool: string, args: JsonObject): Promise<Called>;
  failing(tool: string, args: JsonObject): Promise<TerminalEvent>;
}

function newCaller(): Caller {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mnemosyne-story-'));
  const root = path.join(folder, 'memory');
  const engine = openEngine({
    memoryRoot: () => root,
    clock: { now: () => new Date('2026-07-20T10:00:00Z') },
    notebookLog: { skipped: () => {}, lock: () => {} },
  });
  onTestFinished(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const registry = createRegistry({ remember: true, archive_restore: true, revise: true, forget: true });
  const events: TerminalEvent[] = [];
  const dispatcher = createDispatcher(engine, registry, (event) => events.push(event));

  async function dispatch(
    tool: string,
    args: JsonObject,
  ): Promise<readonly [OperationResult<JsonValue>, TerminalEvent]> {
    const operation = registry.findTool(tool);
    if (operation === undefined) throw new Error(`no tool ${tool}`);
    const result = await dispatcher.dispatch({
      operation,
      arguments: args,
      caller: { kind: 'stdio', principal: 'test' },
      signal: new AbortController().signal,
    });
    const [event, ...more] = events.splice(0);
    expect(more).toEqual([]);
    if (event === undefined) throw new Error('no event');
    expect(event.fault).toBeUndefined();
    if (!result.ok) expect(operation.errors).toContain(result.failure.code);
    return [result, event];
  }

  return {
    root,
    async call(tool, args) {
      const [result, event] = await dispatch(tool, args);
      if (!result.ok) throw new Error(`${tool} failed: ${result.failure.code}`);
      const { value } = result;
      const schema = registry.findTool(tool)?.tool.output;
      if (!isJsonObject(value) || schema === undefined) throw new Error('no structured value');
      const validate = ajv.compile(schema);
      validate(value);
      expect(validate.errors ?? []).toEqual([]);
      const shown = toolResult(result);
      expect(JSON.parse(shown.content[0].text)).toEqual(shown.structuredContent);
      return { value, event };
    },
    async failing(tool, args) {
      const [result, event] = await dispatch(tool, args);
      if (result.ok) throw new Error(`${tool} succeeded`);
      expect(toolResult(result)).not.toHaveProperty('structuredContent');
      return event;
    },
  };
}

const draft = {
  scope: 'relationship',
  namespace: { kind: 'person', id: 'jo', label: 'Jo' },
  collection: null,
  kind: 'perspective',
  language: null,
  title: 'Walnut walks',
  content: 'The user enjoys long walks with Jo under walnut trees.',
  tags: ['walks'],
  origin: 'explicit_user_statement',
};

function objectAt(value: JsonObject, key: string): JsonObject {
  const found = member(value, key);
  if (!isJsonObject(found)) throw new Error(`no object ${key}`);
  return found;
}

function canonical(remembered: JsonObject): JsonObject {
  return { schema_version: 2, ...objectAt(remembered, 'reference') };
}

test('TB20 a whole life: results fit their schemas, and events have exactly the fields of their tool', async () => {
  const { call } = newCaller();
  const born = await call('memory_remember', draft);
  const reference = canonical(born.value);
  const about = { scope: 'relationship', namespace_kind: 'person', memory_kind: 'perspective' };
  const rememberFields = {
    ...about,
    collection_present: false,
    origin: 'explicit_user_statement',
    memory_id: reference['id'],
    lifecycle_state: 'active',
    revision: 1,
  };
  expect(born.event).toMatchObject({ outcome: 'remembered' });
  expect(born.event.fields).toEqual(rememberFields);
  const again = await call('memory_remember', draft);
  expect(again.event.outcome).toBe('already_exists');
  expect(again.event.fields).toEqual(rememberFields);

  const recalled = await call('memory_recall', { query: 'walnut', scope: 'relationship', tags: ['walks'] });
  expect(recalled.event.outcome).toBe('ok');
  expect(recalled.event.fields).toEqual({ scope: 'relationship', returned_count: 1 });
  const nothing = await call('memory_recall', { query: 'submarine', scope: 'self' });
  expect(nothing.event.outcome).toBe('no_matches');
  expect(nothing.event.fields).toEqual({ scope: 'self', returned_count: 0 });

  const listed = await call('memory_list', { scope: 'relationship', namespace_id: 'jo', collection_id: null });
  expect(listed.event.fields).toEqual({
    scope: 'relationship',
    namespace_selector_present: true,
    collection_selector_present: true,
    returned_count: 1,
    total_count: 1,
    page_number: 1,
    truncated: false,
  });
  expect((await call('memory_list', { scope: 'self' })).event.fields).toMatchObject({
    namespace_selector_present: false,
    collection_selector_present: false,
    total_count: 0,
  });
  expect((await call('memory_list', { scope: 'self', namespace_id: 'x' })).event.fields).toMatchObject({
    namespace_selector_present: true,
    collection_selector_present: false,
  });

  const named = { schema_version: 2, scope: 'relationship' };
  expect((await call('memory_inspect', { reference })).event.fields).toEqual(named);
  const texts = { namespace_label: null, title: null, content: 'Walks with Jo.', tags: [] };
  const revised = await call('memory_revise', { reference, expected_revision: 1, ...texts });
  expect(revised.event.outcome).toBe('revised');
  expect(revised.event.fields).toEqual({ ...named, lifecycle_state: 'active', revision: 2 });
  const archived = await call('memory_archive', { reference, expected_revision: 2 });
  expect(archived.event.outcome).toBe('archived');
  expect(archived.event.fields).toEqual({ ...named, lifecycle_state: 'archived', revision: 3 });
  const restored = await call('memory_restore', { reference, expected_revision: 3 });
  expect(restored.event.outcome).toBe('restored');
  expect(restored.event.fields).toEqual({ ...named, lifecycle_state: 'active', revision: 4 });
  await call('memory_archive', { reference, expected_revision: 4 });
  const forgotten = await call('memory_forget', { reference, expected_revision: 5 });
  expect(forgotten.event.outcome).toBe('forgotten');
  expect(forgotten.event.fields).toEqual(named);
});

test('TB20 events, collections and records of the old format fit the result schemas as well', async () => {
  const { call, root } = newCaller();
  mkdirSync(path.join(root, 'project'), { recursive: true });
  writeFileSync(path.join(root, 'project', 'old.json'), '{"schema_version":1,"id":"old","content":"Plain old text."}');
  const event = {
    ...draft,
    scope: 'project',
    namespace: { kind: 'project', id: 'atlas', label: null },
    collection: { id: 'log', label: null },
    kind: 'event',
    occurred_at: '2026-07-01T00:00:00Z',
  };
  const reference = canonical((await call('memory_remember', event)).value);
  const shown = await call('memory_inspect', { reference });
  expect(objectAt(shown.value, 'memory')).toMatchObject({ occurred_at: '2026-07-01T00:00:00Z' });
  const first = await call('memory_list', { scope: 'project', page_size: 1 });
  const cursor = member(objectAt(first.value, 'page'), 'next_cursor') ?? null;
  const second = await call('memory_list', { scope: 'project', cursor });
  expect(second.event.fields).toMatchObject({ page_number: 2, returned_count: 1, total_count: 2, truncated: false });
  const legacy = { schema_version: 1, scope: 'project', id: 'old' };
  expect((await call('memory_inspect', { reference: legacy })).event.fields).toEqual({
    schema_version: 1,
    scope: 'project',
  });
  await call('memory_recall', { query: 'plain', scope: 'project' });
});

test('TB21 failures leave the fields that are known, and never a field or text of the request', async () => {
  const { call, failing } = newCaller();
  const refused = await failing('memory_remember', { ...draft, title: 'password: hunter22' });
  expect(refused.failure).toMatchObject({ status: 'refused', code: 'disallowed_content', field: 'title' });
  expect(refused.fields).toEqual({
    scope: 'relationship',
    namespace_kind: 'person',
    memory_kind: 'perspective',
    collection_present: false,
    origin: 'explicit_user_statement',
  });
  const reference = canonical((await call('memory_remember', draft)).value);
  const stale = await failing('memory_archive', { reference, expected_revision: 9 });
  expect(stale.failure?.code).toBe('revision_conflict');
  expect(stale.fields).toEqual({ schema_version: 2, scope: 'relationship' });
  expect((await failing('memory_forget', { reference, expected_revision: 1 })).failure?.code).toBe('not_archived');
  const cursor = await failing('memory_list', { scope: 'self', cursor: 'x' });
  expect(cursor.failure?.code).toBe('invalid_cursor');
  expect(cursor.fields).toEqual({
    scope: 'self',
    namespace_selector_present: false,
    collection_selector_present: false,
  });
  expect((await failing('memory_inspect', { reference: 'walnut' })).fields).toEqual({});
});
