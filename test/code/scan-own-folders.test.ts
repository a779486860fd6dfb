/** Folders of our own data that lie in a project: never entered, however they are reached, and said once. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { scanProject } from '../../src/retrieval/code/scan.ts';

let box: string;
let root: string;

beforeEach(() => {
  box = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'scan-own-')));
  root = path.join(box, 'project');
  write('src/a.py', 'x = 1\n');
  write('state/plan.md', '# Plan\n');
});
afterEach(() => rmSync(box, { recursive: true }));

function write(name: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), text);
}

function initialise(): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  execFileSync('git', ['init', '--quiet', '--template='], { cwd: root, env });
  execFileSync('git', ['add', '--all'], { cwd: root, env });
}

/** Files, and then what is left out because it is ours. */
async function listed(...own: readonly string[]): Promise<readonly string[]> {
  const scanned = await scanProject(root, '/nonexistent', own);
  if (scanned.kind !== 'scanned') throw new Error(scanned.reason);
  const ours = scanned.skipped.filter(({ path: name }) => name.startsWith('state/') || name.startsWith('.state/'));
  return [...scanned.files.map((one) => one.path), ...ours.map((one) => `${one.path} ${one.reason}`)];
}

for (const kind of ['a walk', 'git'] as const) {
  test(`SC12: by ${kind} a folder of our own is not entered, tracked or not, and said once`, async () => {
    write('state/home/note.md', '# Approved\n');
    write('state/home/package.json', '{}');
    write('state/home/memory/deep/note.md', '# Approved\n');
    if (kind === 'git') initialise();
    write('state/home/later.md', '# Later\n');
    const home = path.join(root, 'state/home');
    const expected = ['src/a.py', 'state/plan.md', 'state/home/ own-data'];
    expect(await listed(home, path.join(home, 'memory'))).toEqual(expected);
    expect(await listed(path.join(home, 'memory/'), `${root}/src/../state/home`)).toEqual(expected);
    const scanned = await scanProject(root, '/nonexistent', [home]);
    expect(scanned.kind === 'scanned' && scanned.configFiles).toEqual([]);
    expect(await listed(path.join(root, 'state/ho'), path.join(box, 'state'))).toContain('state/home/note.md');
  });

  test(`SC12: by ${kind} an empty folder of our own is said, and one that is not there is not`, async () => {
    if (kind === 'git') initialise();
    const home = path.join(root, 'state/home');
    expect(await listed(home)).toEqual(['src/a.py', 'state/plan.md']);
    mkdirSync(home);
    expect(await listed(home)).toEqual(['src/a.py', 'state/plan.md', 'state/home/ own-data']);
    write('state/home/token.md', 'x\n');
    expect(await listed(home)).toEqual(['src/a.py', 'state/plan.md', 'state/home/ own-data']);
  });

  test(`SC12: by ${kind} a folder that is left out anyway says so for what is in it`, async () => {
    write('.state/home/note.md', '# Approved\n');
    write('.state/other.md', '# Other\n');
    if (kind === 'git') initialise();
    const home = path.join(root, '.state/home');
    expect(await listed(home)).toEqual(['src/a.py', 'state/plan.md', '.state/ excluded-folder']);
    write('.gitignore', 'state/\n');
    write('state/home/note.md', '# Approved\n');
    const ignored = await listed(path.join(root, 'state/home'));
    expect(ignored.filter((one) => one.includes('home'))).toEqual(kind === 'git' ? ['state/home/ own-data'] : []);
  });

  test(`SC13: by ${kind} links to a folder of our own change nothing, whoever has them`, async () => {
    write('state/home/note.md', '# Approved\n');
    symlinkSync(path.join(root, 'state'), path.join(box, 'alias'));
    symlinkSync('state/home', path.join(root, 'home'));
    if (kind === 'git') initialise();
    const expected = ['src/a.py', 'state/plan.md', 'state/home/ own-data'];
    expect(await listed(path.join(box, 'alias/home'))).toEqual(expected);
    expect(await listed(path.join(root, 'home'))).toEqual(expected);
    rmSync(path.join(root, 'state/home'), { recursive: true });
    expect(await listed(path.join(box, 'alias/home'))).toEqual(['src/a.py', 'state/plan.md']);
    write('state/home/note.md', '# Again\n');
    expect(await listed(path.join(box, 'alias/home'))).toEqual(expected);
  });
}

test('SC12: a repository in a folder of our own is not entered, and one beside it is', async () => {
  initialise();
  for (const name of ['state/home', 'state/other']) {
    write(`${name}/note.md`, '# Note\n');
    execFileSync('git', ['init', '--quiet', '--template='], { cwd: path.join(root, name) });
  }
  const home = path.join(root, 'state/home');
  expect(await listed(home)).toEqual(['src/a.py', 'state/other/note.md', 'state/plan.md', 'state/home/ own-data']);
});

test('SC14: what lies in a folder of our own is refused, also through a link', async () => {
  const refused = { kind: 'refused', reason: 'own-data' };
  expect(await scanProject(root, '/nonexistent', [box])).toEqual(refused);
  expect(await scanProject(root, '/nonexistent', [root])).toEqual(refused);
  symlinkSync(box, `${box}-link`);
  try {
    expect(await scanProject(root, '/nonexistent', [`${box}-link`])).toEqual(refused);
    expect((await scanProject(root, '/nonexistent', [`${root}-home`])).kind).toBe('scanned');
  } finally {
    rmSync(`${box}-link`);
  }
});
