import { expect, test } from 'vitest';
import type { TerminalEvent } from '../operations/dispatch.ts';
import type { OperationFailure } from '../operations/operation.ts';
import { table } from '../operations/table.ts';
import { sketchEnvelope } from '../transports/http-log.ts';
import { createLog } from './log.ts';
import type { LogLevel } from './log-level.ts';

function caught(level: LogLevel = 'info') {
  const lines: string[] = [];
  const log = createLog(level, { write: (line) => void lines.push(line) });
  return {
    log,
    lines: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    text: () => lines.join(''),
  };
}

function eventOf(tool: string, more: Partial<TerminalEvent> = {}): TerminalEvent {
  const operation = table.find((row) => row.tool?.name === tool);
  if (operation === undefined) throw new Error(`no tool ${tool}`);
  return { operation, outcome: 'ok', fields: {}, durationMs: 1.26, ...more };
}

function failureOf(failure: Omit<OperationFailure, 'message'>): Partial<TerminalEvent> {
  return { outcome: failure.status, failure: { ...failure, message: 'a message that is not logged' } };
}

test('LG1 a call ends with one line on the logger of its tool, words and members alike', () => {
  const { log, lines } = caught();
  log.events(eventOf('memory_list', { fields: { scope: 'self', returned_count: 2, truncated: false } }));
  expect(lines()).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      logger: 'mcp.memory_list',
      event: 'memory_list',
      outcome: 'ok',
      scope: 'self',
      returned_count: 2,
      truncated: false,
      durationMs: 1.3,
      msg: 'event=memory_list outcome=ok scope=self returned_count=2 truncated=false',
    },
  ]);
});

test('LG2 code always, field for invalid requests alone, reason and message never', () => {
  const { log, lines, text } = caught();
  log.events(eventOf('memory_remember', failureOf({ status: 'invalid_request', code: 'invalid_kind', field: 'kind' })));
  log.events(
    eventOf(
      'memory_remember',
      failureOf({ status: 'refused', code: 'disallowed_content', field: 'title', reason: 'credential_shape' }),
    ),
  );
  expect(lines().map((line) => line['msg'])).toEqual([
    'event=memory_remember outcome=invalid_request code=invalid_kind field=kind',
    'event=memory_remember outcome=refused code=disallowed_content',
  ]);
  expect(text()).not.toMatch(/credential_shape|title|not logged/);
});

test('LG3 info for success and for inspecting what is not there, error for our faults, warn for the rest', () => {
  const { log, lines } = caught();
  const notFound = failureOf({ status: 'not_found', code: 'not_found' });
  log.events(eventOf('memory_recall', { outcome: 'no_matches' }));
  log.events(eventOf('memory_inspect', notFound));
  log.events(eventOf('memory_archive', notFound));
  log.events(eventOf('memory_list', failureOf({ status: 'conflict', code: 'stale_cursor' })));
  log.events(
    eventOf('memory_list', {
      ...failureOf({ status: 'internal_error', code: 'internal_error' }),
      fault: 'TypeError at list.ts:41',
    }),
  );
  expect(lines().map((line) => line['level'])).toEqual(['info', 'info', 'warn', 'warn', 'error']);
  expect(lines()[4]?.['msg']).toBe(
    'event=memory_list outcome=internal_error code=internal_error fault="TypeError at list.ts:41"',
  );
});

test('LG4 messages at the door show a known method and a harmless id, nothing else', () => {
  const sketch = (message: unknown) => sketchEnvelope(message);
  expect(sketch({ id: 7, method: 'tools/call' })).toEqual({ id: 7, method: 'tools/call', notification: false });
  expect(sketch({ id: 'a-1', method: 'ping' })).toEqual({ id: 'a-1', method: 'ping', notification: false });
  expect(sketch({ method: 'notifications/initialized' })).toMatchObject({ notification: true });
  for (const id of [null, true, 1.5, 1e300, '', 'has space', 'x'.repeat(41), 'zebra\nquokka', { a: 1 }, ['x']]) {
    expect(sketch({ id, method: 'ping' })).toEqual({ id: null, method: 'ping', notification: false });
  }
  for (const method of ['zebra', '', 7, null, ['ping'], '__proto__', undefined]) {
    expect(sketch({ id: 1, method })).toEqual({ id: 1, method: 'unknown', notification: false });
  }
  for (const body of [undefined, null, [], 3, 'x']) {
    expect(sketchEnvelope(body)).toEqual({ id: null, method: 'unknown', notification: false });
  }
});

test('LG4 a notification is logged at debug only', () => {
  const end = { outcome: 'answered', code: 202, durationMs: 1 } as const;
  for (const [level, count] of [
    ['info', 2],
    ['debug', 4],
  ] as const) {
    const { log, lines } = caught(level);
    for (const notification of [true, false]) {
      log.http.request({ id: null, method: 'ping', notification });
      log.http.response({ id: null, method: 'ping', notification }, end);
    }
    expect(lines()).toHaveLength(count);
    expect(lines()[1]).toMatchObject({ logger: 'mcp', outcome: 'answered', code: 202, durationMs: 1 });
  }
});

test('LG5 a skipped file is told by scope and reason, a lock by its event', () => {
  const { log, lines } = caught();
  log.notebook.skipped('self', 'symlink');
  log.notebook.lock('timed_out');
  expect(lines()).toMatchObject([
    { level: 'warn', logger: 'notebook', scope: 'self', reason: 'symlink' },
    { level: 'warn', logger: 'notebook', event: 'timed_out' },
  ]);
});

test('LG6 an authorization or token that strays into the members is hidden', () => {
  const { log, text } = caught();
  log.process('info', 'x', { authorization: 'Bearer zebra', token: 'quokka' });
  expect(text()).not.toMatch(/zebra|quokka/);
  expect(text()).toContain('[redacted]');
});

test('LG7 the level decides what is written', () => {
  const counts = (['debug', 'info', 'warn', 'error', 'silent'] as const).map((level) => {
    const { log, lines } = caught(level);
    log.process('info', 'x');
    log.process('warn', 'x');
    log.process('error', 'x');
    return lines().length;
  });
  expect(counts).toEqual([3, 3, 2, 1, 0]);
});
