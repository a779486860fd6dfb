/** Reading decisions: lists, filters, pages, past states, staleness, timeline, audit. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toCompact } from '../../src/memory/decisions/decision.ts';
import type { Decisions } from '../../src/memory/decisions/decisions.ts';
import type { Result } from '../../src/memory/decisions/outcome.ts';
import { parseList, parseSearch } from '../../src/memory/decisions/parse-read.ts';
import { createIn, must, problems, refusal, tempProject, walk } from './temp-project.ts';

test('DC30 a list is newest first, also within one millisecond, and its pages hold every decision once', async () => {
  const project = tempProject();
  const titles: string[] = [];
  for (let n = 0; n < 1_050; n += 1) titles.push(`t${n}`);
  await Promise.all(titles.map((title) => createIn(project.decisions, { title })));
  const first = must(await project.decisions.list({}));
  expect([first.items.length, first.total]).toEqual([50, 1_050]);
  expect(await project.listed({ limit: 200 })).toEqual([...titles].reverse());
  expect(await project.listed()).toEqual([...titles].reverse());
});

test('DC31 a cursor of other filters, another call, another store or of garbage is refused', async () => {
  const project = tempProject();
  const other = tempProject();
  for (const one of [project, other]) for (const title of ['a', 'b', 'c']) await one.create({ title });
  const cursor = must(await project.decisions.list({ limit: 1 })).next_cursor ?? '';
  const foreign = must(await other.decisions.list({ limit: 1 })).next_cursor ?? '';
  expect(must(await project.open().list({ limit: 2, cursor })).items.map(({ title }) => title)).toEqual(['b', 'a']);
  const id = must(await project.decisions.list({ limit: 1 })).items[0]?.id ?? '';
  const refused: readonly Result<unknown>[] = [
    await project.decisions.list({ cursor, type: 'TEST' }),
    await project.decisions.list({ cursor, as_of: '2026-10-02' }),
    await project.decisions.list({ cursor: foreign }),
    await project.decisions.history(id, { cursor }),
    ...(await Promise.all(
      ['x', '.', 'a.b.c', `${cursor}x`, '😀'].map((text) => project.decisions.list({ cursor: text })),
    )),
  ];
  expect(refused.map((result) => refusal(result).code)).toEqual(refused.map(() => 'invalid_request'));
});

test('DC32 pages never repeat and never skip while decisions come and go', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('page', 'page', 'create', 'delete', 'amend'), { minLength: 5, maxLength: 25 }),
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.nat(), { minLength: 25, maxLength: 25 }),
      async (steps, limit, picks) => {
        const project = tempProject();
        const { decisions } = project;
        const alive: string[] = [];
        for (let n = 0; n < 10; n += 1) alive.unshift((await project.create({ title: `t${n}` })).id);
        const steady = new Set(alive);
        const seen: string[] = [];
        let cursor: string | null | undefined;
        const page = async () => {
          if (cursor === null) return;
          const answer = must(await decisions.list(cursor === undefined ? { limit } : { limit, cursor }));
          seen.push(...answer.items.map(({ id }) => id));
          cursor = answer.next_cursor;
        };
        await page();
        for (const [index, step] of steps.entries()) {
          const target = alive[(picks[index] ?? 0) % Math.max(1, alive.length)];
          if (step === 'page') await page();
          else if (step === 'create') alive.unshift((await project.create({ title: 'new' })).id);
          else if (target === undefined) continue;
          else if (step === 'amend') await project.amend(target, { title: `changed ${index}` });
          else {
            must(await decisions.remove(target));
            alive.splice(alive.indexOf(target), 1);
            steady.delete(target);
          }
        }
        while (cursor !== null) await page();
        expect(new Set(seen).size).toBe(seen.length);
        expect([...steady].filter((id) => !seen.includes(id))).toEqual([]);
        await decisions.close();
      },
    ),
    { seed: 20261130, numRuns: 15 },
  );
});

test('DC33 filters work in the database, all together, on list and on search', async () => {
  const project = tempProject();
  const base = { rationale: 'needle', author: 'ada', agent: 'ag', session_id: 's1', decision_type: 'TEST' };
  project.clock.set('2026-10-01T23:30:00-07:00');
  await project.create({
    ...base,
    title: 'A',
    tags: ['x', 'constructor'],
    files_affected: ['src/a.ts'],
    confidence: 0.5,
  });
  project.clock.set('2026-10-03T12:00:00Z');
  await project.create({ ...base, title: 'B', tags: ['y'], files_affected: ['src/b.ts'], author: 'bob' });
  await project.create({ ...base, title: 'C', decision_type: 'CONFIG', agent: 'other', session_id: 's2' });
  const cases: readonly (readonly [Record<string, unknown>, readonly string[]])[] = [
    [{}, ['C', 'B', 'A']],
    [{ tag: ['x', 'y'] }, ['B', 'A']],
    [{ tag: ['constructor'] }, ['A']],
    [{ tag: ['__proto__'] }, []],
    [{ file: ['src/a.ts', './src/b.ts'] }, ['B', 'A']],
    [{ type: 'CONFIG' }, ['C']],
    [{ author: 'ada' }, ['C', 'A']],
    [{ agent: 'ag', session_id: 's1', author: 'bob' }, ['B']],
    [{ min_confidence: 0.6 }, ['C', 'B']],
    [{ created_after: '2026-10-02', created_before: '2026-10-02' }, ['A']],
    [{ created_before: '2026-10-01' }, []],
    [{ created_after: '2026-10-02T00:00:00+08:00', created_before: '2026-10-02T23:59:59+08:00' }, ['A']],
    [{ created_after: '2026-10-02T06:30:00Z', created_before: '2026-10-02T06:30:00Z' }, ['A']],
    [{ created_after: '2026-10-02T06:30:01Z' }, ['C', 'B']],
    [{ file: ['src/a.ts'], tag: ['y'] }, []],
  ];
  for (const [fields, expected] of cases) {
    expect(await project.listed({ ...fields, limit: 1 }), JSON.stringify(fields)).toEqual(expected);
    const found = await project.titles('needle', { ...fields, limit: 25 });
    expect([...found].sort().reverse(), JSON.stringify(fields)).toEqual(expected);
  }
});

test('DC34 a filter is exact however many other records match the words better', async () => {
  const project = tempProject();
  await createIn(project.decisions, { title: 'the only one', rationale: 'needle', tags: ['rare'] });
  await Promise.all(Array.from({ length: 200 }, () => createIn(project.decisions, { title: 'needle needle' })));
  expect(await project.titles('needle', { tag: ['rare'], limit: 1 })).toEqual(['the only one']);
});

test('DC35 a status is read in any letter case, ALL and empty are every status, another word is refused', async () => {
  const project = tempProject();
  for (const status of ['ACTIVE', 'STALE', 'INVALIDATED']) await project.create({ title: status, status });
  expect(await project.listed({ status: 'stale' })).toEqual(['STALE']);
  expect(await project.listed({ status: 'all' })).toHaveLength(3);
  expect(await project.listed({ status: '' })).toHaveLength(3);
  expect(await project.listed({})).toHaveLength(3);
  expect(await project.titles('active stale invalidated')).toEqual(['ACTIVE']);
  expect(problems(parseList({ status: 'GONE' }))).toEqual([['status', 'enum']]);
  expect(problems(parseSearch({ query: 'x', status: 'GONE', limit: 26, mode: 'magic' }))).toEqual([
    ['status', 'enum'],
    ['limit', 'less_than_equal'],
    ['mode', 'enum'],
  ]);
  expect(problems(parseList({ limit: 0 }))).toEqual([['limit', 'greater_than_equal']]);
  expect(problems(parseList({ limit: 201, created_after: 'yesterday' }))).toEqual([
    ['created_after', 'datetime_type'],
    ['limit', 'less_than_equal'],
  ]);
});

test('DC36 a decision reads STALE from the day after its review day, exactly, in get, list and search', async () => {
  const project = tempProject();
  await project.create({ id: 'r', title: 'reviewed', review_by: '2026-10-05' });
  await project.create({ id: 'i', title: 'reviewed too', review_by: '2026-10-05', status: 'INVALIDATED' });
  const states = async () => [
    must(await project.decisions.get('r')).status,
    (await project.listed({ status: 'ACTIVE' })).length,
    (await project.listed({ status: 'STALE' })).length,
    (await project.titles('reviewed', { status: 'STALE' })).length,
    must(await project.decisions.get('i')).status,
  ];
  project.clock.set('2026-10-05T23:59:59.999Z');
  expect(await states()).toEqual(['ACTIVE', 1, 0, 0, 'INVALIDATED']);
  project.clock.set('2026-10-06T00:00:00Z');
  expect(await states()).toEqual(['STALE', 0, 1, 1, 'INVALIDATED']);
  expect(project.rows("SELECT status FROM decisions WHERE id = 'r'")).toEqual([{ status: 'ACTIVE' }]);
});

test('DC37 the maintenance pass writes overdue decisions down as STALE, once, with an event', async () => {
  const project = tempProject();
  await project.create({ id: 'r', title: 't', review_by: '2026-10-05' });
  await project.create({ id: 'ok', title: 't', review_by: '2027-10-05' });
  project.clock.set('2026-10-06T00:00:00Z');
  expect(must(await project.decisions.persistOverdue()).map(({ id }) => id)).toEqual(['r']);
  expect(must(await project.decisions.persistOverdue())).toEqual([]);
  expect(project.rows("SELECT status FROM decisions WHERE id = 'r'")).toEqual([{ status: 'STALE' }]);
  const last = must(await project.decisions.history('r')).items.at(-1);
  expect(last).toMatchObject({ kind: 'stale', actor: 'system', changes: { status: ['ACTIVE', 'STALE'] } });
});

test('DC38 the past is answered as it was, in get, list, search and export, deleted decisions included', async () => {
  const project = tempProject();
  const { decisions, clock } = project;
  await project.create({ id: 'a', title: 'alpha', rationale: 'walrus', review_by: '2026-10-03' });
  clock.set('2026-10-03T12:00:00Z');
  await project.amend('a', { title: 'beta', rationale: 'penguin' });
  await project.create({ id: 'b', title: 'second', rationale: 'walrus' });
  clock.set('2026-10-04T12:00:00Z');
  must(await decisions.remove('b'));
  clock.set('2026-10-05T12:00:00Z');
  const at = async (as_of: string) => ({
    list: await project.listed({ as_of }),
    walrus: await project.titles('walrus', { as_of, status: 'ALL' }),
    status: must(await decisions.get('a', { as_of })).status,
  });
  expect(await at('2026-10-02T12:00:00Z')).toEqual({ list: ['alpha'], walrus: ['alpha'], status: 'ACTIVE' });
  expect(await at('2026-10-03')).toEqual({ list: ['second', 'beta'], walrus: ['second'], status: 'ACTIVE' });
  expect(await at('2026-10-04T11:59:59Z')).toEqual({ list: ['second', 'beta'], walrus: ['second'], status: 'STALE' });
  expect(await at('2026-10-04')).toEqual({ list: ['beta'], walrus: [], status: 'STALE' });
  expect(refusal(await decisions.get('a', { as_of: '2026-10-02T11:59:59Z' })).code).toBe('memory_not_found');
  expect(await project.listed({ as_of: '2026-10-01' })).toEqual([]);
  const exported = must(await decisions.export({ as_of: '2026-10-03', status: 'ALL' }));
  expect(Array.isArray(exported.content) && exported.content.map(({ id }: { id: string }) => id)).toEqual(['b', 'a']);
  expect(problems(await decisions.list({ as_of: '2026-10-06' }))).toEqual([['as_of', 'date_future']]);
  expect(problems(await decisions.get('a', { as_of: '2026-10-05T12:00:01Z' }))).toEqual([['as_of', 'date_future']]);
});

test('DC39 today as a past state is the present, and follows later writes', async () => {
  const project = tempProject();
  await project.create({ title: 'one' });
  expect(await project.listed({ as_of: '2026-10-02' })).toEqual(['one']);
  project.clock.forward(1);
  await project.create({ title: 'two' });
  expect(await project.listed({ as_of: '2026-10-02', limit: 1 })).toEqual(['two', 'one']);
});

const anyStep = fc.record({
  verb: fc.constantFrom('create', 'amend', 'invalidate', 'restore', 'feedback', 'remove', 'supersede', 'stale'),
  pick: fc.nat(5),
  title: fc.constantFrom('alpha', 'beta', 'constructor', 'ünïcode', '名前'),
  gapMs: fc.constantFrom(0, 1, 60_000, 86_400_000),
});

async function take(decisions: Decisions, step: { verb: string; pick: number; title: string }): Promise<void> {
  const id = `d${step.pick}`;
  switch (step.verb) {
    case 'create':
      await decisions.create({ id, title: step.title, rationale: 'r', tags: [step.title] });
      return;
    case 'amend':
      await decisions.amend(id, { title: step.title, evidence_append: [step.title] });
      return;
    case 'invalidate':
      await decisions.invalidate(id, { reason: step.title });
      return;
    case 'restore':
      await decisions.restore(id, { commit_sha: 'abcdef1' });
      return;
    case 'feedback':
      await decisions.feedback(id, { signal: 'unhelpful' });
      return;
    case 'stale':
      await decisions.markStale([{ id, reason: step.title }]);
      return;
    case 'supersede':
      await decisions.supersede({ id: `d${(step.pick + 1) % 6}`, title: step.title, rationale: 'r', supersedes: id });
      return;
    default:
      await decisions.remove(id);
  }
}

test('DC40 after any sequence of writes the events replay to the present, and every past moment reads as it did', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 3, maxLength: 20 }), async (steps) => {
      const project = tempProject();
      const moments: { at: string; held: unknown }[] = [];
      const all = () => walk(project.decisions, { status: 'ALL' });
      for (const step of steps) {
        await take(project.decisions, step);
        // Writes within one millisecond are some microseconds apart; the moment is after the last of them.
        project.clock.forward(1);
        moments.push({ at: project.clock.now().toISOString(), held: await all() });
        project.clock.forward(step.gapMs + 1);
      }
      const now = project.clock.now().toISOString();
      expect(await walk(project.decisions, { status: 'ALL', as_of: now })).toEqual(await all());
      for (const { at, held } of moments) {
        expect(await walk(project.decisions, { status: 'ALL', as_of: at }), at).toEqual(held);
      }
      await project.decisions.close();
    }),
    { seed: 7, numRuns: 15 },
  );
});

test('DC41 history comes in pages, oldest first, and a cursor is bound to its decision', async () => {
  const project = tempProject();
  await project.create({ id: 'a', title: 't0' });
  await project.create({ id: 'b', title: 't0' });
  for (let n = 1; n < 6; n += 1) await project.amend('a', { title: `t${n}` });
  const first = must(await project.decisions.history('a', { limit: 4 }));
  expect([first.items.length, first.total, first.deleted]).toEqual([4, 6, false]);
  const cursor = first.next_cursor ?? '';
  const rest = must(await project.decisions.history('a', { limit: 4, cursor }));
  expect(rest.items.map(({ changes }) => changes['title']?.[1])).toEqual(['t4', 't5']);
  expect(rest.next_cursor).toBeNull();
  expect(refusal(await project.decisions.history('b', { cursor })).code).toBe('invalid_request');
});

test('DC42 a timeline gives the neighbours in time, of every status', async () => {
  const project = tempProject();
  for (let n = 0; n < 9; n += 1) {
    await project.create({ id: `d${n}`, title: `t${n}`, status: n % 2 === 0 ? 'ACTIVE' : 'INVALIDATED' });
  }
  const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);
  const line = must(await project.decisions.timeline('d4'));
  expect([ids(line.before), line.anchor.id, ids(line.after)]).toEqual([['d1', 'd2', 'd3'], 'd4', ['d5', 'd6', 'd7']]);
  const edge = must(await project.decisions.timeline('d8', { before: 1, after: 10 }));
  expect([ids(edge.before), ids(edge.after)]).toEqual([['d7'], []]);
});

test('DC43 the audit reports age beyond 90 days and commits that are gone, and changes nothing', async () => {
  const known = 'a'.repeat(40);
  const project = tempProject({
    git: { headCommit: async () => known, allCommits: async () => new Set([known, 'b'.repeat(40)]) },
  });
  await project.create({ id: 'aged', title: 't' });
  project.clock.forward(1);
  await project.create({ id: 'edge', title: 't' });
  await project.create({ id: 'invalid', title: 't', status: 'INVALIDATED', commit_sha: '' });
  project.clock.forward(90 * 86_400_000);
  await project.create({ id: 'orphan', title: 't', commit_sha: 'c'.repeat(40) });
  await project.create({ id: 'none', title: 't', commit_sha: '' });
  await project.create({ id: 'short', title: 't', commit_sha: 'bbbbbbb' });
  const report = async (request = {}) => {
    const { items, checked } = must(await project.decisions.audit(request));
    return { found: items.map(({ memory, reasons }) => [memory.id, ...reasons]), checked };
  };
  expect(await report()).toEqual({
    found: [
      ['none', 'orphaned'],
      ['orphan', 'orphaned'],
      ['aged', 'age'],
    ],
    checked: ['age', 'orphaned'],
  });
  expect(await report({ age: true })).toEqual({ found: [['aged', 'age']], checked: ['age'] });
  const outside = project.open({ git: { headCommit: async () => null, allCommits: async () => null } });
  expect(must(await outside.audit())).toMatchObject({ checked: ['age'], items: [{ reasons: ['age'] }] });
  expect(await project.listed({ status: 'STALE' })).toEqual([]);
});

test('DC44 decisions for files leave out invalidated ones unless asked; dependents too', async () => {
  const project = tempProject();
  await project.create({ id: 'a', title: 'a', files_affected: ['x.ts'] });
  await project.create({
    id: 's',
    title: 's',
    files_affected: ['x.ts'],
    status: 'STALE',
    dependency_constraints: ['a'],
  });
  await project.create({
    id: 'i',
    title: 'i',
    files_affected: ['x.ts'],
    status: 'INVALIDATED',
    dependency_constraints: ['a'],
  });
  const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);
  expect(ids(must(await project.decisions.forFiles(['x.ts'], { invalidated: false })))).toEqual(['s', 'a']);
  expect(ids(must(await project.decisions.forFiles(['x.ts'], { invalidated: true })))).toEqual(['i', 's', 'a']);
  expect(must(await project.decisions.forFiles([], { invalidated: true }))).toEqual([]);
  expect(ids(must(await project.decisions.dependents('a')))).toEqual(['s']);
  const many = must(await project.decisions.getMany(['i', 'gone', 'a']));
  expect([ids(many.items), many.missing]).toEqual([['i', 'a'], ['gone']]);
});

test('DC45 the compact row cuts the title at 120 characters, never inside one', async () => {
  const project = tempProject();
  const created = await project.create({
    title: '𝒳'.repeat(130),
    commit_sha: '0123456789abcdef',
    files_affected: ['a', 'b'],
  });
  expect(toCompact(created)).toEqual({
    id: created.id,
    title: '𝒳'.repeat(120),
    status: 'ACTIVE',
    type: 'ARCHITECTURE',
    commit: '0123456789',
    updated: '2026-10-02',
    files: 2,
  });
});
