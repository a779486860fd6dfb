/**
 * Pieces that several notebook schemas share, made from the vocabulary and the limits.
 *
 * A schema is what a client is told. The parsers of `memory/notebook` decide, and they are the same for every client;
 * a schema may be looser than they are (they normalise first), never stricter on sensible input.
 */
import type { JsonObject } from '../../base/json.ts';
import { notebookLimits } from '../../base/limits.ts';
import { scopes, vocabulary } from '../../memory/notebook/vocabulary.ts';
import type { Schema } from '../operation.ts';

export const scopeLines = scopes.map((scope) => `${scope}: ${vocabulary[scope].description}`).join(' ');

const identifierPattern = '^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$';
const identifierShape = '1 to 64 of a-z, 0-9, dash and underscore, a letter or digit at both ends';

export function closedObject(properties: JsonObject, required: readonly string[], description?: string): Schema {
  return described({ type: 'object', properties, required, additionalProperties: false }, description);
}

/** For results: more members may come in later versions. */
export function openObject(properties: JsonObject, required: readonly string[] = Object.keys(properties)): Schema {
  return { type: 'object', properties, required };
}

export function wordOf(words: readonly string[], description?: string): Schema {
  return described({ type: 'string', enum: words }, description);
}

export function scopeWord(description?: string): Schema {
  return wordOf(scopes, description);
}

export function identifier(description?: string): Schema {
  const shape = description === undefined ? undefined : `${description} Shape: ${identifierShape}.`;
  return described({ type: 'string', minLength: 1, pattern: identifierPattern }, shape);
}

/** The text `null` is a legal identifier, so only a native null means "none". */
export function nullableIdentifier(description?: string): Schema {
  return described({ type: ['string', 'null'], minLength: 1, pattern: identifierPattern }, description);
}

export function text(charsMax: number, description?: string): Schema {
  return described({ type: 'string', minLength: 1, maxLength: charsMax }, description);
}

export function nullableText(charsMax: number, description?: string): Schema {
  return described({ type: ['string', 'null'], minLength: 1, maxLength: charsMax }, description);
}

export function tagList(itemsMin: number, description?: string): Schema {
  return described(
    {
      type: 'array',
      minItems: itemsMin,
      maxItems: notebookLimits.tagsMax,
      uniqueItems: true,
      items: text(notebookLimits.tagCharsMax),
    },
    description,
  );
}

const canonicalKeys = ['schema_version', 'scope', 'namespace_id', 'collection_id', 'id'];

export const canonicalReference = closedObject(
  {
    schema_version: { type: 'integer', const: 2 },
    scope: scopeWord(),
    namespace_id: identifier(),
    collection_id: nullableIdentifier('Native null when the record is in no collection; the key is always needed.'),
    id: { type: 'string', pattern: '^mem_[0-9a-f]{32}$', description: 'mem_ and 32 lower-case hex digits.' },
  },
  canonicalKeys,
  'The record, exactly as memory_recall, memory_list or memory_inspect named it, with schema_version 2.',
);

export const legacyReference = closedObject(
  {
    schema_version: { type: 'integer', const: 1 },
    scope: scopeWord(),
    id: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,100}$' },
  },
  ['schema_version', 'scope', 'id'],
  'A record of the old format, with schema_version 1. It can be read, not changed.',
);

/** Either kind of reference as one flat object, for clients without branches. */
export const eitherReference = closedObject(
  {
    schema_version: { type: 'integer', minimum: 1, maximum: 2, description: '2, or 1 for a record of the old format.' },
    scope: scopeWord(),
    namespace_id: identifier('Required with schema_version 2, left out with 1.'),
    collection_id: nullableIdentifier(
      'Required with schema_version 2 (native null when the record is in no collection), left out with 1.',
    ),
    id: text(
      notebookLimits.legacyIdCharsMax,
      'mem_ and 32 lower-case hex digits; with schema_version 1 up to 100 letters, digits, dots, dashes, underscores.',
    ),
  },
  ['schema_version', 'scope', 'id'],
  'The record, exactly as memory_recall or memory_list named it. Send schema_version 2 with scope, namespace_id, collection_id and id, or schema_version 1 with scope and id alone.',
);

export const expectedRevision: Schema = {
  type: 'integer',
  minimum: 1,
  description: 'lifecycle.revision as memory_inspect just showed it. Another revision is refused.',
};

/** References in results: a legacy one lacks the two middle members. */
export const resultReference = openObject(
  {
    schema_version: { type: 'integer' },
    scope: { type: 'string' },
    namespace_id: { type: 'string' },
    collection_id: { type: ['string', 'null'] },
    id: { type: 'string' },
  },
  ['schema_version', 'scope', 'id'],
);

export const resultCanonicalReference = openObject(
  {
    schema_version: { type: 'integer' },
    scope: { type: 'string' },
    namespace_id: { type: 'string' },
    collection_id: { type: ['string', 'null'] },
    id: { type: 'string' },
  },
  canonicalKeys,
);

export const resultLifecycle = openObject({ state: { type: 'string' }, revision: { type: 'integer' } });

export const resultTexts: Schema = { type: 'array', items: { type: 'string' } };

function described(schema: Schema, description: string | undefined): Schema {
  return description === undefined ? schema : { ...schema, description };
}
