/** Whether git knows the project: without it the files are listed by walking, and decisions have no commits. */
import { askGit } from '../../../base/git-command.ts';
import { type Check, shellWord, warning, well } from './finding.ts';

export const repository: Check = {
  name: 'git',
  async look({ root }) {
    const answer = await askGit(root, ['rev-parse', '--is-inside-work-tree']);
    switch (answer.kind) {
      case 'answered':
        return well('The project lies in a git repository.');
      case 'no-git':
        return warning(
          'git is not installed, so folders are walked and decisions have no commits.',
          'Install git with `apt-get install git` or from https://git-scm.com.',
        );
      case 'failed':
        return warning(
          'The project is no git repository, so folders are walked and decisions have no commits.',
          `Make it one with \`git init ${shellWord(root)}\`.`,
        );
    }
  },
};
