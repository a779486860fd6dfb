import { writeFileSync } from 'node:fs';
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

const secret = `password: ${'hunter'}2024`;
const noCollection = reference(1, { collection_id: null });

function revision(changes: Readonly<Record<string, JsonObject[string] | undefined>> = {}): JsonObject {
  const members: Record<string, JsonObject[string] | undefined> = {
    reference: reference(1),
    expected_revision: 1,
    namespace_label: 'Port',
    collection_label: 'Turns',
    title: 'New title',
    content: 'New content.',
    tags: ['b', 'A'],
    ...changes,
  };
  return JSON.parse(JSON.stringify(members)) as JsonObject;
}

/** Exactly what the file of record 1 says already. */
const current = revision({
  namespace_label: 'Harbour',
  collection_label: 'Choices',
  title: 'Title 1',
  content: 'Content 1.',
  tags: [],
});

describe('arguments', () => {
  const all = { namespace_label: undefined, title: undefined, content: undefined, tags: undefined };
  const order: readonly (readonly [string, string, JsonObject])[] = [
    ['an unknown argument, then a missing reference', 'invalid_record@revision', { language: 'de' }],
    ['a missing reference, then a missing revision', 'invalid_reference@reference', {}],
    ['a missing revision, then the reference', 'invalid_expected_revision@expected_revision', { reference: 1 }],
    [
      'the reference, then the revision',
      'invalid_reference@reference.scope',
      revision({ reference: reference(1, { scope: 'x' }), expected_revision: 0 }),
    ],
    [
      'the revision, then what is missing',
      'invalid_expected_revision@expected_revision',
      revision({ ...all, expected_revision: '1' }),
    ],
    ['a missing namespace label, then the rest', 'invalid_record@namespace_label', revision({ ...all })],
    ['a missing title, then the rest', 'invalid_record@title', revision({ ...all, namespace_label: null })],
    ['a missing content, then the tags', 'invalid_record@content', revision({ content: undefined, tags: undefined })],
    [
      'missing tags, then the collection label',
      'invalid_record@tags',
      revision({ tags: undefined, collection_label: undefined }),
    ],
    [
      'a missing collection label, then the values',
      'invalid_record@collection_label',
      revision({ collection_label: undefined, namespace_label: '' }),
    ],
    [
      'the namespace label, then the collection label',
      'invalid_record@namespace_label',
      revision({ namespace_label: '', collection_label: '' }),
    ],
    [
      'the collection label, then the title',
      'invalid_record@collection_label',
      revision({ collection_label: 'x'.repeat(101), title: '' }),
    ],
    [
      'a collection label of a record without collection',
      'invalid_record@collection_label',
      revision({ reference: noCollection, collection_label: ' ' }),
    ],
    ['the title, then the content', 'invalid_record@title', revision({ title: 1, content: '' })],
    ['the content, then the tags', 'invalid_record@content', revision({ content: null, tags: null })],
    ['the tags, then the policy', 'invalid_record@tags', revision({ tags: ['a', 'A'], title: secret })],
  ];
  test.each(order)('NB80 %s', async (_, expected, raw) => {
    const { notebook, root } = temporaryNotebook();
    writeFileSync(root, 'in the way');
    expect(outcome(await calls.revise(notebook, raw))).toBe(`invalid_request/${expected}`);
  });

  test.each(['namespace_label', 'collection_label', 'title', 'content'])(
    'NB81 the policy judges %s before anything is read',
    async (field) => {
      const { notebook, root } = temporaryNotebook();
      const raw = revision({ [field]: secret, tags: [secret] });
      const expected = `refused/disallowed_content@${field} credential_shape`;
      expect(outcome(await calls.revise(notebook, raw))).toBe(expected);
      writeFileSync(root, 'in the way');
      expect(outcome(await calls.revise(notebook, raw))).toBe(expected);
    },
  );

  test('NB81 the policy takes fields in order, tags last, and not the reference', async () => {
    const { notebook } = temporaryNotebook();
    const ask = async (raw: JsonObject) => outcome(await calls.revise(notebook, raw));
    expect(await ask(revision({ title: secret, content: secret }))).toContain('@title ');
    expect(await ask(revision({ tags: ['fine', secret] }))).toContain('@tags ');
    const odd = reference(1, { namespace_id: '123-45-6789' });
    expect(await ask(revision({ reference: odd }))).toBe('not_found/not_found');
  });
});

