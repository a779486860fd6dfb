/**
 * The log: JSON lines on standard error that say what happened and never what it was about.
 *
 * One line ends every tool call, on the logger of its tool; two frame every message at the HTTP door. Texts, titles,
 * tags, queries, tokens and paths have no way in: every function here takes words from closed sets, counts and ids.
 */
import { type DestinationStream, destination, type Level, type Logger, pino } from 'pino';
import type { NotebookLog } from '../memory/notebook/store.ts';
import type { EventSink, TerminalEvent } from '../operations/dispatch.ts';
import type { Operation } from '../operations/operation.ts';
import type { EnvelopeSketch, HttpLog } from '../transports/http-log.ts';
import type { LogLevel } from './log-level.ts';

export interface Log {
  /** Terminal events of tool calls. */
  readonly events: EventSink;
  readonly http: HttpLog;
  readonly notebook: NotebookLog;
  /** Start, stop and faults of the process; `message` is fixed text. */
  process(level: 'info' | 'warn' | 'error', message: string, fields?: Readonly<Record<string, string | number>>): void;
}

/** `stream` is standard error unless a test listens. */
export function createLog(level: LogLevel, stream: DestinationStream = standardError()): Log {
  const root = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: ['authorization', '*.authorization', 'token', '*.token'], censor: '[redacted]' },
    },
    stream,
  );
  const named = (logger: string): Logger => root.child({ logger });
  const mcp = named('mcp');
  const notebook = named('notebook');
  const server = named('server');
  const tools = new Map<string, Logger>();

  return {
    events(event) {
      const name = loggerOf(event.operation);
      let logger = tools.get(name);
      if (logger === undefined) {
        logger = named(name);
        tools.set(name, logger);
      }
      const { line, fields } = describeEvent(event);
      logger[levelOf(event)](fields, line);
    },
    http: httpLog(mcp),
    notebook: {
      skipped: (scope, reason) => notebook.warn({ scope, reason }, `skipped scope=${scope} reason=${reason}`),
      lock: (event) => notebook.warn({ event }, `root lock ${event}`),
    },
    process: (at, message, fields = {}) => server[at](fields, message),
  };
}

function httpLog(mcp: Logger): HttpLog {
  return {
    request(envelope) {
      const { id, method } = envelope;
      mcp[messageLevel(envelope)]({ id, method }, `request id=${id} method=${method}`);
    },
    response(envelope, end) {
      const { id, method } = envelope;
      const durationMs = milliseconds(end.durationMs);
      const { outcome, code } = end;
      mcp[messageLevel(envelope)](
        { id, method, outcome, code, durationMs },
        `response id=${id} method=${method} outcome=${outcome} code=${code} duration=${durationMs}ms`,
      );
    },
    refused: (code) => mcp.info({ code }, `refused code=${code}`),
    fault: (place, errorName) => mcp.error({ place, error: errorName }, `fault place=${place} error=${errorName}`),
  };
}

/** Nobody waits for a notification, so it is of interest only when something is being looked into. */
function messageLevel(envelope: EnvelopeSketch): Extract<Level, 'debug' | 'info'> {
  return envelope.notification ? 'debug' : 'info';
}

/** The line of one terminal event and the same facts as members. */
export function describeEvent(event: TerminalEvent): {
  readonly line: string;
  readonly fields: Readonly<Record<string, string | number | boolean>>;
} {
  const { failure, fault } = event;
  const facts: Record<string, string | number | boolean> = {
    event: eventNameOf(event.operation),
    outcome: event.outcome,
    ...(failure === undefined ? {} : { code: failure.code }),
    // A refusal names neither its field nor its reason here: together they would describe the secret.
    ...(failure?.status === 'invalid_request' && failure.field !== undefined ? { field: failure.field } : {}),
    ...event.fields,
    ...(fault === undefined ? {} : { fault }),
  };
  const line = Object.entries(facts)
    .map(([key, value]) => `${key}=${typeof value === 'string' && value.includes(' ') ? JSON.stringify(value) : value}`)
    .join(' ');
  return { line, fields: { ...facts, durationMs: milliseconds(event.durationMs) } };
}

/** A tool is known by its name, everything else by its row. */
function eventNameOf(operation: Operation): string {
  return operation.tool?.name ?? operation.name;
}

function loggerOf(operation: Operation): string {
  return operation.tool === undefined ? `api.${operation.name}` : `mcp.${operation.tool.name}`;
}

function levelOf(event: TerminalEvent): Extract<Level, 'info' | 'warn' | 'error'> {
  if (event.failure === undefined) return 'info';
  if (event.failure.status === 'internal_error') return 'error';
  // Looking for a record that is not there is an ordinary question.
  return event.failure.code === 'not_found' && event.operation.name === 'notebook.inspect' ? 'info' : 'warn';
}

function milliseconds(exact: number): number {
  return Math.round(exact * 10) / 10;
}

/** Written at once, so that the last line before an end is not lost. A closed terminal must not end the server. */
function standardError(): DestinationStream {
  const stream = destination({ dest: 2, sync: true });
  stream.on('error', () => {
    // Nobody reads the log any more, and there is no other place to say so.
  });
  return stream;
}
