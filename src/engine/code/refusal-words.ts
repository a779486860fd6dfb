/** Why a folder is never listed, in words. */
export const refusalWords = {
  'file-system-root': 'the root of the file system is never indexed',
  'home-folder': 'the home folder is never indexed as a whole',
  'own-data': 'the folder lies where Mnemosyne keeps its own data and is never indexed',
  'not-a-folder': 'the folder of the project is not there',
} as const;
