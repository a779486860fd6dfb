/**
 * What `memory_recall` publishes. The composed form has exactly the three properties of the founding contract; the
 * portable form also shows `namespace_id`, which the tool takes in either case.
 */
import { notebookLimits } from '../../base/limits.ts';
import type { Schema } from '../operation.ts';
import { portableOf } from '../portable-schema.ts';
import {
  closedObject,
  identifier,
  openObject,
  resultReference,
  resultTexts,
  scopeLines,
  scopeWord,
  tagList,
  text,
} from './schema-parts.ts';

const properties = {
  query: text(notebookLimits.queryCharsMax, 'Words to look for, at most 1000 characters.'),
  scope: scopeWord(`The one scope to search. ${scopeLines}`),
  tags: tagList(
    1,
    'Tags that should weigh most: 1 to 10, no repeats, each up to 50 characters. Leave the key out for none.',
  ),
};
const required = ['query', 'scope'];

export const recallComposed: Schema = closedObject(properties, required);

export const recallPortable: Schema = portableOf(
  closedObject(
    { ...properties, namespace_id: identifier('Search this namespace alone. Leave the key out for the whole scope.') },
    required,
  ),
);

export const recallOutput: Schema = openObject({
  status: { type: 'string', enum: ['ok', 'no_matches'] },
  memories: {
    type: 'array',
    maxItems: notebookLimits.recallResultsMax,
    items: openObject({
      reference: resultReference,
      id: { type: 'string' },
      scope: { type: 'string' },
      title: { type: ['string', 'null'] },
      content: { type: 'string' },
      tags: resultTexts,
      match: openObject({ terms: resultTexts, tags: resultTexts }),
    }),
  },
});
