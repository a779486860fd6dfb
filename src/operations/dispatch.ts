/**
 * The only way in. Every door ends here: permission, parse, run, and one terminal event in the log whatever happens.
 *
 * A thrown error is a fault of ours: the caller gets the fixed `internal_error`, the log gets the kind of error and
 * the place, never its message (messages can hold content).
 */
import type { JsonObject, JsonValue } from '../base/json.ts';
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

export interface Call {
  readonly operation: Operation;
  readonly arguments: JsonObject;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

export interface TerminalEvent {
  readonly operation: Operation;
  /** `ok`-side status of the result, or the failure's status. */
  readonly outcome: string;
  readonly failure?: OperationFailure;
  readonly fields: EventFields;
  readonly durationMs: number;
  /** Set only for faults of ours: the class name of the error. */
  readonly fault?: string;
}

/** Where terminal events go. Must not throw. */
export type EventSink = (event: TerminalEvent) => void;

export interface Dispatcher {
  readonly engine: Engine;
  readonly registry: Registry;
  dispatch(call: Call): Promise<OperationResult<JsonValue>>;
}

const internalError: OperationFailure = {
  status: 'internal_error',
  code: 'internal_error',
  message: 'the call failed inside Mnemosyne; nothing is known to have changed',
};

export function createDispatcher(engine: Engine, registry: Registry, sink: EventSink): Dispatcher {
  return {
    engine,
    registry,
    async dispatch(call) {
      const started = performance.now();
      const { operation } = call;
      let input: unknown;
      let result: OperationResult<JsonValue>;
      let fault: string | undefined;
      try {
        const parsed = operation.parse(call.arguments);
        if (parsed.ok) {
          input = parsed.value;
          const context: CallContext = { caller: call.caller, signal: call.signal, registry };
          result = await operation.run(engine, input, context);
        } else {
          result = parsed;
        }
      } catch (error) {
        fault = error instanceof Error ? error.name : typeof error;
        result = { ok: false, failure: internalError };
      }
      const event = {
        operation,
        outcome: outcomeOf(result),
        fields: operation.event(input, result),
        durationMs: performance.now() - started,
      };
      sink({
        ...event,
        ...(result.ok ? {} : { failure: result.failure }),
        ...(fault === undefined ? {} : { fault }),
      });
      return result;
    },
  };
}

/** The status word of a result; values without one (prose) are plainly `ok`. */
function outcomeOf(result: OperationResult<JsonValue>): string {
  if (!result.ok) return result.failure.status;
  const value = result.value;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const status = (value as JsonObject)['status'];
    if (typeof status === 'string') return status;
  }
  return 'ok';
}
