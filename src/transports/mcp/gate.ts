/**
 * The gate in front of the protocol library: what one message is, and what a malformed one is told.
 *
 * Pure, and the same for every door. The library would answer malformed messages with its own codes and validation
 * texts, or drop them; nothing reaches it here unless it has the shape it expects. Order of checks:
 *
 *   few enough values? → JSON? → object? → id absent: notification → id a string or whole number? → params an object? → method a string?
 *   → params of bounded depth, without `__proto__` → `_meta` well-formed?
 *
 * and, once the protocol era has been settled, `checkCall`: method known? → tool arguments an object? → tool known?
 */
import {
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResponse,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
} from '@modelcontextprotocol/server';
import { errorCatalogue } from '../../base/errors.ts';
import { holdsMoreValues, isJsonObject, type JsonObject, type JsonValue, member } from '../../base/json.ts';
import { httpLimits } from '../../base/limits.ts';
import { type Failure, failureOf, INVALID_PARAMS_TEXT, type RpcCode, unknownMethod, unknownTool } from './json-rpc.ts';
import { HANDSHAKE_REVISIONS } from './revisions.ts';

export type Verdict =
  | { readonly kind: 'refused'; readonly status: number; readonly answer: Failure }
  /** Never answered. `message` is absent when it is malformed, and then nothing may be done with it. */
  | { readonly kind: 'notification'; readonly message?: JSONRPCNotification }
  /** An answer to a request of ours; only a session can have asked something. */
  | { readonly kind: 'response'; readonly message: JSONRPCResponse; readonly id: RequestId }
  /** `versionStated`: whether the message says `"jsonrpc": "2.0"`. The handshake era does not insist on it. */
  | { readonly kind: 'request'; readonly message: JSONRPCRequest; readonly versionStated: boolean };

/** What exists behind the gate. */
export interface Offer {
  readonly methods: ReadonlySet<string>;
  knowsTool(name: string): boolean;
}

/** One message as it came, parsed. Parsing is the dear part, so it is done once and the outcome is passed on. */
export type ParsedMessage =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'unreadable'; readonly refusal: Verdict };

/** Parses an HTTP body or a line. What would keep the parser busy for seconds is not given to it. */
export function parseMessage(text: string): ParsedMessage {
  if (holdsMoreValues(text, httpLimits.jsonValuesMax)) {
    const message = `Invalid Request: more than ${httpLimits.jsonValuesMax} values`;
    return { kind: 'unreadable', refusal: refused(null, 'invalid_envelope', message) };
  }
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { kind: 'unreadable', refusal: refused(null, 'parse_error', 'Parse error') };
  }
}

export function judgeMessage(parsed: ParsedMessage): Verdict {
  return parsed.kind === 'json' ? judge(parsed.value) : parsed.refusal;
}

/** Steps that need the method table. Undefined when the call may go on. */
export function checkCall(request: JSONRPCRequest, offer: Offer): Failure | undefined {
  if (!offer.methods.has(request.method)) return unknownMethod(request.id, request.method);
  if (request.method !== 'tools/call') return undefined;
  const params: unknown = request.params ?? {};
  if (!isJsonObject(params)) return failureOf(request.id, 'invalid_params', INVALID_PARAMS_TEXT);
  const args = member(params, 'arguments');
  if (args !== undefined && !isJsonObject(args)) return failureOf(request.id, 'invalid_params', INVALID_PARAMS_TEXT);
  const name = member(params, 'name');
  return typeof name === 'string' && offer.knowsTool(name) ? undefined : unknownTool(request.id, name);
}

