/** The commands answer the same whether the daemon runs or not. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { type CommandBox, commandBox, readText, settled } from './command-box.ts';

vi.setConfig({ testTimeout: 300_000 });

const long = 'Readers go on while one process writes. '.repeat(5).trim();

/** Every command once, those that fail among them, as `verb args → code, output`. */
async function story(box: CommandBox): Promise<readonly string[]> {
  const told: string[] = [];
  const run = async (verb: string, ...args: readonly string[]) => {
    const ran = await box.decisions(verb, '--json', ...args);
    told.push(settled(`${verb} ${args.join(' ')} → ${ran.code}\n${ran.stdout}${ran.stderr}`, box));
    return ran.stdout;
  };
  const folder = path.join(box.repository.root, 'docs', 'adr');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, '0001-use-logs.md'),
    '# 1. Use logs\n\n## Status\n\nAccepted\n\n## Context\n\nWe need them.\n',
  );
  await run('list');
  await run(
    'record',
    'Use a write-ahead log',
    '--rationale',
    long,
    '--id',
    'wal',
    '--file',
    'src/store.ts',
    '--tag',
    'storage',
  );
  await run(
    'record',
    '--id',
    'tree',
    '--title=-- 日本語 "quoted" 🎉',
    '--rationale',
    "it's --so\n\\n",
    '--file',
    'src/tree',
    '--tag',
    '-x',
  );
  await run('record', 'Use a write-ahead log', '--rationale', 'again', '--id', 'wal');
  await run(
    'record',
    'Write-ahead log for the store',
    '--rationale',
    'again',
    '--id',
    'wal-2',
    '--file',
    'src/store.ts',
  );
  await run('query', 'write', 'ahead', '--mode', 'keyword', '--explain');
  await run('query', '日本語', '--status', 'all');
  await run('list', '--tag', 'storage', '--tag', '-x', '--limit', '1');
  await run('list', '--all', '--limit', '1');
  await run('list', '--created-after', 'tomorrow', '--limit', '1000');
  await run('show', 'wal');
  await run('show', 'wal', '--as-of', '2020-01-01');
  await run('show', '..');
  await run('show', 'no/such id?');
  await run('amend', 'wal', '--confidence', '0.5', '--add-evidence', 'measured', '--clear', 'tag');
  await run('amend', 'wal', '--title', 'x', '--if-match', '2020-01-01T00:00:00Z');
  await run('invalidate', 'tree', '--reason', 'gone');
  await run('restore', 'tree');
  await run(
    'supersede',
    'wal-2',
    'Two logs',
    '--rationale',
    'one is not enough',
    '--id',
    'two',
    '--reason',
    'found out',
  );
  await run('feedback', 'two', 'unhelpful', '--note', 'old');
  await run('history', 'wal', '--all');
  await run('timeline', 'wal', '--before', '2');
  await run('audit', '--orphaned');
  box.repository.commit({ 'src/store.ts': 'two' });
  await run('scan');
  await run('list', '--status', 'stale');
  const exported = await run('export', '--events');
  writeFileSync(path.join(box.home, 'export.json'), exported);
  await run('export', '--format', 'md', '--status', 'ALL');
  await run('import', path.join(box.home, 'export.json'), '--dry-run');
  await run('import', folder);
  await run('delete', 'two', '--yes');
  await run('delete', 'two', '--yes');
  await run('history', 'two', '--limit', '2');
  const known = await box.cli(['projects', 'add', box.repository.root, '--json']);
  told.push(settled(known.stdout.replaceAll(/"(warm|created)":(true|false)/g, '"$1":X'), box));
  return told;
}

test('CD1 CD2 every command prints the same JSON and ends with the same code with and without a daemon', async () => {
  const direct = commandBox();
  const served = commandBox();
  await served.serve();
  const [here, there] = await Promise.all([story(direct), story(served)]);
  expect(there).toEqual(here);
  expect(here).toHaveLength(33);
  expect(here.map((told) => told.split('\n', 1)[0])).toMatchSnapshot();
  // The daemon was asked indeed: it knows the project, and this process opened nothing.
  expect(readText(path.join(served.daemonHome, 'projects.json'))).toContain(served.repository.root);
  expect((await served.cli(['projects', 'list', '--json'])).stdout).toContain('"warm":true');
});

test('CD3 what the daemon finds too large is done here, and the daemon sees it', async () => {
  const box = commandBox();
  const server = await box.serve([], { NEURALMIND_API_MAX_BODY_BYTES: '1024' });
  const text = 'word '.repeat(1_000).trim();
  expect(await box.json('record', 'Long', '--rationale', text, '--id', 'long')).toMatchObject({ id: 'long' });
  const project = JSON.parse((await box.cli(['projects', 'add', box.repository.root, '--json'])).stdout) as {
    id: string;
  };
  const answer = await fetch(`${server.url}/v1/projects/${project.id}/memories/long`, {
    headers: { authorization: `Bearer ${box.token()}` },
  });
  expect(await answer.json()).toMatchObject({ rationale: text });
});

test('CD4 a daemon that was killed stops nobody: its announcement is not believed', async () => {
  const box = commandBox();
  const server = await box.serve();
  server.child.kill('SIGKILL');
  await server.finished;
  expect(await box.json('list')).toEqual({ items: [], next_cursor: null, total: 0 });
});
