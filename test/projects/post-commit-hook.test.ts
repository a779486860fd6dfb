import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { installPostCommitHook, removePostCommitHook } from '../../src/engine/decision-scan/post-commit-hook.ts';
import { git } from '../../src/engine/git.ts';
import { tempFolder, tempRepository } from './temp-repository.ts';

const hookOf = (root: string) => path.join(root, '.git', 'hooks', 'post-commit');

test('MR20 the hook runs the command after a commit, and taking it out leaves no trace', async () => {
  const repository = tempRepository();
  const trace = path.join(tempFolder(), "it's here");
  const command = ['sh', '-c', 'echo ran >> "$1"', 'sh', trace];
  expect(await installPostCommitHook(git, repository.root, command)).toMatchObject({ kind: 'installed' });
  expect(await installPostCommitHook(git, repository.root, command)).toMatchObject({ kind: 'unchanged' });
  repository.commit({ 'a.ts': '1' });
  for (let tries = 0; tries < 200 && !existsSync(trace); tries += 1) await sleep(10);
  expect(readFileSync(trace, 'utf8')).toBe('ran\n');
  expect(await removePostCommitHook(git, repository.root)).toMatchObject({ kind: 'removed' });
  expect(existsSync(hookOf(repository.root))).toBe(false);
  expect(await removePostCommitHook(git, repository.root)).toMatchObject({ kind: 'unchanged' });
});

test('MR21 a hook that is there keeps working byte for byte around the block, and its mode', async () => {
  const repository = tempRepository();
  const own = '#!/usr/bin/env bash\nset -eu\necho own >> own.log\nexit 0\n';
  mkdirSync(path.dirname(hookOf(repository.root)), { recursive: true });
  writeFileSync(hookOf(repository.root), own, { mode: 0o750 });
  chmodSync(hookOf(repository.root), 0o750);
  await installPostCommitHook(git, repository.root, ['false']);
  expect(await installPostCommitHook(git, repository.root, ['true'])).toMatchObject({ kind: 'updated' });
  expect(statSync(hookOf(repository.root)).mode & 0o777).toBe(0o750);
  repository.commit({ 'a.ts': '1' });
  expect(readFileSync(path.join(repository.root, 'own.log'), 'utf8')).toBe('own\n');
  await removePostCommitHook(git, repository.root);
  expect(readFileSync(hookOf(repository.root), 'utf8')).toBe(own);
});

test('MR22 a commit succeeds and says nothing although the command fails or does not exist', async () => {
  const repository = tempRepository();
  await installPostCommitHook(git, repository.root, ['/nowhere/at all']);
  repository.write('a.ts', '1');
  repository.git('add', '-A');
  expect(repository.git('commit', '-q', '-m', 'first')).toBe('');
});

test.each([
  ['a binary', '\u007fELF\0\0'],
  ['a script of another language', '#!/usr/bin/env python3\nprint(1)\n'],
  ['a script without a first line for a shell', 'echo hello\n'],
  ['a block without an end', '#!/bin/sh\n# >>> neuralmind decision scan >>>\n'],
  ['two blocks', `#!/bin/sh\n${'# >>> neuralmind decision scan >>>\n# <<< neuralmind decision scan <<<\n'.repeat(2)}`],
])('MR23 %s is refused and not touched', async (_case, text) => {
  const repository = tempRepository();
  mkdirSync(path.dirname(hookOf(repository.root)), { recursive: true });
  writeFileSync(hookOf(repository.root), text);
  expect(await installPostCommitHook(git, repository.root, ['true'])).toMatchObject({ kind: 'refused' });
  expect(readFileSync(hookOf(repository.root), 'utf8')).toBe(text);
});

test('MR24 core.hooksPath and links are honoured; outside a repository there is nothing to install into', async () => {
  const repository = tempRepository();
  const shared = tempFolder();
  repository.git('config', 'core.hooksPath', shared);
  expect(await installPostCommitHook(git, repository.root, ['true'])).toMatchObject({
    kind: 'installed',
    file: path.join(shared, 'post-commit'),
  });
  rmSync(path.join(shared, 'post-commit'));
  const real = path.join(tempFolder(), 'real-hook');
  writeFileSync(real, '#!/bin/sh\n');
  symlinkSync(real, path.join(shared, 'post-commit'));
  expect(await installPostCommitHook(git, repository.root, ['true'])).toMatchObject({ kind: 'installed', file: real });
  await removePostCommitHook(git, repository.root);
  expect(existsSync(path.join(shared, 'post-commit'))).toBe(false);
  expect(await installPostCommitHook(git, tempFolder(), ['true'])).toEqual({ kind: 'no-repository' });
});
