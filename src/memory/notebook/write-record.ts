/**
 * The three changes a record file can go through: made, replaced, removed. Each is one atomic step on the name, and
 * each is durable when it answers ok. An outcome that is known to be visible but not known to last is said to be so.
 *
 * Called only by the holder of the root lock. Even so a file is compared with what was read before it is replaced or
 * removed, and a new one never takes a name that is taken: an editor knows nothing of our lock.
 */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { notebookFileLimits, notebookLimits } from '../../base/limits.ts';
import { findDirectory, makeDirectories, type SyncedDirectories, syncDirectory } from './directories.ts';
import { asSegment } from './discovery.ts';
import { type FileSystem, isDiskError, tryUnlink } from './file-system.ts';
import { type Failure, fail, ok, type Result } from './outcome.ts';
import { parseRecord, recordPath, serialiseRecord } from './parse-record.ts';
import { readRegularFile } from './read-file.ts';
import { type CanonicalRecord, referenceOf } from './record.ts';
import {
  creationUncertain,
  deletionUncertain,
  memorySourceUnavailable,
  replacementUncertain,
  storageFailure,
  writeConflict,
} from './storage-failure.ts';
import type { StoredRecord } from './store.ts';

export interface WriteTools {
  readonly fileSystem: FileSystem;
  /** Absolute. */
  readonly root: string;
  /** Asked right before a name changes. */
  readonly isLockOurs: () => boolean;
  readonly synced: SyncedDirectories;
  /** When each directory was last searched for what killed writers left, in ms since 1970. */
  readonly searched: Map<string, number>;
}

export async function createRecord(tools: WriteTools, record: CanonicalRecord): Promise<Result<null>> {
  const { fileSystem } = tools;
  const bytes = encode(record);
  const place = placeOf(record);
  try {
    const directory = await makeDirectories(fileSystem, tools.root, place.segments, tools.synced);
    clearLeftovers(tools, directory);
    const temporary = await writeTemporary(fileSystem, directory, record.id, bytes);
    try {
      if (!tools.isLockOurs()) return fail(memorySourceUnavailable);
      const refused = link(fileSystem, temporary, join(directory, place.name));
      if (refused !== undefined) return fail(refused);
    } finally {
      // Before the sync, so that the second name does not come back after a power cut.
      tryUnlink(fileSystem, temporary.path);
    }
    return await settle(fileSystem, directory, creationUncertain);
  } catch (error) {
    return storageFailure(error);
  }
}

export async function replaceRecord(
  tools: WriteTools,
  current: StoredRecord<CanonicalRecord>,
  next: CanonicalRecord,
): Promise<Result<null>> {
  const { fileSystem } = tools;
  const bytes = encode(next);
  const place = placeOf(next);
  assertSamePlace(current, next);
  try {
    const directory = findDirectory(fileSystem, tools.root, place.segments);
    if (directory === null) return fail(writeConflict);
    clearLeftovers(tools, directory);
    const path = join(directory, place.name);
    const temporary = await writeTemporary(fileSystem, directory, next.id, bytes);
    let moved = false;
    try {
      const refused = compare(fileSystem, path, current.sha256) ?? lockLost(tools);
      if (refused !== undefined) return fail(refused);
      moved = rename(fileSystem, temporary, path);
    } finally {
      if (!moved) tryUnlink(fileSystem, temporary.path);
    }
    return await settle(fileSystem, directory, replacementUncertain);
  } catch (error) {
    return storageFailure(error);
  }
}

export async function removeRecord(tools: WriteTools, current: StoredRecord<CanonicalRecord>): Promise<Result<null>> {
  const { fileSystem } = tools;
  const place = placeOf(current.record);
  try {
    const directory = findDirectory(fileSystem, tools.root, place.segments);
    if (directory === null) return fail(writeConflict);
    const path = join(directory, place.name);
    const refused = compare(fileSystem, path, current.sha256) ?? lockLost(tools);
    if (refused !== undefined) return fail(refused);
    // Copies that a killed writer left must not outlive the record. First, since a failure here loses nothing.
    for (const leftover of leftovers(fileSystem, directory, current.record.id)) fileSystem.unlink(leftover);
    const stays = unlink(fileSystem, path);
    if (stays !== undefined) return fail(stays);
    return await settle(fileSystem, directory, deletionUncertain);
  } catch (error) {
    return storageFailure(error);
  }
}

/** The bytes of `record`, proved to be read as the same record. */
function encode(record: CanonicalRecord): Buffer {
  const bytes = Buffer.from(serialiseRecord(record));
  const parsed = parseRecord(bytes, record.scope, recordPath(referenceOf(record)));
  if (!parsed.ok || !isDeepStrictEqual(parsed.record, record)) {
    throw new Error('a record was to be written that would not be read back as it is');
  }
  return bytes;
}

/** The directories below the root and the file name. */
export function placeOf(record: CanonicalRecord): { readonly segments: readonly string[]; readonly name: string } {
  const ids = record.collection === null ? [record.namespace.id] : [record.namespace.id, record.collection.id];
  return { segments: [record.scope, ...ids.map(asSegment)], name: `${asSegment(record.id)}.json` };
}

