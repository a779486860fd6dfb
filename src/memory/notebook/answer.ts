/**
 * The parts that several answers have in common, as plain JSON. Members are written out one by one, so an answer has
 * exactly the published keys in the published order, and shares no object with the store's cached records.
 */
import { fail, type Result } from './outcome.ts';
import {
  type CanonicalRecord,
  type CanonicalReference,
  type LegacyReference,
  type Lifecycle,
  referenceOf,
} from './record.ts';

/** The same members as an interface, in a form that the type system accepts as a JSON object. */
export type Plain<Shape> = { readonly [Key in keyof Shape]: Shape[Key] };

export type CanonicalReferenceAnswer = Plain<CanonicalReference>;
export type LegacyReferenceAnswer = Plain<LegacyReference>;
export type ReferenceAnswer = CanonicalReferenceAnswer | LegacyReferenceAnswer;
export type LifecycleAnswer = Plain<Lifecycle>;

export function referenceAnswer(record: CanonicalRecord): CanonicalReferenceAnswer {
  return referenceOf(record);
}

export function lifecycleAnswer(record: CanonicalRecord): LifecycleAnswer {
  return { state: record.lifecycle.state, revision: record.lifecycle.revision };
}

/** The one answer for a reference that names nothing, whichever call asks. */
export function recordNotFound(): Result<never> {
  return fail({
    status: 'not_found',
    code: 'not_found',
    message: 'no record has this reference; recall or list the scope to find the records that exist',
  });
}
