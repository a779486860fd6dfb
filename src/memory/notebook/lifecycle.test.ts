import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
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

const changes = [
  ['archive', calls.archive],
  ['restore', calls.restore],
  ['forget', calls.forget],
] as const;
const target = { reference: reference(1), expected_revision: 1 };
const archived = { lifecycle: { state: 'archived', revision: 1 } };

describe.each(changes)('%s', (_, change) => {
  const order: readonly (readonly [string, string, JsonObject])[] = [
    ['an unknown argument, then a missing reference', 'invalid_reference@reference', { force: true }],
    ['a missing reference, then a missing revision', 'invalid_reference@reference', {}],
    ['a missing revision, then the reference', 'invalid_expected_revision@expected_revision', { reference: null }],
    ['the reference, then the revision', 'invalid_reference@reference', { reference: null, expected_revision: 0 }],
    [
      'a part of the reference',
      'invalid_reference@reference.id',
      { reference: reference(1, { id: 'x' }), expected_revision: 0 },
    ],
    [
      'a legacy reference',
      'invalid_reference@reference',
      { reference: { schema_version: 1, scope: 'project', id: 'note' }, expected_revision: 1 },
    ],
    ...[0, -1, 1.5, true, '1', null].map(
      (revision) =>
        [
          `revision ${revision}`,
          'invalid_expected_revision@expected_revision',
          { ...target, expected_revision: revision },
        ] as const,
    ),
  ];
  test.each(order)('NB60 %s', async (_case, expected, raw) => {
    const { notebook, root } = temporaryNotebook();
    writeFileSync(root, 'in the way');
    expect(outcome(await change(notebook, raw))).toBe(`invalid_request/${expected}`);
  });

  test('NB88 a revision that no record can have is stale, not wrong', async () => {
    const { notebook, write } = temporaryNotebook();
    const far = { ...target, expected_revision: 2 ** 60 };
    expect(outcome(await change(notebook, far))).toBe('not_found/not_found');
    write(filePath(1), file(1));
    expect(outcome(await change(notebook, far))).toBe('conflict/revision_conflict');
    for (const expected_revision of [Number.POSITIVE_INFINITY, -(2 ** 60), 2 ** 40 + 0.5]) {
      expect(outcome(await change(notebook, { ...target, expected_revision }))).toBe(
        'invalid_request/invalid_expected_revision@expected_revision',
      );
    }
  });

  test('NB61 what is not there is not found, and no folder is made', async () => {
    const { notebook, root, write } = temporaryNotebook();
    expect(outcome(await change(notebook, target))).toBe('not_found/not_found');
    expect(existsSync(root)).toBe(false);
    write(filePath(1), '{');
    expect(outcome(await change(notebook, target))).toBe('not_found/not_found');
  });

  test('NB62 another revision is a conflict, whatever the state, and no byte changes', async () => {
    for (const state of ['active', 'archived']) {
      const { notebook, write, read } = temporaryNotebook();
      write(filePath(1), file(1, { lifecycle: { state, revision: 2 } }));
      const before = read(filePath(1));
      expect(outcome(await change(notebook, target))).toBe('conflict/revision_conflict');
      expect(outcome(await change(notebook, { ...target, expected_revision: 3 }))).toBe('conflict/revision_conflict');
      expect(read(filePath(1))).toBe(before);
    }
  });

  test('NB63 a link on the way is unavailable', async () => {
    const { notebook, root, folder } = temporaryNotebook();
    const outside = path.join(folder, 'outside');
    mkdirSync(outside);
    writeFileSync(path.join(outside, `${memoryId(1)}.json`), JSON.stringify(file(1, archived)));
    mkdirSync(path.join(root, 'project/harbour'), { recursive: true });
    symlinkSync(outside, path.join(root, 'project/harbour/choices'));
    expect(outcome(await change(notebook, target))).toBe('storage_error/memory_source_unavailable');
    expect(existsSync(path.join(outside, `${memoryId(1)}.json`))).toBe(true);
  });

  test('NB64 of several at once exactly one changes the record', async () => {
    const { notebook, write } = temporaryNotebook();
    write(filePath(1), file(1, change === calls.archive ? {} : archived));
    const answers = (await Promise.all([1, 2, 3, 4].map(() => change(notebook, target)))).map(outcome);
    const done = answers.filter((answer) => ['archived', 'restored', 'forgotten'].includes(answer));
    expect(done).toHaveLength(1);
    const lost = change === calls.forget ? 'not_found/not_found' : 'conflict/revision_conflict';
    expect(answers.filter((answer) => answer === lost)).toHaveLength(3);
  });
});

test('NB65 archive and restore are mirror images: one revision more, changed now, the rest kept', async () => {
  const { notebook, write, read } = temporaryNotebook();
  write(filePath(1), file(1, { tags: ['B', 'a'] }));
  expect(JSON.stringify(must(await calls.archive(notebook, target)))).toBe(
    JSON.stringify({ status: 'archived', reference: reference(1), lifecycle: { state: 'archived', revision: 2 } }),
  );
  expect(JSON.parse(read(filePath(1)))).toEqual(
    file(1, { tags: ['B', 'a'], lifecycle: { state: 'archived', revision: 2 }, updated_at: '2026-07-20T10:00:00Z' }),
  );
  expect(must(await calls.restore(notebook, { ...target, expected_revision: 2 }))).toEqual({
    status: 'restored',
    reference: reference(1),
    lifecycle: { state: 'active', revision: 3 },
  });
});

test('NB66 a record already in the state is told so and no byte changes', async () => {
  const { notebook, write, read } = temporaryNotebook();
  write(filePath(1), file(1));
  write(filePath(2), file(2, archived));
  const before = [read(filePath(1)), read(filePath(2))];
  expect(must(await calls.restore(notebook, target))).toEqual({
    status: 'already_active',
    reference: reference(1),
    lifecycle: { state: 'active', revision: 1 },
  });
  const other = { ...target, reference: reference(2) };
  expect(outcome(await calls.archive(notebook, other))).toBe('already_archived');
  expect([read(filePath(1)), read(filePath(2))]).toEqual(before);
});

test('NB67 a clock behind the creation gives the time of creation, never an error', async () => {
  const { notebook, write, read, setTime } = temporaryNotebook();
  write(filePath(1), file(1));
  setTime('2020-01-01T00:00:00Z');
  expect(outcome(await calls.archive(notebook, target))).toBe('archived');
  expect(JSON.parse(read(filePath(1)))).toMatchObject({ updated_at: '2026-07-01T00:00:00Z' });
});

test('NB68 only an archived record is forgotten; its folders stay and a second call finds nothing', async () => {
  const { notebook, write, files, root } = temporaryNotebook();
  write(filePath(1), file(1));
  expect(outcome(await calls.forget(notebook, target))).toBe('conflict/not_archived');
  expect(files()).toEqual([filePath(1)]);
  must(await calls.archive(notebook, target));
  const again = { ...target, expected_revision: 2 };
  expect(JSON.stringify(must(await calls.forget(notebook, again)))).toBe(
    JSON.stringify({ status: 'forgotten', reference: reference(1) }),
  );
  expect(files()).toEqual([]);
  expect(existsSync(path.join(root, 'project/harbour/choices'))).toBe(true);
  expect(outcome(await calls.forget(notebook, again))).toBe('not_found/not_found');
});
