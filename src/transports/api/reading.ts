/** What reading a part of a request comes to: its value, or the refusal that the caller gets. */
import type { ErrorCode } from '../../base/errors.ts';
import type { ErrorWords } from '../error-answer.ts';

export interface Refusal {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly words: ErrorWords;
}

export type Reading<Value> = { readonly ok: true; readonly value: Value } | Refusal;

export function refusal(code: ErrorCode, words: ErrorWords = {}): Refusal {
  return { ok: false, code, words };
}
