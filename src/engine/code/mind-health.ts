/** Whether there is an index that answers, and whether it says what the files say. Builds nothing. */
import type { Result } from '../../memory/decisions/outcome.ts';
import { stateOf } from '../../retrieval/index/index-file.ts';
import type { HealthAnswer } from './answers.ts';
import { type FoundFreshness, isFresh, wireFreshness } from './mind-freshness.ts';
import { unusableIndex } from './trouble.ts';

export type Health = Pick<HealthAnswer, 'state' | 'message' | 'freshness'>;

/** `age` is asked for an index that can be opened; it gives null where there is none any more. */
export async function healthOf(file: string, age: () => Promise<Result<FoundFreshness | null>>): Promise<Health> {
  const state = stateOf(file);
  if (state.kind === 'missing') return without('missing', 'not indexed yet: mnemosyne build');
  if (state.kind === 'other-version') return without('missing', 'the index is of another version: mnemosyne build');
  const refusal = unusableIndex(state, file);
  if (refusal !== null) return without('unusable', refusal.message);
  const aged = await age();
  if (!aged.ok) return without('unusable', aged.failure.message);
  if (aged.value === null) return without('missing', 'the index is gone');
  const freshness = wireFreshness(aged.value);
  return isFresh(aged.value)
    ? { state: 'ok', message: 'the index says what the files say', freshness }
    : { state: 'stale', message: 'files changed since: mnemosyne build', freshness };
}

function without(state: 'missing' | 'unusable', message: string): Health {
  return { state, message, freshness: null };
}
