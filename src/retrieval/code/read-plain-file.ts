/** Reads a file that was listed, unless something else took its place: links are not followed, pipes not waited for. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** The same; null for a file that went, or was closed to us, since it was listed. */
export function readIfThere(file: string): Uint8Array | null {
  try {
    return readPlainFile(file);
  } catch {
    // Whoever reads it next says so, with the reason.
    return null;
  }
}

/** Throws what the system says; a link in the place of the file is one of its refusals. */
export function readPlainFile(file: string): Uint8Array {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error('It is no plain file any more.');
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