describe('outcomes', () => {
  test('NB82 a revision replaces the text, keeps the rest, and counts one more', async () => {
    const { notebook, write, read, files } = temporaryNotebook();
    const event = { kind: 'event', occurred_at: '2026-06-01T00:00:00Z', language: 'de' };
    write(filePath(1), file(1, { ...event, lifecycle: { state: 'archived', revision: 1 } }));
    expect(JSON.stringify(must(await calls.revise(notebook, revision())))).toBe(
      JSON.stringify({ status: 'revised', reference: reference(1), lifecycle: { state: 'archived', revision: 2 } }),
    );
    expect(JSON.parse(read(filePath(1)))).toEqual(
      file(1, {
        ...event,
        namespace: { kind: 'project', id: 'harbour', label: 'Port' },
        collection: { id: 'choices', label: 'Turns' },
        title: 'New title',
        content: 'New content.',
        tags: ['b', 'A'],
        lifecycle: { state: 'archived', revision: 2 },
        updated_at: '2026-07-20T10:00:00Z',
      }),
    );
    expect(files()).toEqual([filePath(1)]);
  });

  test('NB83 a missing record, then a stale revision, then the collection label, then no change', async () => {
    const { notebook, write, read } = temporaryNotebook();
    const place = `project/harbour/${memoryId(1)}.json`;
    const ask = async (changes: JsonObject) =>
      outcome(await calls.revise(notebook, revision({ reference: noCollection, ...changes })));
    expect(await ask({ expected_revision: 9 })).toBe('not_found/not_found');
    write(place, file(1, { collection: null }));
    const before = read(place);
    expect(await ask({ expected_revision: 9 })).toBe('conflict/revision_conflict');
    expect(await ask({})).toBe('invalid_request/invalid_collection@collection_label');
    expect(read(place)).toBe(before);
    expect(
      outcome(await calls.revise(notebook, revision({ reference: noCollection, collection_label: undefined }))),
    ).toBe('revised');
    expect(JSON.parse(read(place))).toMatchObject({ collection: null, title: 'New title' });
    expect(await ask({ expected_revision: 2, collection_label: null })).toBe('already_current');
  });

  test('NB84 the same state again changes no byte, and a stale revision comes before that', async () => {
    const { notebook, write, read } = temporaryNotebook();
    write(filePath(1), file(1));
    const before = read(filePath(1));
    expect(must(await calls.revise(notebook, { ...current, title: ' Title 1\r\n' }))).toEqual({
      status: 'already_current',
      reference: reference(1),
      lifecycle: { state: 'active', revision: 1 },
    });
    expect(outcome(await calls.revise(notebook, { ...current, expected_revision: 2 }))).toBe(
      'conflict/revision_conflict',
    );
    expect(read(filePath(1))).toBe(before);
  });

  const differences: readonly (readonly [string, JsonObject])[] = [
    ['the order of tags', { tags: ['b', 'a'] }],
    ['the case of tags', { tags: ['A', 'b'] }],
    ['fewer tags', { tags: ['a'] }],
    ['the namespace label', { namespace_label: null }],
    ['the collection label', { collection_label: null }],
    ['the title', { title: null }],
    ['the content', { content: 'content 1.' }],
  ];
  test.each(differences)('NB85 %s is a change', async (_, changes) => {
    const { notebook, write } = temporaryNotebook();
    write(filePath(1), file(1, { tags: ['a', 'b'] }));
    const same = { ...current, tags: ['a', 'b'] };
    expect(outcome(await calls.revise(notebook, same))).toBe('already_current');
    expect(outcome(await calls.revise(notebook, { ...same, ...changes }))).toBe('revised');
  });

  test('NB86 a record may become the twin of another', async () => {
    const { notebook, write } = temporaryNotebook();
    write(filePath(1), file(1));
    write(filePath(2), file(2));
    const raw = { ...current, title: 'Title 2', content: 'Content 2.' };
    expect(outcome(await calls.revise(notebook, raw))).toBe('revised');
  });

  test('NB87 of several revisions at once at one revision exactly one wins', async () => {
    const { notebook, write, read } = temporaryNotebook();
    write(filePath(1), file(1));
    const contents = Array.from({ length: 12 }, (_, number) => `Words ${number}.`);
    const answers = await Promise.all(contents.map((content) => calls.revise(notebook, revision({ content }))));
    const winners = answers.flatMap((answer, index) => (answer.ok ? [index] : []));
    expect(winners).toHaveLength(1);
    expect(answers.filter((answer) => outcome(answer) === 'conflict/revision_conflict')).toHaveLength(11);
    expect(JSON.parse(read(filePath(1)))).toMatchObject({
      content: contents[winners[0] ?? -1],
      lifecycle: { state: 'active', revision: 2 },
    });
  });
});
