/**
 * Reading what a repository brings along: a pipe, a device or a link to one in the place of a file must not hold up or
 * fill the process.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { errnoOf } from './private-file.ts';

/**
 * The content of a regular file, or of the one that a link leads to. Null when there is none, when it is larger than
 * `bytesMax` or when it may not be read.
 */
export function readRegularFile(file: string, bytesMax: number): Buffer | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return null;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > bytesMax) return null;
    // No more than the size that was checked: files of the kernel say 0 and may never end.
    const bytes = Buffer.allocUnsafe(stats.size);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(descriptor, bytes, length, bytes.length - length, length);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return null;
  } finally {
    closeSync(descriptor);
  }
}
