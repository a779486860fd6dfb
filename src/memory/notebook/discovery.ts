/**
 * Finds the candidate files of a selection: regular files whose name ends in `.json`, in name order, within bounds.
 *
 * Links are never followed. What is passed over is reported by reason, never by name. A directory that cannot be read
 * fails the whole walk, since an inventory with a hole would look complete.
 */
import type { Dirent } from 'node:fs';
import { join, sep } from 'node:path';
import { notebookLimits } from '../../base/limits.ts';
import { type FileSystem, isDiskError } from './file-system.ts';
import { fail, ok, type Result } from './outcome.ts';
import type { FilePlace } from './record-cache.ts';
import { candidateLimitExceeded, memorySourceUnavailable, storageFailure } from './storage-failure.ts';
import type { LinkedContainer, Selection, SkipReason } from './store.ts';
import { compareCodePoints } from './text.ts';

export interface Walk {
  readonly fileSystem: FileSystem;
  /** Absolute. */
  readonly root: string;
  readonly selection: Selection;
  readonly linked: LinkedContainer;
  readonly skip: (reason: SkipReason) => void;
}

/** The candidates in sorted walk order. A missing container has none. */
export function discover(walk: Walk): Result<readonly FilePlace[]> {
  try {
    const container = findContainer(walk);
    if (container !== 'found') return container === 'empty' ? ok([]) : fail(memorySourceUnavailable);
    const segments = segmentsOf(walk.selection);
    const found: FilePlace[] = [];
    const within = collect(walk, join(walk.root, walk.selection.scope, ...segments), segments, 0, found);
    return within ? ok(found) : fail(candidateLimitExceeded);
  } catch (error) {
    return storageFailure(error);
  }
}

/**
 * The directories below the scope that `selection` names. Ids are identifiers when they get here; a separator or a
 * dot would be a broken promise of ours and must never become a path.
 */
export function segmentsOf(selection: Selection): string[] {
  if (selection.kind === 'scope') return [];
  const collectionId = selection.kind === 'level' ? selection.collectionId : null;
  return [selection.namespaceId, ...(collectionId === null ? [] : [collectionId])].map(asSegment);
}

export function asSegment(id: string): string {
  if (!/^[a-z0-9_-]+$/.test(id)) throw new Error('an id that is no identifier reached the files of the notebook');
  return id;
}

/** Looks at the root and at every directory down to the selected one. */
function findContainer({ fileSystem, root, selection, linked, skip }: Walk): 'found' | 'empty' | 'unavailable' {
  const rootStats = fileSystem.lstat(root);
  if (rootStats === undefined) return 'empty';
  if (!rootStats.isDirectory()) return 'unavailable';
  let path = root;
  for (const segment of [selection.scope, ...segmentsOf(selection)]) {
    path = join(path, segment);
    const stats = fileSystem.lstat(path);
    if (stats === undefined) return 'empty';
    if (stats.isSymbolicLink()) {
      if (linked === 'is-unavailable') return 'unavailable';
      skip('symlink');
      return 'empty';
    }
    if (!stats.isDirectory()) return 'unavailable';
  }
  return 'found';
}

/** Adds the candidates of one directory and of those below it. False when there are too many: nothing more is read. */
function collect(
  walk: Walk,
  directory: string,
  segments: readonly string[],
  depth: number,
  found: FilePlace[],
): boolean {
  const { selection, skip } = walk;
  const scopeWide = selection.kind === 'scope';
  const depthMax = scopeWide ? notebookLimits.depthMax : selection.kind === 'namespace' ? 1 : 0;
  const prefix = segments.length === 0 ? '' : `${segments.join('/')}/`;
  for (const entry of list(walk, directory, segments)) {
    const { name } = entry;
    if (entry.isSymbolicLink()) {
      skip('symlink');
    } else if (entry.isDirectory()) {
      // Below a narrow selection lies what was not selected; below the depth limit lies what is passed over.
      if (depth === depthMax) {
        if (scopeWide) skip('too_deep');
      } else if (!collect(walk, directory + sep + name, [...segments, name], depth + 1, found)) {
        return false;
      }
    } else if (entry.isFile() && name.endsWith('.json') && name !== '.json') {
      if (found.length === notebookLimits.candidatesMax) return false;
      found.push({ scope: selection.scope, path: prefix + name, absolute: directory + sep + name });
    }
  }
  return true;
}

function list({ fileSystem, skip }: Walk, directory: string, segments: readonly string[]): readonly Dirent[] {
  try {
    return fileSystem.readDirectory(directory).toSorted((a, b) => compareCodePoints(a.name, b.name));
  } catch (error) {
    if (!isDiskError(error) || error.code !== 'ENOENT') throw error;
    // Removed since its name was read, unless the name is not UTF-8 and could not be said back to the system.
    if (segments.at(-1)?.includes('\uFFFD')) skip('unreadable');
    return [];
  }
}
