/**
 * The one way in which git is started: as its own process, without a shell, a prompt or a pager, and so that nothing
 * runs that the configuration of a repository names. A folder may come from anywhere, its `.git` included.
 *
 * What is left to the caller: to ask nothing that filters contents (`hash-object` of a path does: see
 * `engine/work-tree-blobs.ts`), that shows differences through other programs, or that runs hooks.
 */
import { execFile } from 'node:child_process';
import { gitLimits } from './limits.ts';

export type GitAnswer =
  | { readonly kind: 'answered'; readonly text: string }
  /** There is no git on this machine. */
  | { readonly kind: 'no-git' }
  /** An error of git: no repository, nothing found, too much to say, too long a wait. */
  | { readonly kind: 'failed' };

export interface GitOptions {
  /** What git reads from standard input; nothing by default. */
  readonly input?: string;
  readonly outputBytesMax?: number;
  readonly waitMsMax?: number;
}

/** Never rejects. `args` begin with the command of git. */
export function askGit(folder: string, args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
  const { input = '', outputBytesMax = gitLimits.outputBytesMax, waitMsMax = gitLimits.waitMsMax } = options;
  return new Promise((resolve) => {
    const child = execFile(
      'git',
      [...safely, ...args],
      { cwd: folder, maxBuffer: outputBytesMax, timeout: waitMsMax, killSignal: 'SIGKILL', env: environment() },
      (error, text) => {
        if (error === null) resolve({ kind: 'answered', text });
        else resolve({ kind: error.code === 'ENOENT' ? 'no-git' : 'failed' });
      },
    );
    // A process that ended early is reported by its exit code.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/** These win over every file of configuration. The monitor of the file system is a command of the repository. */
const safely: readonly string[] = [
  '--no-pager',
  '--literal-pathspecs',
  '-c',
  'core.quotePath=false',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'log.showSignature=false',
];

/** A hook of git passes on which repository it belongs to; every question here is about its folder alone. */
function environment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !bindings.has(name));
  return {
    ...Object.fromEntries(inherited),
    // Locks are taken to write, and what is written runs a hook.
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
  'GIT_CEILING_DIRECTORIES',
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
