/** The example of the documentation, run as a newcomer runs it: against a fresh clone of this repository. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { tempRepository } from '../projects/temp-repository.ts';
import { checkoutRoot } from '../source-files.ts';
import { liveDaemon, text } from './live.ts';

vi.setConfig({ testTimeout: 240_000 });

const live = liveDaemon();

test('LS61 in a clone of this repository the example records a decision, finds it by words and by meaning, and exports it', async () => {
  const folder = live.daemon.folder('clone');
  // A copy without its history stands in where the sources came as an archive.
  if (existsSync(path.join(checkoutRoot, '.git'))) {
    execFileSync('git', ['clone', '-q', '--no-hardlinks', checkoutRoot, folder], { stdio: 'pipe' });
  } else {
    tempRepository(folder).commit({ 'README.md': '# Mnemosyne\n' });
  }
  const { code, output } = await live.daemon.run('examples/decisions.ts', folder);
  expect(output).toContain('created → amended → invalidated');
  expect(output).toContain('by meaning: Use SQLite WAL for the synapse store');
  expect(code, output).toBe(0);
  const project = await live.at(folder);
  const [memory] = await project.all();
  expect(memory?.['commit_sha']).toBe(project.repository.git('rev-parse', 'HEAD'));
  const asked = { query: 'may two programs change the database at the same time?', status: 'ALL' };
  const found = await project.ask('POST', '/search', { ...asked, mode: 'semantic' });
  expect(found.json).toMatchObject({ mode: 'semantic', notice: null, results: [{ id: text(memory?.['id']) }] });
  expect(await project.find(asked.query, { ...asked, mode: 'keyword' })).toEqual([]);
});
