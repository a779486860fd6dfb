/**
 * A project that holds a daemon home and a notebook root, reached plainly and through links: nothing of them comes into
 * its index, by a listing, by a document or by a change that is heard, with and without a daemon.
 */
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { watchLimits } from '../../src/base/limits.ts';
import type { CodeMind } from '../../src/engine/code/code-mind.ts';
import { diagnose } from '../../src/engine/code/doctor.ts';
import { watchProject } from '../../src/engine/code/watcher.ts';
import { openEngine } from '../../src/engine/open-engine.ts';
import { ownFolders } from '../../src/engine/projects/own-folders.ts';
import { DocumentsList } from '../../src/retrieval/documents/documents-list.ts';
import { type CommandBox, commandBox } from '../cli/command-box.ts';
import { answerOf } from '../index/open-minds.ts';

vi.setConfig({ testTimeout: 120_000 });

const secret = 'zanzibar';
const files = { 'src/store.ts': 'export const opened = 1;\n', 'notes/plan.md': '# Plan\n\nOpen the store.\n' };

function write(root: string, name: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), text);
}

interface Place {
  readonly root: string;
  readonly userHome: string;
  readonly daemonHome: string;
  readonly memoryRoot: string;
  /** Makes both, with content that would be indexed. */
  fill(): void;
}

/** The two folders lie at `state/home` and `notes/memory` of the project; with `linked` they are named through links. */
function place(box: CommandBox, linked: boolean): Place {
  const { root } = box.repository;
  rmSync(path.join(root, 'src'), { recursive: true });
  box.repository.commit(files);
  mkdirSync(path.join(root, 'state'));
  const above = path.join(box.home, 'linked');
  if (linked) {
    mkdirSync(above);
    for (const name of ['state', 'notes']) symlinkSync(path.join(root, name), path.join(above, name));
  }
  return {
    root,
    userHome: box.home,
    daemonHome: path.join(linked ? above : root, 'state/home'),
    memoryRoot: path.join(linked ? above : root, 'notes/memory'),
    fill() {
      mkdirSync(path.join(root, 'state/home'), { recursive: true, mode: 0o700 });
      write(root, 'state/home/notes.md', `# Token\n\n${secret}\n`);
      write(root, 'state/home/settings.py', `${secret} = 1\n`);
      write(root, 'notes/memory/personal/approved.md', `# Approved\n\n${secret}\n`);
      write(root, 'notes/memory/readme.txt', `${secret}\n`);
    },
  };
}

async function withMind<Value>({ root, ...places }: Place, work: (mind: CodeMind) => Promise<Value>): Promise<Value> {
  const engine = openEngine({
    ...places,
    memoryRoot: () => places.memoryRoot,
    clock: systemClock,
    notebookLog: { skipped: () => {}, lock: () => {} },
    embedder: null,
  });
  try {
    const found = await engine.projects.locate(root);
    if (!found.ok) throw new Error(found.problem.kind);
    return await work(engine.code(found.value));
  } finally {
    await engine.close();
  }
}

/** Indexed files, what is left out as ours, and how fresh the index is. */
async function state(mind: CodeMind): Promise<readonly string[]> {
  const stats = answerOf(await mind.stats());
  if (!stats.built) throw new Error('There is no index.');
  const ours = stats.skipped_files.filter(({ reason }) => reason === 'own-data').map((one) => one.path);
  return [`${stats.files} files`, ...ours, stats.freshness.state];
}

async function isFound(mind: CodeMind): Promise<boolean> {
  const { results } = answerOf(await mind.search({ query: secret, n: 20 }));
  return results.some(isOurs);
}

function isOurs({ source_file: file }: { readonly source_file: string }): boolean {
  return file.startsWith('state/') || file.startsWith('notes/memory/');
}

