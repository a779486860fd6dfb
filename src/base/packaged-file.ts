/**
 * Files that are shipped with the package and read as a whole. What they are was decided when they were made, so their
 * size and checksum stand in the code: one that is cut off or overwritten is told and never used.
 */
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { packageRoot } from './package-root.ts';
import { errnoOf } from './private-file.ts';

export interface PackagedFile {
  /** From the root of the package, with `/`. */
  readonly path: string;
  /** Its size. */
  readonly bytes: number;
  /** Of its content: a millisecond for 4 MB, a third of what SHA-256 takes. */
  readonly crc32: number;
}

/** Why something that comes with a package cannot be used. */
export type PackagedFault =
  /** It, or the optional package it comes with, is not there. */
  | 'not_installed'
  /** It is not the one this version was made with. */
  | 'checksum_mismatch'
  /** It is there and cannot be read or started. */
  | 'not_loadable';

export type PackagedContent =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'unusable'; readonly reason: PackagedFault; readonly message: string };

/** Never throws what the disk throws. */
export function readPackagedFile(file: PackagedFile, root: URL = packageRoot): PackagedContent {
  let bytes: Buffer;
  try {
    bytes = readFileSync(new URL(file.path, root));
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? { kind: 'unusable', reason: 'not_installed', message: `${file.path} is missing` }
      : { kind: 'unusable', reason: 'not_loadable', message: `${file.path} cannot be read (${code})` };
  }
  if (bytes.length === file.bytes && crc32(bytes) === file.crc32) return { kind: 'whole', bytes };
  return { kind: 'unusable', reason: 'checksum_mismatch', message: `${file.path} is not the file that was shipped` };
}

/** A file of the package that is needed cannot be used. Nothing helps but to install the package again. */
export class PackagedFileFailure extends Error {
  readonly reason: PackagedFault;

  constructor(reason: PackagedFault, message: string) {
    super(message);
    this.name = 'PackagedFileFailure';
    this.reason = reason;
  }
}
