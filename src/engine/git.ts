/**
 * What the product asks git, and nothing more: plumbing alone, whose answers have a form that no configuration changes.
 *
 * A folder that is no repository, or a machine without git, is an answer (`undefined`), not an error. Files are named
 * relative to the project, which may be a folder inside its repository.
 */
import { constants } from 'node:fs';
import { access, lstat, readlink } from 'node:fs/promises';
import path from 'node:path';
import { askGit } from '../base/git-command.ts';
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
   * The blob ids that files of the working tree would get in a commit, line ends converted. Files that cannot be read
   * are left out, and files with a filter: that is a command, and only its output would tell. Works outside a
   * repository too, where contents are taken as they are.
   */
  blobsOf(root: string, files: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The folder of the repository's hooks, absolute, `core.hooksPath` honoured. */
  hooksFolder(root: string): Promise<string | undefined>;
}

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
    const listed = await run(root, [...diffTree, from, to]);
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

/** A textual difference may be made by a command of the configuration; names never are. */
const diffTree = 'diff-tree -r -z --name-only --no-renames --no-ext-diff --no-textconv --relative'.split(' ');

/** `mode type id<TAB>path`, as `ls-tree -z` prints each entry. */
function treeEntry(line: string): readonly (readonly [string, string])[] {
  const match = /^\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(line);
  return match?.[1] === undefined || match[2] === undefined ? [] : [[match[2], match[1]]];
}

async function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
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
  const [place, filtered] = await Promise.all([prefixOf(root), filteredAmong(root, files)]);
  const prefix = filtered === undefined ? undefined : place;
  const plain = files.filter((file) => filtered?.has(file) !== true);
  const ids = await hashTogether(root, prefix, plain);
  if (ids !== undefined) return plain.flatMap((file, index) => pair(file, ids[index]));
  const found: (readonly [string, string])[] = [];
  for (const file of plain) found.push(...pair(file, (await hashTogether(root, prefix, [file]))?.[0]));
  return found;
}

/** Where `root` lies in its work tree, ending in a slash; undefined outside a repository. */
async function prefixOf(root: string): Promise<string | undefined> {
  // At the top of it git need not be asked, which costs more than all the hashing.
  if (await isThere(path.join(root, '.git'))) return '';
  return (await run(root, ['rev-parse', '--show-prefix']))?.replace(/\n$/, '');
}

/** The files whose attributes name a filter, configured or not; undefined outside a repository. */
async function filteredAmong(root: string, files: readonly string[]): Promise<ReadonlySet<string> | undefined> {
  const answer = await run(root, ['check-attr', '-z', '--stdin', 'filter'], files.map((file) => `${file}\0`).join(''));
  if (answer === undefined) return undefined;
  const fields = answer.split('\0');
  const filtered = new Set<string>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [file, , value] = fields.slice(at, at + 3);
    if (file !== undefined && value !== undefined && !noFilter.has(value)) filtered.add(file);
  }
  return filtered;
}

/** What git says of a filter that is not set, taken away, or set without a name. */
const noFilter: ReadonlySet<string> = new Set(['unspecified', 'unset', 'set']);

/**
 * Names on standard input are relative to the top of the work tree, since git goes there first. `prefix` is where
 * `root` lies in it; undefined outside a repository.
 */
async function hashTogether(
  root: string,
  prefix: string | undefined,
  files: readonly string[],
): Promise<readonly string[] | undefined> {
  const top = prefix === undefined ? root : path.resolve(root, path.relative(prefix, '') || '.');
  const names = files.map((file) => quoted(`${prefix ?? ''}${file}`)).join('\n');
  // The attributes of no repository would have their say in the contents, and in the filters, of files outside one.
  const asIs = prefix === undefined ? ['--no-filters'] : [];
  const answer = await run(top, ['hash-object', ...asIs, '--stdin-paths'], `${names}\n`);
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
async function run(root: string, args: readonly string[], input = ''): Promise<string | undefined> {
  const answer = await askGit(root, args, { input });
  return answer.kind === 'answered' ? answer.text : undefined;
}