for (const linked of [false, true]) {
  const how = linked ? 'named through links' : 'named plainly';

  test(`SC12 SC13 SC15: a home and a notebook in the project, ${how}, are in no index, before or after it`, async () => {
    const here = place(commandBox(), linked);
    await withMind(here, async (mind) => {
      expect(answerOf(await mind.build({ force: false }))).toMatchObject({ files: 3 });
      expect(await state(mind)).toEqual(['3 files', 'fresh']);
    });
    here.fill();
    await withMind(here, async (mind) => {
      // Before anything is built again.
      expect(await state(mind)).toEqual(['3 files', 'fresh']);
      expect(answerOf(await mind.build({ force: false }))).toMatchObject({ files: 3, files_read: 0 });
      expect(await state(mind)).toEqual(['3 files', 'notes/memory/', 'state/home/', 'fresh']);
      expect(answerOf(await mind.build({ force: true }))).toMatchObject({ files: 3 });
      expect(await isFound(mind)).toBe(false);
      write(here.root, 'state/home/more.md', `# More\n\n${secret}\n`);
    });
    const elsewhere = { ...here, daemonHome: path.join(here.userHome, 'other'), memoryRoot: '/nonexistent' };
    // What makes the difference is that they are ours: as ordinary folders they are read, and then forgotten again.
    await withMind(elsewhere, async (mind) => {
      answerOf(await mind.build({ force: false }));
      expect(await isFound(mind)).toBe(true);
    });
    await withMind(here, async (mind) => {
      expect(answerOf(await mind.stats())).toMatchObject({ freshness: { removed: 5, added: 0 } });
      answerOf(await mind.build({ force: false }));
      expect(await state(mind)).toEqual(['3 files', 'notes/memory/', 'state/home/', 'fresh']);
      expect(await isFound(mind)).toBe(false);
    });
  });

  test(`DO29 DO30: a document in a home or a notebook, ${how}, is refused and passed over`, async () => {
    const here = place(commandBox(), linked);
    here.fill();
    symlinkSync(path.join(here.root, 'state'), path.join(here.root, 'alias'));
    const list = new DocumentsList(here.root);
    for (const name of ['state/home/notes.md', 'alias/home/notes.md', 'notes/memory/readme.txt', 'notes/plan.md'])
      await list.add({ path: name, content_type: 'auto', added_at: '2026-11-30T12:00:00Z' });
    await withMind(here, async (mind) => {
      answerOf(await mind.build({ force: false }));
      expect(await state(mind)).toEqual(['3 files', 'notes/memory/', 'state/home/', 'fresh']);
      expect(await isFound(mind)).toBe(false);
      const listed = answerOf(await mind.documents()).items.map((one) => `${one.file_path} ${one.state}`);
      expect(listed).toEqual(['notes/plan.md fresh']);
      for (const name of ['state/home/notes.md', 'state/home/none.md', path.join(here.memoryRoot, 'readme.txt')]) {
        const refused = await mind.addDocument({ path: name, content_type: 'auto' });
        if (refused.ok || refused.failure.code !== 'validation_error') throw new Error(`${name} was taken`);
        const isOutside = linked && path.isAbsolute(name);
        expect(refused.failure.errors[0]?.type).toBe(isOutside ? 'path_outside' : 'path_internal');
      }
      expect(answerOf(await mind.removeDocument({ path: 'state/home/notes.md' }))).toEqual({
        removed: 'state/home/notes.md',
      });
    });
  });

  test(`SC15: a home and a notebook, ${how}, are neither watched nor heard, also when they come later`, async () => {
    const here = place(commandBox(), linked);
    let told = 0;
    const own = () => ownFolders({ ...here, memoryRoot: () => here.memoryRoot });
    const begun = await watchProject(
      here.root,
      () => {
        told += 1;
      },
      { userHome: '/nonexistent', ownFolders: own },
    );
    if (begun.kind !== 'watching') throw new Error(begun.reason);
    const { watching } = begun;
    try {
      const before = watching.folders;
      here.fill();
      await vi.waitFor(() => expect(told).toBeGreaterThan(0), { timeout: 20_000 });
      for (let seen = 0; seen !== told; ) {
        seen = told;
        await sleep(watchLimits.waitMsMax);
      }
      expect(watching.folders).toBe(before);
      told = 0;
      write(here.root, 'state/home/notes.md', `# Token\n\n${secret} again\n`);
      write(here.root, 'notes/memory/personal/more.md', '# More\n');
      await sleep(watchLimits.quietMs * 4);
      expect(told).toBe(0);
      write(here.root, 'notes/plan.md', '# Another plan\n');
      await vi.waitFor(() => expect(told).toBeGreaterThan(0), { timeout: 20_000 });
    } finally {
      await watching.close();
    }
  });
}

test('SC14 DR25: a folder within our own data is not listed, and the doctor says why', async () => {
  const box = commandBox();
  const here = place(box, false);
  const options = { userHome: '/nonexistent', daemonHome: path.join(box.home, '.neuralmind') };
  const looked = async (memoryRoot: string) => {
    const [finding] = await diagnose(here.root, { ...options, memoryRoot });
    return `${finding?.check} ${finding?.state} ${finding?.message}`;
  };
  expect(await looked(path.join(box.home, 'src'))).toBe(
    `project fault ${here.root} lies where Mnemosyne keeps its own data and is never indexed.`,
  );
  expect(await looked(path.join(box.home, 'none'))).toBe(`project ok ${here.root} can be a project.`);
});

test('SC15: the command line leaves out the same with a daemon and without one', async () => {
  const told: (readonly string[])[] = [];
  for (const isServed of [false, true]) {
    const box = commandBox();
    const here = place(box, false);
    here.fill();
    const env = { NEURALMIND_DAEMON_HOME: here.daemonHome, MNEMOSYNE_MEMORY_ROOT: here.memoryRoot };
    if (isServed) await box.serve([], env);
    expect(existsSync(path.join(here.daemonHome, 'daemon.json'))).toBe(isServed);
    const run = async (...args: readonly string[]) => {
      const ran = await box.cli(args, {}, env);
      if (ran.stdout === '') throw new Error(ran.stderr);
      return JSON.parse(ran.stdout);
    };
    await run('build', here.root, '--json');
    const stats = await run('stats', here.root, '--json');
    const found = await run('search', secret, '-p', here.root, '--json');
    const findings: readonly { readonly check: string; readonly message: string }[] = (
      await run('doctor', here.root, '--json')
    ).findings;
    const checked = findings.filter(({ check }) => check === 'files' || check === 'freshness');
    told.push([
      JSON.stringify(stats.skipped_files),
      JSON.stringify(found.results.filter(isOurs)),
      ...checked.map((finding) => finding.message),
    ]);
  }
  const [direct, served] = told;
  expect(served).toEqual(direct);
  expect(direct).toEqual([
    '[{"path":"notes/memory/","reason":"own-data"},{"path":"state/home/","reason":"own-data"}]',
    '[]',
    '3 files of this project can be indexed.',
    'The index says what the files say.',
  ]);
});
