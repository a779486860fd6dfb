/** Whether git knows the project: without it the files are listed by walking, and decisions have no commits. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Check, shellWord, warning, well } from './finding.ts';

const run = promisify(execFile);

export const repository: Check = {
  name: 'git',
  async look({ root }) {
    try {
      const options = { cwd: root, env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' } };
      await run('git', ['rev-parse', '--is-inside-work-tree'], options);
      return well('The project lies in a git repository.');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
        return warning(
          'git is not installed, so folders are walked and decisions have no commits.',
          'Install git with `apt-get install git` or from https://git-scm.com.',
        );
      }
      return warning(
        'The project is no git repository, so folders are walked and decisions have no commits.',
        `Make it one with \`git init ${shellWord(root)}\`.`,
      );
    }
  },
};
