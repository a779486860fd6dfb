/**
 * What a tool call shows over MCP: one text item, and on success the same value as structured content.
 *
 * Prose (a string value) is shown as it is and has no structured form. An error carries no structured content,
 * because clients check that against the schema of success. `isError` is there only on errors.
 */
import type { JsonObject, JsonValue } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { OperationFailure, OperationResult } from './operation.ts';

export interface ToolResult {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
  readonly structuredContent?: JsonObject;
  readonly isError?: true;
}

/** `show` is how the tool shows a success value. */
export function toolResult(
  result: OperationResult<JsonValue>,
  show: (value: JsonObject) => JsonObject = (value) => value,
): ToolResult {
  if (!result.ok) return { content: textOf(asciiJson(failurePayload(result.failure))), isError: true };
  if (typeof result.value === 'string') return { content: textOf(result.value) };
  if (!isJsonObject(result.value)) return { content: textOf(asciiJson(result.value)) };
  const shown = show(result.value);
  return { content: textOf(asciiJson(shown)), structuredContent: shown };
}

/** The public key order: status, code, field, reason, message, details; those that are not set are left out. */
export function failurePayload(failure: OperationFailure): JsonObject {
  const { status, code, field, reason, message, details } = failure;
  return {
    status,
    code,
    ...(field === undefined ? {} : { field }),
    ...(reason === undefined ? {} : { reason }),
    message,
    ...(details === undefined ? {} : { details }),
  };
}

/** Compact JSON with every UTF-16 unit beyond ASCII written as `\uXXXX`, so that no transport can garble it. */
export function asciiJson(value: JsonValue): string {
  return JSON.stringify(value).replace(/[\u0080-\uffff]/g, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function textOf(text: string): ToolResult['content'] {
  return [{ type: 'text', text }];
}
