/** Whether an index still says what the files say. Found by comparing contents, never by asking version control. */
import type { ScannedFile } from '../code/scan.ts';
import { compareFiles, type KnownFile } from './known-files.ts';

export interface IndexFreshness {
  /** Paths of indexed files whose content is another one now. */
  readonly changed: readonly string[];
  /** Paths of files that the index does not know. */
  readonly added: readonly string[];
  /** Paths of indexed files that are gone. */
  readonly removed: readonly string[];
}

/** `files` are those that a build would read now, `known` those of the last build (`known-files.ts`). */
export async function freshnessOf(
  root: string,
  files: readonly ScannedFile[],
  known: ReadonlyMap<string, KnownFile>,
  signal?: AbortSignal,
): Promise<IndexFreshness> {
  const { changed, gone } = await compareFiles(root, files, known, signal);
  return {
    changed: changed.filter((one) => one.known !== null).map((one) => one.file.path),
    added: changed.filter((one) => one.known === null).map((one) => one.file.path),
    removed: gone.filter((one) => one.id !== null).map((one) => one.path),
  };
}
