/** Real repositories in temporary folders, with the git of this machine and none of its configuration. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { openEngine } from '../../src/engine/open-engine.ts';
import { afterThis } from '../after-this.ts';

/** Absolute, links resolved. */
export function tempFolder(name = 'projects-'): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), name)));
  afterThis(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const identity = {
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@localhost',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@localhost',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

export function runGit(folder: string, ...args: readonly string[]): string {
  const options = { cwd: folder, env: { ...process.env, ...identity }, encoding: 'utf8', stdio: 'pipe' } as const;
  return execFileSync('git', args, options).trim();
}

export interface TempRepository {
  readonly root: string;
  git(...args: readonly string[]): string;
  write(file: string, text: string): void;
  /** Writes the files and commits them, with whatever else changed. Answers the id of the commit. */
  commit(files: Readonly<Record<string, string>>): string;
}

export function tempRepository(root = tempFolder()): TempRepository {
  mkdirSync(root, { recursive: true });
  runGit(root, 'init', '-q', '-b', 'main');
  return repositoryAt(root);
}

export function repositoryAt(root: string): TempRepository {
  const git = (...args: readonly string[]) => runGit(root, ...args);
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  return {
    root,
    git,
    write,
    commit(files) {
      for (const [file, text] of Object.entries(files)) write(file, text);
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', 'change');
      return git('rev-parse', 'HEAD');
    },
  };
}

/** An engine with a home of its own; closed after the test. */
export function tempEngine(options: Partial<Parameters<typeof openEngine>[0]> = {}): Engine {
  const home = options.userHome ?? tempFolder('home-');
  const engine = openEngine({
    memoryRoot: () => path.join(home, 'memory'),
    clock: systemClock,
    notebookLog: { skipped: () => {}, lock: () => {} },
    userHome: home,
    embedder: null,
    ...options,
  });
  afterThis(() => engine.close());
  return engine;
}
