/**
 * What the product asks git, and nothing more. Git runs as its own process with a fixed set of arguments, no shell, no
 * prompt, no pager, and without the configuration of the machine having a say in the form of the answers.
 *
 * A folder that is no repository, or a machine without git, is an answer (`undefined`), not an error. Files are named
 * relative to the project, which may be a folder inside its repository.
 */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, lstat, readlink } from 'node:fs/promises';
import path from 'node:path';
import { readHead } from './git-head.ts';

export interface Git {
  /** The full id of HEAD, or undefined outside a repository and in one without a commit. */
  headCommit(root: string): Promise<string | undefined>;
  /** Every commit reachable from any reference, or undefined outside a repository. */
  allCommits(root: string): Promise<ReadonlySet<string> | undefined>;
  /** The full id of the commit that `name` (an id, whole or shortened) stands for, if the repository has it. */
  commitOf(root: string, name: string): Promise<string | undefined>;
  /** The newest commit behind HEAD that was made at or before `time` (ISO 8601). */
  commitBefore(root: string, time: string): Promise<string | undefined>;
  /** Committer times (seconds since 1970) of the oldest root behind HEAD and of HEAD itself. */
  historySpan(root: string): Promise<{ readonly first: number; readonly last: number } | undefined>;
  /** Where the histories of two commits part, or undefined when they share nothing. */
  mergeBase(root: string, one: string, other: string): Promise<string | undefined>;
  /** The blob id of every file of the project in `commit`. */
  blobsAt(root: string, commit: string): Promise<ReadonlyMap<string, string>>;
  /** The files whose content differs between two commits; a rename counts with both names. */
  changedBetween(root: string, from: string, to: string): Promise<readonly string[]>;
  /**
   * The blob ids that files of the working tree would get in a commit, filters applied. Files that cannot be read are
   * left out. Works outside a repository too.
   */
  blobsOf(root: string, files: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The folder of the repository's hooks, absolute, `core.hooksPath` honoured. */
  hooksFolder(root: string): Promise<string | undefined>;
}

const outputBytesMax = 256 * 1024 * 1024;
const timeoutMs = 60_000;

export const git: Git = {
  async headCommit(root) {
    const head = await readHead(root);
    if (head.kind === 'commit') return head.id;
    if (head.kind === 'none') return undefined;
    return oneLine(run(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']));
  },
  async allCommits(root) {
    const listed = await run(root, ['rev-list', '--all']);
    return listed === undefined ? undefined : new Set(listed.split('\n').filter((line) => line !== ''));
  },
  async commitOf(root, name) {
    // Anything else could be a reference, which moves, or an option.
    if (!/^[0-9a-f]{4,64}$/i.test(name)) return undefined;
    return oneLine(run(root, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]));
  },
  commitBefore: (root, time) => oneLine(run(root, ['rev-list', '-1', `--before=${time}`, 'HEAD', '--'])),
  async historySpan(root) {
    const last = await oneLine(run(root, ['log', '-1', '--no-show-signature', '--format=%ct', 'HEAD', '--']));
    const roots = await run(root, ['rev-list', '--max-parents=0', '--timestamp', 'HEAD', '--']);
    if (last === undefined || roots === undefined) return undefined;
    const times = roots.split('\n').flatMap((line) => (line === '' ? [] : [Number.parseInt(line, 10)]));
    return { first: Math.min(...times), last: Number(last) };
  },
  mergeBase: (root, one, other) => oneLine(run(root, ['merge-base', one, other])),
  async blobsAt(root, commit) {
    const listed = (await run(root, ['ls-tree', '-r', '-z', commit])) ?? '';
    return new Map(listed.split('\0').flatMap(treeEntry));
  },
  async changedBetween(root, from, to) {
    const listed = await run(root, ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--relative', from, to]);
    return (listed ?? '').split('\0').filter((name) => name !== '');
  },
  async blobsOf(root, files) {
    const kinds = await Promise.all(files.map(async (file) => [file, await kindOf(path.join(root, file))] as const));
    const regular = kinds.flatMap(([file, kind]) => (kind === 'file' ? [file] : []));
    const links = kinds.flatMap(([file, kind]) => (kind === 'link' ? [file] : []));
    const blobs = new Map(await hashFiles(root, regular));
    for (const link of links) {
      const target = await readlink(path.join(root, link)).catch(() => undefined);
      const id = target === undefined ? undefined : await oneLine(run(root, ['hash-object', '--stdin'], target));
      if (id !== undefined) blobs.set(link, id);
    }
    return blobs;
  },
  async hooksFolder(root) {
    const folder = await run(root, ['rev-parse', '--git-path', 'hooks']);
    return folder === undefined ? undefined : path.resolve(root, folder.replace(/\n$/, ''));
  },
};

/** `mode type id<TAB>path`, as `ls-tree -z` prints each entry. */
function treeEntry(line: string): readonly (readonly [string, string])[] {
  const match = /^\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(line);
  return match?.[1] === undefined || match[2] === undefined ? [] : [[match[2], match[1]]];
}

async function kindOf(file: string): Promise<'file' | 'link' | 'other'> {
  try {
    const facts = await lstat(file);
    if (facts.isSymbolicLink()) return 'link';
    if (!facts.isFile()) return 'other';
    await access(file, constants.R_OK);
    return 'file';
  } catch {
    // Not there or not readable: it has no blob.
    return 'other';
  }
}

/** All in one process; when a file vanished in between, each in its own, so that the others keep theirs. */
async function hashFiles(root: string, files: readonly string[]): Promise<readonly (readonly [string, string])[]> {
  if (files.length === 0) return [];
  const ids = await hashTogether(root, files);
  if (ids !== undefined) return files.flatMap((file, index) => pair(file, ids[index]));
  const found: (readonly [string, string])[] = [];
  for (const file of files) found.push(...pair(file, (await hashTogether(root, [file]))?.[0]));
  return found;
}

/** Names on standard input are relative to the top of the work tree, since git goes there first. */
async function hashTogether(root: string, files: readonly string[]): Promise<readonly string[] | undefined> {
  const prefix = (await run(root, ['rev-parse', '--show-prefix']))?.replace(/\n$/, '');
  const top = prefix === undefined ? root : path.resolve(root, path.relative(prefix, '') || '.');
  const names = files.map((file) => quoted(`${prefix ?? ''}${file}`)).join('\n');
  const answer = await run(top, ['hash-object', '--stdin-paths'], `${names}\n`);
  const ids = answer?.split('\n').filter((line) => line !== '');
  return ids?.length === files.length ? ids : undefined;
}

/** Git reads a line that begins with a quote as C does. */
function quoted(name: string): string {
  return name.startsWith('"') ? `"${name.replaceAll(/[\\"]/g, '\\$&')}"` : name;
}

function pair(file: string, id: string | undefined): readonly (readonly [string, string])[] {
  return id === undefined ? [] : [[file, id]];
}

async function oneLine(answer: Promise<string | undefined>): Promise<string | undefined> {
  return (await answer)?.trim() || undefined;
}

/** Standard output, or undefined when git is missing or answers with an error. */
function run(root: string, args: readonly string[], input?: string): Promise<string | undefined> {
  const options = { cwd: root, maxBuffer: outputBytesMax, timeout: timeoutMs, env: environment() };
  return new Promise((resolve) => {
    const child = execFile(
      'git',
      ['--literal-pathspecs', '-c', 'core.quotepath=off', ...args],
      options,
      (error, stdout) => resolve(error === null ? stdout : undefined),
    );
    // A process that ended early is reported by its exit code.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input ?? '');
  });
}

/** A hook of git passes on which repository it belongs to; every question here is about `root` alone. */
function environment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !bindings.has(name));
  return {
    ...Object.fromEntries(inherited),
    GIT_OPTIONAL_LOCKS: '0',
    // An object that is missing would be fetched with a command that the repository's own configuration names.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: '',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    LC_ALL: 'C',
  };
}

const bindings: ReadonlySet<string> = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_CONFIG_COUNT',
  'GIT_CONFIG_PARAMETERS',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_NAMESPACE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
]);
