/**
 * The Markdown files of a folder inside the project, for the import of decision records.
 *
 * Links are not followed, so nothing outside the project is ever read. A folder that holds more or larger files than
 * the limits is refused whole, rather than read in part.
 */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { decisionLimits } from '../../base/limits.ts';
import { errnoOf } from '../../base/private-file.ts';
import type { AdrFile } from '../../memory/decisions/adr.ts';
import { invalidField, ok, type Result } from '../../memory/decisions/outcome.ts';

/** `folder` is absolute, or relative to `root`. Fails: `validation_error`. */
export async function readAdrFiles(root: string, folder: string): Promise<Result<readonly AdrFile[]>> {
  const refuse = (msg: string, type: string) => invalidField<readonly AdrFile[]>(['adr_folder'], msg, type);
  try {
    const real = await realpath(path.resolve(root, folder));
    if (real !== root && !real.startsWith(root + path.sep))
      return refuse('lies outside the project', 'path_outside_project');
    const names = await markdownFiles(real);
    if (names.length > decisionLimits.adrFilesMax)
      return refuse(`holds more than ${decisionLimits.adrFilesMax} files`, 'too_long');
    const files: AdrFile[] = [];
    for (const name of names) {
      if ((await stat(name)).size > decisionLimits.adrBytesMax) {
        return refuse(`${path.relative(root, name)} is larger than ${decisionLimits.adrBytesMax} bytes`, 'too_long');
      }
      const relative = path.relative(root, name).split(path.sep).join('/');
      files.push({ path: relative, text: await readFile(name, 'utf8') });
    }
    return ok(files);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    return refuse(errno === 'ENOENT' || errno === 'ENOTDIR' ? 'no such folder' : 'cannot be read', 'path_not_found');
  }
}

async function markdownFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(md|markdown)$/i.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}
