/** How a record becomes its next version: one revision more, and a time of change that never precedes its creation. */
import { type Clock, toUtcSeconds } from '../../base/clock.ts';
import type { CanonicalRecord, LifecycleState } from './record.ts';

/** The members that a change may replace. Everything else is carried over. */
export interface RecordChange {
  readonly namespace?: CanonicalRecord['namespace'];
  readonly collection?: CanonicalRecord['collection'];
  readonly title?: string | null;
  readonly content?: string;
  readonly tags?: readonly string[];
  readonly state?: LifecycleState;
}

/** `current` with `change` made at the time of `clock`, or at its own creation should the clock be behind that. */
export function nextVersion(current: CanonicalRecord, clock: Clock, change: RecordChange): CanonicalRecord {
  const { state = current.lifecycle.state, ...members } = change;
  return {
    ...current,
    ...members,
    lifecycle: { state, revision: current.lifecycle.revision + 1 },
    updated_at: laterOf(toUtcSeconds(clock.now()), current.created_at),
  };
}

/** Both times have the same fixed width, so the order of the texts is the order of the instants. */
function laterOf(time: string, other: string): string {
  if (time < other) return other;
  return time;
}
