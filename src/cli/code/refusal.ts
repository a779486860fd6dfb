/** A refusal of the engine as a command tells it, where no row stands between the two. */
import type { Failure } from '../../memory/decisions/outcome.ts';
import { decisionFailure } from '../../operations/failures.ts';
import { failureOf, type RowFailure } from '../rows/failure.ts';

export function refusalOf(failure: Failure): RowFailure {
  return failureOf(decisionFailure(failure));
}
