/**
 * Words that mean much alike, from how near their vectors in the static table are: `hang` and `stall`, `password` and
 * `credential`. The thesaurus knows what people say of programs; this list knows the rest of the language.
 *
 * It is made by `scripts/related-words/` and shipped with the package:
 *
 *   line 1            the words of developers, apart by spaces
 *   every further     a stem, then its relatives, nearest first: position in line 1, `:`, cosine in 35ths; in base 36
 *
 * The lines are in the order of their stems.
 */
import { type PackagedFile, readPackagedFile } from '../../base/packaged-file.ts';
import { censusOf } from './census.ts';
import { hasLiveChunk } from './lexical.ts';
import type { Query, QueryTerm } from './query.ts';
import type { SearchSource } from './source.ts';
import { stemOf } from './terms.ts';

/** A list that is made anew gets its size and its checksum here. */
export const relatedWords: PackagedFile = {
  path: 'assets/related-words/words.txt',
  bytes: 405_787,
  crc32: 0xa64a57ec,
};

interface Relative {
  readonly term: string;
  readonly word: string;
  readonly cosine: number;
}

/** A relative that is as near as can be, against the word itself. */
const relativeWeight = 0.4;
/** Of those that the project has. More of them bring more of what was not meant. */
const relativesMax = 6;

/**
 * The query with the relatives of its words that the source knows. Where a relative is a meaning already, the greater
 * weight counts; what the question says itself stays as it is. Without a whole list a question has no relatives:
 * `relatedWordsFault` tells so.
 */
export function withRelatives(query: Query, source: SearchSource): Query {
  const census = censusOf(source);
  const own = new Set<string>();
  const meant = new Map<string, QueryTerm>();
  for (const term of query.terms) {
    if (term.meaning === null) own.add(term.term);
    else meant.set(term.term, term);
  }
  const found = new Map<string, QueryTerm>();
  for (const { term, label, weight, meaning } of query.terms) {
    if (meaning !== null) continue;
    let count = 0;
    for (const relative of relativesOf(term)) {
      if (count === relativesMax) break;
      if (own.has(relative.term) || !hasLiveChunk(census, source.postings(relative.term))) continue;
      count += 1;
      const known = found.get(relative.term);
      const sum = (known?.weight ?? 0) + relativeWeight * weight * relative.cosine;
      const told = known ?? { label, meaning: relative.word, of: term };
      found.set(relative.term, { ...told, term: relative.term, weight: Math.min(1, sum) });
    }
  }
  const terms = query.terms.map((term) => {
    const weight = term.meaning === null ? 0 : (found.get(term.term)?.weight ?? 0);
    return weight > term.weight ? { ...term, weight } : term;
  });
  return { ...query, terms: [...terms, ...[...found.values()].filter(({ term }) => !meant.has(term))] };
}

/** Why the list cannot be used, or null. */
export function relatedWordsFault(): string | null {
  const list = listOnce();
  return list.kind === 'unusable' ? list.reason : null;
}

type List =
  | { readonly kind: 'whole'; readonly words: readonly string[]; readonly bytes: Buffer; readonly linesAt: number }
  | Extract<ReturnType<typeof readPackagedFile>, { readonly kind: 'unusable' }>;

let list: List | null = null;

function listOnce(): List {
  list ??= read();
  return list;
}

function relativesOf(stem: string): readonly Relative[] {
  const known = listOnce();
  if (known.kind === 'unusable') return [];
  const { words } = known;
  const told = lineOf(stem, known.bytes, known.linesAt);
  if (told === null) return [];
  return told.split(' ').map((pair) => {
    const [position = '', cosine = ''] = pair.split(':');
    const word = words[Number.parseInt(position, 36)] ?? '';
    return { term: stemOf(word), word, cosine: Number.parseInt(cosine, 36) / 35 };
  });
}

/** The lines stay bytes, sorted as they are: a question needs a few of ten thousand. */
function read(): List {
  const file = readPackagedFile(relatedWords);
  if (file.kind === 'unusable') return file;
  const { bytes } = file;
  const linesAt = bytes.indexOf(lineFeed) + 1;
  return { kind: 'whole', words: bytes.toString('latin1', 0, linesAt - 1).split(' '), bytes, linesAt };
}

/**
 * What stands behind the stem in its line, by halving; null without such a line. Each step leaves less, whatever the
 * bytes are.
 */
export function lineOf(stem: string, bytes: Buffer, linesAt: number): string | null {
  let from = linesAt;
  let to = bytes.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    // Of the line that the byte in the middle is in: it begins there at the latest, and ends there at the earliest.
    const start = middle === from ? from : Math.max(from, bytes.lastIndexOf(lineFeed, middle - 1) + 1);
    const end = placeOf(lineFeed, bytes, middle, to);
    const border = placeOf(space, bytes, start, end);
    const found = bytes.toString('latin1', start, border);
    if (found === stem) return bytes.toString('latin1', border + 1, end);
    if (found < stem) from = end + 1;
    else to = start;
  }
  return null;
}

/** The first place of the byte between two others, the second excluded and taken where there is none. */
function placeOf(byte: number, bytes: Buffer, from: number, to: number): number {
  const place = bytes.indexOf(byte, from);
  return place === -1 || place > to ? to : place;
}

const lineFeed = 0x0a;
const space = 0x20;
