/** What a repository's own configuration names as commands of git is never run. */
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../../src/engine/git.ts';
import { mindBoxes } from './mind-box.ts';

const { boxOf } = mindBoxes();

test('HR25: no command of the configuration of a repository runs when it is built or asked for its history', async () => {
  const box = boxOf({ 'a.py': 'def alpha():\n    pass\n' });
  const run = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: box.root }).toString();
  const mark = path.join(box.root, 'ran');
  const command = `touch '${mark}'; false`;
  run('init', '-q');
  run('add', '.');
  run('commit', '-q', '-m', 'one');
  for (const [name, value] of [
    ['core.repositoryformatversion', '1'],
    ['extensions.partialClone', 'origin'],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.url', 'ssh://example.org/a'],
    ['core.sshCommand', command],
    ['core.fsmonitor', command],
    ['filter.one.clean', command],
    ['log.showSignature', 'true'],
    ['gpg.program', command],
  ] as const) {
    run('config', name, value);
  }
  writeFileSync(path.join(box.root, '.git/info/attributes'), '*.py filter=one\n');
  // A form of HEAD that is left to git, with a commit that would have to be fetched.
  writeFileSync(path.join(box.root, '.git/HEAD'), 'ref: refs/heads/a+b\n');
  writeFileSync(path.join(box.root, '.git/refs/heads/a+b'), `${'1'.repeat(40)}\n`);
  await box.index();
  await git.historySpan(box.root);
  await git.commitOf(box.root, '2'.repeat(40));
  expect(existsSync(mark)).toBe(false);
  expect(await box.stats()).toMatchObject({ files: 1 });
});
