/**
 * What the product asks git, and nothing more: plumbing alone, whose answers have a form that no configuration changes.
 *
 * A folder that is no repository, or a machine without git, is an answer (`undefined`), not an error. Files are named
 * relative to the project, which may be a folder inside its repository.
 */
import path from 'node:path';
import { askGit } from '../base/git-command.ts';
import { readHead } from './git-head.ts';
import { workTreeBlobs } from './work-tree-blobs.ts';

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
   * are left out, files with a filter (that is a command, and only its output would tell) and those in another encoding.
   * Works outside a repository too, where contents are taken as they are.
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
  blobsOf: workTreeBlobs,
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

async function oneLine(answer: Promise<string | undefined>): Promise<string | undefined> {
  return (await answer)?.trim() || undefined;
}

/** Standard output, or undefined when git is missing or answers with an error. */
async function run(root: string, args: readonly string[]): Promise<string | undefined> {
  const answer = await askGit(root, args);
  return answer.kind === 'answered' ? answer.text : undefined;
}
