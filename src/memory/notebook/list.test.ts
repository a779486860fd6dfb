import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
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
  type TemporaryNotebook,
  temporaryNotebook,
} from '../../../test/notebook/temporary-notebook.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ListAnswer } from './list.ts';

const whole = { scope: 'project' };
const near = { scope: 'project', namespace_id: 'harbour' };

function withRecords(count: number): TemporaryNotebook {
  const temporary = temporaryNotebook();
  for (let number = 1; number <= count; number += 1) temporary.write(filePath(number), file(number));
  return temporary;
}

async function firstCursor(
  { notebook }: TemporaryNotebook,
  raw: JsonObject = { ...whole, page_size: 2 },
): Promise<string> {
  const { page } = must(await calls.list(notebook, raw));
  if (page.next_cursor === null) throw new Error('one page only');
  return page.next_cursor;
}

describe('arguments', () => {
  const order: readonly (readonly [string, string, JsonObject])[] = [
    ['an unknown argument, then the scope', 'invalid_request/invalid_request@request', { scope: 'x', query: 'x' }],
    ['the scope, then the namespace', 'invalid_request/invalid_scope@scope', { scope: 'x', namespace_id: null }],
    ['a missing scope', 'invalid_request/invalid_scope@scope', {}],
    [
      'the namespace, then the collection',
      'invalid_request/invalid_namespace@namespace_id',
      { ...whole, namespace_id: null, collection_id: 1 },
    ],
    [
      'a collection without a namespace, then the cursor',
      'invalid_request/invalid_collection@collection_id',
      { ...whole, collection_id: 'choices', cursor: null },
    ],
    ['even as null', 'invalid_request/invalid_collection@collection_id', { ...whole, collection_id: null }],
    [
      'the collection, then the cursor',
      'invalid_request/invalid_collection@collection_id',
      { ...near, collection_id: 'Choices', cursor: null },
    ],
    [
      'a cursor beside a page size, then the size',
      'invalid_request/invalid_cursor@cursor',
      { ...whole, cursor: 'a.b', page_size: 0 },
    ],
    ['a cursor of null', 'invalid_request/invalid_cursor@cursor', { ...whole, cursor: null }],
    [
      'a cursor of null beside a size',
      'invalid_request/invalid_cursor@cursor',
      { ...whole, cursor: null, page_size: 'x' },
    ],
    ['an empty cursor', 'invalid_request/invalid_cursor@cursor', { ...whole, cursor: '' }],
    ['a long cursor', 'invalid_request/invalid_cursor@cursor', { ...whole, cursor: 'a'.repeat(4097) }],
    ['a page size of null', 'invalid_request/invalid_page_size@page_size', { ...whole, page_size: null }],
    ['a page size of 0', 'invalid_request/invalid_page_size@page_size', { ...whole, page_size: 0 }],
    ['a page size of 101', 'invalid_request/invalid_page_size@page_size', { ...whole, page_size: 101 }],
    ['half a page', 'invalid_request/invalid_page_size@page_size', { ...whole, page_size: 1.5 }],
    ['a page size in words', 'invalid_request/invalid_page_size@page_size', { ...whole, page_size: '5' }],
    ['a page size of true', 'invalid_request/invalid_page_size@page_size', { ...whole, page_size: true }],
    ['a malformed cursor, then storage', 'invalid_request/invalid_cursor@cursor', { ...whole, cursor: 'a.b' }],
    ['storage at last', 'storage_error/memory_source_unavailable', { ...whole, page_size: 100 }],
  ];
  test.each(order)('NB30 %s', async (_, expected, raw) => {
    const { notebook, root } = temporaryNotebook();
    writeFileSync(root, 'in the way');
    expect(outcome(await calls.list(notebook, raw))).toBe(expected);
  });
});

