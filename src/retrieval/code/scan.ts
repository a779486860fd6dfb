/**
 * The list of a project's files that are read, and of those that are not, each with the reason.
 *
 * In a git repository the list comes from git; elsewhere the folders are walked with the same rules. Links are never
 * followed. The root of the file system, the home folder and whatever holds it are refused.
 */
import { execFile } from 'node:child_process';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { codeLimits } from '../../base/limits.ts';
import { languageOfPath } from './classify-file.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { isConfigFile } from './resolve/project-config.ts';

export type SkipReason =
  | 'ignored'
  | 'excluded-folder'
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
  readonly modifiedMs: number;
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
  | { readonly kind: 'refused'; readonly reason: 'file-system-root' | 'home-folder' | 'not-a-folder' };

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

const run = promisify(execFile);

export async function scanProject(given: string, home: string = os.homedir()): Promise<ScanResult> {
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
  const listing = new Listing(root);
  const isGit = await listing.fromGit('');
  if (!isGit) await listing.fromWalk('');
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

class Listing {
  readonly files: ScannedFile[] = [];
  readonly skipped: SkippedPath[] = [];
  readonly configFiles: string[] = [];
  readonly #root: string;
  readonly #own: IgnoreRules;

  constructor(root: string) {
    this.#root = root;
    this.#own = new IgnoreRules(root, '.neuralmindignore');
  }

  /** Lists a repository; false when git does not know the folder or lists nothing in it. */
  async fromGit(directory: string): Promise<boolean> {
    const listed = await gitFiles(path.join(this.#root, directory));
    if (listed === null || listed.visible.length === 0) return false;
    for (const ignored of listed.ignored) this.#skip(joined(directory, ignored), 'ignored');
    const excludedFolders = new Set<string>();
    for (const entry of listed.visible) {
      const name = joined(directory, entry.path.replace(/\/$/, ''));
      const folder = this.#excludedFolderOf(name, entry.isTracked);
      if (folder !== null) {
        if (!excludedFolders.has(folder.path)) this.skipped.push(folder);
        excludedFolders.add(folder.path);
      } else await this.#add(name);
    }
    return true;
  }

  async fromWalk(directory: string): Promise<void> {
    await this.#walk(directory, new IgnoreRules(this.#root, '.gitignore'));
  }

  async #walk(directory: string, rules: IgnoreRules): Promise<void> {
    let entries: Awaited<ReturnType<typeof readEntries>>;
    try {
      entries = await readEntries(path.join(this.#root, directory));
    } catch {
      // Shown to the user as skipped; the rest of the project is still read.
      this.#skip(`${directory}/`, 'unreadable');
      return;
    }
    const hasManifest = directory === '' || entries.some((entry) => manifests.has(entry.name));
    for (const entry of entries) {
      const name = joined(directory, entry.name);
      if (!entry.isDirectory) {
        if (entry.name === '.git') continue;
        if (rules.ignoresEntry(name, false)) this.#skip(name, 'ignored');
        else await this.#add(name);
        continue;
      }
      if (entry.name === '.git') continue;
      const isOutput = outputs.has(entry.name) && hasManifest;
      if (isExcluded(entry.name) || isOutput) this.#skip(`${name}/`, 'excluded-folder');
      else if (rules.ignoresEntry(name, true) || this.#own.ignoresEntry(name, true)) this.#skip(`${name}/`, 'ignored');
      else await this.#walk(name, rules);
    }
  }

  /** The outermost folder of a path that is not looked into, as what is skipped. */
  #excludedFolderOf(file: string, isTracked: boolean): SkippedPath | null {
    const parts = file.split('/');
    for (let length = 1; length < parts.length; length += 1) {
      const name = parts[length - 1] ?? '';
      const folder = parts.slice(0, length).join('/');
      const isOutput = outputs.has(name) && !isTracked;
      if (isExcluded(name) || isOutput) return { path: `${folder}/`, reason: 'excluded-folder' };
    }
    return null;
  }

  async #add(file: string): Promise<void> {
    if (this.#own.ignores(file, false)) {
      this.#skip(file, 'ignored');
      return;
    }
    const absolute = path.join(this.#root, file);
    let found: Awaited<ReturnType<typeof lstat>>;
    try {
      found = await lstat(absolute);
    } catch (error) {
      // Git lists files that were deleted and not committed: they are simply gone.
      if (!isMissing(error)) this.#skip(file, 'unreadable');
      return;
    }
    if (found.isSymbolicLink()) this.#skip(file, await this.#linkReason(absolute));
    else if (found.isDirectory()) await this.#addNested(file);
    else if (!found.isFile()) this.#skip(file, 'not-a-file');
    else {
      if (isConfigFile(file)) this.configFiles.push(file);
      if (languageOfPath(file) === null) this.#skip(file, 'unknown-language');
      else if (found.size > codeLimits.fileBytesMax) this.#skip(file, 'too-large');
      else this.files.push({ path: file, bytes: Number(found.size), modifiedMs: Number(found.mtimeMs) });
    }
  }

  /** A repository inside this one, as a submodule or not. */
  async #addNested(directory: string): Promise<void> {
    if (!(await this.fromGit(directory))) await this.fromWalk(directory);
  }

  async #linkReason(absolute: string): Promise<SkipReason> {
    try {
      const target = path.relative(this.#root, await realpath(absolute));
      return target.startsWith('..') || path.isAbsolute(target) ? 'link-out-of-project' : 'link';
    } catch {
      // A link to nothing, or in a circle.
      return 'link';
    }
  }

  #skip(name: string, reason: SkipReason): void {
    this.skipped.push({ path: name, reason });
  }
}

function isExcluded(name: string): boolean {
  return excluded.has(name) || name.startsWith('.');
}

function joined(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}

async function readEntries(
  directory: string,
): Promise<readonly { readonly name: string; readonly isDirectory: boolean }[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface GitListing {
  readonly visible: readonly { readonly path: string; readonly isTracked: boolean }[];
  readonly ignored: readonly string[];
}

async function gitFiles(directory: string): Promise<GitListing | null> {
  const tracked = await git(directory, ['--cached']);
  if (tracked === null) return null;
  const [untracked, ignored, trackedAndIgnored] = await Promise.all([
    git(directory, ['--others', '--exclude-standard']),
    git(directory, ['--others', '--ignored', '--exclude-standard', '--directory']),
    git(directory, ['--cached', '--ignored', '--exclude-standard']),
  ]);
  const left = new Set(trackedAndIgnored ?? []);
  const known = new Set(tracked);
  return {
    visible: [
      ...[...known].filter((one) => !left.has(one)).map((one) => ({ path: one, isTracked: true })),
      ...(untracked ?? []).map((one) => ({ path: one, isTracked: false })),
    ],
    ignored: [...(ignored ?? []), ...left],
  };
}

async function git(directory: string, options: readonly string[]): Promise<readonly string[] | null> {
  try {
    // A repository may name programs to run in its configuration; listing files must not start them.
    const { stdout } = await run(
      'git',
      ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false', 'ls-files', '-z', ...options],
      {
        cwd: directory,
        maxBuffer: codeLimits.listingBytesMax,
        env: withoutGitVariables(),
      },
    );
    return stdout.split('\0').filter((one) => one !== '');
  } catch {
    // No git, no repository, or one that belongs to somebody else: the folders are walked instead.
    return null;
  }
}

function withoutGitVariables(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE|CEILING_DIRECTORIES|PREFIX)$/.test(name),
  );
  return { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
