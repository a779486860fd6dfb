import { createHash } from 'node:crypto';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { git } from '../../src/engine/git.ts';
import { repositoryAt, runGit, tempFolder, tempRepository } from './temp-repository.ts';

const { PATH, GIT_DIR } = process.env;
afterEach(() => {
  vi.unstubAllEnvs();
  if (PATH !== undefined) process.env['PATH'] = PATH;
  if (GIT_DIR === undefined) delete process.env['GIT_DIR'];
});

test('PR20 outside a repository, before the first commit and without git there is no commit, and nothing fails', async () => {
  const plain = tempFolder();
  expect(await git.headCommit(plain)).toBeUndefined();
  expect(await git.allCommits(plain)).toBeUndefined();
  expect(await git.blobsAt(plain, 'HEAD')).toEqual(new Map());
  expect(await git.hooksFolder(plain)).toBeUndefined();
  const { root } = tempRepository();
  expect(await git.headCommit(root)).toBeUndefined();
  expect(await git.allCommits(root)).toEqual(new Set());
  process.env['PATH'] = plain;
  expect(await git.headCommit(root)).toBeUndefined();
  expect(await git.blobsOf(root, ['a'])).toEqual(new Map());
});

test('PR20 a linked work tree answers with its own HEAD, a detached one too', async () => {
  const repository = tempRepository();
  const first = repository.commit({ 'a.ts': '1' });
  const second = repository.commit({ 'a.ts': '2' });
  const tree = path.join(tempFolder(), 'tree');
  repository.git('worktree', 'add', '-q', '--detach', tree, first);
  expect(await git.headCommit(tree)).toBe(first);
  expect(await git.headCommit(repository.root)).toBe(second);
  expect(await git.allCommits(tree)).toEqual(new Set([first, second]));
  expect(await git.hooksFolder(tree)).toBe(path.join(repository.root, '.git', 'hooks'));
});

test('PR21 the variables of a hook do not lead to another repository', async () => {
  const one = tempRepository();
  const other = tempRepository();
  const head = one.commit({ 'a.ts': '1' });
  other.commit({ 'b.ts': '1' });
  process.env['GIT_DIR'] = path.join(other.root, '.git');
  expect(await git.headCommit(one.root)).toBe(head);
});

test('PR22 only ids name a commit: references, ranges and options do not', async () => {
  const repository = tempRepository();
  const head = repository.commit({ 'a.ts': '1' });
  expect(await git.commitOf(repository.root, head.slice(0, 7))).toBe(head);
  for (const name of ['main', 'HEAD', '--all', '', 'HEAD~0', `${head}..`, 'f'.repeat(40)]) {
    expect([name, await git.commitOf(repository.root, name)]).toEqual([name, undefined]);
  }
});

test('PR23 blobs of the work tree are those that a commit would make; what cannot be read is left out', async () => {
  const repository = tempRepository();
  repository.commit({ 'src/a.ts': '1', '"odd" name.ts': 'odd' });
  symlinkSync('src/a.ts', path.join(repository.root, 'link.ts'));
  repository.commit({});
  const names = ['src/a.ts', 'missing.ts', 'src', '"odd" name.ts', 'link.ts'];
  const blobs = await git.blobsOf(repository.root, names);
  const committed = await git.blobsAt(repository.root, 'HEAD');
  expect([...blobs.keys()].sort()).toEqual(['"odd" name.ts', 'link.ts', 'src/a.ts']);
  for (const [name, id] of blobs) expect([name, id]).toEqual([name, committed.get(name)]);
  const inner = await git.blobsOf(path.join(repository.root, 'src'), ['a.ts']);
  expect(inner).toEqual(new Map([['a.ts', committed.get('src/a.ts')]]));
  const outside = tempFolder();
  symlinkSync(path.join(repository.root, 'src'), path.join(outside, 'src'));
  expect(await git.blobsOf(outside, ['src/a.ts'])).toEqual(new Map([['src/a.ts', committed.get('src/a.ts')]]));
});

