/**
 * Which file of a project a path means, and its bytes. Links are never followed, neither the file nor a folder on the
 * way, and nothing is told about what lies outside: a path that leads out is refused before the disk is asked.
 */
import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { documentLimits } from '../../base/limits.ts';
import { errnoOf } from '../../base/private-file.ts';
import { liesIn, ownFoldersWithin } from '../code/scan-own-folders.ts';
import { type Withheld, withheldReason } from './withheld-path.ts';

export type PathRefusal =
  /** By the path alone. */
  | 'outside'
  /** A link, or behind one, to something in the project. */
  | 'link'
  | 'link-out'
  | 'not-a-file'
  | 'missing'
  /** By the name, or because it lies where Mnemosyne keeps its own data. */
  | Withheld;

export type DocumentPath =
  /** `path` is from the root, with `/`. */
  | { readonly kind: 'inside'; readonly path: string; readonly absolutePath: string }
  | { readonly kind: 'refused'; readonly reason: PathRefusal };

export type DocumentFile =
  | { readonly kind: 'read'; readonly path: string; readonly bytes: Uint8Array; readonly modifiedMs: number }
  | { readonly kind: 'refused'; readonly reason: PathRefusal | 'too-large' | 'unreadable' };

/**
 * `given` is absolute or from the root. The root itself may be reached through links. `own` are the folders of our own
 * data, as for listing a project (`scan.ts`).
 */
export async function documentPath(root: string, given: string, own: readonly string[] = []): Promise<DocumentPath> {
  const realRoot = await realpath(root);
  const relative = fromRoot(root, given) ?? fromRoot(realRoot, given);
  if (relative === null) return { kind: 'refused', reason: 'outside' };
  const parts = relative.split(path.sep);
  const ownFolders = ownFoldersWithin(realRoot, own);
  const withheldAt = (name: string) =>
    ownFolders === null || liesIn(name, ownFolders) ? 'internal' : withheldReason(name);
  const withheld = withheldAt(parts.join('/'));
  if (withheld !== null) return { kind: 'refused', reason: withheld };
  for (let length = 1; length <= parts.length; length += 1) {
    const at = path.join(realRoot, ...parts.slice(0, length));
    const isLast = length === parts.length;
    let found: Awaited<ReturnType<typeof lstat>>;
    try {
      found = await lstat(at);
    } catch (error) {
      if (isMissing(error)) return { kind: 'refused', reason: 'missing' };
      throw error;
    }
    if (found.isSymbolicLink()) return { kind: 'refused', reason: await linkReason(realRoot, at) };
    if (isLast && !found.isFile()) return { kind: 'refused', reason: 'not-a-file' };
  }
  const absolutePath = path.join(realRoot, ...parts);
  // On file systems that fold case the real name can be another one.
  const inside = fromRoot(realRoot, await realpath(absolutePath));
  if (inside === null) return { kind: 'refused', reason: 'link-out' };
  const name = inside.split(path.sep).join('/');
  const withheldByItsName = withheldAt(name);
  if (withheldByItsName !== null) return { kind: 'refused', reason: withheldByItsName };
  return { kind: 'inside', path: name, absolutePath: path.join(realRoot, inside) };
}

/** The path of a document from the root with `/`, whether or not it is there; null when it leads out. */
export async function nameOfDocument(root: string, given: string): Promise<string | null> {
  const relative = fromRoot(root, given) ?? fromRoot(await realpath(root), given);
  return relative === null ? null : relative.split(path.sep).join('/');
}

/** The file as it is when it is opened: one that became a link or grew too large meanwhile is refused as well. */
export async function readDocumentFile(
  root: string,
  given: string,
  own: readonly string[] = [],
): Promise<DocumentFile> {
  const found = await documentPath(root, given, own);
  if (found.kind === 'refused') return found;
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(found.absolutePath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) return { kind: 'refused', reason: 'missing' };
    const errno = errnoOf(error);
    if (errno === 'ELOOP') return { kind: 'refused', reason: 'link' };
    if (errno !== undefined) return { kind: 'refused', reason: 'unreadable' };
    throw error;
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return { kind: 'refused', reason: 'not-a-file' };
    if (stats.size > documentLimits.fileBytesMax) return { kind: 'refused', reason: 'too-large' };
    const again = await documentPath(root, given, own);
    if (again.kind === 'refused') return again;
    const bytes = new Uint8Array(stats.size);
    let read = 0;
    while (read < bytes.length) {
      const { bytesRead } = await file.read(bytes, read, bytes.length - read, read);
      if (bytesRead === 0) break;
      read += bytesRead;
    }
    return { kind: 'read', path: again.path, bytes: bytes.subarray(0, read), modifiedMs: stats.mtimeMs };
  } finally {
    await file.close();
  }
}

/** The path from the root, or null when it leads out or names the root itself. */
function fromRoot(root: string, given: string): string | null {
  if (given === '' || given.includes('\0')) return null;
  const relative = path.relative(root, path.resolve(root, given));
  if (relative === '' || relative === '..' || relative.startsWith(`..${path.sep}`)) return null;
  return path.isAbsolute(relative) ? null : relative;
}

async function linkReason(root: string, link: string): Promise<'link' | 'link-out'> {
  try {
    return fromRoot(root, await realpath(link)) === null ? 'link-out' : 'link';
  } catch (error) {
    // To nothing, or in a circle: not within the project in any case.
    if (errnoOf(error) === undefined) throw error;
    return 'link-out';
  }
}

function isMissing(error: unknown): boolean {
  const errno = errnoOf(error);
  return errno === 'ENOENT' || errno === 'ENOTDIR' || errno === 'ENAMETOOLONG';
}
