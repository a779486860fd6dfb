/**
 * What a change is aimed at: one canonical record at one revision. Archive, restore, revise and forget share the two
 * arguments that say so, and the look before the write: a record that is not there, or not at that revision, is never
 * touched, and nobody else can change it between the look and the write.
 */
import { type JsonObject, member } from '../../base/json.ts';
import { recordNotFound } from './answer.ts';
import { normaliseExpectedRevision } from './normalise.ts';
import type { Notebook } from './notebook.ts';
import { fail, invalid, ok, type Result } from './outcome.ts';
import { parseCanonicalReference } from './parse-reference.ts';
import type { CanonicalRecord, CanonicalReference } from './record.ts';
import type { NotebookWriter, StoredRecord } from './store.ts';

export interface Target {
  readonly reference: CanonicalReference;
  readonly expectedRevision: number;
}

export const targetArguments = ['reference', 'expected_revision'] as const;

/** Both members must be there before either value is judged; then the reference, then the revision. */
export function parseTarget(raw: JsonObject): Result<Target> {
  if (!Object.hasOwn(raw, 'reference')) {
    return invalid(
      'invalid_reference',
      'reference is missing; copy the version-2 reference from an inspection, recall or listing',
      'reference',
    );
  }
  if (!Object.hasOwn(raw, 'expected_revision')) return invalidExpectedRevision();
  const reference = parseCanonicalReference(member(raw, 'reference'));
  if (!reference.ok) return reference;
  const expectedRevision = normaliseExpectedRevision(member(raw, 'expected_revision'));
  if (expectedRevision === undefined) return invalidExpectedRevision();
  return ok({ reference: reference.value, expectedRevision });
}

/** Runs `change` alone on the notebook, on the record as it is at the expected revision. */
export function changeRecord<Value>(
  notebook: Notebook,
  target: Target,
  change: (writer: NotebookWriter, current: StoredRecord<CanonicalRecord>) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  return notebook.store.exclusively<Value>({ createRoot: false }, async (writer) => {
    const read = await writer.read(target.reference);
    if (!read.ok) return read;
    if (read.value === null) return recordNotFound();
    if (read.value.record.lifecycle.revision !== target.expectedRevision) {
      return fail({
        status: 'conflict',
        code: 'revision_conflict',
        message: 'the record is not at the expected revision; inspect it and decide again on what it says now',
      });
    }
    return await change(writer, read.value);
  });
}

function invalidExpectedRevision(): Result<never> {
  return invalid(
    'invalid_expected_revision',
    'expected_revision must be there and be an integer of at least 1; take it from an inspection of the record',
    'expected_revision',
  );
}