function assertSamePlace(current: StoredRecord<CanonicalRecord>, next: CanonicalRecord): void {
  if (current.scope !== next.scope || current.path !== recordPath(referenceOf(next))) {
    throw new Error('a record was to be replaced by one that belongs elsewhere');
  }
}

interface Temporary {
  readonly path: string;
  readonly device: number;
  readonly inode: number;
}

async function writeTemporary(
  fileSystem: FileSystem,
  directory: string,
  id: string,
  bytes: Buffer,
): Promise<Temporary> {
  const path = join(directory, `.${id}.${randomBytes(8).toString('hex')}.tmp`);
  const file = fileSystem.createFile(path, 0o600);
  try {
    let stats: { readonly dev: number; readonly ino: number };
    try {
      for (let offset = 0; offset < bytes.length; ) offset += fileSystem.write(file, bytes, offset);
      await fileSystem.sync(file);
      stats = fileSystem.fstat(file);
    } finally {
      fileSystem.close(file);
    }
    return { path, device: stats.dev, inode: stats.ino };
  } catch (error) {
    tryUnlink(fileSystem, path);
    throw error;
  }
}

/** Gives the file its name. A call that failed may have done its work all the same, so the disk is asked. */
function link(fileSystem: FileSystem, temporary: Temporary, path: string): Failure | undefined {
  try {
    fileSystem.link(temporary.path, path);
    return undefined;
  } catch (error) {
    if (!isDiskError(error)) throw error;
    const landed = hasLanded(fileSystem, temporary, path);
    if (landed === undefined) return creationUncertain;
    if (landed) return undefined;
    return error.code === 'EEXIST' ? writeConflict : memorySourceUnavailable;
  }
}

/** True when the file has its name. Throws what the disk threw when it has not. */
function rename(fileSystem: FileSystem, temporary: Temporary, path: string): boolean {
  try {
    fileSystem.rename(temporary.path, path);
    return true;
  } catch (error) {
    if (isDiskError(error) && hasLanded(fileSystem, temporary, path) === true) return true;
    throw error;
  }
}

function unlink(fileSystem: FileSystem, path: string): Failure | undefined {
  try {
    fileSystem.unlink(path);
    return undefined;
  } catch (error) {
    if (!isDiskError(error)) throw error;
    if (error.code === 'ENOENT') return writeConflict;
    return fileSystem.lstat(path) === undefined ? undefined : memorySourceUnavailable;
  }
}

/** Whether the file now has the name `path`; undefined when the disk does not say. */
function hasLanded(fileSystem: FileSystem, temporary: Temporary, path: string): boolean | undefined {
  try {
    const stats = fileSystem.lstat(path);
    return stats !== undefined && stats.dev === temporary.device && stats.ino === temporary.inode;
  } catch (error) {
    if (!isDiskError(error)) throw error;
    return undefined;
  }
}

/** Whether the file still has the bytes that were read. */
function compare(fileSystem: FileSystem, path: string, sha256: string): Failure | undefined {
  const reading = readRegularFile(fileSystem, path, notebookLimits.recordBytesMax);
  switch (reading.kind) {
    case 'read':
      return createHash('sha256').update(reading.bytes).digest('hex') === sha256 ? undefined : writeConflict;
    case 'gone':
    case 'oversized':
      return writeConflict;
    case 'symlink':
    case 'not_a_file':
    case 'unreadable':
      return memorySourceUnavailable;
  }
}

function lockLost(tools: WriteTools): Failure | undefined {
  return tools.isLockOurs() ? undefined : memorySourceUnavailable;
}

/** Makes the changed name last, or says that nobody knows whether it will. */
async function settle(fileSystem: FileSystem, directory: string, uncertain: Failure): Promise<Result<null>> {
  try {
    await syncDirectory(fileSystem, directory);
    return ok(null);
  } catch (error) {
    if (!isDiskError(error)) throw error;
    return fail(uncertain);
  }
}

const leftoverName = /^\.(mem_[0-9a-f]{32})\.[0-9a-f]{16}\.tmp$/;

/** Now and then: temporary files so old that their writer must have been killed. Never a reason to fail. */
function clearLeftovers(tools: WriteTools, directory: string): void {
  const { fileSystem, searched } = tools;
  const now = Date.now();
  if (now - (searched.get(directory) ?? 0) < notebookFileLimits.leftoverSearchMs) return;
  if (searched.size >= notebookFileLimits.knownDirectoriesMax) searched.clear();
  searched.set(directory, now);
  try {
    for (const path of leftovers(fileSystem, directory)) {
      const stats = fileSystem.lstat(path);
      if (stats !== undefined && now - Number(stats.mtimeMs) > notebookFileLimits.leftoverAgeMs) {
        tryUnlink(fileSystem, path);
      }
    }
  } catch (error) {
    if (!isDiskError(error)) throw error;
  }
}

/** Temporary files in `directory`, of one record or of all. */
function leftovers(fileSystem: FileSystem, directory: string, id?: string): string[] {
  const paths: string[] = [];
  for (const entry of fileSystem.readDirectory(directory)) {
    const owner = entry.isFile() ? leftoverName.exec(entry.name)?.[1] : undefined;
    if (owner !== undefined && (id === undefined || owner === id)) paths.push(join(directory, entry.name));
  }
  return paths;
}
