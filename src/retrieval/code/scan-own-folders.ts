/**
 * Where in a project lie the folders in which Mnemosyne keeps its own data: memories, tokens, databases. No listing
 * enters them, whatever version control or the user says. They may be made after the project was indexed, and be named
 * through links, so where they lie is found anew for each listing.
 */
import { realpathSync } from 'node:fs';
import path from 'node:path';

/**
 * The outermost of `folders` that lie in the project, from its root with `/`. Null when the root itself lies in one.
 * `root` has its links resolved; `folders` are absolute and need not be there.
 */
export function ownFoldersWithin(root: string, folders: readonly string[]): readonly string[] | null {
  const within: string[] = [];
  for (const folder of folders) {
    const place = realPlace(folder);
    if (place === root || root.startsWith(place.endsWith(path.sep) ? place : place + path.sep)) return null;
    if (place.startsWith(root + path.sep))
      within.push(
        place
          .slice(root.length + 1)
          .split(path.sep)
          .join('/'),
      );
  }
  return within.sort().filter((one, at, sorted) => !liesIn(one, sorted.slice(0, at)));
}

/** Whether a path from the root, with or without `/` at its end, is one of `folders` or lies in one. */
export function liesIn(name: string, folders: readonly string[]): boolean {
  return folders.some((folder) => name === folder || name.startsWith(`${folder}/`));
}

/** A path with its links resolved, as far as it is there. */
export function realPlace(given: string): string {
  const missing: string[] = [];
  for (let at = path.resolve(given); ; at = path.dirname(at)) {
    try {
      return path.join(realpathSync.native(at), ...missing);
    } catch {
      // Not there, or closed to us: what can be said of it is where the folder above it lies.
      if (at === path.dirname(at)) return path.resolve(given);
      missing.unshift(path.basename(at));
    }
  }
}
