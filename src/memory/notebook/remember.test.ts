import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  calls,
  draft,
  file,
  filePath,
  memoryId,
  must,
  outcome,
  temporaryNotebook,
} from '../../../test/notebook/temporary-notebook.ts';
import type { JsonObject } from '../../base/json.ts';
import { parseRememberRequest, remember } from './remember.ts';
import { memoryKinds, namespaceKinds, scopes, vocabulary } from './vocabulary.ts';

const project = { kind: 'project', id: 'harbour', label: null };
const secret = `password: ${'hunter'}2024`;

/** Each row is wrong in its own way and in the way of the row below it as well: the earlier check must answer. */
const order: readonly (readonly [string, string, JsonObject])[] = [
  ['the origin is judged before the keys', 'invalid_request/invalid_origin@origin', { scope: 1, extra: 1 }],
  ['an origin of files is no origin of callers', 'invalid_request/invalid_origin@origin', draft({ origin: 'manual' })],
  ['a list is no origin', 'invalid_request/invalid_origin@origin', draft({ origin: ['explicit_user_statement'] })],
  ['an unknown key, then the scope', 'invalid_request/invalid_record@memory', draft({ extra: 1, scope: 'x' })],
  ['a missing key, then the scope', 'invalid_request/invalid_record@memory', draft({ tags: undefined, scope: 'x' })],
  ['the scope, then the namespace', 'invalid_request/invalid_scope@scope', draft({ scope: 'Project', namespace: 1 })],
  [
    'the namespace, then the collection',
    'invalid_request/invalid_record@namespace',
    draft({ namespace: null, collection: 1 }),
  ],
  [
    'the namespace keys, then its kind',
    'invalid_request/invalid_record@namespace',
    draft({ namespace: { kind: 1, id: 'a' } }),
  ],
  [
    'the type of the namespace kind, then the id',
    'invalid_request/invalid_namespace@namespace.kind',
    draft({ namespace: { kind: 1, id: 'A', label: '' } }),
  ],
  [
    'the namespace id, then the label',
    'invalid_request/invalid_namespace@namespace.id',
    draft({ namespace: { kind: 'nothing', id: 'A', label: '' } }),
  ],
  [
    'the namespace label, then the collection',
    'invalid_request/invalid_record@namespace.label',
    draft({ namespace: { kind: 'nothing', id: 'a', label: ' ' }, collection: 1 }),
  ],
  [
    'the collection, then the kind',
    'invalid_request/invalid_record@collection',
    draft({ collection: 'choices', kind: 'nothing' }),
  ],
  ['the collection keys', 'invalid_request/invalid_record@collection', draft({ collection: { id: 'a' }, kind: 'x' })],
  [
    'the collection id, then its label',
    'invalid_request/invalid_collection@collection.id',
    draft({ collection: { id: '-a', label: '' } }),
  ],
  [
    'the collection label, then the kind',
    'invalid_request/invalid_record@collection.label',
    draft({ collection: { id: 'a', label: 'x'.repeat(101) }, kind: 'x' }),
  ],
  [
    'a kind that exists nowhere, then a namespace kind that does not fit',
    'invalid_request/invalid_kind@kind',
    draft({ kind: 'thought', namespace: { ...project, kind: 'topic' } }),
  ],
  [
    'a namespace kind that does not fit, then a kind that does not',
    'invalid_request/invalid_namespace@namespace.kind',
    draft({ kind: 'attribute', namespace: { ...project, kind: 'nothing' } }),
  ],
  [
    'a kind that does not fit, then the occurrence',
    'invalid_request/invalid_kind@kind',
    draft({ kind: 'attribute', occurred_at: 1 }),
  ],
  [
    'a missing occurrence, then the language',
    'invalid_request/invalid_record@occurred_at',
    draft({ kind: 'event', language: 1 }),
  ],
  [
    'an occurrence of something that is no event, even as null',
    'invalid_request/invalid_record@occurred_at',
    draft({ occurred_at: null, language: 1 }),
  ],
  ['the language, then the title', 'invalid_request/invalid_record@language', draft({ language: 'x', title: '' })],
  ['the title, then the content', 'invalid_request/invalid_record@title', draft({ title: ' ', content: '' })],
  ['the content, then the tags', 'invalid_request/invalid_record@content', draft({ content: '\n', tags: ['a', 'A'] })],
  ['the tags, then the policy', 'invalid_request/invalid_record@tags', draft({ tags: ['a', ' A '], title: secret })],
  ['a lone surrogate is no content', 'invalid_request/invalid_record@content', draft({ content: 'a\ud800b' })],
  [
    'a lone surrogate is no label',
    'invalid_request/invalid_record@namespace.label',
    draft({ namespace: { ...project, label: '\udc00' } }),
  ],
  [
    'the policy names the first field and its reason',
    'refused/disallowed_content@title credential_shape',
    draft({ title: secret, content: secret }),
  ],
  [
    'both halves of a namespace go by one name',
    'refused/disallowed_content@namespace credential_shape',
    draft({ namespace: { ...project, label: secret }, title: secret }),
  ],
  [
    'and both halves of a collection',
    'refused/disallowed_content@collection credential_shape',
    draft({ collection: { id: 'a', label: secret }, title: secret }),
  ],
  ['tags have no index', 'refused/disallowed_content@tags credential_shape', draft({ tags: ['fine', secret] })],
];

