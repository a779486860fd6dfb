import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  calls,
  file,
  filePath,
  memoryId,
  must,
  outcome,
  reference,
  temporaryNotebook,
} from '../../../test/notebook/temporary-notebook.ts';
import type { JsonObject } from '../../base/json.ts';

const ask = { scope: 'project', query: 'boats' };

describe('arguments', () => {
  const order: readonly (readonly [string, string, JsonObject])[] = [
    ['an unknown argument comes first', 'invalid_request/invalid_request@request', { query: 1, scope: 1, limit: 5 }],
    ['the query, then the scope', 'invalid_request/invalid_query', { scope: 'x' }],
    ['a blank query', 'invalid_request/invalid_query', { query: ' \u0085\u001c', scope: 'x' }],
    ['a query that is no text', 'invalid_request/invalid_query', { query: ['boats'], scope: 'x' }],
    [
      'a query too long before trimming',
      'invalid_request/invalid_query',
      { query: `a${' '.repeat(1000)}`, scope: 'x' },
    ],
    ['a query with a lone surrogate', 'invalid_request/invalid_query', { query: 'a\ud800', scope: 'x' }],
    ['the scope, then the tags', 'invalid_request/invalid_scope', { query: 'a', scope: 'PROJECT', tags: null }],
    ['tags as null, then the namespace', 'invalid_request/invalid_tags', { ...ask, tags: null, namespace_id: null }],
    ['no tags in the list', 'invalid_request/invalid_tags', { ...ask, tags: [] }],
    ['eleven tags', 'invalid_request/invalid_tags', { ...ask, tags: [...'abcdefghijk'] }],
    ['a blank tag', 'invalid_request/invalid_tags', { ...ask, tags: ['a', ' '] }],
    ['a tag that is no text', 'invalid_request/invalid_tags', { ...ask, tags: [1] }],
    ['a tag too long before trimming', 'invalid_request/invalid_tags', { ...ask, tags: [`a${' '.repeat(50)}`] }],
    ['a tag twice', 'invalid_request/invalid_tags', { ...ask, tags: ['a', 'a'] }],
    ['a namespace as null', 'invalid_request/invalid_namespace', { ...ask, namespace_id: null }],
    ['a namespace that is no id', 'invalid_request/invalid_namespace', { ...ask, namespace_id: 'Harbour' }],
  ];
  test.each(order)('NB1 %s', async (_, expected, raw) => {
    const { notebook, root } = temporaryNotebook();
    writeFileSync(root, 'in the way');
    expect(outcome(await calls.recall(notebook, raw))).toBe(expected);
  });

  test('NB1 a thousand emoji are a query, and tags that differ in case alone pass', async () => {
    const { notebook } = temporaryNotebook();
    const raw = { scope: 'project', query: '\u{1f600}'.repeat(1000), tags: ['Boats', 'boats'] };
    expect(must(await calls.recall(notebook, raw))).toEqual({ status: 'no_matches', memories: [] });
  });
});

describe('failures', () => {
  test('NB2 trouble with the source is a retrieval error', async () => {
    const full = temporaryNotebook();
    for (let number = 0; number <= 1000; number += 1) full.write(`project/${number}.json`, '{}');
    expect(outcome(await calls.recall(full.notebook, ask))).toBe('retrieval_error/candidate_limit_exceeded');
    expect(outcome(await calls.recall(full.notebook, { ...ask, namespace_id: 'harbour' }))).toBe('no_matches');

    const blocked = temporaryNotebook();
    blocked.write('project', 'in the way');
    expect(outcome(await calls.recall(blocked.notebook, ask))).toBe('retrieval_error/memory_source_unavailable');
  });

  test('NB2 a linked scope has nothing to recall', async () => {
    const { notebook, root, folder } = temporaryNotebook();
    mkdirSync(root);
    symlinkSync(folder, path.join(root, 'project'));
    expect(outcome(await calls.recall(notebook, ask))).toBe('no_matches');
  });
});

