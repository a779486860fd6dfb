/**
 * JSON-RPC answers that we write ourselves. Texts are fixed: of the request, only the id and a shortened method or tool
 * name ever come back.
 */
import type { JSONRPCErrorResponse, RequestId } from '@modelcontextprotocol/server';
import { type ErrorCode, type ErrorEntry, errorCatalogue } from '../../base/errors.ts';
import { mcpLimits } from '../../base/limits.ts';

/** An error answer; the id is null when the request's own id could not be read. */
export interface Failure {
  readonly jsonrpc: '2.0';
  readonly id: RequestId | null;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Codes of the catalogue that can end a JSON-RPC request. */
export type RpcCode = Extract<
  ErrorCode,
  | 'parse_error'
  | 'invalid_envelope'
  | 'unknown_method'
  | 'invalid_params'
  | 'unknown_tool'
  | 'unknown_session'
  | 'too_many_sessions'
  | 'internal_error'
>;

export const SERVER_ERROR = -32000;
export const INVALID_PARAMS_TEXT = 'Invalid params';
export const INTERNAL_ERROR_TEXT = 'Internal error';

export function failure(id: RequestId | null, code: number, message: string, data?: unknown): Failure {
  return { jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } };
}

export function failureOf(id: RequestId | null, code: RpcCode, message: string): Failure {
  return failure(id, numberOf(code), message);
}

/** The SDK types an answer without an id as one whose id is left out. */
export function toSdkError(answer: Failure): JSONRPCErrorResponse {
  const { code, message, data } = answer.error;
  return {
    jsonrpc: '2.0',
    ...(answer.id === null ? {} : { id: answer.id }),
    error: data === undefined ? { code, message } : { code, message, data },
  };
}

export function numberOf(code: RpcCode): number {
  const entry: ErrorEntry = errorCatalogue[code];
  return entry.jsonRpc ?? SERVER_ERROR;
}

export function unknownMethod(id: RequestId, method: unknown): Failure {
  return failureOf(id, 'unknown_method', `Unknown method: ${nameOf(method)}`);
}

export function unknownTool(id: RequestId, name: unknown): Failure {
  return failureOf(id, 'unknown_tool', `Unknown tool: ${nameOf(name)}`);
}

/** A name as the caller wrote it, shortened; other JSON values are never repeated. */
function nameOf(value: unknown): string {
  if (value === undefined) return '(missing)';
  if (typeof value !== 'string') return '(not a string)';
  const chars = Array.from(value.slice(0, 2 * mcpLimits.echoedNameCharsMax));
  if (chars.length <= mcpLimits.echoedNameCharsMax && value.length <= 2 * mcpLimits.echoedNameCharsMax) return value;
  return `${chars.slice(0, mcpLimits.echoedNameCharsMax).join('')}…`;
}
