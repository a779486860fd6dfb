/**
 * How well a record answers a query: plain counting over four fields, no learning and no index on disk.
 *
 *   4 x request tags that equal a whole tag of the record
 *   3 x distinct query terms in the title
 *   2 x distinct query terms in the path or in the tags, each counted once
 *   1 x distinct query terms in the content
 *
 * A term is a run of letters and digits in the case-folded text, longer than one character and not a stop word.
 * Underscores, punctuation and combining marks separate terms. Labels, kind, language and provenance are not searched,
 * and neither is the name of the scope, because the path starts below it.
 *
 * Folding and splitting a thousand records costs far more than counting, so both are kept beside the record object. The
 * store hands out the same object for as long as the file is unchanged, and the memory goes when the object does.
 */
import type { StoredRecord } from './store.ts';
import { compareCodePoints, foldCase, splitWhitespace } from './text.ts';

export interface Query {
  readonly terms: readonly string[];
  readonly tags: readonly string[];
}

export interface Match {
  /** Greater than 0. */
  readonly score: number;
  /** The folded query terms that were found, in code point order. */
  readonly terms: readonly string[];
  /** The folded request tags that were found, in code point order. */
  readonly tags: readonly string[];
}

export function makeQuery(text: string, tags: readonly string[]): Query {
  return {
    terms: [...termsOf(text)].sort(compareCodePoints),
    tags: [...new Set(tags.map(foldTag))].sort(compareCodePoints),
  };
}

/** How `stored` answers `query`, or undefined when nothing of it does. */
export function matchRecord(query: Query, stored: StoredRecord): Match | undefined {
  const fields = searchable(stored);
  const tags = query.tags.filter((tag) => fields.tags.has(tag));
  let score = 4 * tags.length;
  const terms: string[] = [];
  for (const term of query.terms) {
    let weight = 0;
    if (fields.title.has(term)) weight += 3;
    if (fields.place.has(term)) weight += 2;
    if (fields.content.has(term)) weight += 1;
    if (weight > 0) terms.push(term);
    score += weight;
  }
  return score === 0 ? undefined : { score, terms, tags };
}

/** The distinct terms of `text`. */
export function termsOf(text: string): Set<string> {
  const terms = new Set<string>();
  for (const [term] of foldCase(text).matchAll(/[\p{L}\p{N}]+/gu)) {
    if (isLongerThanOne(term) && !stopWords.has(term)) terms.add(term);
  }
  return terms;
}

const stopWords: ReadonlySet<string> = new Set(
  ('a an and are do does for how i in is it of on or the to user what when where which who why' as const).split(' '),
);

/** Counted in code points: one letter beyond the basic plane is still one letter. */
function isLongerThanOne(term: string): boolean {
  return term.length > 2 || (term.length === 2 && (term.codePointAt(0) ?? 0) <= 0xffff);
}

function foldTag(tag: string): string {
  return foldCase(splitWhitespace(tag).join(' '));
}

interface SearchableFields {
  readonly path: string;
  readonly title: ReadonlySet<string>;
  readonly content: ReadonlySet<string>;
  /** Terms of the path and of the tags. */
  readonly place: ReadonlySet<string>;
  /** Whole tags, folded. */
  readonly tags: ReadonlySet<string>;
}

const cache = new WeakMap<object, SearchableFields>();

function searchable(stored: StoredRecord): SearchableFields {
  const { record, path } = stored;
  const known = cache.get(record);
  // A record object belongs to one file; should two files ever share one, the path tells them apart.
  if (known !== undefined && known.path === path) return known;
  const fields = {
    path,
    title: termsOf(record.title ?? ''),
    content: termsOf(record.content),
    place: termsOf([path, ...record.tags].join(' ')),
    tags: new Set(record.tags.map(foldTag)),
  };
  cache.set(record, fields);
  return fields;
}
