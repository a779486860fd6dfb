/**
 * What hurt the users of other code indexes, row by row, asked of the whole: build, then ask. Rows about edges
 * are in `lessons-edges.test.ts`, those about several processes in `processes.test.ts`, about links and encodings in
 * `hostile.test.ts`, about budgets in `questions.test.ts`.
 */
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { runGit } from '../projects/temp-repository.ts';
import { type MindBox, mindBoxes } from './mind-box.ts';
import { answerOf, openMinds, outcomeOf, projectAt, queryOf } from './open-minds.ts';

vi.setConfig({ testTimeout: 120_000 });

const { boxOf, minds } = mindBoxes();

/** Nothing that is asked knows the name. */
async function expectGone(box: MindBox, name: string, id: string): Promise<void> {
  const { results } = await box.search(name, 50);
  expect(results.map((hit) => hit.id)).not.toContain(id);
  expect((await box.query(name)).context).not.toContain(name);
  expect(await box.dependents(id)).toEqual([]);
  expect(await box.resolution(id)).not.toBe('exact');
  expect(box.content().filter((line) => line.includes(name))).toEqual([]);
}

test('HR1: a removed symbol or file is gone from words, vectors, names, edges and contexts with the next build', async () => {
  const box = boxOf({
    'a.py':
      'def keepme():\n    """Counts apples."""\n\n\ndef dropme():\n    """Paints walls in blue."""\n    keepme()\n',
    'b.py': 'from a import dropme\n\n\ndef alsogone():\n    dropme()\n',
  });
  await box.index();
  expect(await box.found('paints walls')).toContain('symbol:a.py#dropme:5');
  expect(await box.dependents('keepme')).toContain('callers symbol:a.py#dropme');
  box.write('a.py', 'def keepme():\n    """Counts apples."""\n');
  box.remove('b.py');
  await box.index();
  await expectGone(box, 'dropme', 'symbol:a.py#dropme');
  await expectGone(box, 'alsogone', 'symbol:b.py#alsogone');
  expect((await box.search('paints walls in blue')).results.filter((hit) => hit.why.lexical !== undefined)).toEqual([]);
  expect(await box.found('keepme')).toContain('symbol:a.py#keepme:1');
});

test('HR2: an edit of what is called keeps the calls of files that did not change, and a name that appears is found by who waited', async () => {
  const box = boxOf({
    'lib.py': 'def target():\n    """Old words."""\n',
    'user.py': 'from lib import target\nfrom later import arrives\n\n\ndef use():\n    target()\n    arrives()\n',
  });
  await box.index();
  const callers = await box.neighbours('lib.py#target', 'callers');
  expect(callers).toEqual(['callers symbol:user.py#use']);
  box.write('lib.py', '# Moved.\n\n\ndef target():\n    """New words."""\n');
  expect(await box.index()).toMatchObject({ files_read: 1 });
  expect(await box.neighbours('lib.py#target', 'callers')).toEqual(callers);
  box.write('later.py', 'def arrives():\n    pass\n');
  expect(await box.index()).toMatchObject({ files_read: 1 });
  expect(await box.neighbours('later.py#arrives', 'callers')).toEqual(['callers symbol:user.py#use']);
  expect(box.content()).toEqual(await box.freshContent());
});

test('HR3: going back to a clean tree is seen as any other change is', async () => {
  const box = boxOf({ 'kept.py': 'def kept():\n    pass\n', 'other.py': 'def other():\n    pass\n' });
  runGit(box.root, 'init', '-q', '-b', 'main');
  runGit(box.root, 'add', '-A');
  runGit(box.root, 'commit', '-q', '-m', 'first');
  await box.index();
  const clean = box.content();
  box.remove('kept.py');
  box.write('other.py', 'def changed():\n    pass\n');
  await box.index();
  expect(await box.resolution('kept')).not.toBe('exact');
  runGit(box.root, 'checkout', '-q', '--', '.');
  expect(await box.staleness()).toMatchObject({ changed: 1, added: 1 });
  expect(await box.index()).toMatchObject({ files_read: 0, files_reused: 2 });
  expect(box.content()).toEqual(clean);
  expect((await box.stats()).freshness.state).toBe('fresh');
});

