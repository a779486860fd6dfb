/** The folders in which Mnemosyne keeps its own data. None is a project, and what lies in one is never indexed. */
import path from 'node:path';
import { realPlace } from '../../retrieval/code/scan-own-folders.ts';
import { isWithin } from './reserved-path.ts';

export interface OwnPlaces {
  readonly daemonHome: string;
  readonly userHome: string;
  /** Where the notebook keeps its records, absolute; asked for on each call. */
  readonly memoryRoot?: () => string;
}

/** Absolute; they need not be there, and may be named through links. */
export function ownFolders({ daemonHome, userHome, memoryRoot }: OwnPlaces): readonly string[] {
  return [
    daemonHome,
    ...(memoryRoot === undefined ? [] : [memoryRoot()]),
    ...['.neuralmind', '.mnemosyne'].map((name) => path.join(userHome, name)),
  ];
}

/** The variables that move such a folder. */
export type OwnSetting = 'MNEMOSYNE_MEMORY_ROOT' | 'NEURALMIND_DAEMON_HOME';

/**
 * The setting that makes a folder, links resolved, a place of our own data; null for none, and where it would be one
 * without any setting too.
 */
export function ownSettingOf(folder: string, { daemonHome, userHome, memoryRoot }: OwnPlaces): OwnSetting | null {
  const isIn = (own: string): boolean => isWithin(folder, [realPlace(own)]);
  if (ownFolders({ daemonHome: path.join(userHome, '.neuralmind'), userHome }).some(isIn)) return null;
  if (memoryRoot !== undefined && isIn(memoryRoot())) return 'MNEMOSYNE_MEMORY_ROOT';
  return isIn(daemonHome) ? 'NEURALMIND_DAEMON_HOME' : null;
}
