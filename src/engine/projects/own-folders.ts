/** The folders in which Mnemosyne keeps its own data. None is a project, and what lies in one is never indexed. */
import path from 'node:path';

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
