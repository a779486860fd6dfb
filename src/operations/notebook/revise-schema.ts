/** What `memory_revise` publishes: the record, its revision, and everything a caller can change in it. */
import { notebookLimits } from '../../base/limits.ts';
import type { Schema } from '../operation.ts';
import { portableOf } from '../portable-schema.ts';
import { canonicalReference, closedObject, expectedRevision, nullableText, tagList, text } from './schema-parts.ts';

export const reviseComposed: Schema = closedObject(
  {
    reference: canonicalReference,
    expected_revision: expectedRevision,
    namespace_label: nullableText(
      notebookLimits.labelCharsMax,
      'Name to show for the namespace, up to 100 characters; native null for none. The key is always needed.',
    ),
    collection_label: nullableText(
      notebookLimits.labelCharsMax,
      'Name to show for the collection, up to 100 characters; native null for none. Needed when reference.collection_id is a string; when that is null, leave the key out or send native null.',
    ),
    title: nullableText(
      notebookLimits.titleCharsMax,
      'Up to 200 characters; native null for none. The key is always needed.',
    ),
    content: text(notebookLimits.contentCharsMax, 'The whole new text, 1 to 4000 characters; never null.'),
    tags: tagList(
      0,
      'All tags the record shall have: none to 10, no repeats whatever the letter case, each up to 50 characters.',
    ),
  },
  ['reference', 'expected_revision', 'namespace_label', 'title', 'content', 'tags'],
);

export const revisePortable: Schema = portableOf(reviseComposed);