describe('arguments', () => {
  test.each(order)('NB10 %s', async (_, expected, raw) => {
    const { notebook, root } = temporaryNotebook();
    expect(outcome(await calls.remember(notebook, raw))).toBe(expected);
    expect(existsSync(root)).toBe(false);
    // Where the root cannot be used, a check that looked at it first would answer otherwise.
    writeFileSync(root, 'in the way');
    expect(outcome(await calls.remember(notebook, raw))).toBe(expected);
  });

  test('NB11 each scope takes exactly its own namespace kinds and memory kinds', () => {
    for (const scope of scopes) {
      const allowed = vocabulary[scope];
      for (const namespaceKind of namespaceKinds) {
        for (const kind of memoryKinds) {
          const parsed = parseRememberRequest(
            draft({
              scope,
              namespace: { kind: namespaceKind, id: 'a', label: null },
              kind,
              occurred_at: kind === 'event' ? '2026-01-01T00:00:00Z' : undefined,
            }),
          );
          const fits = allowed.namespaceKinds.includes(namespaceKind) && allowed.kinds.has(kind);
          expect(parsed.ok, `${scope} ${namespaceKind} ${kind}`).toBe(fits);
        }
      }
    }
  });

  test('NB12 an occurrence is a real UTC second from the year 1000 on', () => {
    const parse = (occurred_at: JsonObject[string]) => parseRememberRequest(draft({ kind: 'event', occurred_at })).ok;
    const good = ['2024-02-29T23:59:59Z', '1000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'];
    const bad = [
      null,
      0,
      '2026-02-29T00:00:00Z',
      '2026-01-01T24:00:00Z',
      '2026-06-30T23:59:60Z',
      '0999-01-01T00:00:00Z',
      '2026-01-01T00:00:00z',
      '2026-01-01T00:00:00.0Z',
      '2026-01-01T00:00:00Z\n',
    ];
    expect(good.map(parse)).toEqual(good.map(() => true));
    expect(bad.map(parse)).toEqual(bad.map(() => false));
  });
});

