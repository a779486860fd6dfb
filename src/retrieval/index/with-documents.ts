/** The files of a listing and the documents that were added by hand. */
import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { ScannedFile } from '../code/scan.ts';

/** By path. A document that is gone is simply not there. */
export function withDocuments(
  root: string,
  listed: readonly ScannedFile[],
  documents: Iterable<string>,
): readonly ScannedFile[] {
  const known = new Set(listed.map((file) => file.path));
  const added = [...documents].filter((file) => !known.has(file)).flatMap((file) => scannedFile(root, file) ?? []);
  return added.length === 0 ? listed : [...listed, ...added].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A file as listing would give it, or null when it is gone or no plain file. */
export function scannedFile(root: string, file: string): ScannedFile | null {
  const found = lstatSync(path.join(root, file), { throwIfNoEntry: false });
  if (found?.isFile() !== true) return null;
  return { path: file, bytes: found.size, modifiedMs: found.mtimeMs, changedMs: found.ctimeMs, inode: found.ino };
}