describe('answers', () => {
  test('NB3 a canonical and a legacy match have exactly their keys, in order', async () => {
    const { notebook, write } = temporaryNotebook();
    write(filePath(1), file(1, { title: 'Boats', tags: ['Old Lock'] }));
    write('project/note.json', { schema_version: 1, id: 'note', content: 'Boats  verbatim ' });
    expect(JSON.stringify(must(await calls.recall(notebook, { ...ask, tags: ['OLD  lock'] })))).toBe(
      JSON.stringify({
        status: 'ok',
        memories: [
          {
            reference: reference(1),
            id: memoryId(1),
            scope: 'project',
            title: 'Boats',
            content: 'Content 1.',
            tags: ['Old Lock'],
            match: { terms: ['boats'], tags: ['old lock'] },
          },
          {
            reference: { schema_version: 1, scope: 'project', id: 'note' },
            id: 'note',
            scope: 'project',
            title: null,
            content: 'Boats  verbatim ',
            tags: [],
            match: { terms: ['boats'], tags: [] },
          },
        ],
      }),
    );
  });

  test('NB4 archived records are not recalled, and a namespace leaves out the rest and legacy records', async () => {
    const { notebook, write } = temporaryNotebook();
    const namespace = { kind: 'project', id: 'other', label: null };
    write(filePath(1), file(1, { title: 'Boats', lifecycle: { state: 'archived', revision: 2 } }));
    write(filePath(2), file(2, { title: 'Boats' }));
    write(`project/other/${memoryId(3)}.json`, file(3, { title: 'Boats', namespace, collection: null }));
    write('project/note.json', { schema_version: 1, id: 'note', content: 'Boats' });
    write('project/harbour/near.json', { schema_version: 1, id: 'near', content: 'Boats' });
    const ids = async (raw: JsonObject) => must(await calls.recall(notebook, raw)).memories.map(({ id }) => id);
    expect(await ids(ask)).toEqual([memoryId(2), memoryId(3), 'near', 'note']);
    expect(await ids({ ...ask, namespace_id: 'harbour' })).toEqual([memoryId(2)]);
    expect(await ids({ ...ask, namespace_id: 'none' })).toEqual([]);
  });

  test('NB5 a changed file is ranked by what it says now', async () => {
    const { notebook, write } = temporaryNotebook();
    write(filePath(1), file(1, { title: 'Boats' }));
    expect(outcome(await calls.recall(notebook, ask))).toBe('ok');
    write(filePath(1), file(1, { title: 'Lanterns' }));
    expect(outcome(await calls.recall(notebook, ask))).toBe('no_matches');
    expect(outcome(await calls.recall(notebook, { ...ask, query: 'lanterns' }))).toBe('ok');
  });

  test('NB6 recall agrees with plain counting over every record', async () => {
    await fc.assert(
      fc.asyncProperty(scopesOfLegacy, queries, async (records, raw) => {
        const { root, notebook, write } = temporaryNotebook();
        mkdirSync(path.join(root, 'project'), { recursive: true });
        for (const record of records) write(`project/${record.path}`, record.file);
        const answer = must(await calls.recall(notebook, raw));
        expect(answer.memories.map(({ content, match }) => ({ content, match }))).toEqual(slowRecall(records, raw));
      }),
      { seed: 8, numRuns: 60 },
    );
  });
});

interface LegacyFile {
  readonly path: string;
  readonly file: { readonly id: string; readonly title: string; readonly content: string; readonly tags: string[] };
}

interface Ask {
  readonly scope: string;
  readonly query: string;
  readonly tags: string[];
}

const words = [
  'Boats',
  'boats',
  'LOCK',
  'lock',
  'Straße',
  'STRASSE',
  'the',
  'a',
  'x',
  '7',
  '42',
  'old_lock',
  'e\u0301t',
  '\u{1d400}',
];
const sentence = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }).map((list) => list.join(' '));
const tag = fc.constantFrom('Boats', 'old  lock', 'Old Lock', 'straße', 'the', '42');
const scopesOfLegacy = fc.uniqueArray(
  fc.record({
    path: fc
      .tuple(fc.constantFrom('', 'boats/', 'lock/old/'), fc.stringMatching(/^[a-c7]{1,3}$/))
      .map(([folder, name]) => `${folder}${name}.json`),
    file: fc.record({
      schema_version: fc.constant(1),
      id: fc.constantFrom('p', 'q'),
      title: sentence,
      content: fc.tuple(sentence, fc.nat()).map(([start, end]) => `${start} ${end}`),
      tags: fc.uniqueArray(tag, { minLength: 1, maxLength: 4 }),
    }),
  }),
  { maxLength: 12, selector: ({ path: place }) => place },
);
const queries = fc.record({
  scope: fc.constant('project'),
  query: sentence,
  tags: fc.uniqueArray(tag, { minLength: 1, maxLength: 3 }),
});

const stopWords = 'a an and are do does for how i in is it of on or the to user what when where which who why'.split(
  ' ',
);

/** The words above need no more folding than this. */
function fold(value: string): string {
  return value.toUpperCase().toLowerCase();
}

function slowTerms(value: string): string[] {
  let spaced = '';
  for (const character of fold(value)) spaced += /\p{L}|\p{N}/u.test(character) ? character : ' ';
  return spaced.split(' ').filter((term) => [...term].length > 1 && !stopWords.includes(term));
}

function slowTag(value: string): string {
  return fold(value).split(/ +/).join(' ');
}

function slowRecall(records: readonly LegacyFile[], { query, tags }: Ask): unknown[] {
  const scored = records.map((record) => {
    const { title, content } = record.file;
    const recordTags = record.file.tags.map(slowTag);
    const hitTags = [...new Set(tags.map(slowTag))].filter((wanted) => recordTags.includes(wanted));
    const terms = [...new Set(slowTerms(query))];
    const inTitle = terms.filter((term) => slowTerms(title).includes(term));
    const inPlace = terms.filter((term) =>
      [record.path, ...record.file.tags].some((place) => slowTerms(place).includes(term)),
    );
    const inContent = terms.filter((term) => slowTerms(content).includes(term));
    const score = 4 * hitTags.length + 3 * inTitle.length + 2 * inPlace.length + inContent.length;
    const hits = [...new Set([...inTitle, ...inPlace, ...inContent])];
    return { record, score, match: { terms: hits.sort(byCharacters), tags: hitTags.sort(byCharacters) } };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score || byCharacters(left.record.path, right.record.path))
    .slice(0, 5)
    .map(({ record, match }) => ({ content: record.file.content, match }));
}

function byCharacters(left: string, right: string): number {
  const [first, second] = [left, right].map((value) => [...value].map((character) => character.codePointAt(0) ?? 0));
  for (let index = 0; ; index += 1) {
    const [one, other] = [first?.[index], second?.[index]];
    if (one === undefined || other === undefined) return (one === undefined ? 0 : 1) - (other === undefined ? 0 : 1);
    if (one !== other) return one - other;
  }
}