test('PR26 no filter of any configuration is run for a fingerprint: a file with one has none, the others keep theirs', async () => {
  const repository = tempRepository();
  const mark = path.join(tempFolder(), 'ran');
  const files = { 'a.ts': '1\n', 'sub/b.dat': '2\n', 'c.bin': '3\n', 'sub/crlf.txt': '4\n', '"odd" \u00fc.ts': '5\n' };
  repository.commit({
    ...files,
    '.gitattributes': '*.dat filter=one\n[attr]big filter=two\n*.bin big\n*.txt text eol=crlf\n',
  });
  for (const name of ['one', 'two']) {
    for (const key of ['clean', 'process', 'smudge'])
      repository.git('config', `filter.${name}.${key}`, `touch '${mark}'`);
    repository.git('config', `filter.${name}.required`, 'true');
  }
  repository.write('sub/crlf.txt', '4\r\n');
  repository.write('c.bin', 'other');
  const blobs = await git.blobsOf(repository.root, Object.keys(files));
  const committed = await git.blobsAt(repository.root, 'HEAD');
  expect([...blobs.keys()].sort()).toEqual(['"odd" \u00fc.ts', 'a.ts', 'sub/crlf.txt']);
  for (const [name, id] of blobs) expect([name, id]).toEqual([name, committed.get(name)]);
  expect(await git.blobsOf(path.join(repository.root, 'sub'), ['b.dat', 'crlf.txt'])).toEqual(
    new Map([['crlf.txt', committed.get('sub/crlf.txt')]]),
  );
  expect(existsSync(mark)).toBe(false);
});

test('PR26 outside a repository the filters of the user are not run for attributes that lie there', async () => {
  const folder = tempFolder();
  const mark = path.join(folder, 'ran');
  writeFileSync(path.join(folder, '.gitattributes'), '* filter=one\n');
  writeFileSync(path.join(folder, 'a.txt'), '1');
  writeFileSync(path.join(folder, 'config'), `[filter "one"]\n\tclean = touch '${mark}'\n`);
  vi.stubEnv('GIT_CONFIG_GLOBAL', path.join(folder, 'config'));
  const blob = createHash('sha1').update('blob 1\u00001').digest('hex');
  expect(await git.blobsOf(folder, ['a.txt'])).toEqual(new Map([['a.txt', blob]]));
  expect(existsSync(mark)).toBe(false);
});

test('PR26 a filter that bears the name of a state of attributes is not run either', async () => {
  for (const name of ['unspecified', 'set', 'unset']) {
    const repository = tempRepository();
    const mark = path.join(tempFolder(), 'ran');
    const head = repository.commit({ 'a.py': '1\n', 'b.ts': '2\n', '.gitattributes': `*.py filter=${name}\n` });
    repository.git('config', `filter.${name}.clean`, `touch '${mark}'`);
    const blobs = await git.blobsOf(repository.root, ['a.py', 'b.ts']);
    expect([name, existsSync(mark)]).toEqual([name, false]);
    expect([name, blobs.has('a.py')]).toEqual([name, false]);
    // Where `unspecified` is a filter, nothing tells the files without one.
    const plain = name === 'unspecified' ? undefined : (await git.blobsAt(repository.root, head)).get('b.ts');
    expect([name, blobs.get('b.ts')]).toEqual([name, plain]);
  }
});

test('PR26 no filter is run when the configuration moves the work tree away from the folder', async () => {
  for (const moved of ['../.x', '..', '../../elsewhere']) {
    const repository = tempRepository();
    const mark = path.join(tempFolder(), 'ran');
    repository.commit({ 'a.py': '1\n', 'sub/b.py': '1\n', '.x/empty': '' });
    repository.write('.gitattributes', '*.py filter=evil\n');
    repository.git('config', 'filter.evil.clean', `touch '${mark}'`);
    repository.git('config', 'core.worktree', moved);
    await git.blobsOf(repository.root, ['a.py', 'sub/b.py']);
    await git.blobsOf(path.join(repository.root, 'sub'), ['b.py']);
    expect([moved, existsSync(mark)]).toEqual([moved, false]);
  }
});

