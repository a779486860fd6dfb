/** What archive, restore and forget publish: which record, and at which revision. */
import type { Schema } from '../operation.ts';
import { portableOf } from '../portable-schema.ts';
import {
  canonicalReference,
  closedObject,
  expectedRevision,
  openObject,
  resultCanonicalReference,
  resultLifecycle,
  wordOf,
} from './schema-parts.ts';

export const lifecycleComposed: Schema = closedObject(
  { reference: canonicalReference, expected_revision: expectedRevision },
  ['reference', 'expected_revision'],
);

export const lifecyclePortable: Schema = portableOf(lifecycleComposed);

/** `statuses` are the words of success; forget has no lifecycle left to show. */
export function changeOutput(statuses: readonly string[]): Schema {
  return openObject({
    status: wordOf(statuses),
    reference: resultCanonicalReference,
    lifecycle: resultLifecycle,
  });
}

export const forgetOutput: Schema = openObject({ status: wordOf(['forgotten']), reference: resultCanonicalReference });
