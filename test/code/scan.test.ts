/** The file list of a project: git, no git, ignore rules against git itself, and what is never read. */
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { IgnoreRules } from '../../src/retrieval/code/ignore-rules.ts';
import { type ScanResult, scanProject } from '../../src/retrieval/code/scan.ts';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function tree(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(path.join(os.tmpdir(), 'scan-'));
  folders.push(root);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return root;
}

function git(root: string, ...command: readonly string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...command], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
}

async function scanned(root: string): Promise<Extract<ScanResult, { kind: 'scanned' }>> {
  const result = await scanProject(root);
  if (result.kind !== 'scanned') throw new Error(`refused: ${result.reason}`);
  return result;
}

const paths = (list: readonly { readonly path: string }[]): readonly string[] => list.map((one) => one.path);
const reasons = (result: Extract<ScanResult, { kind: 'scanned' }>): readonly string[] =>
  result.skipped.map((one) => `${one.path} ${one.reason}`);

const project = {
  '.gitignore': '*.log\n/secret/\n',
  '.neuralmindignore': 'fixtures/\n!debug.log\n',
  '.dockerignore': '*\n',
  'src/a.py': 'x = 1\n',
  'src/build/b.py': 'x = 1\n',
  'src/.gitignore': 'c.py\n',
  'src/c.py': 'x = 1\n',
  'src/data.bin': 'x',
  'secret/d.py': 'x = 1\n',
  'fixtures/e.py': 'x = 1\n',
  'node_modules/f/index.js': 'x\n',
  'dist/g.js': 'x\n',
  '.venv/h.py': 'x\n',
  'package-lock.json': '{}',
  'package.json': '{}',
  'debug.log': 'x',
};

test('SC1 in a repository the list is that of git, narrowed by .neuralmindignore, and no other ignore file counts', async () => {
  const root = tree(project);
  git(root, 'init', '-q');
  git(root, 'add', '-f', 'src/a.py', 'src/build/b.py', 'src/c.py');
  const result = await scanned(root);
  expect(result.source).toBe('git');
  // Tracked, but ignored by a rule: src/c.py. Tracked in a folder that tools usually write: src/build.
  expect(paths(result.files)).toEqual(['package.json', 'src/a.py', 'src/build/b.py']);
  expect(result.configFiles).toEqual(['package.json']);
});

test('SC2 without git the same rules hold, and folders of dependencies and outputs are left out', async () => {
  const result = await scanned(tree(project));
  expect(result.source).toBe('walk');
  expect(paths(result.files)).toEqual(['package.json', 'src/a.py', 'src/build/b.py']);
});

test('SC3 everything that is left out is listed with its reason', async () => {
  const result = await scanned(tree({ ...project, 'big.py': `${'x = 1\n'.repeat(1_500_000)}` }));
  expect(reasons(result)).toEqual([
    '.dockerignore unknown-language',
    '.gitignore unknown-language',
    '.neuralmindignore unknown-language',
    '.venv/ excluded-folder',
    'big.py too-large',
    'debug.log ignored',
    'dist/ excluded-folder',
    'fixtures/ ignored',
    'node_modules/ excluded-folder',
    'package-lock.json unknown-language',
    'secret/ ignored',
    'src/.gitignore unknown-language',
    'src/c.py ignored',
    'src/data.bin unknown-language',
  ]);
});

test('SC4 links are never followed, into the project or out of it, and circles end nothing', async () => {
  const outside = tree({ 'secret.py': 'password = 1\n' });
  const root = tree({ 'a.py': 'x = 1\n', 'sub/b.py': 'x = 1\n' });
  symlinkSync(path.join(outside, 'secret.py'), path.join(root, 'out.py'));
  symlinkSync(outside, path.join(root, 'outside'));
  symlinkSync('..', path.join(root, 'sub/loop'));
  symlinkSync('a.py', path.join(root, 'again.py'));
  symlinkSync('gone.py', path.join(root, 'broken.py'));
  const expected = [
    'again.py link',
    'broken.py link',
    'out.py link-out-of-project',
    'outside link-out-of-project',
    'sub/loop link',
  ];
  const walked = await scanned(root);
  expect(paths(walked.files)).toEqual(['a.py', 'sub/b.py']);
  expect(reasons(walked)).toEqual(expected);
  git(root, 'init', '-q');
  const listed = await scanned(root);
  expect(listed.source).toBe('git');
  expect(paths(listed.files)).toEqual(['a.py', 'sub/b.py']);
  expect(reasons(listed)).toEqual(expected);
});

test('SC5 the root of the file system, the home folder and what holds it are refused', async () => {
  const home = tree({ 'me/notes/a.py': 'x = 1\n' });
  const me = path.join(home, 'me');
  expect(await scanProject('/', me)).toEqual({ kind: 'refused', reason: 'file-system-root' });
  expect(await scanProject(me, me)).toEqual({ kind: 'refused', reason: 'home-folder' });
  expect(await scanProject(home, me)).toEqual({ kind: 'refused', reason: 'home-folder' });
  symlinkSync(me, path.join(home, 'alias'));
  expect(await scanProject(path.join(home, 'alias'), me)).toEqual({ kind: 'refused', reason: 'home-folder' });
  expect(await scanProject(path.join(me, 'notes/a.py'), me)).toEqual({ kind: 'refused', reason: 'not-a-folder' });
  expect(await scanProject(path.join(home, 'none'), me)).toEqual({ kind: 'refused', reason: 'not-a-folder' });
  expect((await scanProject(path.join(me, 'notes'), me)).kind).toBe('scanned');
});

