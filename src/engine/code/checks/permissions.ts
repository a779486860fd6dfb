/** Whether this user, and nobody else, can write the files of the `.neuralmind` folder. */
import { accessSync, constants, lstatSync } from 'node:fs';
import path from 'node:path';
import { errnoOf, isOwn } from '../../../base/private-file.ts';
import { type Check, fault, shellWord, type Verdict, well } from './finding.ts';

const names = ['.neuralmind', '.neuralmind/index.db', '.neuralmind/memory.db', '.neuralmind/documents.json'];

export const permissions: Check = {
  name: 'permissions',
  look({ root }) {
    for (const name of names) {
      const wrong = wrongAccess(path.join(root, name), name);
      if (wrong !== null) return wrong;
    }
    return well('This user can write the files of .neuralmind, and others cannot.');
  },
};

function wrongAccess(file: string, name: string): Verdict | null {
  let found: ReturnType<typeof lstatSync>;
  try {
    found = lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    // Below a folder that is closed to us, which was told before.
    return null;
  }
  // What is no plain file or folder is told by the check of links and of the index.
  if (found === undefined || !(found.isFile() || found.isDirectory())) return null;
  const needed = found.isDirectory() ? 0o700 : 0o600;
  const letters = found.isDirectory() ? 'rwx' : 'rw';
  const word = shellWord(file);
  if (isOwn(found) ? (found.mode & needed) !== needed : !isWritable(file)) {
    const command = isOwn(found) ? `chmod u+${letters} ${word}` : `sudo chown -R "$(id -u):$(id -g)" ${word}`;
    return fault(`${name} cannot be read and written by this user.`, `Open it for yourself with \`${command}\`.`);
  }
  if ((found.mode & 0o002) === 0) return null;
  return fault(
    `${name} can be written by every user of this machine.`,
    `Close it to others with \`chmod o-w ${word}\`.`,
  );
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return true;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}