describe('creation', () => {
  test('NB13 a new memory is active at revision 1, made now, under a new id, and the answer has no version', async () => {
    const { notebook, read } = temporaryNotebook({ newId: () => memoryId(7) });
    const answer = must(await calls.remember(notebook, draft()));
    expect(JSON.stringify(answer)).toBe(
      JSON.stringify({
        status: 'remembered',
        reference: { scope: 'project', namespace_id: 'harbour', collection_id: 'choices', id: memoryId(7) },
        lifecycle: { state: 'active', revision: 1 },
      }),
    );
    expect(JSON.parse(read(filePath(7)))).toEqual(
      file(7, {
        title: 'Boats stay small',
        content: 'Small boats fit through the old lock, large ones do not.',
        tags: ['boats', 'lock'],
        provenance: { origin: 'user_approved_proposal', recorded_via: 'memory_remember' },
        created_at: '2026-07-20T10:00:00Z',
        updated_at: '2026-07-20T10:00:00Z',
      }),
    );
  });

  test('NB13 random ids have the form of memory ids and differ', async () => {
    const { notebook } = temporaryNotebook();
    const ids = Array.from({ length: 50 }, () => notebook.newId());
    expect(ids.every((id) => /^mem_[0-9a-f]{32}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(50);
  });

  test('NB14 an id that is taken is a write conflict and the file that has it stays', async () => {
    const { notebook, write, read } = temporaryNotebook({ newId: () => memoryId(1) });
    write(filePath(1), file(1));
    const before = read(filePath(1));
    expect(outcome(await calls.remember(notebook, draft()))).toBe('conflict/write_conflict');
    expect(read(filePath(1))).toBe(before);
  });

  test('NB15 a full scope or an unusable one fails and nothing is written', async () => {
    const full = temporaryNotebook();
    for (let number = 0; number <= 1000; number += 1) full.write(`project/${number}.json`, '{}');
    expect(outcome(await calls.remember(full.notebook, draft()))).toBe('storage_error/candidate_limit_exceeded');
    expect(full.files()).toHaveLength(1001);

    const blocked = temporaryNotebook();
    blocked.write('project', 'in the way');
    expect(outcome(await calls.remember(blocked.notebook, draft()))).toBe('storage_error/memory_source_unavailable');

    const linked = temporaryNotebook();
    mkdirSync(linked.root);
    symlinkSync(linked.folder, path.join(linked.root, 'project'));
    expect(outcome(await calls.remember(linked.notebook, draft()))).toBe('storage_error/memory_source_unavailable');

    const linkedNamespace = temporaryNotebook();
    mkdirSync(path.join(linkedNamespace.root, 'project'), { recursive: true });
    symlinkSync(linkedNamespace.folder, path.join(linkedNamespace.root, 'project', 'harbour'));
    expect(outcome(await calls.remember(linkedNamespace.notebook, draft()))).toBe(
      'storage_error/memory_source_unavailable',
    );
    expect(linkedNamespace.files()).toEqual([]);
  });

  test('NB16 what is remembered is inspected back equal', async () => {
    const { notebook } = temporaryNotebook();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(newRecords, async (raw) => {
        count += 1;
        const request = must(parseRememberRequest(raw));
        const answer = must(await remember(notebook, { ...request, content: `${request.content} ${count}` }));
        expect(answer.status).toBe('remembered');
        const reference = { schema_version: 2, ...answer.reference };
        const { memory } = must(await calls.inspect(notebook, { reference }));
        expect(memory).toEqual({
          reference,
          schema_version: 2,
          id: answer.reference.id,
          scope: request.scope,
          namespace: request.namespace,
          collection: request.collection,
          kind: request.kind,
          language: request.language,
          title: request.title,
          content: `${request.content} ${count}`,
          tags: request.tags,
          provenance: { origin: request.origin, recorded_via: 'memory_remember' },
          lifecycle: { state: 'active', revision: 1 },
          created_at: '2026-07-20T10:00:00Z',
          updated_at: '2026-07-20T10:00:00Z',
          ...(request.occurredAt === undefined ? {} : { occurred_at: request.occurredAt }),
        });
      }),
      { seed: 11, numRuns: 120 },
    );
  });
});

describe('duplicates', () => {
  test('NB17 the same memory again is told by its identity and nothing is written', async () => {
    const { notebook, files } = temporaryNotebook({ newId: () => memoryId(7) });
    must(await calls.remember(notebook, draft()));
    const before = files();
    expect(must(await calls.remember(notebook, draft()))).toEqual({
      status: 'already_exists',
      reference: { scope: 'project', namespace_id: 'harbour', collection_id: 'choices', id: memoryId(7) },
      lifecycle: { state: 'active', revision: 1 },
    });
    expect(files()).toEqual(before);
  });

  test('NB17 an archived twin is told and stays archived', async () => {
    const { notebook, read, write } = temporaryNotebook();
    write(filePath(1), file(1, { lifecycle: { state: 'archived', revision: 4 } }));
    const before = read(filePath(1));
    const raw = draft({ title: 'Title 1', content: 'Content 1.', tags: [] });
    expect(must(await calls.remember(notebook, raw))).toMatchObject({
      status: 'existing_archived',
      reference: { id: memoryId(1) },
      lifecycle: { state: 'archived', revision: 4 },
    });
    expect(read(filePath(1))).toBe(before);
  });

  const same: readonly (readonly [string, JsonObject])[] = [
    [
      'labels',
      { namespace: { kind: 'project', id: 'harbour', label: 'Other' }, collection: { id: 'choices', label: null } },
    ],
    ['language', { language: 'de' }],
    ['origin', { origin: 'explicit_user_statement' }],
    ['tag order and case', { tags: ['LOCK', 'Boats'] }],
    ['outer whitespace', { title: '  Boats stay small\r\n' }],
  ];
  test.each(same)('NB18 %s makes no difference', async (_, changes) => {
    const { notebook } = temporaryNotebook();
    must(await calls.remember(notebook, draft()));
    expect(outcome(await calls.remember(notebook, draft(changes)))).toBe('already_exists');
  });

  const different: readonly (readonly [string, JsonObject])[] = [
    ['the namespace', { namespace: { kind: 'project', id: 'harbour2', label: 'Harbour' } }],
    ['the collection', { collection: { id: 'choices2', label: 'Choices' } }],
    ['no collection', { collection: null }],
    ['the kind', { kind: 'constraint' }],
    ['the case of the title', { title: 'boats stay small' }],
    ['no title', { title: null }],
    ['the content', { content: 'Other.' }],
    ['a tag more', { tags: ['boats', 'lock', 'old'] }],
    ['a tag less', { tags: ['boats'] }],
  ];
  test.each(different)('NB19 %s makes another memory', async (_, changes) => {
    const { notebook, files } = temporaryNotebook();
    must(await calls.remember(notebook, draft()));
    expect(outcome(await calls.remember(notebook, draft(changes)))).toBe('remembered');
    expect(files()).toHaveLength(2);
  });

  test('NB19 events differ by the time they happened', async () => {
    const { notebook } = temporaryNotebook();
    const event = (occurred_at: string) => draft({ kind: 'event', occurred_at });
    expect(outcome(await calls.remember(notebook, event('2026-01-01T00:00:00Z')))).toBe('remembered');
    expect(outcome(await calls.remember(notebook, event('2026-01-01T00:00:01Z')))).toBe('remembered');
    expect(outcome(await calls.remember(notebook, event('2026-01-01T00:00:00Z')))).toBe('already_exists');
  });

  test('NB20 of several twins the first in walk order is told, and legacy records are no twins', async () => {
    const { notebook, write } = temporaryNotebook();
    write('project/a.json', { schema_version: 1, id: 'a', title: 'Same', content: 'Words.' });
    write(filePath(3), file(3, { title: 'Same', content: 'Words.' }));
    write(filePath(2), file(2, { title: ' Same ', content: 'Words.', lifecycle: { state: 'archived', revision: 2 } }));
    const answer = must(await calls.remember(notebook, draft({ title: 'Same', content: 'Words.', tags: [] })));
    expect(answer).toMatchObject({ status: 'existing_archived', reference: { id: memoryId(2) } });
  });

  test('NB21 fifty memories at once become fifty records', async () => {
    const { notebook, files } = temporaryNotebook();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, number) => calls.remember(notebook, draft({ content: `Words ${number}.` }))),
    );
    expect(new Set(answers.map(outcome))).toEqual(new Set(['remembered']));
    expect(files()).toHaveLength(50);
  });

  test('NB21 the same memory at once becomes one record', async () => {
    const { notebook, files } = temporaryNotebook();
    const answers = await Promise.all([1, 2, 3, 4].map(() => calls.remember(notebook, draft())));
    expect(answers.map(outcome).sort()).toEqual(['already_exists', 'already_exists', 'already_exists', 'remembered']);
    expect(files()).toHaveLength(1);
  });
});

