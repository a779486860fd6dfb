/** Whether the files beside the index belong to it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { indexPath } from '../../../retrieval/index/index-file.ts';
import { buildCommand, type Check, fault, shellWord, warning, well } from './finding.ts';

export const indexLog: Check = {
  name: 'index-log',
  async look(patient) {
    const index = await patient.index();
    const { root } = patient;
    const file = indexPath(root);
    if (index.kind === 'missing') {
      const left = ['-wal', '-shm', '-journal'].filter((ending) => existsSync(`${file}${ending}`));
      if (left.length === 0) return well('Nothing is left of an index that is gone.');
      if (existsSync(file)) {
        return warning(
          'Not checked, because there is nothing in index.db yet.',
          `Make the index with ${buildCommand(root)}.`,
        );
      }
      const names = left.map((ending) => `${path.basename(file)}${ending}`).join(' and ');
      return fault(
        left.length === 1 ? `${names} lies there without its index.` : `${names} lie there without their index.`,
        `Remove what is left and build with ${buildCommand(root)}.`,
      );
    }
    if (index.kind === 'foreign-log') {
      return fault(
        'The log index.db-wal belongs to another file than the index beside it.',
        `Remove both and build anew with \`rm ${shellWord(file)} && mnemosyne build ${shellWord(root)}\`.`,
      );
    }
    if (existsSync(`${file}-journal`)) {
      return fault(
        'The journal index.db-journal was never written for this index.',
        `Remove both and build anew with \`rm ${shellWord(file)} && mnemosyne build ${shellWord(root)}\`.`,
      );
    }
    return well('The files beside the index belong to it.');
  },
};