test('HR4: a switch of branch is one build, also in a repository within, and switching back parses nothing', async () => {
  const box = boxOf({ 'a.py': 'def onmain():\n    pass\n', 'sub/b.py': 'def submain():\n    pass\n' });
  for (const folder of [path.join(box.root, 'sub'), box.root]) {
    runGit(folder, 'init', '-q', '-b', 'main');
    runGit(folder, 'add', '*.py');
    runGit(folder, 'commit', '-q', '-m', 'first');
    runGit(folder, 'checkout', '-q', '-b', 'side');
  }
  box.write('a.py', 'def onside():\n    pass\n');
  box.write('sub/b.py', 'def subside():\n    pass\n');
  for (const folder of ['sub', '.']) runGit(path.join(box.root, folder), 'commit', '-qam', 'second');
  const switchTo = (branch: string): void => {
    for (const folder of ['sub', '.']) runGit(path.join(box.root, folder), 'checkout', '-q', branch);
  };
  await box.index();
  const side = box.content();
  switchTo('main');
  expect(await box.staleness()).toMatchObject({ changed: 2 });
  await box.index();
  expect([await box.resolution('onmain'), await box.resolution('submain')]).toEqual(['exact', 'exact']);
  await expectGone(box, 'subside', 'symbol:sub/b.py#subside');
  expect((await box.stats()).build_stats.commit).toBe(runGit(box.root, 'rev-parse', 'HEAD'));
  switchTo('side');
  expect(await box.index()).toMatchObject({ files_read: 0, files_reused: 2 });
  expect(box.content()).toEqual(side);
});

test('HR5: an answer from a file that changed says so, and shows no text of it under lines that moved', async () => {
  const box = boxOf({
    'notes.md': '# Harvest\n\nApples are picked in autumn.\n\n# Winter\n\nTrees are cut.\n',
    'a.py': 'def pickapples():\n    return 1\n',
  });
  await box.index();
  const before = await box.query('when are apples picked');
  expect(before.context).toContain('picked in autumn');
  expect([before.freshness, before.context.includes('stale')]).toEqual([null, false]);
  box.write('notes.md', '# Secret\n\nUnrelated words stand here now.\n');
  const { context, freshness } = await box.query('when are apples picked');
  expect(context).not.toContain('Unrelated words');
  expect(context).toContain('stale');
  expect(freshness).toMatchObject({ state: 'stale', changed: 1, files: ['notes.md'] });
  expect(Date.parse(freshness?.indexed_at ?? '')).toBeGreaterThan(Date.now() - 600_000);
});

test('HR6: each worktree has an index of its own, and one that is made anew is seen by who had the old one open', async () => {
  const box = boxOf({ 'main/a.py': 'def shared():\n    pass\n' });
  const root = path.join(box.root, 'main');
  const tree = path.join(box.root, 'tree');
  runGit(root, 'init', '-q', '-b', 'main');
  runGit(root, 'add', '-A');
  runGit(root, 'commit', '-q', '-m', 'first');
  runGit(root, 'worktree', 'add', '-q', '-b', 'one', tree);
  const mind = minds().of(projectAt(tree));
  box.write('tree/only.py', 'def first():\n    pass\n');
  const symbolsOf = async (): Promise<unknown> => {
    answerOf(await mind.build({ force: false }));
    return answerOf(await mind.search({ query: 'first second shared', n: 9 })).results.map((hit) => hit.id);
  };
  expect(await symbolsOf()).toEqual(expect.arrayContaining(['symbol:only.py#first', 'symbol:a.py#shared']));
  runGit(root, 'worktree', 'remove', '--force', tree);
  runGit(root, 'worktree', 'add', '-q', '-b', 'two', tree);
  box.write('tree/only.py', 'def second():\n    pass\n');
  const again = await symbolsOf();
  expect(again).toContain('symbol:only.py#second');
  expect(again).not.toContain('symbol:only.py#first');
  expect(readdirSync(root).sort()).toEqual(['.git', 'a.py']);
});

