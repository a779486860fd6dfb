/**
 * The list of a project's files that are read, and of those that are not, each with the reason.
 *
 * In a git repository the list comes from git; elsewhere the folders are walked with the same rules. Links are never
 * followed. The root of the file system, the home folder and whatever holds it are refused, and so is what lies in a
 * folder of our own data; one that lies in a project is not entered.
 */
import { existsSync, lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { askGit } from '../../base/git-command.ts';
import { codeLimits, listingLimits } from '../../base/limits.ts';
import { languageOfPath } from './classify-file.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { isConfigFile } from './resolve/project-config.ts';
import { liesIn, ownFoldersWithin } from './scan-own-folders.ts';

export type SkipReason =
  | 'ignored'
  | 'excluded-folder'
  /** A folder in which Mnemosyne keeps its own data. */
  | 'own-data'
  | 'link'
  | 'link-out-of-project'
  | 'not-a-file'
  | 'too-large'
  | 'unknown-language'
  | 'unreadable';

export interface ScannedFile {
  /** With `/`, from the root. */
  readonly path: string;
  readonly bytes: number;
  /** When its content was last written, in milliseconds with fractions. */
  readonly modifiedMs: number;
  /** When its content, name or rights last changed: unlike the other time, no program can set it back. */
  readonly changedMs: number;
  readonly inode: number;
}

export interface SkippedPath {
  /** A folder ends in `/` and stands for all that is in it. */
  readonly path: string;
  readonly reason: SkipReason;
}

export type ScanResult =
  | {
      readonly kind: 'scanned';
      /** Absolute, links resolved. */
      readonly root: string;
      readonly source: 'git' | 'walk';
      /** Sorted by path. */
      readonly files: readonly ScannedFile[];
      readonly skipped: readonly SkippedPath[];
      /** Files that say how modules map to files; they may be among `files` too. */
      readonly configFiles: readonly string[];
    }
  | { readonly kind: 'refused'; readonly reason: 'file-system-root' | 'home-folder' | 'own-data' | 'not-a-folder' };

/** Never looked into, tracked or not. */
const excluded: ReadonlySet<string> = new Set([
  'graphify-out',
  '__pycache__',
  'node_modules',
  'bower_components',
  'venv',
  'CMakeFiles',
  'cmake-build-debug',
  'cmake-build-release',
]);
/** Folders that tools write, unless git tracks what is in them. Some projects call a source folder so. */
const outputs: ReadonlySet<string> = new Set(['dist', 'build', 'target', 'out', 'coverage', 'vendor', 'third_party']);
/** Beside one of these such a folder is a tool's. */
const manifests: ReadonlySet<string> = new Set([
  'package.json',
  'Cargo.toml',
  'go.mod',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'pyproject.toml',
  'setup.py',
  'CMakeLists.txt',
  'composer.json',
  'Gemfile',
]);

/** `own` are the folders of our own data, absolute; they need not be there. */
export async function scanProject(
  given: string,
  home: string = os.homedir(),
  own: readonly string[] = [],
): Promise<ScanResult> {
  let root: string;
  try {
    root = await realpath(given);
    if (!(await stat(root)).isDirectory()) return { kind: 'refused', reason: 'not-a-folder' };
  } catch {
    // Whatever keeps it from being opened, there is no folder to scan.
    return { kind: 'refused', reason: 'not-a-folder' };
  }
  const refusal = await refusalOf(root, home);
  if (refusal !== null) return { kind: 'refused', reason: refusal };
  const ownFolders = ownFoldersWithin(root, own);
  if (ownFolders === null) return { kind: 'refused', reason: 'own-data' };
  const listing = new Listing(root, ownFolders);
  const isGit = await listing.fromGit('');
  if (!isGit) await listing.fromWalk('');
  listing.skipOwnFolders();
  return {
    kind: 'scanned',
    root,
    source: isGit ? 'git' : 'walk',
    files: listing.files.sort(byPath),
    skipped: listing.skipped.sort(byPath),
    configFiles: listing.configFiles.sort(),
  };
}

async function refusalOf(root: string, home: string): Promise<'file-system-root' | 'home-folder' | null> {
  if (path.parse(root).root === root) return 'file-system-root';
  let realHome: string;
  try {
    realHome = await realpath(home);
  } catch {
    // An account without a home folder has none to protect.
    return null;
  }
  const inside = path.relative(root, realHome);
  const holdsHome = inside === '' || (!inside.startsWith('..') && !path.isAbsolute(inside));
  return holdsHome ? 'home-folder' : null;
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/**
 * Asks the file system without waiting for each answer, which costs a tenth of waiting; every few milliseconds it lets
 * others have the thread.
 */
class Listing {
  readonly files: ScannedFile[] = [];
  readonly skipped: SkippedPath[] = [];
  readonly configFiles: string[] = [];
  readonly #root: string;
  readonly #ownFolders: readonly string[];
  readonly #own: IgnoreRules;
  #resumedMs = performance.now();

  constructor(root: string, ownFolders: readonly string[]) {
    this.#root = root;
    this.#ownFolders = ownFolders;
    this.#own = new IgnoreRules(root, '.neuralmindignore');
  }

  /** Lists a repository; false when git does not know the folder or lists nothing in it. */
  async fromGit(directory: string): Promise<boolean> {
    const listed = await gitFiles(this.#absolute(directory));
    if (listed === null || listed.visible.size === 0) return false;
    for (const ignored of listed.ignored) {
      const name = joined(directory, ignored);
      if (!liesIn(name, this.#ownFolders)) this.#skip(name, 'ignored');
    }
    const excludedFolders = new Set<string>();
    for (const [entry, isTracked] of listed.visible) {
      const name = joined(directory, entry.endsWith('/') ? entry.slice(0, -1) : entry);
      if (liesIn(name, this.#ownFolders)) continue;
      const folder = excludedFolderOf(name, isTracked);
      if (folder !== null) {
        if (!excludedFolders.has(folder)) this.#skip(folder, 'excluded-folder');
        excludedFolders.add(folder);
      } else if (this.#own.ignores(name, false)) this.#skip(name, 'ignored');
      else await this.#add(name);
    }
    return true;
  }

  async fromWalk(directory: string): Promise<void> {
    await this.#walk(directory, new IgnoreRules(this.#root, '.gitignore'));
  }

  /** Where a folder above is left out, that says it already. */
  skipOwnFolders(): void {
    for (const folder of this.#ownFolders) {
      const isSaid = this.skipped.some((one) => one.path.endsWith('/') && folder.startsWith(one.path));
      const found = isSaid ? null : this.#stats(folder);
      if (found !== null) this.#skip(found.isDirectory() ? `${folder}/` : folder, 'own-data');
    }
  }

  async #walk(directory: string, rules: IgnoreRules): Promise<void> {
    await this.#letOthersRun();
    let entries: readonly Entry[];
    try {
      entries = readEntries(this.#absolute(directory));
    } catch {
      // Shown to the user as skipped; the rest of the project is still read.
      this.#skip(`${directory}/`, 'unreadable');
      return;
    }
    const names = new Set(entries.map((entry) => entry.name));
    rules.entered(directory, names.has('.gitignore'));
    this.#own.entered(directory, names.has('.neuralmindignore'));
    const hasManifest = directory === '' || entries.some((entry) => manifests.has(entry.name));
    for (const entry of entries) {
      if (entry.name === '.git') continue;
      const name = joined(directory, entry.name);
      if (liesIn(name, this.#ownFolders)) continue;
      const isFolder = entry.kind === 'folder';
      const isOutput = isFolder && outputs.has(entry.name) && hasManifest;
      if (isOutput || (isFolder && isExcluded(entry.name))) this.#skip(`${name}/`, 'excluded-folder');
      else if (rules.ignoresEntry(name, isFolder) || this.#own.ignoresEntry(name, isFolder))
        this.#skip(isFolder ? `${name}/` : name, 'ignored');
      else if (isFolder) await this.#walk(name, rules);
      else if (entry.kind === 'link') this.#skip(name, this.#linkReason(name));
      else if (entry.kind === 'other') this.#skip(name, 'not-a-file');
      else this.#addFile(name, null);
    }
  }

  /** Adds what git lists: a file, a link, or the folder of another repository. */
  async #add(name: string): Promise<void> {
    await this.#letOthersRun();
    const found = this.#stats(name);
    if (found === null) return;
    if (found.isSymbolicLink()) this.#skip(name, this.#linkReason(name));
    else if (found.isDirectory()) await this.#addNested(name);
    else if (!found.isFile()) this.#skip(name, 'not-a-file');
    else this.#addFile(name, found);
  }

  /** Files of no known language are listed by name alone and need no look at the disk. */
  #addFile(name: string, known: Stats | null): void {
    if (isConfigFile(name)) this.configFiles.push(name);
    if (languageOfPath(name) === null) {
      this.#skip(name, 'unknown-language');
      return;
    }
    const found = known ?? this.#stats(name);
    if (found === null) return;
    if (found.size > codeLimits.fileBytesMax) this.#skip(name, 'too-large');
    else {
      this.files.push({
        path: name,
        bytes: found.size,
        modifiedMs: found.mtimeMs,
        changedMs: found.ctimeMs,
        inode: found.ino,
      });
    }
  }

  /** What is at a path, or null when it is gone or may not be looked at. */
  #stats(name: string): Stats | null {
    try {
      return lstatSync(this.#absolute(name), { throwIfNoEntry: false }) ?? null;
    } catch (error) {
      // Git lists files that were deleted and not committed, also where a file took the place of their folder.
      const isGone = error instanceof Error && 'code' in error && error.code === 'ENOTDIR';
      if (!isGone) this.#skip(name, 'unreadable');
      return null;
    }
  }

  /** A repository inside this one, as a submodule or not. */
  async #addNested(directory: string): Promise<void> {
    if (!(await this.fromGit(directory))) await this.fromWalk(directory);
  }

  #linkReason(name: string): SkipReason {
    try {
      const target = path.relative(this.#root, realpathSync(this.#absolute(name)));
      return target.startsWith('..') || path.isAbsolute(target) ? 'link-out-of-project' : 'link';
    } catch {
      // A link to nothing, or in a circle.
      return 'link';
    }
  }

  #absolute(name: string): string {
    return name === '' ? this.#root : `${this.#root}/${name}`;
  }

  #skip(name: string, reason: SkipReason): void {
    this.skipped.push({ path: name, reason });
  }

  async #letOthersRun(): Promise<void> {
    if (performance.now() - this.#resumedMs < listingLimits.turnMsMax) return;
    await setImmediate();
    this.#resumedMs = performance.now();
  }
}

/** The outermost folder of a path that is not looked into, with a `/` at its end, or null. */
function excludedFolderOf(file: string, isTracked: boolean): string | null {
  let from = 0;
  for (let slash = file.indexOf('/'); slash !== -1; slash = file.indexOf('/', from)) {
    const name = file.slice(from, slash);
    if (isExcluded(name) || (outputs.has(name) && !isTracked)) return file.slice(0, slash + 1);
    from = slash + 1;
  }
  return null;
}

function isExcluded(name: string): boolean {
  return excluded.has(name) || name.startsWith('.');
}

function joined(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}

interface Entry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

function readEntries(directory: string): readonly Entry[] {
  return readdirSync(directory, { withFileTypes: true })
    .map((entry) => ({
      name: entry.name,
      kind: entry.isFile()
        ? ('file' as const)
        : entry.isDirectory()
          ? ('folder' as const)
          : entry.isSymbolicLink()
            ? ('link' as const)
            : ('other' as const),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface GitListing {
  /** Paths from the folder, those of other repositories with a `/` at the end, each with whether git tracks it. */
  readonly visible: ReadonlyMap<string, boolean>;
  readonly ignored: readonly string[];
}

async function gitFiles(directory: string): Promise<GitListing | null> {
  if (!isInsideRepository(directory)) return null;
  // Each line begins with `? ` when git does not track the file, and else with another letter for its state.
  const [listed, ignored] = await Promise.all([
    git(directory, ['-t', '--cached', '--others', '--exclude-standard']),
    git(directory, ['-t', '--cached', '--others', '--ignored', '--exclude-standard', '--directory']),
  ]);
  if (listed === null || ignored === null) return null;
  const ignoredPaths = new Set(ignored.map((line) => line.slice(2)));
  const visible = new Map<string, boolean>();
  for (const line of listed) {
    const file = line.slice(2);
    if (!ignoredPaths.has(file)) visible.set(file, !line.startsWith('?'));
  }
  return { visible, ignored: [...ignoredPaths] };
}

/** Starting git only to hear that it knows nothing takes longer than to look for what it would look for. */
function isInsideRepository(directory: string): boolean {
  for (let at = directory; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return true;
    if (at === path.dirname(at)) return false;
  }
}

async function git(directory: string, options: readonly string[]): Promise<readonly string[] | null> {
  const answer = await askGit(directory, ['ls-files', '-z', ...options], {
    outputBytesMax: codeLimits.listingBytesMax,
    waitMsMax: listingLimits.gitMsMax,
  });
  // No git, no repository, or one that belongs to somebody else: the folders are walked instead.
  return answer.kind === 'answered' ? answer.text.split('\0').filter((one) => one !== '') : null;
}