describe('answers', () => {
  test('NB31 an empty listing is page 1 of nothing and makes no folder', async () => {
    const { notebook, files } = temporaryNotebook();
    const page = { number: 1, count: 0, total_count: 0, total_pages: 0, truncated: false, next_cursor: null };
    for (const raw of [whole, near, { ...near, collection_id: null }, { ...near, collection_id: 'choices' }]) {
      expect(JSON.stringify(must(await calls.list(notebook, raw)))).toBe(
        JSON.stringify({ status: 'ok', memories: [], page }),
      );
    }
    expect(files()).toEqual([]);
  });

  test('NB32 items have exactly their keys, in order, and nothing of the content', async () => {
    const { notebook, write } = temporaryNotebook();
    write(filePath(1), file(1, { lifecycle: { state: 'archived', revision: 3 } }));
    write('project/note.json', { schema_version: 1, id: 'note', content: 'Verbatim.' });
    expect(JSON.stringify(must(await calls.list(notebook, whole)))).toBe(
      JSON.stringify({
        status: 'ok',
        memories: [
          { reference: { schema_version: 1, scope: 'project', id: 'note' }, title: null, inspectability: 'exact' },
          {
            reference: reference(1),
            title: 'Title 1',
            inspectability: 'exact',
            kind: 'decision',
            lifecycle: { state: 'archived' },
          },
        ],
        page: { number: 1, count: 2, total_count: 2, total_pages: 1, truncated: false, next_cursor: null },
      }),
    );
  });

  test('NB33 a selection takes what it names and nothing beside it', async () => {
    const { notebook, write } = temporaryNotebook();
    write(filePath(1), file(1));
    write(`project/harbour/${memoryId(2)}.json`, file(2, { collection: null }));
    write(`project/harbour/null/${memoryId(3)}.json`, file(3, { collection: { id: 'null', label: null } }));
    write(
      `project/other/${memoryId(4)}.json`,
      file(4, { namespace: { kind: 'project', id: 'other', label: null }, collection: null }),
    );
    write('project/harbour/note.json', { schema_version: 1, id: 'note', content: 'Verbatim.' });
    write('project/harbour/choices/deep.json', { schema_version: 1, id: 'deep', content: 'Verbatim.' });
    const ids = async (raw: JsonObject) =>
      must(await calls.list(notebook, raw)).memories.map((memory) => memory.reference.id);
    expect(await ids(whole)).toEqual(['deep', 'note', ...[2, 1, 3, 4].map(memoryId)]);
    expect(await ids(near)).toEqual([2, 1, 3].map(memoryId));
    expect(await ids({ ...near, collection_id: null })).toEqual([memoryId(2)]);
    expect(await ids({ ...near, collection_id: 'null' })).toEqual([memoryId(3)]);
    expect(await ids({ ...near, collection_id: 'choices' })).toEqual([memoryId(1)]);
    expect(await ids({ scope: 'self' })).toEqual([]);
  });

  test('NB34 legacy records come first by id and path, then canonical ones by namespace, collection and id', async () => {
    const { notebook, write } = temporaryNotebook();
    const place = (id: string, collection: string | null) => ({
      namespace: { kind: 'project', id, label: null },
      collection: collection === null ? null : { id: collection, label: null },
    });
    write(`project/a-b/${memoryId(9)}.json`, file(9, place('a-b', null)));
    write(`project/a/z/${memoryId(1)}.json`, file(1, place('a', 'z')));
    write(`project/a/b/${memoryId(3)}.json`, file(3, place('a', 'b')));
    write(`project/a/b/${memoryId(2)}.json`, file(2, place('a', 'b')));
    write(`project/a/${memoryId(8)}.json`, file(8, place('a', null)));
    write('project/\u{1f600}.json', { schema_version: 1, id: 'b', title: 'last', content: 'x' });
    write('project/\uff5e.json', { schema_version: 1, id: 'b', title: 'second', content: 'x' });
    write('project/z.json', { schema_version: 1, id: 'B', title: 'first', content: 'x' });
    const { memories } = must(await calls.list(notebook, whole));
    expect(memories.map((memory) => memory.title)).toEqual([
      'first',
      'second',
      'last',
      ...[8, 2, 3, 1, 9].map((n) => `Title ${n}`),
    ]);
  });

  test('NB35 a legacy id that occurs twice in the selection is ambiguous on every page', async () => {
    const { notebook, write } = temporaryNotebook();
    for (const name of ['a', 'b']) write(`project/${name}.json`, { schema_version: 1, id: 'same', content: name });
    write('project/c.json', { schema_version: 1, id: 'single', content: 'c' });
    const seen: string[] = [];
    for (let raw: JsonObject | undefined = { ...whole, page_size: 1 }; raw !== undefined; ) {
      const answer: ListAnswer = must(await calls.list(notebook, raw));
      seen.push(...answer.memories.map((memory) => memory.inspectability));
      raw = answer.page.next_cursor === null ? undefined : { ...whole, cursor: answer.page.next_cursor };
    }
    expect(seen).toEqual(['ambiguous', 'ambiguous', 'exact']);
  });

  test('NB36 the pages together are the whole listing, whatever their size', async () => {
    const temporary = withRecords(23);
    for (let number = 0; number < 8; number += 1) {
      temporary.write(`project/n${number}.json`, { schema_version: 1, id: `n${number % 5}`, content: 'x' });
    }
    const all = must(await calls.list(temporary.notebook, { ...whole, page_size: 100 })).memories;
    expect(all).toHaveLength(31);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (pageSize) => {
        const memories: unknown[] = [];
        let number = 0;
        for (let raw: JsonObject | undefined = { ...whole, page_size: pageSize }; raw !== undefined; ) {
          const answer: ListAnswer = must(await calls.list(temporary.notebook, raw));
          number += 1;
          memories.push(...answer.memories);
          const { next_cursor: next, ...page } = answer.page;
          expect(page).toEqual({
            number,
            count: Math.min(pageSize, 31 - pageSize * (number - 1)),
            total_count: 31,
            total_pages: Math.ceil(31 / pageSize),
            truncated: next !== null,
          });
          raw = next === null ? undefined : { ...whole, cursor: next };
        }
        expect(memories).toEqual(all);
      }),
      { seed: 3, numRuns: 40 },
    );
  });

  test('NB37 a page holds 50 unless told otherwise', async () => {
    const { notebook } = withRecords(51);
    expect(must(await calls.list(notebook, whole)).page).toMatchObject({ count: 50, total_pages: 2, truncated: true });
  });
});

