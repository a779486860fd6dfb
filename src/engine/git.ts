/**
 * What the product asks git, and nothing more. Git runs as its own process with a fixed set of arguments, no shell, no
 * prompt, no pager, and without the configuration of the machine having a say in the form of the answers.
 *
 * A folder that is no repository, or a machine without git, is an answer (`undefined`), not an error.
 */
import { execFile } from 'node:child_process';

export interface Git {
  /** The full id of HEAD, or undefined outside a repository and in one without a commit. */
  headCommit(root: string): Promise<string | undefined>;
  /** Every commit reachable from any reference, or undefined outside a repository. */
  allCommits(root: string): Promise<ReadonlySet<string> | undefined>;
  /** The blob ids of `files` (project-relative) at `commit`; files that are not there are left out. */
  blobsAt(root: string, commit: string, files: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * The project-relative files that differ between `commit` and its first parent; a rename counts with both names, a
   * first commit counts all its files. A merge counts everything it brought.
   */
  changedFiles(root: string, commit: string): Promise<readonly string[]>;
  /** The same between two commits, for catching up over several at once. */
  changedFilesBetween(root: string, from: string, to: string): Promise<readonly string[]>;
}

const outputBytesMax = 256 * 1024 * 1024;
const timeoutMs = 60_000;

export const git: Git = {
  async headCommit(root) {
    return (await run(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']))?.trim() || undefined;
  },
  async allCommits(root) {
    const listed = await run(root, ['rev-list', '--all']);
    return listed === undefined ? undefined : new Set(listed.split('\n').filter((line) => line !== ''));
  },
  async blobsAt(root, commit, files) {
    if (files.length === 0) return new Map();
    const listed = (await run(root, ['ls-tree', '-r', '-z', commit, '--', ...files])) ?? '';
    return new Map(listed.split('\0').flatMap(treeEntry));
  },
  async changedFiles(root, commit) {
    const parent = (await run(root, ['rev-parse', '--verify', '--quiet', `${commit}^1^{commit}`]))?.trim();
    return parent ? this.changedFilesBetween(root, parent, commit) : names(await run(root, ['ls-tree', '-r', '-z', '--name-only', commit]));
  },
  async changedFilesBetween(root, from, to) {
    return names(await run(root, ['diff', '--no-renames', '--name-only', '--relative', '-z', from, to, '--']));
  },
};

/** `mode type id<TAB>path`, as `ls-tree -z` prints each entry. */
function treeEntry(line: string): readonly (readonly [string, string])[] {
  const match = /^\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(line);
  return match === null ? [] : [[match[2] ?? '', match[1] ?? '']];
}

function names(listed: string | undefined): readonly string[] {
  return (listed ?? '').split('\0').filter((name) => name !== '');
}

/** Standard output, or undefined when git is missing or answers with an error. */
function run(root: string, args: readonly string[]): Promise<string | undefined> {
  const options = {
    cwd: root,
    maxBuffer: outputBytesMax,
    timeout: timeoutMs,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_PAGER: 'cat', LC_ALL: 'C' },
  };
  return new Promise((resolve) => {
    execFile('git', ['--literal-pathspecs', '-c', 'core.quotepath=off', ...args], options, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    );
  });
}