test('SC6 repositories inside the project are read with their own rules', async () => {
  const root = tree({
    'a.py': 'x = 1\n',
    'inner/b.py': 'x = 1\n',
    'inner/c.py': 'x = 1\n',
    'inner/.gitignore': 'c.py\n',
  });
  git(root, 'init', '-q');
  git(path.join(root, 'inner'), 'init', '-q');
  expect(paths((await scanned(root)).files)).toEqual(['a.py', 'inner/b.py']);
});

test('SC7 a file deleted and not committed is gone; names in any script are kept as they are', async () => {
  const root = tree({ 'gone.py': 'x = 1\n', '源码/模块.py': 'x = 1\n', 'sp ace/é"q.py': 'x = 1\n' });
  git(root, 'init', '-q');
  git(root, 'add', '.');
  rmSync(path.join(root, 'gone.py'));
  const result = await scanned(root);
  expect(paths(result.files)).toEqual(['sp ace/é"q.py', '源码/模块.py']);
  expect(result.skipped).toEqual([]);
});

test('PF2 each file carries what the file system says of it', async () => {
  const root = tree({ 'a.py': 'x = 1\n', 'sub/é.md': '# a\n', 'sub/c.bin': 'x' });
  const expected = ['a.py', 'sub/é.md'].map((name) => {
    const found = lstatSync(path.join(root, name));
    return { path: name, bytes: found.size, modifiedMs: found.mtimeMs, changedMs: found.ctimeMs, inode: found.ino };
  });
  expect((await scanned(root)).files).toEqual(expected);
  git(root, 'init', '-q');
  git(root, 'add', 'a.py');
  const listed = await scanned(root);
  expect(listed.source).toBe('git');
  expect(listed.files).toEqual(expected);
});

test('PF3 listing lets others have the thread', async () => {
  // Thousands of folders that are there anyway.
  const root = path.join(import.meta.dirname, '../../node_modules');
  const startedMs = performance.now();
  let lastTurnMs = startedMs;
  let longestMs = 0;
  let isDone = false;
  const turn = (): void => {
    longestMs = Math.max(longestMs, performance.now() - lastTurnMs);
    lastTurnMs = performance.now();
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await scanned(root);
  isDone = true;
  longestMs = Math.max(longestMs, performance.now() - lastTurnMs);
  expect(longestMs).toBeLessThan((performance.now() - startedMs) / 3);
});

test('PF5 what stood in a folder that is a file now is gone', async () => {
  const root = tree({ 'a/b.py': 'x = 1\n', 'c.py': 'x = 1\n' });
  git(root, 'init', '-q');
  git(root, 'add', '.');
  rmSync(path.join(root, 'a'), { recursive: true });
  writeFileSync(path.join(root, 'a'), 'x');
  const result = await scanned(root);
  expect(paths(result.files)).toEqual(['a', 'c.py']);
  expect(result.skipped).toEqual([]);
});

const part = fc.constantFrom('a', 'b', 'foo', 'bar.js', 'x.log', 'build', 'A');
const file = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const pattern = fc
  .record({
    negated: fc.boolean(),
    rooted: fc.boolean(),
    parts: fc.array(fc.constantFrom('a', 'b', 'foo', '*.js', '*', '**', 'x.*', 'b[ua]r.js', '?', 'build', 'fo\\o'), {
      minLength: 1,
      maxLength: 3,
    }),
    folder: fc.boolean(),
  })
  .map((one) => `${one.negated ? '!' : ''}${one.rooted ? '/' : ''}${one.parts.join('/')}${one.folder ? '/' : ''}`);

test('SC8 ignore rules say what git check-ignore says (seed 4217)', () => {
  const root = tree({});
  git(root, 'init', '-q');
  fc.assert(
    fc.property(
      fc.array(pattern, { minLength: 1, maxLength: 5 }),
      fc.array(pattern, { maxLength: 3 }),
      fc.array(file, { minLength: 1, maxLength: 12 }),
      (upper, lower, files) => {
        rmSync(path.join(root, 'a'), { recursive: true, force: true });
        mkdirSync(path.join(root, 'a'), { recursive: true });
        writeFileSync(path.join(root, '.gitignore'), `# rules\n${upper.join('\n')}\n`);
        if (lower.length > 0) writeFileSync(path.join(root, 'a/.gitignore'), lower.join('\r\n'.slice(1)));
        // Of all these paths only the folder `a` is there.
        const expected = checkIgnore(root, files);
        const rules = new IgnoreRules(root, '.gitignore');
        expect(files.filter((one) => rules.ignores(one, one === 'a'))).toEqual(
          files.filter((one) => expected.has(one)),
        );
      },
    ),
    { seed: 4217, numRuns: 120 },
  );
});

/** What git ignores among paths that need not exist. */
function checkIgnore(root: string, files: readonly string[]): ReadonlySet<string> {
  try {
    const output = execFileSync('git', ['check-ignore', '--no-index', '-z', '--stdin'], {
      cwd: root,
      input: files.join('\0'),
      encoding: 'utf8',
    });
    return new Set(output.split('\0').filter((one) => one !== ''));
  } catch {
    // Git answers 1 when nothing is ignored.
    return new Set();
  }
}
