/** What a shape that the notebook does not store looks like. */
import type { RefusalReason } from '../outcome.ts';

export interface Detector {
  /** For tests and readers; never shown to a caller, who learns the reason alone. */
  readonly name: string;
  readonly reason: RefusalReason;
  /** Pure, and linear in the length of `text` whatever it holds. */
  readonly matches: (text: string) => boolean;
}

/** A detector that is one pattern. The pattern must not be sticky or global, which would make it remember. */
export function patternDetector(name: string, reason: RefusalReason, pattern: RegExp): Detector {
  return { name, reason, matches: (text) => pattern.test(text) };
}
