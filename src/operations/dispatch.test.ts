import { describe, expect, test } from 'vitest';
import { unusedEngine } from '../../test/unused-engine.ts';
import type { JsonValue } from '../base/json.ts';
import { createDispatcher, type TerminalEvent } from './dispatch.ts';
import { type Gates, type Operation, type OperationResult, operation, type Registry } from './operation.ts';
import { createRegistry } from './registry.ts';
import { notebookRows as table } from './table.ts';

const allGates: Gates = { remember: true, archive_restore: true, revise: true, forget: true };
const secret = 'sentence-that-must-not-leak';

/** The rows used here never reach it. */
const engine = unusedEngine(secret);

function row(changes: Partial<Operation<string, JsonValue>>): Operation {
  return operation<string, JsonValue>({
    name: 'test.row',
    summary: 'A row of this test.',
    permission: 'server.read',
    scope: 'global',
    tool: {
      name: 'test_row',
      title: 'Row',
      description: 'A row of this test.',
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      composedInput: { type: 'object' },
      portableInput: { type: 'object' },
    },
    effects: 'None.',
    errors: ['internal_error'],
    example: { input: {}, output: 'done' },
    parse: () => ({ ok: true, value: 'parsed' }),
    run: async () => ({ ok: true, value: { status: 'done' } }),
    event: (input, result) => ({ parsed: input === 'parsed', succeeded: result.ok }),
    ...changes,
  });
}

interface Dispatched {
  readonly result: OperationResult<JsonValue>;
  readonly events: readonly TerminalEvent[];
}

async function dispatch(
  target: Operation,
  args = {},
  registry: Registry = createRegistry(allGates),
): Promise<Dispatched> {
  const events: TerminalEvent[] = [];
  const dispatcher = createDispatcher(engine, registry, (event) => events.push(event));
  const result = await dispatcher.dispatch({
    operation: target,
    arguments: args,
    caller: { kind: 'stdio', principal: 'test' },
    signal: new AbortController().signal,
  });
  return { result, events };
}

function onlyEvent({ events }: Dispatched): TerminalEvent {
  expect(events).toHaveLength(1);
  const [event] = events;
  if (event === undefined) throw new Error('no event');
  expect(event.durationMs).toBeGreaterThanOrEqual(0);
  return event;
}

describe('one terminal event for every call', () => {
  test('TB16 success: the status word of the result, and the fields of the row', async () => {
    const event = onlyEvent(await dispatch(row({})));
    expect(event).toMatchObject({ outcome: 'done', fields: { parsed: true, succeeded: true } });
    expect(Object.keys(event)).not.toContain('failure');
    expect(Object.keys(event)).not.toContain('fault');
  });

  test('TB16 success without a status word is ok', async () => {
    expect(onlyEvent(await dispatch(row({ run: async () => ({ ok: true, value: 'prose' }) }))).outcome).toBe('ok');
    expect(onlyEvent(await dispatch(row({ run: async () => ({ ok: true, value: { status: 3 } }) }))).outcome).toBe(
      'ok',
    );
    expect(onlyEvent(await dispatch(row({ run: async () => ({ ok: true, value: [] }) }))).outcome).toBe('ok');
  });

  test('TB16 arguments that do not parse: the failure, and the row is not run', async () => {
    let runs = 0;
    const failure = { status: 'invalid_request', code: 'invalid_scope', field: 'scope', message: 'fixed' } as const;
    const dispatched = await dispatch(
      row({
        parse: () => ({ ok: false, failure }),
        run: async () => {
          runs += 1;
          return { ok: true, value: null };
        },
      }),
    );
    expect(dispatched.result).toEqual({ ok: false, failure });
    expect(onlyEvent(dispatched)).toMatchObject({
      outcome: 'invalid_request',
      failure,
      fields: { parsed: false, succeeded: false },
    });
    expect(runs).toBe(0);
  });

  test('TB16 a failure of the row itself', async () => {
    const failure = { status: 'conflict', code: 'revision_conflict', message: 'fixed' } as const;
    const dispatched = await dispatch(row({ run: async () => ({ ok: false, failure }) }));
    expect(dispatched.result).toEqual({ ok: false, failure });
    expect(onlyEvent(dispatched)).toMatchObject({
      outcome: 'conflict',
      failure,
      fields: { parsed: true, succeeded: false },
    });
  });

  const enabled = createRegistry(allGates).tools.map((each) => [each.tool.name, each] as const);

  test.each(enabled)('TB16 %s: wrong arguments leave one event that holds nothing of them', async (name, target) => {
    const event = onlyEvent(
      await dispatch(target, { [secret]: secret, scope: secret, query: secret, content: secret }),
    );
    expect(event.outcome).toBe(name === 'list_tools' ? 'ok' : 'invalid_request');
    expect(event.fields).toEqual({});
    const { operation: _, ...told } = event;
    expect(JSON.stringify(told)).not.toContain(secret);
  });
});

