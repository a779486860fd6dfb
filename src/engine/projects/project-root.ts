/**
 * From any path somebody names to the one folder that is the project.
 *
 * A path inside a git work tree, or inside a folder that already has a `.neuralmind`, means that tree's top folder:
 * a call from a subfolder must reach the same memory. Elsewhere the folder itself is the project. Links are resolved
 * first, so that every spelling of a path gives one project.
 */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { realPlace } from '../../retrieval/code/scan-own-folders.ts';
import { isReservedPath, isWithin } from './reserved-path.ts';

export type ProjectRoot =
  /** `marked` when the folder or one above it carries the mark of a repository or of a project. */
  | { readonly kind: 'found'; readonly root: string; readonly marked: boolean }
  | { readonly kind: 'missing' }
  | { readonly kind: 'not-a-folder' }
  | { readonly kind: 'reserved' }
  /** It holds what Mnemosyne itself keeps. */
  | { readonly kind: 'own-data' };

/** `own` are the folders in which Mnemosyne keeps its data; they need not be there. */
export async function findProjectRoot(named: string, home: string, own: readonly string[]): Promise<ProjectRoot> {
  let folder: string;
  try {
    folder = await realpath(named);
  } catch {
    return { kind: 'missing' };
  }
  if (!(await isFolder(folder))) return { kind: 'not-a-folder' };
  const refused = await refusedPlace(folder, home, own);
  if (refused !== null) return { kind: refused };
  const marked = await markedFolder(folder, await realpath(home).catch(() => home));
  return { kind: 'found', root: marked ?? folder, marked: marked !== null };
}

/** Why a folder, links resolved, can be no project wherever else it is named; null where it can. */
export async function refusedPlace(
  folder: string,
  home: string,
  own: readonly string[],
): Promise<'reserved' | 'own-data' | null> {
  if (isReservedPath(folder, await realpath(home).catch(() => home))) return 'reserved';
  return isWithin(folder, own.map(realPlace)) ? 'own-data' : null;
}

/** The nearest folder at or above `folder` that carries a marker and may be a project. */
async function markedFolder(folder: string, home: string): Promise<string | null> {
  for (let at = folder; !isReservedPath(at, home); at = path.dirname(at)) {
    if ((await exists(path.join(at, '.git'))) || (await isFolder(path.join(at, '.neuralmind')))) return at;
  }
  return null;
}

async function isFolder(file: string): Promise<boolean> {
  return stat(file).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
