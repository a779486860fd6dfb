/** What a watcher wants to know of the repository around a project: whether HEAD moved, and whether git is at work. */
import { type FSWatcher, statSync } from 'node:fs';
import path from 'node:path';
import { listingLimits, watchLimits } from '../../base/limits.ts';
import { errnoOf } from '../../base/private-file.ts';
import { readRegularFile } from '../../base/regular-file.ts';
import type { WatchFolder } from './watch-folders.ts';

export class WatchRepository {
  readonly #root: string;
  readonly #told: () => void;
  readonly #watchFolder: WatchFolder;
  #folder: string | null = null;
  #watchers: readonly FSWatcher[] = [];

  /** `told` is called when HEAD or the repository's own ignore rules may be others. */
  constructor(root: string, told: () => void, watchFolder: WatchFolder) {
    this.#root = root;
    this.#told = told;
    this.#watchFolder = watchFolder;
  }

  /** Finds the repository anew, which may have been made or removed. */
  follow(): void {
    const folder = repositoryFolder(this.#root);
    if (folder === this.#folder) return;
    this.close();
    this.#folder = folder;
    if (folder === null) return;
    const common = path.resolve(folder, firstLine(path.join(folder, 'commondir')) ?? '.');
    this.#watchers = [
      ...this.#watch(folder, (name) => name === null || name === 'HEAD'),
      ...this.#watch(path.join(common, 'info'), (name) => name === null || name === 'exclude'),
    ];
  }

  /** Whether a command of git changes the work tree right now. A lock that one left behind long ago does not count. */
  isBusy(): boolean {
    if (this.#folder === null) return false;
    const lock = statSync(path.join(this.#folder, 'index.lock'), { throwIfNoEntry: false });
    return lock !== undefined && Date.now() - lock.ctimeMs < watchLimits.gitWaitMsMax;
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers = [];
    this.#folder = null;
  }

  #watch(folder: string, concerns: (name: string | null) => boolean): readonly FSWatcher[] {
    try {
      const watcher = this.#watchFolder(folder, (_, name) => {
        if (concerns(name)) this.#told();
      });
      watcher.on('error', this.#told);
      return [watcher];
    } catch (error) {
      // Without it a switch to another branch is still seen by the files that it changes.
      if (errnoOf(error) === undefined) throw error;
      return [];
    }
  }
}

/** The folder that holds HEAD of the work tree that `root` lies in, or null. */
function repositoryFolder(root: string): string | null {
  for (let at = root; ; at = path.dirname(at)) {
    const marker = path.join(at, '.git');
    const found = statSync(marker, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) return marker;
    if (found !== undefined) {
      const named = /^gitdir: (.+)$/.exec(firstLine(marker) ?? '')?.[1];
      return named === undefined ? null : path.resolve(at, named);
    }
    if (at === path.dirname(at)) return null;
  }
}

function firstLine(file: string): string | null {
  return readRegularFile(file, listingLimits.gitFileBytesMax)?.toString('utf8').split('\n', 1)[0] ?? null;
}
