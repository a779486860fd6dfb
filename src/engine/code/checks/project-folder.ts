/** Whether the folder may be a project at all. */
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from '../../../base/private-file.ts';
import { ownFoldersWithin } from '../../../retrieval/code/scan-own-folders.ts';
import { type Check, fault, well } from './finding.ts';

export const projectFolder: Check = {
  name: 'project',
  look({ root, userHome, ownFolders, ownSetting }) {
    const cure = 'Name the folder of one project: `mnemosyne doctor <folder>`.';
    switch (refusedFolder(root, userHome, ownFolders)) {
      case 'not-a-folder':
        return fault(`${root} is no folder.`, cure);
      case 'file-system-root':
        return fault('The root of the file system is never indexed.', cure);
      case 'home-folder':
        return fault(`${root} is the home folder or holds it, and is never indexed as a whole.`, cure);
      case 'own-data':
        return fault(
          `${root} lies where Mnemosyne keeps its own data and is never indexed.`,
          ownSetting === null ? cure : `Let ${ownSetting} name a folder that holds nothing else.`,
        );
      case null:
        return well(`${root} can be a project.`);
    }
  },
};

/** Why a folder, links resolved, cannot be a project; as listing decides it. */
export function refusedFolder(
  root: string,
  userHome: string,
  ownFolders: readonly string[],
): 'not-a-folder' | 'file-system-root' | 'home-folder' | 'own-data' | null {
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) return 'not-a-folder';
  if (path.parse(root).root === root) return 'file-system-root';
  const inside = path.relative(root, realHome(userHome));
  const holdsHome = inside === '' || (!inside.startsWith('..') && !path.isAbsolute(inside));
  if (holdsHome) return 'home-folder';
  return ownFoldersWithin(root, ownFolders) === null ? 'own-data' : null;
}

/** An account without a home folder has none to protect. */
function realHome(userHome: string): string {
  try {
    return realpathSync(userHome);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return userHome;
  }
}
