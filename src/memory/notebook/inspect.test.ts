import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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

describe('arguments', () => {
  const legacy = { schema_version: 1, scope: 'project', id: 'note' };
  const order: readonly (readonly [string, string, JsonObject])[] = [
    ['nothing', 'reference', {}],
    ['a bare id', 'reference', { id: memoryId(1) }],
    ['an argument more', 'reference', { reference: reference(1), revision: 1 }],
    ['null', 'reference', { reference: null }],
    ['a text', 'reference', { reference: JSON.stringify(reference(1)) }],
    ['another version, then the scope', 'reference', { reference: reference(1, { schema_version: 3, scope: 'x' }) }],
    ['a version in words', 'reference', { reference: reference(1, { schema_version: '2' }) }],
    ['a key more', 'reference', { reference: reference(1, { label: null, scope: 'x' }) }],
    ['a legacy reference with a namespace', 'reference', { reference: { ...legacy, namespace_id: 'a' } }],
    [
      'the scope, then the namespace',
      'reference.scope',
      { reference: reference(1, { scope: 'x', namespace_id: 'A' }) },
    ],
    [
      'the namespace, then the collection',
      'reference.namespace_id',
      { reference: reference(1, { namespace_id: 'A', collection_id: 'A' }) },
    ],
    [
      'the collection, then the id',
      'reference.collection_id',
      { reference: reference(1, { collection_id: 'A', id: 'x' }) },
    ],
    ['the id', 'reference.id', { reference: reference(1, { id: memoryId(0xa).toUpperCase() }) }],
    ['the scope of a legacy reference, then its id', 'reference.scope', { reference: { ...legacy, scope: 1, id: '' } }],
    ['a legacy id with a slash', 'reference.id', { reference: { ...legacy, id: 'a/b' } }],
  ];
  test.each(order)('NB50 %s', async (_, field, raw) => {
    const { notebook, root } = temporaryNotebook();
    writeFileSync(root, 'in the way');
    expect(outcome(await calls.inspect(notebook, raw))).toBe(`invalid_request/invalid_reference@${field}`);
  });
});

describe('answers', () => {
  test('NB51 a canonical record is shown whole: reference first, then the keys of the file in order', async () => {
    const { notebook, write, read } = temporaryNotebook();
    const event = file(1, {
      kind: 'event',
      title: ' e\u0301t\u00e9 ',
      tags: ['b  c', 'A'],
      lifecycle: { state: 'archived', revision: 2 },
      occurred_at: '2026-06-01T00:00:00Z',
    });
    write(filePath(1), event);
    expect(JSON.stringify(must(await calls.inspect(notebook, { reference: reference(1) })))).toBe(
      JSON.stringify({
        status: 'ok',
        memory: { reference: reference(1), ...event, title: '\u00e9t\u00e9', tags: ['b c', 'A'] },
      }),
    );
    expect(read(filePath(1))).toBe(JSON.stringify(event));
  });

  test('NB51 a record that is no event shows no time of occurrence', async () => {
    const { notebook, write } = temporaryNotebook();
    write(`project/harbour/${memoryId(1)}.json`, file(1, { collection: null }));
    const { memory } = must(await calls.inspect(notebook, { reference: reference(1, { collection_id: null }) }));
    expect(memory).toMatchObject({ collection: null });
    expect(Object.keys(memory)).not.toContain('occurred_at');
  });

  test('NB52 a legacy record is shown verbatim with exactly its keys', async () => {
    const { notebook, write } = temporaryNotebook();
    write('project/deep/er/x.json', { schema_version: 1, id: '..', content: ' e\u0301\r\n' });
    const legacy = { schema_version: 1, scope: 'project', id: '..' };
    expect(JSON.stringify(must(await calls.inspect(notebook, { reference: legacy })))).toBe(
      JSON.stringify({
        status: 'ok',
        memory: { reference: legacy, schema_version: 1, id: '..', content: ' e\u0301\r\n', title: null, tags: [] },
      }),
    );
  });

  test('NB53 what is not there, invalid or of another version is not found', async () => {
    const { notebook, write, root } = temporaryNotebook();
    const ask = async (raw: JsonObject) => outcome(await calls.inspect(notebook, { reference: raw }));
    expect(await ask(reference(1))).toBe('not_found/not_found');
    expect(await ask({ schema_version: 1, scope: 'project', id: 'note' })).toBe('not_found/not_found');
    write(filePath(1), '{');
    write(filePath(2), { schema_version: 1, id: memoryId(2), content: 'x' });
    mkdirSync(path.join(root, filePath(3)));
    write(filePath(4), file(4));
    expect(await ask(reference(1))).toBe('not_found/not_found');
    expect(await ask(reference(2))).toBe('not_found/not_found');
    expect(await ask(reference(3))).toBe('not_found/not_found');
    expect(await ask({ schema_version: 1, scope: 'project', id: memoryId(4) })).toBe('not_found/not_found');
  });

  test('NB54 two legacy records with one id are a conflict', async () => {
    const { notebook, write } = temporaryNotebook();
    for (const name of ['a', 'b']) write(`project/${name}.json`, { schema_version: 1, id: 'same', content: name });
    write('self/c.json', { schema_version: 1, id: 'same', content: 'c' });
    const ask = async (scope: string) =>
      outcome(await calls.inspect(notebook, { reference: { schema_version: 1, scope, id: 'same' } }));
    expect(await ask('project')).toBe('conflict/ambiguous_reference');
    expect(await ask('self')).toBe('ok');
  });

  test('NB55 a crowd stops a legacy search and not a canonical look-up', async () => {
    const { notebook, write } = temporaryNotebook();
    for (let number = 0; number < 1000; number += 1) write(`project/${number}.json`, '{}');
    write(filePath(1), file(1));
    expect(outcome(await calls.inspect(notebook, { reference: reference(1) }))).toBe('ok');
    const legacy = { schema_version: 1, scope: 'project', id: 'note' };
    expect(outcome(await calls.inspect(notebook, { reference: legacy }))).toBe(
      'storage_error/candidate_limit_exceeded',
    );
  });

  test.each(['project', 'project/harbour', 'project/harbour/choices', filePath(1)])(
    'NB56 a link at %s is unavailable for a canonical reference, dangling or not',
    async (place) => {
      for (const target of ['nowhere', 'somewhere']) {
        const { notebook, root, folder } = temporaryNotebook();
        mkdirSync(path.join(folder, 'somewhere'));
        mkdirSync(path.dirname(path.join(root, place)), { recursive: true });
        symlinkSync(path.join(folder, target), path.join(root, place));
        const answer = await calls.inspect(notebook, { reference: reference(1) });
        expect(outcome(answer)).toBe('storage_error/memory_source_unavailable');
      }
    },
  );

  test('NB56 a linked scope holds no legacy records, and a linked root is unavailable', async () => {
    const { notebook, root, folder } = temporaryNotebook();
    const legacy = { reference: { schema_version: 1, scope: 'project', id: 'note' } };
    mkdirSync(root);
    mkdirSync(path.join(folder, 'real'));
    writeFileSync(path.join(folder, 'real', 'note.json'), '{"schema_version":1,"id":"note","content":"x"}');
    symlinkSync(path.join(folder, 'real'), path.join(root, 'project'));
    expect(outcome(await calls.inspect(notebook, legacy))).toBe('not_found/not_found');

    const linked = temporaryNotebook();
    symlinkSync(linked.folder, linked.root);
    expect(outcome(await calls.inspect(linked.notebook, legacy))).toBe('storage_error/memory_source_unavailable');
  });
});