describe('faults of ours', () => {
  const internal = {
    ok: false,
    failure: { status: 'internal_error', code: 'internal_error', message: expect.any(String) },
  };

  class ReaderError extends Error {
    readonly code = 'EIO';
  }

  test.each([
    ['thrown while running', row({ run: () => Promise.reject(new ReaderError(`${secret}\n    at ${secret}.ts:1:1`)) })],
    [
      'thrown before a promise is made',
      row({
        run: () => {
          throw new ReaderError(secret);
        },
      }),
    ],
    [
      'thrown while parsing',
      row({
        parse: () => {
          throw new ReaderError(secret);
        },
      }),
    ],
  ])('TB17 %s: internal_error, and neither the caller nor the log sees the message', async (_when, target) => {
    const dispatched = await dispatch(target);
    expect(dispatched.result).toEqual(internal);
    const event = onlyEvent(dispatched);
    expect(event.outcome).toBe('internal_error');
    expect(event.fault).toMatch(/^ReaderError:EIO@dispatch\.test\.ts:\d+$/);
    const { operation: _, ...told } = event;
    expect(JSON.stringify([told, dispatched.result])).not.toContain(secret);
  });

  test('TB17 what is thrown and is no error is named by its type alone', async () => {
    const dispatched = await dispatch(row({ run: () => Promise.reject(secret) }));
    expect(dispatched.result).toEqual(internal);
    expect(onlyEvent(dispatched).fault).toBe('thrown:string');
  });

  test('TB17 a notebook row over a broken engine answers internal_error without the message', async () => {
    const recall = table.find((each) => each.tool.name === 'memory_recall');
    if (recall === undefined) throw new Error('no recall');
    const dispatched = await dispatch(recall, { query: 'anything', scope: 'self' });
    expect(dispatched.result).toEqual(internal);
    const event = onlyEvent(dispatched);
    expect(event.fields).toEqual({ scope: 'self' });
    expect(event.fault).toMatch(/^TypeError@/);
    expect(JSON.stringify(dispatched.result)).not.toContain(secret);
  });

  test('TB18 a row that cannot describe its call still leaves one event, and its result stands', async () => {
    const dispatched = await dispatch(
      row({
        event: () => {
          throw new RangeError(secret);
        },
      }),
    );
    expect(dispatched.result).toEqual({ ok: true, value: { status: 'done' } });
    const event = onlyEvent(dispatched);
    expect(event).toMatchObject({ outcome: 'done', fields: {} });
    expect(event.fault).toMatch(/^RangeError@dispatch\.test\.ts:\d+$/);
  });
});

describe('gates', () => {
  const noGates: Gates = { remember: false, archive_restore: false, revise: false, forget: false };
  const gated = table.filter((each) => each.gate !== undefined).map((each) => [each.tool.name, each] as const);

  test.each(gated)(
    'TB19 %s carried past a registry without it: mutation_disabled, before parsing',
    async (_name, target) => {
      const unparsed: Operation = {
        ...target,
        parse: () => {
          throw new Error('parsed');
        },
      };
      const dispatched = await dispatch(unparsed, target.example.input, createRegistry(noGates));
      expect(dispatched.result).toMatchObject({
        ok: false,
        failure: { status: 'policy_error', code: 'mutation_disabled' },
      });
      expect(onlyEvent(dispatched)).toMatchObject({ outcome: 'policy_error', fields: {} });
    },
  );
});
