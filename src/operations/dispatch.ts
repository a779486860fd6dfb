/**
 * The only way in. Every door ends here: permission, parse, run, and one terminal event in the log whatever happens.
 *
 * A thrown error is a fault of ours: the caller gets the fixed `internal_error`, the log gets the kind of error and
 * the place, never its message (messages can hold content).
 */
import type { JsonObject, JsonValue } from '../base/json.ts';
import { isJsonObject, member } from '../base/json.ts';
import type { Engine } from '../engine/engine.ts';
import type {
  CallContext,
  Caller,
  EventFields,
  Operation,
  OperationFailure,
  OperationResult,
  Registry,
} from './operation.ts';

/** What a door knows about its call; `folder`, `isListed` and `openapi` are handed to the row as they are. */
export interface Call extends Pick<CallContext, 'folder' | 'isListed' | 'openapi'> {
  readonly operation: Operation;
  readonly arguments: JsonObject;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** The door publishes the input schemas of tools: an argument that is in none is refused. */
  readonly closed?: boolean;
  /** Told the class name of the error when the call fails by a fault of ours. Must not throw. */
  readonly onFault?: (errorName: string) => void;
}

export interface TerminalEvent {
  readonly operation: Operation;
  /** `ok`-side status of the result, or the failure's status. */
  readonly outcome: string;
  /** A log line shows the code of it, and the field only for the status `invalid_request`; never the reason. */
  readonly failure?: OperationFailure;
  readonly fields: EventFields;
  readonly durationMs: number;
  /** Set only for faults of ours: class of the error, its system code if any, and the place in our sources. */
  readonly fault?: string;
}

/** Where terminal events go. Must not throw. */
export type EventSink = (event: TerminalEvent) => void;

export interface Dispatcher {
  readonly engine: Engine;
  readonly registry: Registry;
  /** Never rejects. */
  dispatch(call: Call): Promise<OperationResult<JsonValue>>;
}

const internalError: OperationFailure = {
  status: 'internal_error',
  code: 'internal_error',
  message: 'the call failed inside Mnemosyne; nothing is known to have changed',
};

const mutationDisabled: OperationFailure = {
  status: 'policy_error',
  code: 'mutation_disabled',
  message: 'the operator of this server has not enabled this change',
};

/** How far one call has come: parsed or not, and how it ended. */
interface Ending {
  readonly input?: unknown;
  readonly result: OperationResult<JsonValue>;
  readonly fault?: string;
}

export function createDispatcher(engine: Engine, registry: Registry, sink: EventSink): Dispatcher {
  return {
    engine,
    registry,
    async dispatch(call) {
      const started = performance.now();
      const ending = await finish(engine, registry, call);
      sink(terminalEvent(call.operation, ending, performance.now() - started));
      return ending.result;
    },
  };
}

async function finish(engine: Engine, registry: Registry, call: Call): Promise<Ending> {
  const { operation } = call;
  if (!isEnabled(operation, registry)) return { result: { ok: false, failure: mutationDisabled } };
  let input: unknown;
  try {
    const parsed = operation.parse(call.arguments, { closed: call.closed === true });
    if (!parsed.ok) return { result: parsed };
    input = parsed.value;
    const result = await operation.run(engine, input, contextOf(call, registry));
    return { input, result };
  } catch (error) {
    call.onFault?.(error instanceof Error ? error.constructor.name : typeof error);
    return { input, result: { ok: false, failure: internalError }, fault: describeFault(error) };
  }
}

function contextOf(call: Call, registry: Registry): CallContext {
  const { caller, signal, folder, isListed, openapi } = call;
  return {
    caller,
    signal,
    registry,
    ...(folder === undefined ? {} : { folder }),
    ...(isListed === undefined ? {} : { isListed }),
    ...(openapi === undefined ? {} : { openapi }),
  };
}

/** The doors find rows through the registry, so this stops only code that carries a gated row past it. */
function isEnabled(operation: Operation, registry: Registry): boolean {
  return operation.gate === undefined || registry.operations.includes(operation);
}

/** A row that cannot describe its call loses the fields, not the event, and not the result: it may have been written. */
function terminalEvent(operation: Operation, ending: Ending, durationMs: number): TerminalEvent {
  const { input, result } = ending;
  let fields: EventFields = {};
  let { fault } = ending;
  try {
    fields = operation.event(input, result);
  } catch (error) {
    fault ??= describeFault(error);
  }
  return {
    operation,
    outcome: outcomeOf(operation, result),
    fields,
    durationMs,
    ...(result.ok ? {} : { failure: result.failure }),
    ...(fault === undefined ? {} : { fault }),
  };
}

/** The status word of a notebook result; of other values a `status` is content, and they are plainly `ok`. */
function outcomeOf(operation: Operation, result: OperationResult<JsonValue>): string {
  if (!result.ok) return result.failure.status;
  if (operation.scope === 'project') return 'ok';
  const status = isJsonObject(result.value) ? member(result.value, 'status') : undefined;
  return typeof status === 'string' ? status : 'ok';
}

/** `TypeError@recall.ts:41` or `Error:ENOSPC@file-store.ts:88`: only words that our code or the system chose. */
function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return `thrown:${typeof error}`;
  const code = 'code' in error && typeof error.code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(error.code);
  return `${error.constructor.name}${code ? `:${error.code}` : ''}${placeOf(error)}`;
}

/** File name and line of the topmost frame. The head of a stack repeats the message, so it is cut off unread. */
function placeOf(error: Error): string {
  const head = error.message === '' ? error.name : `${error.name}: ${error.message}`;
  if (error.stack?.startsWith(head) !== true) return '';
  const frame = /^\s+at .*?([\w.-]+\.[cm]?[jt]s):(\d+):\d+\)?$/m.exec(error.stack.slice(head.length));
  return frame === null ? '' : `@${frame[1]}:${frame[2]}`;
}
