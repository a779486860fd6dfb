/**
 * Places that are never a project, because registering one would let a caller read or write what the operating system
 * or another program keeps there. Compared after links are resolved. The root, the home and what holds it are reserved
 * themselves, the others with everything below them.
 */
import path from 'node:path';

/** The last two are where macOS keeps `/etc` and `/run`. */
const reservedTrees = ['/proc', '/sys', '/dev', '/etc', '/boot', '/run', '/private/etc', '/private/var/run'];
const reservedHomeTrees = ['.ssh', '.gnupg', '.aws', '.kube', '.docker', '.config'];

/** `home` is the real path of the user's home. */
export function isReservedPath(realPath: string, home: string): boolean {
  if (realPath === path.parse(realPath).root || isWithin(home, [realPath])) return true;
  return isWithin(realPath, [...reservedTrees, ...reservedHomeTrees.map((name) => path.join(home, name))]);
}

/** Whether a folder is one of `trees` or lies in one. */
export function isWithin(folder: string, trees: readonly string[]): boolean {
  return trees.some((tree) => folder === tree || folder.startsWith(tree.endsWith(path.sep) ? tree : tree + path.sep));
}
