/** Files of export and import: written whole or not at all, read with a bound. */
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ProcessError } from '../../base/errors.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { cliLimits } from '../../base/limits.ts';
import { errnoOf } from '../../base/private-file.ts';

/** An export as a file or a person reads it. */
export function exportText(content: JsonValue): string {
  return typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
}

/**
 * Puts `text` at `file`, in place of a regular file or behind a link to one. Throws ProcessError `usage` for what is
 * neither; the errors of the system otherwise.
 */
export async function writeWhole(file: string, text: string): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const there = await stat(target).catch(() => null);
  if (there !== null && !there.isFile()) throw new ProcessError('usage', `${file} is there and is no regular file`);
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  let handle: FileHandle | undefined;
  try {
    handle = await open(temporary, 'wx', there === null ? 0o666 : there.mode & 0o777);
    await handle.writeFile(text);
    await handle.sync();
    await handle.close();
    await rename(temporary, target);
  } catch (error) {
    await handle?.close().catch(() => {});
    await rm(temporary, { force: true });
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') {
      throw new ProcessError('usage', `there is no folder ${path.dirname(file)} to write into`, { cause: error });
    }
    if (errno === undefined) throw error;
    throw new ProcessError('unavailable', `${file} cannot be written (${errno})`, { cause: error });
  }
}

/** What the row is given for a path: the content of an export, or a folder of decision records. */
export async function importInput(named: string, folder: string): Promise<JsonObject> {
  const place = path.resolve(folder, named);
  let text: string;
  try {
    const facts = await stat(place);
    if (facts.isDirectory()) return { adr_folder: place };
    if (facts.size > cliLimits.importBytesMax) {
      throw new ProcessError('invalid_request', `${named} is larger than ${cliLimits.importBytesMax} bytes`);
    }
    text = await readUtf8(place);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    if (errno !== 'ENOENT' && errno !== 'ENOTDIR') {
      throw new ProcessError('unavailable', `${named} cannot be read (${errno})`, { cause: error });
    }
    throw new ProcessError('not_found', `there is no file or folder ${named}`, { cause: error });
  }
  try {
    const content: JsonValue = JSON.parse(text);
    return { export: content };
  } catch (error) {
    const wanted = 'give an export in JSON, or a folder of Markdown decision records';
    throw new ProcessError('invalid_request', `${named} is not JSON; ${wanted}`, { cause: error });
  }
}

async function readUtf8(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ProcessError('invalid_request', `${path.basename(file)} is no UTF-8 text`, { cause: error });
  } finally {
    await handle.close();
  }
}