const text = (maxLength: number) =>
  fc
    .string({
      unit: fc.constantFrom('a', 'B', 'é', 'ß', ' ', '\n', '\u0000', '\u{1f600}', 'e\u0301', '"'),
      minLength: 1,
      maxLength,
    })
    .map((inner) => `x${inner}`);
const id = fc.stringMatching(/^[a-z0-9]([a-z0-9_-]{0,10}[a-z0-9])?$/);
const newRecords = fc.constantFrom(...scopes).chain((scope) =>
  fc
    .record({
      namespace: fc.record({
        kind: fc.constantFrom(...vocabulary[scope].namespaceKinds),
        id,
        label: fc.option(text(20)),
      }),
      collection: fc.option(fc.record({ id, label: fc.option(text(20)) })),
      kind: fc.constantFrom(...vocabulary[scope].kinds.keys()),
      language: fc.constantFrom(null, 'en', 'PT-br'),
      title: fc.option(text(40)),
      content: text(200),
      tags: fc.uniqueArray(fc.constantFrom('a', 'B c', 'ß', 'x  y', '\u{1f600}'), { maxLength: 5 }),
      origin: fc.constantFrom('explicit_user_statement', 'user_approved_proposal'),
    })
    .map(
      (members): JsonObject => ({
        scope,
        ...members,
        ...(members.kind === 'event' ? { occurred_at: '2026-03-04T05:06:07Z' } : {}),
      }),
    ),
);
