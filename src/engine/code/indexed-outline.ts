/** The outline of one file as the index has it. */
import path from 'node:path';
import { codeMindLimits } from '../../base/limits.ts';
import { type Outline, skeleton } from '../../retrieval/graph/skeleton.ts';
import type { IndexView } from '../../retrieval/index/index-reader.ts';
import { absenceWords } from './absent-file.ts';

export interface IndexedOutline extends Outline {
  /** Why the file has no symbols, or null. */
  readonly textOnly: string | null;
}

export type FoundOutline =
  | { readonly kind: 'outline'; readonly outline: IndexedOutline }
  /** Why the file is not in the index. */
  | { readonly kind: 'absent'; readonly words: string };

/** `given` is absolute or from the root; `offset` counts symbols from 0. */
export function indexedOutline({ db, parts }: IndexView, root: string, given: string, offset: number): FoundOutline {
  const find = db.prepare<[string], { parsed: number; text_only: string | null }>(
    'SELECT parsed, text_only FROM file WHERE path = ?',
  );
  // As it is first: a backslash may be part of a name.
  const named = fromRoot(root, given);
  const file = find.get(given) ?? find.get(named);
  if (file === undefined) return { kind: 'absent', words: absenceWords(db, root, named) };
  const limits = { offset, bytesMax: codeMindLimits.outlineBytesMax };
  return { kind: 'outline', outline: { ...skeleton(parts.facts(file.parsed), limits), textOnly: file.text_only } };
}

/** A path as the index names it: from the root, with `/`. */
function fromRoot(root: string, given: string): string {
  const plainPath = given.replaceAll('\\', '/');
  const relative = path.isAbsolute(plainPath) ? path.relative(root, plainPath) : path.normalize(plainPath);
  return relative.split(path.sep).join('/');
}
