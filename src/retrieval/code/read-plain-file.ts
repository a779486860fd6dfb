/** Reads a file that was listed, unless something else took its place: links are not followed, pipes not waited for. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

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