test('HR7: only .gitignore and .neuralmindignore leave files out; when they leave nothing, the build says so and nothing counts as built', async () => {
  const box = boxOf({ '.dockerignore': '*\n', '.eslintignore': '*\n', 'a.py': 'def seen():\n    pass\n' });
  expect(await box.index()).toMatchObject({ files: 1 });
  for (const [file, isGit] of [
    ['.gitignore', false],
    ['.gitignore', true],
    ['.neuralmindignore', false],
  ] as const) {
    const empty = boxOf({ [file]: '*\n', 'a.py': 'def unseen():\n    pass\n' });
    if (isGit) runGit(empty.root, 'init', '-q');
    const built = await empty.mind.build({ force: false });
    expect(outcomeOf(built)).toBe('unavailable nothing_to_index');
    expect(built.ok ? '' : built.failure).toMatchObject({ message: expect.stringContaining('.gitignore') });
    expect(outcomeOf(await empty.mind.query(queryOf('unseen')))).toBe('unavailable nothing_to_index');
    expect(answerOf(await empty.mind.stats()).built).toBe(false);
    expect(readdirSync(empty.root)).not.toContain('.neuralmind');
  }
});

test('HR8: ignore rules mean what git means by them, with git and without it', async () => {
  const files = {
    '.gitignore': '/top.py\nlogs/\n*.gen.py\n!keep.gen.py\ndeep/**/x.py\n',
    'top.py': 'x = 1\n',
    'sub/top.py': 'x = 1\n',
    'sub/logs/a.py': 'x = 1\n',
    'logs.py': 'x = 1\n',
    'a.gen.py': 'x = 1\n',
    'keep.gen.py': 'x = 1\n',
    'deep/one/two/x.py': 'x = 1\n',
    'deep/one/y.py': 'x = 1\n',
  };
  const indexed = (box: MindBox): readonly string[] =>
    box.content().flatMap((line) => /^file \["([^"]+)"/.exec(line)?.[1] ?? []);
  const withGit = boxOf(files);
  runGit(withGit.root, 'init', '-q');
  const without = boxOf(files);
  for (const box of [withGit, without]) await box.index();
  const listed = runGit(withGit.root, 'ls-files', '-co', '--exclude-standard').split('\n');
  const expected = listed.filter((file) => file.endsWith('.py')).sort();
  expect(expected).toEqual(['deep/one/y.py', 'keep.gen.py', 'logs.py', 'sub/top.py']);
  expect([indexed(withGit), indexed(without)]).toEqual([expected, expected]);
});

test('HR9: dependencies are left out in a folder without git, and an untracked vendor folder in one with it', async () => {
  const files = {
    'package.json': '{}',
    'a.js': 'export function own() {}\n',
    'node_modules/dep/index.js': 'export function foreigner() {}\n',
    'app/node_modules/dep/index.js': 'export function foreigner() {}\n',
    'vendor/lib/x.js': 'export function foreigner() {}\n',
  };
  const [walked, listed] = [boxOf(files), boxOf(files)];
  runGit(listed.root, 'init', '-q');
  for (const box of [walked, listed]) {
    await box.index();
    await expectGone(box, 'foreigner', 'symbol:vendor/lib/x.js#foreigner');
    expect(await box.resolution('own')).toBe('exact');
    expect(await box.skipped()).toEqual(
      expect.arrayContaining(['node_modules/ excluded-folder', 'vendor/ excluded-folder']),
    );
  }
});

const bundle = `!function(){${'function a(b){return b+1};var c=a(2),d={e:function(f){return f}};'.repeat(8_000)}}();`;

test('HR10: a bundle of one line is a file and no symbols, at a small part of the cost of a written file of its size', async () => {
  expect(bundle.length).toBeGreaterThan(500_000);
  const written = `${'function plain(given) {\n  return given + 1;\n}\n'.repeat(11_000)}`;
  const warm = boxOf({ 'warm.js': 'function warm() {}\n' });
  await warm.index();
  const timeOf = async (box: MindBox): Promise<number> => {
    const started = performance.now();
    await box.index();
    return performance.now() - started;
  };
  const [bundled, plain] = [boxOf({ 'app.js': bundle }), boxOf({ 'app.js': written })];
  const [bundleMs, plainMs] = [await timeOf(bundled), await timeOf(plain)];
  expect(bundleMs).toBeLessThan(plainMs / 2);
  expect(await bundled.stats()).toMatchObject({ files: 1, symbols: 0 });
  expect((await plain.stats()).symbols).toBe(11_000);
});

