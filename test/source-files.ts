/** The project's own files as tests about the sources see them: path from the checkout's root, and text. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const checkoutRoot = path.dirname(import.meta.dirname);

export interface SourceFile {
  /** With `/`, from the root of the checkout. */
  readonly path: string;
  readonly text: string;
}

/** Every file below `folder` whose name ends in one of `endings`, sorted by path. */
export function sourceFiles(folder: string, endings: readonly string[]): readonly SourceFile[] {
  return readdirSync(path.join(checkoutRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes(`${path.sep}node_modules${path.sep}`))
    .sort()
    .map((file) => ({
      path: path.relative(checkoutRoot, file).split(path.sep).join('/'),
      text: readFileSync(file, 'utf8'),
    }));
}

export function isTestFile(file: string): boolean {
  return file.endsWith('.test.ts');
}
