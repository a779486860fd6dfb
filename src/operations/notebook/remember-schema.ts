/**
 * What `memory_remember` publishes: ten flat properties that every client can use, and one branch for each scope that
 * narrows the kinds. A branch repeats every key with its type, so that whoever reads only a branch knows the whole
 * shape; lengths and patterns stand once, at the flat properties, which hold beside any branch.
 */
import { notebookLimits } from '../../base/limits.ts';
import type { MemoryKind, Scope } from '../../memory/notebook/vocabulary.ts';
import { callerOrigins, memoryKinds, namespaceKinds, scopes, vocabulary } from '../../memory/notebook/vocabulary.ts';
import type { Schema } from '../operation.ts';
import { portableOf } from '../portable-schema.ts';
import {
  closedObject,
  identifier,
  nullableText,
  openObject,
  resultLifecycle,
  scopeLines,
  scopeWord,
  tagList,
  text,
  wordOf,
} from './schema-parts.ts';

const required = ['scope', 'namespace', 'collection', 'kind', 'language', 'title', 'content', 'tags', 'origin'];
const namespaceKeys = ['kind', 'id', 'label'];
const collectionKeys = ['id', 'label'];
const timedKind: MemoryKind = 'event';

const kindLines = scopes.map((scope) => `${scope}: ${adviceFor(scope)}`).join(' ');
const namespaceLines = scopes.map((scope) => `${scope}: ${vocabulary[scope].namespaceKinds.join(', ')}`).join('; ');

export const rememberComposed: Schema = {
  ...closedObject(
    {
      scope: scopeWord(`Where the memory belongs. ${scopeLines}`),
      namespace: closedObject(
        {
          kind: wordOf(namespaceKinds),
          id: identifier('Name of the namespace in paths and references.'),
          label: nullableText(notebookLimits.labelCharsMax, 'Name to show, up to 100 characters, or null.'),
        },
        namespaceKeys,
        `What in the scope the memory is about. Kinds allowed in each scope: ${namespaceLines}.`,
      ),
      collection: orNull(
        closedObject(
          {
            id: identifier('Name of the collection in paths and references.'),
            label: nullableText(notebookLimits.labelCharsMax, 'Name to show, up to 100 characters, or null.'),
          },
          collectionKeys,
          'A group in the namespace, or native null for none.',
        ),
      ),
      kind: wordOf(memoryKinds, `What sort of memory it is. Each scope has its own kinds. ${kindLines}`),
      language: nullableText(
        notebookLimits.languageCharsMax,
        'Language of the text as a tag such as en or pt-br, or null when it is not known.',
      ),
      title: nullableText(notebookLimits.titleCharsMax, 'Up to 200 characters, or null.'),
      content: text(notebookLimits.contentCharsMax, 'The text to keep, as the user approved it: 1 to 4000 characters.'),
      tags: tagList(0, 'None to 10 tags, no repeats whatever the letter case, each up to 50 characters.'),
      origin: wordOf(
        callerOrigins,
        'Where the text comes from: said outright by the user, or proposed and approved. Context only: it is not consent, which the user gives to each exact call.',
      ),
      occurred_at: {
        type: 'string',
        pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$',
        description:
          'When the event happened, in UTC and whole seconds: YYYY-MM-DDTHH:MM:SSZ, such as 2026-07-20T15:00:00Z. Required when scope is project and kind is event; leave the key out for every other kind.',
      },
    },
    required,
  ),
  oneOf: scopes.map(branch),
};

export const rememberPortable: Schema = portableOf(rememberComposed);

export const rememberOutput: Schema = openObject({
  status: wordOf(['remembered', 'already_exists', 'existing_archived']),
  reference: openObject({
    scope: { type: 'string' },
    namespace_id: { type: 'string' },
    collection_id: { type: ['string', 'null'] },
    id: { type: 'string' },
  }),
  lifecycle: resultLifecycle,
});

function branch(scope: Scope): Schema {
  const kinds = [...vocabulary[scope].kinds.keys()];
  const timed = kinds.includes(timedKind);
  const shape = closedObject(
    {
      scope: { type: 'string', const: scope },
      namespace: closedObject(
        { kind: wordOf(vocabulary[scope].namespaceKinds), id: { type: 'string' }, label: { type: ['string', 'null'] } },
        namespaceKeys,
      ),
      collection: orNull(closedObject({ id: { type: 'string' }, label: { type: ['string', 'null'] } }, collectionKeys)),
      kind: wordOf(kinds, adviceFor(scope)),
      language: { type: ['string', 'null'] },
      title: { type: ['string', 'null'] },
      content: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
      origin: wordOf(callerOrigins),
      ...(timed ? { occurred_at: { type: 'string' } } : {}),
    },
    required,
    vocabulary[scope].description,
  );
  return timed ? { ...shape, oneOf: timeBranches(kinds) } : shape;
}

/** The time is there exactly for events. */
function timeBranches(kinds: readonly MemoryKind[]): readonly Schema[] {
  return [
    { properties: { kind: { const: timedKind } }, required: ['occurred_at'] },
    {
      properties: { kind: { enum: kinds.filter((kind) => kind !== timedKind) } },
      not: { required: ['occurred_at'] },
    },
  ];
}

function orNull(schema: Schema): Schema {
  return { ...schema, type: ['object', 'null'] };
}

function adviceFor(scope: Scope): string {
  return [...vocabulary[scope].kinds].map(([kind, advice]) => `${kind} = ${advice}`).join(' ');
}
