/**
 * Words that mean much alike, from how near their vectors in the static table are: `hang` and `stall`, `password` and
 * `credential`. The thesaurus knows what people say of programs; this list knows the rest of the language.
 *
 * It is made by `scripts/related-words/` and shipped with the package:
 *
 *   line 1            the words of developers, apart by spaces
 *   every further     a stem, then its relatives, nearest first: position in line 1, `:`, cosine in 35ths; in base 36
 */
import { readFileSync } from 'node:fs';
import type { Query, QueryTerm } from './query.ts';
import type { SearchSource } from './source.ts';
import { stemOf } from './terms.ts';

/** Beside `src` and `dist`, so that the sources and the build reach it by the same path. */
export const relatedWordsFile = new URL('../../../assets/related-words/words.txt', import.meta.url);

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
 * weight counts; what the question says itself stays as it is. Throws when the list is not there: it is a part of us.
 */
export function withRelatives(query: Query, source: SearchSource): Query {
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
      if (own.has(relative.term) || source.postings(relative.term).length === 0) continue;
      count += 1;
      const known = found.get(relative.term);
      const sum = (known?.weight ?? 0) + relativeWeight * weight * relative.cosine;
      const told = { label: known?.label ?? label, meaning: known?.meaning ?? relative.word };
      found.set(relative.term, { term: relative.term, ...told, weight: Math.min(1, sum) });
    }
  }
  const terms = query.terms.map((term) => {
    const weight = term.meaning === null ? 0 : (found.get(term.term)?.weight ?? 0);
    return weight > term.weight ? { ...term, weight } : term;
  });
  return { ...query, terms: [...terms, ...[...found.values()].filter(({ term }) => !meant.has(term))] };
}

let list: { readonly words: readonly string[]; readonly relatives: ReadonlyMap<string, string> } | null = null;

function relativesOf(stem: string): readonly Relative[] {
  list ??= read();
  const { words, relatives } = list;
  const told = relatives.get(stem);
  if (told === undefined) return [];
  return told.split(' ').map((pair) => {
    const [position = '', cosine = ''] = pair.split(':');
    const word = words[Number.parseInt(position, 36)] ?? '';
    return { term: stemOf(word), word, cosine: Number.parseInt(cosine, 36) / 35 };
  });
}

function read(): { readonly words: readonly string[]; readonly relatives: ReadonlyMap<string, string> } {
  const [words = '', ...lines] = readFileSync(relatedWordsFile, 'utf8').trimEnd().split('\n');
  const relatives = lines.map((line): readonly [string, string] => {
    const space = line.indexOf(' ');
    return [line.slice(0, space), line.slice(space + 1)];
  });
  return { words: words.split(' '), relatives: new Map(relatives) };
}