test('PR26 a line break in a name above the project leads to no other file', async () => {
  const repository = tempRepository();
  const mark = path.join(tempFolder(), 'ran');
  repository.commit({
    a: '1',
    'b/c.py': '2',
    'a\nb/c.py': '3',
    'a\nb/d\n.py': '4',
    '.gitattributes': '/b/* filter=evil\n',
  });
  repository.git('config', 'filter.evil.clean', `touch '${mark}'`);
  const committed = await git.blobsAt(repository.root, 'HEAD');
  const blobs = await git.blobsOf(path.join(repository.root, 'a\nb'), ['c.py', 'd\n.py']);
  expect(existsSync(mark)).toBe(false);
  expect(blobs).toEqual(
    new Map([
      ['c.py', committed.get('a\nb/c.py')],
      ['d\n.py', committed.get('a\nb/d\n.py')],
    ]),
  );
});

/** Seeded: a linear congruential generator after Numerical Recipes. */
function contentsOfAllSorts(count: number): readonly string[] {
  let state = 7;
  const below = (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const parts = ['\n', '\r\n', '\r\n', 'a', 'word '.repeat(30), '$Id$', '$Id: 1 $', '$Id: ', '$', '\t\f'];
  const rare = ['\r', '\0', '\u0001', '\u001a', '\u007f', 'é'];
  return Array.from({ length: count }, (_, index) => {
    const made = Array.from({ length: below(12) }, () => parts[below(parts.length)]);
    if (index % 3 === 0) made.splice(below(made.length + 1), 0, rare[below(rare.length)]);
    return `${made.join('')}${index % 10 === 9 ? '\u001a' : ''}`;
  });
}

test('PR23 line ends and keywords are converted as a commit does, by attributes, configuration and index', async () => {
  const attributes = ['', 'text', '-text', 'text=auto', 'text=input', 'eol=lf', 'text=auto eol=crlf', 'crlf', '-crlf'];
  const lines = [...attributes, 'binary', 'ident', 'text=auto ident'].map((given, index) => `*.${index} ${given}`);
  const contents = contentsOfAllSorts(24);
  const files = Object.fromEntries(
    lines.flatMap((_, kind) => contents.map((text, index) => [`sub/${index}.${kind}`, text] as const)),
  );
  for (const [key, value] of [
    ['core.autocrlf', 'false'],
    ['core.autocrlf', 'true'],
    ['core.autocrlf', 'input'],
  ] as const) {
    const repository = tempRepository();
    // Committed before anything is converted, so that the index has files with CRLF.
    repository.commit({ 'sub/old.0': 'a\r\nb\r\n', 'sub/old.3': 'a\r\nb\r\n' });
    repository.git('config', key, value);
    repository.git('config', 'core.safecrlf', 'false');
    repository.commit({ ...files, 'sub/old.0': 'c\r\n', 'sub/old.3': 'c\r\n', '.gitattributes': lines.join('\n') });
    const committed = await git.blobsAt(repository.root, 'HEAD');
    const blobs = await git.blobsOf(repository.root, [...committed.keys()]);
    const differing = [...committed].filter(([name, id]) => blobs.get(name) !== id);
    expect([value, differing.map(([name]) => [name, files[name]])]).toEqual([value, []]);
    expect(committed.size).toBe(contents.length * lines.length + 3);
  }
});

test('PR23 ids have the format of the repository, and another encoding leaves a file without one', async () => {
  const root = tempFolder();
  runGit(root, 'init', '-q', '--object-format=sha256');
  const repository = repositoryAt(root);
  repository.commit({ 'a.ts': '1\n', 'b.txt': '' });
  repository.write('.gitattributes', '*.txt text working-tree-encoding=UTF-16\n');
  const blobs = await git.blobsOf(root, ['a.ts', 'b.txt']);
  expect(blobs).toEqual(new Map([['a.ts', (await git.blobsAt(root, 'HEAD')).get('a.ts')]]));
});
