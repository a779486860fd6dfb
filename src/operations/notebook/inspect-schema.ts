/** What `memory_inspect` publishes: one reference, canonical or legacy. */
import type { Schema } from '../operation.ts';
import { portableOf } from '../portable-schema.ts';
import {
  canonicalReference,
  closedObject,
  eitherReference,
  legacyReference,
  openObject,
  resultLifecycle,
  resultReference,
  resultTexts,
} from './schema-parts.ts';

export const inspectComposed: Schema = closedObject(
  {
    reference: {
      type: 'object',
      description: 'The record, exactly as memory_recall or memory_list named it.',
      oneOf: [canonicalReference, legacyReference],
    },
  },
  ['reference'],
);

export const inspectPortable: Schema = portableOf(closedObject({ reference: eitherReference }, ['reference']));

/** A legacy record has the required members alone. */
export const inspectOutput: Schema = openObject({
  status: { type: 'string', enum: ['ok'] },
  memory: openObject(
    {
      reference: resultReference,
      schema_version: { type: 'integer' },
      id: { type: 'string' },
      scope: { type: 'string' },
      namespace: openObject({
        kind: { type: 'string' },
        id: { type: 'string' },
        label: { type: ['string', 'null'] },
      }),
      collection: {
        type: ['object', 'null'],
        properties: { id: { type: 'string' }, label: { type: ['string', 'null'] } },
        required: ['id', 'label'],
      },
      kind: { type: 'string' },
      language: { type: 'string' },
      title: { type: ['string', 'null'] },
      content: { type: 'string' },
      tags: resultTexts,
      provenance: openObject({ origin: { type: 'string' }, recorded_via: { type: 'string' } }),
      lifecycle: resultLifecycle,
      created_at: { type: 'string' },
      updated_at: { type: 'string' },
      occurred_at: { type: 'string' },
    },
    ['reference', 'schema_version', 'id', 'content', 'title', 'tags'],
  ),
});
