/** Taking decisions out and bringing them in: lossless, idempotent, all or nothing; and reading ADR folders. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportText } from '../../src/memory/decisions/export.ts';
import { must, problems, refusal, type TempProject, tempProject, walk } from './temp-project.ts';

const take = { dryRun: false, onConflict: 'refuse' } as const;

async function filled(): Promise<TempProject> {
  const project = tempProject();
  await project.create({ id: 'a', title: 'alpha', tags: ['x', '__proto__'], review_by: '2026-10-02', author: 'ada' });
  await project.create({ id: 'b', title: 'beta', supersedes: 'a', files_affected: ['src/b.ts'] });
  await project.create({ id: 'c', title: 'gone' });
  project.clock.forward(5);
  await project.amend('b', { rationale: 'Zeilen\nund „Zeichen“', confidence: 0.123456789 });
  must(await project.decisions.remove('c'));
  return project;
}

async function lossless(project: TempProject): Promise<unknown> {
  const exported = must(await project.decisions.export({ events: true }));
  // As it travels: text in a file.
  return JSON.parse(exportText(exported)) as unknown;
}

test('DC70 export, wipe, import, export gives the same, with the history of what was deleted', async () => {
  const project = await filled();
  const exported = await lossless(project);
  const copy = tempProject();
  const report = must(await copy.decisions.import(exported, take));
  expect(report).toEqual({
    dry_run: false,
    created: 2,
    replaced: 0,
    kept: 0,
    unchanged: 0,
    histories: 1,
    ids: { created: ['b', 'a'], replaced: [], kept: [] },
  });
  expect(await lossless(copy)).toEqual(exported);
  expect(must(await copy.decisions.history('c')).deleted).toBe(true);
  expect(await copy.titles('Zeichen')).toEqual(['beta']);
  copy.clock.forward(10_000);
  expect(await copy.listed({ as_of: '2026-10-02T12:00:00.001Z' })).toEqual(['gone', 'beta', 'alpha']);
});

test('DC71 importing again changes nothing, in either form', async () => {
  const project = await filled();
  project.clock.forward(86_400_000 * 2);
  const before = project.rows('SELECT * FROM decision_events');
  const plain = must(await project.decisions.export({ status: 'ALL' })).content;
  for (const content of [await lossless(project), plain]) {
    expect(must(await project.decisions.import(content, take))).toMatchObject({
      created: 0,
      replaced: 0,
      unchanged: 2,
      histories: 0,
    });
  }
  expect(project.rows('SELECT * FROM decision_events')).toEqual(before);
});

test('DC72 an array of records keeps dates, lists and links, and the import is its first event', async () => {
  const project = await filled();
  const plain = must(await project.decisions.export({ status: 'ALL' })).content;
  const copy = tempProject();
  copy.clock.set('2026-11-01T00:00:00Z');
  must(await copy.decisions.import(plain, take, { actor: 'ada' }));
  expect(must(await copy.decisions.export({ status: 'ALL' })).content).toEqual(plain);
  const [event, ...rest] = must(await copy.decisions.history('b')).items;
  expect(event).toMatchObject({ kind: 'created', actor: 'ada', note: 'Imported.', at: '2026-11-01T00:00:00.000000Z' });
  expect(rest).toEqual([]);
  expect(await copy.listed({ as_of: '2026-10-15' })).toEqual([]);
});

test('DC73 a dry run says what would happen, writes nothing and makes no file', async () => {
  const exported = await lossless(await filled());
  const copy = tempProject();
  const dry = must(await copy.decisions.import(exported, { ...take, dryRun: true }));
  expect(dry).toMatchObject({ dry_run: true, created: 2, histories: 1 });
  expect(await copy.listed()).toEqual([]);
  expect(must(await copy.decisions.import(exported, take))).toEqual({ ...dry, dry_run: false });
});

test('DC74 records that differ stop the whole import, unless one side is chosen', async () => {
  const project = await filled();
  const exported = await lossless(project);
  const copy = tempProject();
  await copy.create({ id: 'b', title: 'another b' });
  expect(refusal(await copy.decisions.import(exported, take))).toMatchObject({ code: 'conflict', ids: ['b'] });
  expect(await copy.listed()).toEqual(['another b']);
  const kept = must(await copy.decisions.import(exported, { ...take, onConflict: 'keep' }));
  expect(kept.ids).toEqual({ created: ['a'], replaced: [], kept: ['b'] });
  expect(must(await copy.decisions.get('b')).title).toBe('another b');
  must(await copy.decisions.import(exported, { ...take, onConflict: 'replace' }));
  expect(must(await copy.decisions.get('b'))).toMatchObject({ title: 'beta', confidence: 0.123456789 });
  const last = must(await copy.decisions.history('b')).items.at(-1);
  expect(last).toMatchObject({ kind: 'amended', changes: { title: ['another b', 'beta'] } });
});

test('DC75 a file that is cut, or whose events do not lead to its records, changes nothing', async () => {
  const project = await filled();
  const exported = must(await project.decisions.export({ events: true })).content;
  if (typeof exported === 'string' || !('events' in exported)) throw new Error('not the lossless form');
  const copy = tempProject();
  const wrong: readonly unknown[] = [
    null,
    'text',
    {},
    { ...exported, version: 2 },
    { ...exported, events: exported.events.slice(0, -1) },
    { ...exported, decisions: exported.decisions.slice(1) },
    { ...exported, events: exported.events.map((event) => ({ ...event, kind: 'invented' })) },
    { ...exported, events: exported.events.map((event) => ({ ...event, changes: { id: [null, 'x'] } })) },
    [...exported.decisions, ...exported.decisions],
    exported.decisions.map((decision) => ({ ...decision, decision_type: 'EPIC' })),
    exported.decisions.map((decision) => ({ ...decision, created_at: 'today' })),
    exported.decisions.map(({ title: _title, ...rest }) => rest),
  ];
  for (const content of wrong) {
    expect(refusal(await copy.decisions.import(content, take)).code, JSON.stringify(content)?.slice(0, 80)).toBe(
      'validation_error',
    );
  }
  expect(await copy.listed()).toEqual([]);
});

test('DC76 a decision that was deleted here comes back by import, and its history goes on', async () => {
  const project = await filled();
  const exported = await lossless(project);
  must(await project.decisions.remove('b'));
  must(await project.decisions.import(exported, { ...take, onConflict: 'keep' }));
  expect(must(await project.decisions.get('b')).title).toBe('beta');
  const kinds = must(await project.decisions.history('b')).items.map(({ kind }) => kind);
  expect(kinds).toEqual(['created', 'amended', 'deleted', 'created']);
});

test('DC77 the readable forms hold active decisions, newest first; Markdown says when there are none', async () => {
  const project = tempProject();
  const md = async (fields = {}) => exportText(must(await project.decisions.export({ format: 'md', ...fields })));
  expect(await md()).toBe('# Decision Store\n\nNo active decisions.\n');
  await project.create({
    title: 'Use a\nlog',
    rationale: 'Because.',
    commit_sha: '0123456789',
    confidence: 0.75,
    author: 'ada',
    tags: ['x', 'y'],
    files_affected: ['a.ts'],
    evidence: ['Seen.'],
    rejected_alternatives: ['Lock'],
    dependency_constraints: ['d'],
  });
  await project.create({ title: 'stale', status: 'STALE' });
  expect(await md()).toBe(
    [
      '# Decision Store',
      '1 active decision',
      '## Use a log',
      [
        '- **Type:** ARCHITECTURE',
        '- **Confidence:** 75%',
        '- **Commit:** 0123456',
        '- **Author:** ada',
        '- **Tags:** x, y',
        '- **Files:** `a.ts`',
      ].join('\n'),
      'Because.',
      '### Evidence',
      '- Seen.',
      '### Rejected alternatives',
      '- Lock',
      '### Constraints',
      '- d',
      '*Created 2026-10-02*\n',
    ].join('\n\n'),
  );
  expect(await md({ status: 'ALL' })).toContain('2 decisions');
  const json = must(await project.decisions.export()).content;
  expect(json).toMatchObject([{ title: 'Use a\nlog', status: 'ACTIVE' }]);
  expect(problems(await project.decisions.export({ format: 'md', events: true }))).toEqual([['events', 'value_error']]);
  expect(problems(await project.decisions.export({ status: 'STALE', events: true }))).toEqual([
    ['status', 'value_error'],
  ]);
});

const anyText = fc
  .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
  .filter((text) => text.trim() !== '' && !text.includes('\0'));

test('DC78 whatever is recorded survives export and import unchanged', async () => {
  const record = fc.record({
    title: anyText,
    rationale: anyText,
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    tags: fc.array(anyText, { maxLength: 4 }),
    evidence: fc.array(anyText, { maxLength: 3 }),
    author: fc.option(anyText),
    decision_type: fc.constantFrom('TEST', 'CONFIG'),
    status: fc.constantFrom('ACTIVE', 'STALE', 'INVALIDATED'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 6 }), async (records) => {
      const project = tempProject();
      for (const fields of records) await project.create(fields);
      const exported = await lossless(project);
      const copy = tempProject();
      must(await copy.decisions.import(exported, take));
      expect(await lossless(copy)).toEqual(exported);
      expect(await walk(copy.decisions, {})).toEqual(await walk(project.decisions, {}));
      await project.decisions.close();
      await copy.decisions.close();
    }),
    { seed: 5, numRuns: 15 },
  );
});

const nygard = `# 2. Use SQLite for truth

Date: 2024-05-01

## Status

Superseded by [3. Use files](0003-use-files.md)

## Context

Many writers.

## Decision

We use SQLite.
`;

const madr = `---
status: "accepted"
date: 2024-06-02
---
# Use files

## Considered Options

* SQLite
* Files
* 1 GB of memory

## Decision Outcome

Chosen option: "Files", because they can be read.

\`\`\`
# not a heading
\`\`\`
`;

test('DC79 a folder of ADRs becomes decisions with status, dates, links and rejected options, and again changes nothing', async () => {
  const project = tempProject();
  const files = [
    { path: 'docs/adr/0002-sqlite.md', text: nygard },
    { path: 'docs\\adr\\0003-use-files.md', text: madr.replaceAll('\n', '\r\n') },
    { path: 'docs/adr/README.md', text: 'No heading here.\n' },
    { path: 'docs/adr/empty.md', text: '# Only a title\n' },
  ];
  const report = must(await project.decisions.importAdrs(files, take));
  expect(report).toMatchObject({
    created: 2,
    skipped: [
      { path: 'docs/adr/README.md', reason: 'no_title' },
      { path: 'docs/adr/empty.md', reason: 'no_content' },
    ],
  });
  expect(must(await project.decisions.get('adr:docs:adr:0002-sqlite'))).toMatchObject({
    title: 'Use SQLite for truth',
    rationale: '## Context\n\nMany writers.\n\n## Decision\n\nWe use SQLite.',
    status: 'INVALIDATED',
    created_at: '2024-05-01T00:00:00.000000Z',
    superseded_by: 'adr:docs:adr:0003-use-files',
    tags: ['adr'],
  });
  expect(must(await project.decisions.get('adr:docs:adr:0003-use-files'))).toMatchObject({
    title: 'Use files',
    status: 'ACTIVE',
    created_at: '2024-06-02T00:00:00.000000Z',
    supersedes: 'adr:docs:adr:0002-sqlite',
    rejected_alternatives: ['SQLite', '1 GB of memory'],
    rationale: expect.stringContaining('# not a heading'),
  });
  must(await project.decisions.feedback('adr:docs:adr:0003-use-files', { signal: 'helpful' }));
  project.clock.forward(1_000);
  expect(must(await project.decisions.importAdrs(files, take))).toMatchObject({ created: 0, unchanged: 2 });
  expect(must(await project.decisions.importAdrs(files.slice(1, 2), take))).toMatchObject({ created: 0, unchanged: 1 });
  const changed = [{ path: 'docs/adr/0003-use-files.md', text: madr.replace('can be read', 'are simple') }];
  expect(refusal(await project.decisions.importAdrs(changed, take)).code).toBe('conflict');
  const outside = [{ path: '../adr.md', text: madr }];
  expect(problems(await project.decisions.importAdrs(outside, take))).toEqual([['files', 'path_outside_project']]);
});
