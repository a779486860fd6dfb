/**
 * The content policy: thirteen shapes of secrets and sensitive numbers that the notebook does not take in.
 *
 * It recognises signatures and understands nothing: it guards against accidents, and the user still reviews what is
 * stored. Answers never hold what was matched or where. Reading never applies the policy.
 */
import type { RefusalReason } from '../outcome.ts';
import { compactTokens } from './compact-tokens.ts';
import type { Detector } from './detector.ts';
import { numbers } from './numbers.ts';
import { privateKeys } from './private-keys.ts';
import { providerKeys } from './provider-keys.ts';
import { spelledCredentials } from './spelled-credentials.ts';

/** One text under the name by which a caller knows it, such as `namespace` or `tags`. */
export interface InspectedField {
  readonly field: string;
  readonly text: string;
}

export interface Refusal {
  readonly field: string;
  readonly reason: RefusalReason;
}

/** In the order in which they run; within a field the first hit gives the reason. */
export const detectors: readonly Detector[] = [
  ...privateKeys,
  ...providerKeys,
  ...spelledCredentials,
  ...compactTokens,
  ...numbers,
];

/** The one message of every refusal, whatever was found. */
export const contentRefusalMessage =
  'memory field resembles content that Mnemosyne does not store; review the named field and retry only if the user ' +
  'confirms that the formatting is benign';

/** The first field, in the order given, that looks like something the notebook does not store, and why. */
export function inspectContent(fields: readonly InspectedField[]): Refusal | undefined {
  for (const { field, text } of fields) {
    const hit = detectors.find((detector) => detector.matches(text));
    if (hit !== undefined) return { field, reason: hit.reason };
  }
  return undefined;
}
