/**
 * What a row of the table is. A row declares one thing the product can do; routes, tools, documents and permission
 * checks are made from it, and `dispatch` is the only code that runs one.
 */
import type { ErrorCode } from '../base/errors.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { Engine } from '../engine/engine.ts';
import type { HttpRoute } from './http-route.ts';

/** Who is calling, as the door established it. Never taken from the request. */
export interface Caller {
  readonly kind: 'local-token' | 'anonymous-loopback' | 'stdio' | 'cli';
  /** Stable per credential, never the credential. Sessions are bound to it. */
  readonly principal: string;
}

export type Permission =
  | 'notebook.read'
  | 'notebook.write'
  | 'server.read'
  | 'server.shutdown'
  | 'projects.read'
  | 'projects.register'
  | 'memories.read'
  | 'memories.write'
  | 'memories.delete'
  | 'code.read'
  | 'code.write'
  | 'jobs.read';

/** Operator switches. A row whose gate is off does not exist: not listed, not dispatched. */
export type Gate = 'remember' | 'archive_restore' | 'revise' | 'forget';
export type Gates = Readonly<Record<Gate, boolean>>;

/** A JSON Schema document as published. */
export type Schema = JsonObject;

/** MCP's four hints; all four on every tool. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** The contract's shape: validation is described completely, root branches included. */
  readonly composedInput: Schema;
  /** The same tool for clients that reject root combinators. Validation never differs. */
  readonly portableInput: Schema;
  /** Of the success value; absent for tools that answer prose. */
  readonly output?: Schema;
  /** What an agent is shown of a success value that `given` asked for; the value itself when absent. */
  show?(value: JsonObject, given: JsonObject): JsonObject;
}

/** A failure as the caller sees it. Key order is public: status, code, field, reason, message, details. */
export interface OperationFailure {
  readonly status: string;
  readonly code: ErrorCode;
  readonly field?: string;
  readonly reason?: string;
  readonly message: string;
  /** Facts for programs, such as the list of wrong fields. */
  readonly details?: JsonObject;
}

export type OperationResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: OperationFailure };

/** What one call leaves in the log: names and counts, never content. */
export type EventFields = Readonly<Record<string, string | number | boolean>>;

export interface Operation<Input = unknown, Output extends JsonValue = JsonValue> {
  /** `notebook.recall`: noun and verb, unique. */
  readonly name: string;
  readonly summary: string;
  readonly permission: Permission;
  readonly scope: 'global' | 'project';
  readonly gate?: Gate;
  /** How MCP shows it; absent for what no agent needs. */
  readonly tool?: Tool;
  /** Its route under `/v1`; absent for what only agents need. */
  readonly http?: HttpRoute;
  /** Side effects in words, for the reference page. */
  readonly effects: string;
  readonly errors: readonly ErrorCode[];
  readonly example: { readonly input: JsonObject; readonly output: JsonValue };
  /**
   * Border check in the contract's order. `closed` holds the call to the input schema of the tool, which admits no other
   * argument; a route takes no notice of fields it does not know.
   */
  parse(raw: JsonObject, options?: { readonly closed: boolean }): OperationResult<Input>;
  run(engine: Engine, input: Input, call: CallContext): Promise<OperationResult<Output>>;
  /** Content-free fields of the terminal log event; `input` is undefined when parsing failed. */
  event(input: Input | undefined, result: OperationResult<Output>): EventFields;
}

/** What a running operation may know about its call. */
export interface CallContext {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly registry: Registry;
  /** The folder a door stands in: the project of a call that names none. Absent where there is no such folder. */
  readonly folder?: string;
  /** Which tools the door shows this caller; absent where it shows all. */
  readonly isListed?: (row: ToolOperation) => boolean;
  /** The document of the API, given by the door that serves it. */
  readonly openapi?: () => JsonObject;
}

/** A row that is also a tool. */
export interface ToolOperation extends Operation {
  readonly tool: Tool;
}

/** The rows that exist under the present gates, in published order. */
export interface Registry {
  readonly operations: readonly Operation[];
  readonly tools: readonly ToolOperation[];
  findTool(name: string): ToolOperation | undefined;
}

/** Keeps a row's own types inside and lets the table hold rows of all types. */
export function operation<Input, Output extends JsonValue>(row: Operation<Input, Output>): Operation {
  return row as unknown as Operation;
}

/** The same for a row that is a tool. */
export function toolOperation<Input, Output extends JsonValue>(
  row: Operation<Input, Output> & { readonly tool: Tool },
): ToolOperation {
  return row as unknown as ToolOperation;
}

export function isTool(row: Operation): row is ToolOperation {
  return row.tool !== undefined;
}
