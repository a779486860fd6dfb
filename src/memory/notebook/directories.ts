/**
 * The directories of a notebook: found or made one by one, private to their user, never through a symbolic link.
 *
 * A record is only as durable as the directories that lead to it. A process may have been killed between making one
 * and syncing its parent, so before the first write into a directory every step from the root down is synced once.
 */
import { dirname, join } from 'node:path';
import { notebookFileLimits } from '../../base/limits.ts';
import { type FileSystem, isDiskError } from './file-system.ts';
import { UnsafePathError } from './storage-failure.ts';

const privateMode = 0o700;

/** The root with the real path of all that lies above it, so that one directory has one name in this process. */
export function realRoot(fileSystem: FileSystem, root: string): string {
  const below: string[] = [];
  for (let path = root; ; path = dirname(path)) {
    const parent = dirname(path);
    below.unshift(path.slice(parent.length));
    if (parent === path) return root;
    if (fileSystem.stat(parent) !== undefined) return join(fileSystem.realPath(parent), ...below);
  }
}

/** Whether the root is there. Throws `UnsafePathError` if it is a link or no directory. */
export function hasRoot(fileSystem: FileSystem, root: string): boolean {
  return isPlainDirectory(fileSystem, root);
}

/** Makes the root and what is missing above it. Links above the root are the user's own affair and are followed. */
export async function makeRoot(fileSystem: FileSystem, root: string): Promise<void> {
  const missing: string[] = [];
  for (let path = root; fileSystem.lstat(path) === undefined; path = dirname(path)) missing.unshift(path);
  const made: string[] = [];
  try {
    for (const path of missing) {
      if (fileSystem.stat(dirname(path))?.isDirectory() !== true) throw new UnsafePathError();
      if (makeDirectory(fileSystem, path)) made.push(path);
      await syncDirectory(fileSystem, dirname(path));
    }
  } catch (error) {
    // What is not known to last must be made again, and synced, by the next attempt.
    for (const path of made.toReversed()) tryRemoveDirectory(fileSystem, path);
    throw error;
  }
  if (!isPlainDirectory(fileSystem, root)) throw new UnsafePathError();
}

/** The directory `root/segments…`, or null if a part of it is missing. Throws `UnsafePathError`. */
export function findDirectory(fileSystem: FileSystem, root: string, segments: readonly string[]): string | null {
  let path = root;
  if (!isPlainDirectory(fileSystem, path)) return null;
  for (const segment of segments) {
    path = join(path, segment);
    if (!isPlainDirectory(fileSystem, path)) return null;
  }
  return path;
}

/** Which directories this process has made sure of, by place and inode. */
export type SyncedDirectories = Set<string>;

/** Makes what is missing of `root/segments…` below the existing root, and makes all of it durable. */
export async function makeDirectories(
  fileSystem: FileSystem,
  root: string,
  segments: readonly string[],
  synced: SyncedDirectories,
): Promise<string> {
  if (!isPlainDirectory(fileSystem, root)) throw new UnsafePathError();
  const chain = [root];
  let path = root;
  for (const segment of segments) {
    path = join(path, segment);
    if (!isPlainDirectory(fileSystem, path)) makeDirectory(fileSystem, path);
    if (!isPlainDirectory(fileSystem, path)) throw new UnsafePathError();
    chain.push(path);
  }
  for (const directory of chain) await syncOnce(fileSystem, directory, directory === root, synced);
  return path;
}

/** Makes the names in `path` durable. Windows cannot, and needs no such call. */
export async function syncDirectory(fileSystem: FileSystem, path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = fileSystem.openDirectory(path);
  try {
    await fileSystem.sync(directory);
  } finally {
    fileSystem.close(directory);
  }
}

async function syncOnce(
  fileSystem: FileSystem,
  directory: string,
  isRoot: boolean,
  synced: SyncedDirectories,
): Promise<void> {
  const stats = fileSystem.lstat(directory);
  const key = `${stats?.dev}:${stats?.ino}:${directory}`;
  if (synced.has(key)) return;
  try {
    await syncDirectory(fileSystem, dirname(directory));
  } catch (error) {
    // The directory above the root need not be ours to open; `makeRoot` has synced it if it was us who wrote there.
    if (!isRoot || !isDiskError(error) || (error.code !== 'EACCES' && error.code !== 'EPERM')) throw error;
  }
  if (synced.size >= notebookFileLimits.knownDirectoriesMax) synced.clear();
  synced.add(key);
}

/** False if there is nothing. */
function isPlainDirectory(fileSystem: FileSystem, path: string): boolean {
  const stats = fileSystem.lstat(path);
  if (stats === undefined) return false;
  if (!stats.isDirectory()) throw new UnsafePathError();
  return true;
}

/** False if another process was quicker. */
function makeDirectory(fileSystem: FileSystem, path: string): boolean {
  try {
    fileSystem.makeDirectory(path, privateMode);
    return true;
  } catch (error) {
    if (!isDiskError(error) || error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** Only ever an empty directory; one that got something inside stays. */
function tryRemoveDirectory(fileSystem: FileSystem, path: string): void {
  try {
    fileSystem.removeDirectory(path);
  } catch (error) {
    if (!isDiskError(error)) throw error;
  }
}
