/**
 * Follows the files of a project and says, after a pause, that something may have changed. What did is for those who
 * hear it to find out by comparing contents.
 *
 *   event ──> gathering ──quiet, or too long──> look for folders, if some may be new ──> tell
 *                 └──git is switching branches: wait for it──┘
 *
 * Only folders that a listing looks into are watched. When they are too many, or the system has no watches left, the
 * files are listed every few seconds instead; `method` says which it is. In a process, all who follow the same project
 * share one watcher.
 */
import { lstatSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { watchLimits } from '../../base/limits.ts';
import { errnoOf } from '../../base/private-file.ts';
import { languageOfPath } from '../../retrieval/code/classify-file.ts';
import { IgnoreRules } from '../../retrieval/code/ignore-rules.ts';
import { isConfigFile } from '../../retrieval/code/resolve/project-config.ts';
import { type ScanResult, type SkipReason, scanProject } from '../../retrieval/code/scan.ts';
import { DocumentsList } from '../../retrieval/documents/documents-list.ts';
import { type WatchFolder, WatchFolders, watchFolder } from './watch-folders.ts';
import { WatchPolling } from './watch-polling.ts';
import { WatchRepository } from './watch-repository.ts';
import { announceWatch, type WatchMethod, withdrawWatch } from './watch-state.ts';

export type PollingReason = 'too-many-folders' | 'refused-by-system' | 'folder-gone';

export interface Watching {
  /** As it is now. */
  readonly method: WatchMethod;
  /** Why there are no events; null while there are. */
  readonly pollingReason: PollingReason | null;
  readonly folders: number;
  /** Looks for folders anew and then tells, as after a change: for when a document was added. */
  refresh(): void;
  /** Idempotent. The last one to close frees everything. */
  close(): Promise<void>;
}

export type WatchOutcome =
  | { readonly kind: 'watching'; readonly watching: Watching }
  | { readonly kind: 'refused'; readonly reason: Extract<ScanResult, { readonly kind: 'refused' }>['reason'] };

export interface WatchOptions {
  readonly userHome?: string;
  /** Of our own data, absolute; asked for on each listing. None by default. */
  readonly ownFolders?: () => readonly string[];
  readonly foldersMax?: number;
  readonly pollMs?: number;
  readonly watchFolder?: WatchFolder;
}

/** Of projects that are followed in this process, by their root with links resolved. */
const running = new Map<string, Promise<ProjectWatcher | Extract<WatchOutcome, { kind: 'refused' }>>>();

/**
 * Calls `changed` from now on, until it is closed. `changed` must not throw and is not waited for. What changed before
 * this resolves is not told. The options are those of whoever comes first.
 */
export async function watchProject(
  root: string,
  changed: () => void,
  options: WatchOptions = {},
): Promise<WatchOutcome> {
  let real: string;
  try {
    real = realpathSync(root);
  } catch {
    return { kind: 'refused', reason: 'not-a-folder' };
  }
  let begun = running.get(real);
  if (begun === undefined) {
    begun = ProjectWatcher.begin(real, options);
    running.set(real, begun);
    void begun.then((outcome) => {
      if ('kind' in outcome && running.get(real) === begun) running.delete(real);
    });
    begun.catch(() => running.delete(real));
  }
  const watcher = await begun;
  if ('kind' in watcher) return watcher;
  // It was closed while this waited for it.
  if (watcher.isClosed) return watchProject(root, changed, options);
  return { kind: 'watching', watching: watcher.join(changed, () => running.delete(real)) };
}

class ProjectWatcher {
  readonly #root: string;
  readonly #userHome: string;
  readonly #ownFolders: () => readonly string[];
  readonly #pollMs: number;
  readonly #folders: WatchFolders;
  readonly #repository: WatchRepository;
  readonly #documents: DocumentsList;
  readonly #begunAt = new Date().toISOString();
  readonly #listeners = new Set<{ readonly changed: () => void }>();
  #polling: WatchPolling | null = null;
  #pollingReason: PollingReason | null = null;
  #ignoredFiles: ReadonlySet<string> = new Set();
  #documentFiles: ReadonlySet<string> = new Set();
  /** What the last listing left out. Too many folders are counted again only when it is something else. */
  #pruning = '';
  #timer: NodeJS.Timeout | null = null;
  #firstMs: number | null = null;
  #lastMs = 0;
  #events = 0;
  #mayHaveNewFolders = false;
  #settling: Promise<void> = Promise.resolve();
  isClosed = false;

  static async begin(
    root: string,
    options: WatchOptions,
  ): Promise<ProjectWatcher | Extract<WatchOutcome, { kind: 'refused' }>> {
    const watcher = new ProjectWatcher(root, options);
    const refusal = await watcher.#look();
    if (refusal !== null) return { kind: 'refused', reason: refusal };
    watcher.#announce();
    return watcher;
  }

  private constructor(root: string, options: WatchOptions) {
    const { userHome = os.homedir(), ownFolders = () => [] } = options;
    const { foldersMax = watchLimits.foldersMax, pollMs = watchLimits.pollMs } = options;
    const watch = options.watchFolder ?? watchFolder;
    this.#root = root;
    this.#userHome = userHome;
    this.#ownFolders = ownFolders;
    this.#pollMs = pollMs;
    const told = (folder: string, kind: 'rename' | 'change', name: string | null) => this.#heard(folder, kind, name);
    this.#folders = new WatchFolders(root, told, { watchFolder: watch, foldersMax });
    this.#repository = new WatchRepository(root, () => this.#gather(true), watch);
    this.#documents = new DocumentsList(root, ownFolders);
  }

  join(changed: () => void, ended: () => void): Watching {
    const listener = { changed };
    this.#listeners.add(listener);
    const watcher = this;
    return {
      get method() {
        return watcher.#method;
      },
      get pollingReason() {
        return watcher.#pollingReason;
      },
      get folders() {
        return watcher.#folders.size;
      },
      refresh: () => this.#gather(true),
      close: async () => {
        this.#listeners.delete(listener);
        if (this.#listeners.size > 0 || this.isClosed) return;
        ended();
        await this.#close();
      },
    };
  }

  get #method(): WatchMethod {
    return this.#pollingReason === null ? 'events' : 'polling';
  }

  async #close(): Promise<void> {
    this.isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#folders.close();
    this.#repository.close();
    await Promise.all([this.#settling, this.#polling?.close()]);
    withdrawWatch(this.#root);
  }

  #heard(folder: string, kind: 'rename' | 'change', name: string | null): void {
    if (name === null) {
      this.#gather(true);
      return;
    }
    const file = folder === '' ? name : `${folder}/${name}`;
    const isIgnoreFile = name === '.gitignore' || name === '.neuralmindignore';
    if (isIgnoreFile || (kind === 'rename' && file === '.git')) this.#gather(true);
    else if (kind === 'rename' && folder === '' && name === path.basename(this.#root)) this.#gather(true);
    else if (kind === 'rename' && this.#concernsFolders(file)) this.#gather(true);
    else if (this.#isRead(file)) this.#gather(false);
  }

  /** Whether a folder came, went or may be another one. */
  #concernsFolders(file: string): boolean {
    const isWatched = this.#folders.has(file);
    if (!isWatched && path.posix.basename(file).startsWith('.')) return false;
    if (isFolder(path.join(this.#root, file))) return true;
    if (isWatched) this.#folders.dropWithin(file);
    return isWatched;
  }

  #isRead(file: string): boolean {
    if (this.#documentFiles.has(file)) return true;
    return !this.#ignoredFiles.has(file) && (languageOfPath(file) !== null || isConfigFile(file));
  }

  #gather(mayHaveNewFolders: boolean): void {
    if (this.isClosed) return;
    this.#events += 1;
    this.#lastMs = performance.now();
    this.#firstMs ??= this.#lastMs;
    if (mayHaveNewFolders || this.#events >= watchLimits.eventsLookMin) this.#mayHaveNewFolders = true;
    this.#timer ??= this.#wait(watchLimits.quietMs);
  }

  #wait(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#due(), Math.max(1, ms)).unref();
  }

  #due(): void {
    this.#timer = null;
    const now = performance.now();
    const firstMs = this.#firstMs ?? now;
    const isGitWaitedFor = now - firstMs < watchLimits.gitWaitMsMax && this.#repository.isBusy();
    const dueMs = Math.min(this.#lastMs + watchLimits.quietMs, firstMs + watchLimits.waitMsMax);
    if (isGitWaitedFor) this.#timer = this.#wait(watchLimits.quietMs);
    else if (dueMs - now >= 1) this.#timer = this.#wait(dueMs - now);
    else {
      const looks = this.#mayHaveNewFolders;
      this.#firstMs = null;
      this.#events = 0;
      this.#mayHaveNewFolders = false;
      this.#settling = this.#settling.then(() => this.#settle(looks));
    }
  }

  /** New folders are watched before anybody is told, so that whoever looks then misses nothing. */
  async #settle(looks: boolean): Promise<void> {
    if (looks && this.#pollingReason !== 'refused-by-system') await this.#lookAgain();
    this.#tell();
  }

  #tell(): void {
    if (this.isClosed) return;
    this.#announce();
    for (const { changed } of this.#listeners) changed();
  }

  #announce(): void {
    announceWatch(this.#root, this.#method, this.#begunAt);
  }

  async #lookAgain(): Promise<void> {
    try {
      if ((await this.#look()) === null) return;
      this.#folders.dropWithin('');
      await this.#poll('folder-gone');
      // Polling tells of changes: one that is back before it began is none.
      await this.#look();
    } catch (error) {
      // A disk that fails must not end whoever watches it.
      if (errnoOf(error) === undefined) throw error;
      await this.#poll('refused-by-system');
    }
  }

  /** Lists the project and watches the folders that were looked into. The reason when it may not be listed. */
  async #look(): Promise<Extract<ScanResult, { readonly kind: 'refused' }>['reason'] | null> {
    const scanned = await scanProject(this.#root, this.#userHome, this.#ownFolders());
    if (this.isClosed) return null;
    if (scanned.kind === 'refused') return scanned.reason;
    const left = scanned.skipped.filter(({ reason }) => pruned.has(reason));
    const pruning = left.map((skipped) => skipped.path).join('\n');
    if (this.#pollingReason === 'too-many-folders' && pruning === this.#pruning) return null;
    this.#pruning = pruning;
    const documents = this.#documents.read();
    this.#documentFiles = new Set(documents.ok ? documents.documents.map((document) => document.path) : []);
    this.#ignoredFiles = new Set(left.map((skipped) => skipped.path).filter((one) => !one.endsWith('/')));
    this.#repository.follow();
    const outcome = await this.#folders.follow(foldersOf(this.#root, scanned, this.#documentFiles));
    if (this.isClosed) return null;
    if (outcome.kind !== 'followed') await this.#poll(outcome.kind);
    else if (this.#polling !== null) await this.#endPolling();
    return null;
  }

  async #poll(reason: PollingReason): Promise<void> {
    this.#pollingReason = reason;
    if (this.#polling !== null) return;
    const polling = await WatchPolling.begin({
      root: this.#root,
      userHome: this.#userHome,
      ownFolders: this.#ownFolders,
      pollMs: this.#pollMs,
      changed: () => this.#gather(true),
    });
    if (this.isClosed) await polling.close();
    else this.#polling = polling;
  }

  async #endPolling(): Promise<void> {
    this.#pollingReason = null;
    const polling = this.#polling;
    this.#polling = null;
    await polling?.close();
  }
}

/** Why a listing leaves out folders that are there to be entered. */
const pruned: ReadonlySet<SkipReason> = new Set<SkipReason>(['ignored', 'excluded-folder', 'own-data']);

function isFolder(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    // Below a folder that was closed to us: nothing that could be watched.
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

/** Which folders a listing looks into, and those above documents that were added by hand. */
function foldersOf(
  root: string,
  scanned: Extract<ScanResult, { readonly kind: 'scanned' }>,
  documents: ReadonlySet<string>,
): (folder: string) => boolean {
  const own = new IgnoreRules(root, '.neuralmindignore');
  const leftOut = new Set(scanned.skipped.map((skipped) => skipped.path).filter((one) => one.endsWith('/')));
  const holding = new Set<string>();
  for (const file of [...scanned.files.map((one) => one.path), ...documents]) {
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      const folder = file.slice(0, end);
      if (holding.has(folder)) break;
      holding.add(folder);
    }
  }
  return (folder) => {
    if (holding.has(folder)) return true;
    if (path.posix.basename(folder).startsWith('.') || leftOut.has(`${folder}/`)) return false;
    return !own.ignoresEntry(folder, true);
  };
}