function judge(value: unknown): Verdict {
  if (!isJsonObject(value)) return refused(null, 'invalid_envelope', 'Invalid Request');
  if (!Object.hasOwn(value, 'id')) return judgeNotification(value);
  const id = member(value, 'id');
  // Larger whole numbers than these cannot be echoed: they were rounded when they were read.
  if (typeof id !== 'string' && !(typeof id === 'number' && Number.isSafeInteger(id))) {
    return refused(null, 'invalid_envelope', 'Invalid Request');
  }
  const method = member(value, 'method');
  if (method === undefined) {
    const response = responseOf(id, value);
    if (response !== undefined) return { kind: 'response', message: response, id };
  }
  const params = member(value, 'params');
  if (params !== undefined && !isJsonObject(params)) return refused(id, 'invalid_params', INVALID_PARAMS_TEXT);
  if (typeof method !== 'string') return { kind: 'refused', status: 200, answer: unknownMethod(id, method) };
  const problem = params === undefined ? undefined : structureProblem(params);
  if (problem !== undefined) return refused(id, 'invalid_params', `${INVALID_PARAMS_TEXT}: ${problem}`);
  const message = { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
  const request: unknown = method === 'initialize' ? withHandshakeDefaults(message, params) : message;
  if (!isJSONRPCRequest(request)) return refused(id, 'invalid_params', INVALID_PARAMS_TEXT);
  return { kind: 'request', message: request, versionStated: member(value, 'jsonrpc') === '2.0' };
}

function judgeNotification(value: JsonObject): Verdict {
  const method = member(value, 'method');
  const params = member(value, 'params');
  if (params !== undefined && (!isJsonObject(params) || structureProblem(params) !== undefined)) {
    return { kind: 'notification' };
  }
  const message: unknown = { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) };
  return isJSONRPCNotification(message) ? { kind: 'notification', message } : { kind: 'notification' };
}

function responseOf(id: RequestId, value: JsonObject): JSONRPCResponse | undefined {
  const result = member(value, 'result');
  const error = member(value, 'error');
  if (structureProblem({ result: result ?? null, error: error ?? null }) !== undefined) return undefined;
  const message: unknown = { jsonrpc: '2.0', id, ...(error === undefined ? { result } : { error }) };
  return isJSONRPCResponse(message) ? message : undefined;
}

/**
 * `initialize` is answered whatever it carries: parts that are missing or malformed are replaced by the plainest ones,
 * and the newest revision stands for one that was not named. A request of the other era is left alone.
 */
function withHandshakeDefaults(message: JsonObject, params: JsonObject | undefined): unknown {
  const given = params ?? {};
  const meta = member(given, '_meta');
  const claimsEra = isJsonObject(meta) && Object.hasOwn(meta, PROTOCOL_VERSION_META_KEY);
  if (claimsEra || isInitializeRequest(message)) return message;
  const revision = member(given, 'protocolVersion');
  const client = member(given, 'clientInfo');
  const name = isJsonObject(client) ? member(client, 'name') : undefined;
  return {
    ...message,
    params: {
      protocolVersion: typeof revision === 'string' ? revision : HANDSHAKE_REVISIONS[0],
      capabilities: {},
      clientInfo: { name: typeof name === 'string' ? name : 'unknown', version: 'unknown' },
      ...(isJsonObject(meta) ? { _meta: meta } : {}),
    },
  };
}

/**
 * Walks without recursion, so that hostile nesting cannot exhaust the stack. `__proto__` is refused as a key because
 * code that copies objects member by member would set a prototype with it.
 */
function structureProblem(root: JsonObject): string | undefined {
  // The envelope itself is the first level.
  const open: { readonly value: JsonValue; readonly depth: number }[] = [{ value: root, depth: 2 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > httpLimits.jsonDepthMax) return `nested deeper than ${httpLimits.jsonDepthMax} levels`;
    if (Object.hasOwn(value, '__proto__')) return 'the key __proto__ is not allowed';
    for (const inner of Object.values(value)) open.push({ value: inner, depth: depth + 1 });
  }
  return undefined;
}

function refused(id: RequestId | null, code: RpcCode, message: string): Verdict {
  return { kind: 'refused', status: errorCatalogue[code].http, answer: failureOf(id, code, message) };
}