describe('failures', () => {
  test('NB38 too many candidates fail whole, and a narrower selection works beside the crowd', async () => {
    const temporary = withRecords(1);
    for (let number = 0; number < 1000; number += 1) temporary.write(`project/crowd/${number}.json`, '{}');
    expect(outcome(await calls.list(temporary.notebook, whole))).toBe('storage_error/candidate_limit_exceeded');
    expect(must(await calls.list(temporary.notebook, near)).memories).toHaveLength(1);
  });

  test.each([
    ['root', '', whole],
    ['scope', 'project', whole],
    ['namespace', 'project/harbour', near],
    ['collection', 'project/harbour/choices', { ...near, collection_id: 'choices' }],
  ])('NB39 a linked %s is unavailable when selected', async (_, place, raw) => {
    const { notebook, root, folder } = temporaryNotebook();
    const link = path.join(root, place);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(path.join(folder, 'elsewhere'), link);
    expect(outcome(await calls.list(notebook, raw))).toBe('storage_error/memory_source_unavailable');
  });
});

describe('continuation', () => {
  test('NC1 a cursor can be used again while nothing changed, not even by a touch', async () => {
    const temporary = withRecords(5);
    const cursor = await firstCursor(temporary);
    const page = must(await calls.list(temporary.notebook, { ...whole, cursor }));
    const later = new Date('2030-01-01T00:00:00Z');
    utimesSync(path.join(temporary.root, filePath(4)), later, later);
    temporary.write('project/harbour/choices/broken.json', '{');
    temporary.write('self/note.json', { schema_version: 1, id: 'note', content: 'x' });
    expect(must(await calls.list(temporary.notebook, { ...whole, cursor }))).toEqual(page);
  });

  const changes: readonly (readonly [string, (temporary: TemporaryNotebook) => void])[] = [
    ['an addition', ({ write }) => write(filePath(9), file(9))],
    ['a removal', ({ root }) => rmSync(path.join(root, filePath(1)))],
    ['a rewrite of whitespace alone', ({ write }) => write(filePath(5), `${JSON.stringify(file(5))} `)],
    [
      'a lifecycle change',
      ({ write }) => write(filePath(5), file(5, { lifecycle: { state: 'archived', revision: 2 } })),
    ],
    ['a record that became invalid', ({ write }) => write(filePath(5), '{')],
    [
      'a record that became valid',
      ({ write }) => write('project/broken.json', { schema_version: 1, id: 'b', content: 'x' }),
    ],
    [
      'a legacy record that moved',
      ({ root, write }) => {
        rmSync(path.join(root, 'project/old.json'));
        write('project/new.json', { schema_version: 1, id: 'old', content: 'x' });
      },
    ],
    ['the removal of everything', ({ root }) => rmSync(path.join(root, 'project'), { recursive: true })],
  ];
  test.each(changes)('NC2 %s makes a cursor stale', async (_, change) => {
    const temporary = withRecords(5);
    temporary.write('project/broken.json', '{');
    temporary.write('project/old.json', { schema_version: 1, id: 'old', content: 'x' });
    const cursor = await firstCursor(temporary);
    change(temporary);
    expect(outcome(await calls.list(temporary.notebook, { ...whole, cursor }))).toBe('conflict/stale_cursor');
  });

  test('NC3 a cursor belongs to its selection, which beats storage trouble and staleness', async () => {
    const temporary = withRecords(5);
    const selections = [whole, near, { ...near, collection_id: 'choices' }];
    for (const made of selections) {
      const cursor = await firstCursor(temporary, { ...made, page_size: 2 });
      for (const used of [
        ...selections,
        { scope: 'self' },
        { ...near, collection_id: null },
        { ...near, namespace_id: 'x' },
      ]) {
        const expected = used === made ? 'ok' : 'invalid_request/invalid_cursor@cursor';
        expect(outcome(await calls.list(temporary.notebook, { ...used, cursor }))).toBe(expected);
      }
    }
    const cursor = await firstCursor(temporary);
    rmSync(path.join(temporary.root, 'project'), { recursive: true });
    temporary.write('project', 'in the way');
    expect(outcome(await calls.list(temporary.notebook, { ...near, cursor }))).toBe(
      'invalid_request/invalid_cursor@cursor',
    );
    expect(outcome(await calls.list(temporary.notebook, { ...whole, cursor }))).toBe(
      'storage_error/memory_source_unavailable',
    );
  });

  test('NC4 the cursor of another process is stale, even before storage is looked at', async () => {
    const other = withRecords(5);
    const cursor = await firstCursor(other);
    const { notebook, root } = temporaryNotebook();
    writeFileSync(root, 'in the way');
    expect(outcome(await calls.list(notebook, { ...whole, cursor }))).toBe('conflict/stale_cursor');
    expect(outcome(await calls.list(notebook, { ...near, cursor }))).toBe('conflict/stale_cursor');
  });
});
