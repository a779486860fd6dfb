/** HEAD read from files against what git itself says, over the forms that repositories take. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../../src/engine/git.ts';
import { readHead } from '../../src/engine/git-head.ts';
import { runGit, tempFolder, tempRepository } from './temp-repository.ts';

async function agrees(folder: string): Promise<void> {
  const told = runGit(folder, 'rev-parse', 'HEAD');
  expect(await readHead(folder)).toEqual({ kind: 'commit', id: told });
  expect(await git.headCommit(folder)).toBe(told);
}

test('PR24 HEAD is what git says: a branch, packed, detached, merged, in a folder inside, in a linked work tree', async () => {
  const repository = tempRepository();
  const first = repository.commit({ 'inside/a.ts': '1' });
  await agrees(repository.root);
  await agrees(path.join(repository.root, 'inside'));
  repository.git('checkout', '-q', '-b', 'topic/one.two');
  repository.commit({ 'b.ts': '1' });
  await agrees(repository.root);
  repository.git('pack-refs', '--all');
  await agrees(repository.root);
  repository.commit({ 'b.ts': '2' });
  await agrees(repository.root);
  const tree = path.join(tempFolder(), 'tree');
  repository.git('worktree', 'add', '-q', '-b', 'beside', tree, first);
  await agrees(tree);
  repository.git('pack-refs', '--all');
  await agrees(tree);
  repository.git('checkout', '-q', '--detach', first);
  await agrees(repository.root);
});

test('PR25 what is not plainly readable is left to git, and a missing repository is none', async () => {
  expect(await readHead(tempFolder())).toEqual({ kind: 'none' });
  const unborn = tempRepository();
  expect(await readHead(unborn.root)).toEqual({ kind: 'ask-git' });
  expect(await git.headCommit(unborn.root)).toBeUndefined();
  const odd = tempRepository();
  const id = odd.commit({ 'a.ts': '1' });
  odd.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
  odd.git('symbolic-ref', 'HEAD', 'refs/heads/alias');
  expect(await readHead(odd.root)).toEqual({ kind: 'ask-git' });
  expect(await git.headCommit(odd.root)).toBe(id);
  const broken = tempFolder();
  mkdirSync(path.join(broken, '.git'));
  writeFileSync(path.join(broken, '.git', 'HEAD'), 'ref: ../../outside');
  expect(await readHead(broken)).toEqual({ kind: 'ask-git' });
  expect(await git.headCommit(broken)).toBeUndefined();
});
