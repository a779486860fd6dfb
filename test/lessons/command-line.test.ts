/** The same lessons at the command line, without a daemon and beside one. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { commandBox } from '../cli/command-box.ts';

vi.setConfig({ testTimeout: 300_000 });

const page = z.looseObject({ items: z.array(z.looseObject({ id: z.string(), title: z.string() })), total: z.number() });
const hits = z.looseObject({ results: z.array(z.looseObject({ id: z.string() })) });

test('LS3 every field that the command records comes back', async () => {
  const box = commandBox();
  await box.json('record', 'Base', '--rationale', 'R', '--id', 'base');
  const given = ['--id', 'whole', '--rationale', 'Because.', '--commit', 'abcdef1', '--file', 'src/store.ts'];
  const more = ['--type', 'REFACTOR', '--confidence', '0.75', '--author', 'the team', '--evidence', 'a crash test'];
  const rest = [
    '--rejected',
    'a lock file',
    '--depends-on',
    'base',
    '--tag',
    'one',
    '--tag',
    'two',
    '--agent',
    'codex',
  ];
  const last = ['--session', 's-1', '--review-by', '2999-12-31'];
  await box.json('record', 'Whole', ...given, ...more, ...rest, ...last);
  expect(await box.json('show', 'whole')).toMatchObject({
    id: 'whole',
    title: 'Whole',
    rationale: 'Because.',
    commit_sha: 'abcdef1',
    files_affected: ['src/store.ts'],
    decision_type: 'REFACTOR',
    confidence: 0.75,
    author: 'the team',
    evidence: ['a crash test'],
    rejected_alternatives: ['a lock file'],
    dependency_constraints: ['base'],
    tags: ['one', 'two'],
    agent: 'codex',
    session_id: 's-1',
    review_by: '2999-12-31',
  });
});

test('LS2 LS5 at the command line, unknown words and unknown ids are failures, never empty answers', async () => {
  const box = commandBox();
  await box.json('record', 'Tune the cache', '--rationale', 'R', '--id', 'a');
  for (const status of ['all', 'ALL', 'active']) {
    expect(page.parse(await box.json('list', '--status', status)).total, status).toBe(1);
  }
  for (const args of [
    ['list', '--status', 'closed'],
    ['query', 'cache', '--status', 'closed'],
    ['show', 'nobody'],
    ['amend', 'nobody', '--confidence', '0.5'],
    ['invalidate', 'nobody', '--reason', 'r'],
    ['restore', 'nobody'],
    ['history', 'nobody'],
    ['feedback', 'nobody', 'helpful'],
  ]) {
    const ran = await box.decisions(...args, '--json');
    expect(ran.code, args.join(' ')).not.toBe(0);
    expect(ran.stdout + ran.stderr, args.join(' ')).toMatch(/nobody|status|closed/);
  }
});

test('LS29 LS37 a query or a title of the command line is text, whatever it looks like', async () => {
  const box = commandBox();
  for (const title of ['__proto__', 'constructor', 'don\'t "use" a AND b', '用户身份由网关验证']) {
    await box.json('record', '--rationale', 'R', `--title=${title}`);
    const found = hits.parse(await box.json('query', title, '--mode', 'keyword'));
    expect(found.results.length, title).toBeGreaterThan(0);
  }
  for (const query of ['(', '*', 'NOT', 'NEAR(a b)', '"', 'col:val']) {
    expect((await box.decisions('query', query, '--mode', 'keyword', '--json')).code, query).toBe(0);
  }
});

test('LS38 an export to a file comes back equal, and a cut file changes nothing', async () => {
  const box = commandBox();
  await box.json('record', 'A', '--rationale', 'R', '--id', 'a', '--file', 'src/store.ts');
  await box.json('amend', 'a', '--confidence', '0.5');
  const exported = (await box.decisions('export', '--events')).stdout;
  const file = path.join(box.home, 'export.json');
  writeFileSync(file, exported.slice(0, Math.floor(exported.length / 2)));
  expect((await box.decisions('import', file)).code).not.toBe(0);
  expect((await box.decisions('export', '--events')).stdout).toBe(exported);
  writeFileSync(file, exported);
  expect(await box.json('import', file)).toMatchObject({ created: 0, unchanged: 1 });
  const other = commandBox();
  expect(await other.json('import', file)).toMatchObject({ created: 1 });
  expect((await other.decisions('export', '--events')).stdout).toBe(exported);
});

test('LS22 commands that write for themselves and a daemon that writes for others keep every write of both', async () => {
  const box = commandBox();
  const server = await box.serve();
  const headers = { authorization: `Bearer ${box.token()}`, 'content-type': 'application/json' };
  const post = async (target: string, body: object) => {
    const answer = await fetch(`${server.url}${target}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.ok).toBe(true);
    return z.looseObject({ id: z.string() }).parse(await answer.json());
  };
  const { id } = await post('/v1/projects', { path: box.repository.root });
  // With another daemon home the command finds no daemon and opens the file itself.
  const alone = { NEURALMIND_DAEMON_HOME: path.join(box.home, 'elsewhere') };
  const lane = async (name: string, write: (title: string) => Promise<unknown>) => {
    for (let n = 0; n < 20; n += 1) await write(`${name} ${n}`);
  };
  const { root } = box.repository;
  await Promise.all([
    lane('daemon', (title) => post(`/v1/projects/${id}/memories`, { title, rationale: 'R' })),
    lane('command', async (title) => {
      const ran = await box.cli(['decisions', 'record', title, '--rationale', 'R', '--project', root], {}, alone);
      expect(ran).toMatchObject({ code: 0, stderr: '' });
    }),
  ]);
  const titles = page.parse(await box.json('list', '--limit', '200')).items.map(({ title }) => title);
  const expected = ['daemon', 'command'].flatMap((name) => Array.from({ length: 20 }, (_, n) => `${name} ${n}`));
  expect([...titles].sort()).toEqual(expected.sort());
});