test('HR11: a large written file and a line of data hide no symbols, and a file without them is found by its words', async () => {
  const large = Array.from({ length: 6_000 }, (_, at) => `export function part${at}(): number {\n  return ${at};\n}\n`);
  const box = boxOf({
    'large.ts': `const LOGO = '${'iVBORw0KGgoAAAANSUhEUgAA'.repeat(4_000)}';\n${large.join('\n')}`,
    'app.min.js': `${bundle}var zebracrossing=1;`,
    'photo.py': new Uint8Array([137, 80, 78, 71, 0, 1, 2, 3, 0, 255]),
    'notes.xyz': 'words',
  });
  await box.index();
  expect(await box.found('part5999')).toContain('symbol:large.ts#part5999:23998');
  expect((await box.search('zebracrossing')).results[0]).toMatchObject({ id: 'file:app.min.js' });
  expect(await box.skipped()).toEqual(['notes.xyz unknown-language', 'photo.py binary']);
});

test('HR12: the root of the file system and the home folder are refused, and a mind nobody asked has done nothing', async () => {
  const box = boxOf({ 'a.py': 'x = 1\n' });
  expect(readdirSync(box.root)).toEqual(['a.py']);
  const homely = openMinds([], box.root);
  try {
    for (const root of ['/', box.root, path.dirname(box.root)]) {
      expect(outcomeOf(await homely.of(projectAt(root)).build({ force: false }))).toBe('unavailable unreadable');
      expect(readdirSync(root)).not.toContain('.neuralmind');
    }
  } finally {
    await homely.close();
  }
  expect(answerOf(await box.mind.stats())).toMatchObject({ built: false });
  expect(answerOf(await box.mind.health()).state).toBe('missing');
  expect(readdirSync(box.root)).toEqual(['a.py']);
});

test('HR13: one watcher follows a project, sees a change without being asked to build, and leaves dependencies alone', async () => {
  const box = boxOf({ 'a.py': 'def a():\n    pass\n', 'node_modules/d/i.js': 'x()\n' });
  await box.index();
  try {
    expect(await box.mind.watch(true)).toEqual(await box.mind.watch(true));
    await box.settled();
    const { generation } = (await box.stats()).build_stats;
    box.write('node_modules/d/i.js', 'y()\n');
    box.write('b.py', 'def arrived():\n    pass\n');
    for (let tries = 0; (await box.resolution('arrived')) !== 'exact'; tries += 1) {
      expect(tries).toBeLessThan(200);
      await sleep(100);
    }
    await box.settled();
    expect((await box.stats()).build_stats.generation).toBe(generation + 1);
  } finally {
    expect(answerOf(await box.mind.watch(false))).toEqual({ watching: false, method: 'off' });
  }
});

test('HR25: one bad file never ends a build, each is named, and a build that gives nothing says why', async () => {
  const box = boxOf({
    'good.py': 'def good():\n    pass\n',
    'bad.py': 'def (((\n',
    'bad.ipynb': '{"cells": [',
    'openapi.yaml': 'openapi: 3.0.0\npaths:\n  /x: [\n',
    'old.md': new Uint8Array([35, 32, 67, 97, 102, 0xe9, 10]),
    'binary.js': new Uint8Array([1, 0, 2, 0, 0, 255]),
    'tsconfig.json': '{"compilerOptions": ',
    'package.json': '[[[',
    'go.mod': '\u0001',
    'deep.json': '['.repeat(100_000),
  });
  await box.index();
  expect(await box.resolution('good')).toBe('exact');
  expect(await box.skipped()).toEqual(['binary.js binary']);
  expect((await box.search('caf')).results.map((hit) => hit.source_file)).toContain('old.md');
  rmSync(box.root, { recursive: true });
  expect(outcomeOf(await box.mind.build({ force: false }))).toBe('unavailable unreadable');
});
