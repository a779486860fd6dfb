/** What `memory_list` publishes: five flat properties, and four exclusive branches for clients that read them. */
import { notebookLimits } from '../../base/limits.ts';
import type { Schema } from '../operation.ts';
import { portableOf } from '../portable-schema.ts';
import {
  closedObject,
  identifier,
  nullableIdentifier,
  openObject,
  resultReference,
  scopeLines,
  scopeWord,
  text,
} from './schema-parts.ts';

const pageSize: Schema = { type: 'integer', minimum: 1, maximum: notebookLimits.pageSizeMax };
const cursor = text(notebookLimits.cursorCharsMax);

/** Each branch names its keys and refuses the others, so exactly one can hold. */
function branch(keys: readonly ('namespace_id' | 'page_size' | 'cursor')[], description: string): Schema {
  const required = ['scope', ...keys.filter((key) => key !== 'page_size')];
  return closedObject(
    {
      scope: scopeWord(),
      ...(keys.includes('namespace_id') ? { namespace_id: identifier(), collection_id: nullableIdentifier() } : {}),
      ...(keys.includes('page_size') ? { page_size: pageSize } : {}),
      ...(keys.includes('cursor') ? { cursor } : {}),
    },
    required,
    description,
  );
}

export const listComposed: Schema = {
  ...closedObject(
    {
      scope: scopeWord(`The scope to list; always required. ${scopeLines}`),
      namespace_id: identifier('List this namespace alone; leave the key out for the whole scope.'),
      collection_id: nullableIdentifier(
        'Only together with namespace_id. A string lists that one collection, native null lists only records in no collection, and without the key all records of the namespace are listed. The text "null" names a collection called null.',
      ),
      page_size: {
        ...pageSize,
        default: notebookLimits.pageSizeDefault,
        description: 'Records on a page, 1 to 100, without the key 50. First page only: never together with cursor.',
      },
      cursor: {
        ...cursor,
        description:
          'page.next_cursor of the page before, for the next page. Repeat the same scope, namespace_id and collection_id, and leave page_size out.',
      },
    },
    ['scope'],
  ),
  oneOf: [
    branch(['page_size'], 'First page of a whole scope.'),
    branch(['namespace_id', 'page_size'], 'First page of a namespace or of a part of it.'),
    branch(['cursor'], 'A further page of a whole scope.'),
    branch(['namespace_id', 'cursor'], 'A further page of a namespace or of a part of it.'),
  ],
};

export const listPortable: Schema = portableOf(listComposed);

export const listOutput: Schema = openObject({
  status: { type: 'string', enum: ['ok'] },
  memories: {
    type: 'array',
    maxItems: notebookLimits.pageSizeMax,
    items: openObject(
      {
        reference: resultReference,
        title: { type: ['string', 'null'] },
        inspectability: { type: 'string', enum: ['exact', 'ambiguous'] },
        kind: { type: 'string' },
        lifecycle: openObject({ state: { type: 'string' } }),
      },
      ['reference', 'title', 'inspectability'],
    ),
  },
  page: openObject({
    number: { type: 'integer' },
    count: { type: 'integer' },
    total_count: { type: 'integer' },
    total_pages: { type: 'integer' },
    truncated: { type: 'boolean' },
    next_cursor: { type: ['string', 'null'] },
  }),
});
