/** Whether a process that said it follows the files still lives. */
import { lstatSync } from 'node:fs';
import { readWatchState, watchStatePath } from '../watch-state.ts';
import { type Check, fault, shellWord, well } from './finding.ts';

export const watching: Check = {
  name: 'watcher',
  look({ root }) {
    const state = readWatchState(root);
    switch (state.kind) {
      case 'none':
        return well('Nobody watches the files; the index changes by building.');
      case 'running':
        return well(`Process ${state.pid} watches the files${state.method === 'polling' ? ' by listing them' : ''}.`);
      case 'dead':
        return fault(
          `Process ${state.pid}, which watched the files since ${state.at}, is gone without a word.`,
          `Watch them again with \`mnemosyne watch ${shellWord(root)}\`.`,
        );
      case 'unreadable':
        // Throws where the folder is closed to us, of which nothing follows for the watcher.
        lstatSync(watchStatePath(root));
        return fault(
          `.neuralmind/watch.json ${state.fault}.`,
          `Remove it with \`rm ${shellWord(watchStatePath(root))}\`.`,
        );
    }
  },
};
