/** The threads that read files for an index. */
import { FilePool, workerFile } from '../code/parse-pool.ts';
import type { IndexedOutcome } from './indexed-parts.ts';

/** `threads` as many as the machine bears by default; they start with the first files. */
export function indexPool(threads?: number): FilePool<IndexedOutcome> {
  return new FilePool<IndexedOutcome>(workerFile('./index-worker', import.meta.url), threads);
}
