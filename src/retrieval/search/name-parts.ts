/**
 * Names of which one wrote a part, without the borders of its words: `timingsafe` for `timingSafeEqual`, `elementby` for
 * `get_element_by_id`. The beginning of a name is looked up among the names; a part from its middle is taken apart into
 * words that names have, and the definitions that have all of them are looked through. No list of names is read whole.
 */
import { searchLimits } from '../../base/limits.ts';
import type { IndexedSymbol, NamedSymbol, SearchSource } from './source.ts';
import { stemOf, termsOfWord, wholeTerm } from './terms.ts';

const identifier = /^[\p{L}\p{N}_$]+$/u;
/** Shorter ones begin too many names. */
const charsMin = 5;
const charsMax = 40;
const wordCharsMin = 2;
const wordCharsMax = 16;
const waysMax = 16;
const namesMax = 100;

/** Definitions whose name has `word` in it and is not that, nor has it as one of its words; the shortest names first. */
export function namesWith(source: SearchSource, word: string): readonly NamedSymbol[] {
  const part = wholeTerm(word);
  if (!identifier.test(word) || part.length < charsMin || part.length > charsMax) return [];
  const ways = waysApart(source, part);
  const beginnings = new Set([word, part, ...ways.map((way) => way.join('_'))]);
  const names = new Set([...beginnings].flatMap((one) => source.namesFrom(one, namesMax)));
  const found = new Map<string, NamedSymbol>();
  const add = (one: NamedSymbol): void => {
    if (isPartOf(part, one.symbol)) found.set(one.symbol.id, one);
  };
  for (const name of names) for (const one of source.symbolsNamed(name)) add(one);
  for (const way of ways) for (const one of symbolsWith(source, way)) add(one);
  return [...found.values()].sort((a, b) => inOrder(source, a, b)).slice(0, searchLimits.namedDefinitionsMax);
}

/** How much of a name a part of it is, above 0, at most 1. */
export function shareOfName(part: string, name: string): number {
  return wholeTerm(part).length / Math.max(1, wholeTerm(name).length);
}

/** What is found as a word is answered by its words. */
function isPartOf(part: string, { name }: IndexedSymbol): boolean {
  const whole = wholeTerm(name);
  return whole !== part && whole.includes(part) && !termsOfWord(name).includes(stemOf(part));
}

/** Each way to write a text as words that the project has, the longest first words first; at least two words each. */
function waysApart(source: SearchSource, text: string): readonly (readonly string[])[] {
  const ways: (readonly string[])[] = [];
  const isDead = new Set<number>();
  const goOn = (from: number, words: readonly string[]): boolean => {
    if (from === text.length) {
      if (words.length > 1) ways.push(words);
      return true;
    }
    if (isDead.has(from)) return false;
    let isWay = false;
    for (let to = Math.min(text.length, from + wordCharsMax); to >= from + wordCharsMin; to--) {
      if (ways.length === waysMax) return true;
      const word = text.slice(from, to);
      if (source.postings(stemOf(word)).length > 0 && goOn(to, [...words, word])) isWay = true;
    }
    if (!isWay) isDead.add(from);
    return isWay;
  };
  goOn(0, []);
  return ways;
}

/** Definitions that have all the words in their names. */
function symbolsWith(source: SearchSource, words: readonly string[]): readonly NamedSymbol[] {
  let chunks: ReadonlySet<number> | null = null;
  for (const word of words) {
    const having = new Set<number>();
    for (const list of source.postings(stemOf(word))) {
      list.chunks.forEach((chunk, at) => {
        const isInName = (list.counts[at] ?? 0) >> 12 > 0;
        if (isInName && (chunks === null || chunks.has(chunk))) having.add(chunk);
      });
    }
    chunks = having;
  }
  return [...(chunks ?? [])].flatMap((chunk) => {
    const symbol = source.symbolOf(chunk);
    return symbol === null ? [] : [{ file: source.chunkFile[chunk] ?? -1, symbol }];
  });
}

function inOrder(source: SearchSource, a: NamedSymbol, b: NamedSymbol): number {
  const [path, other] = [source.files.get(a.file)?.path ?? '', source.files.get(b.file)?.path ?? ''];
  return (
    a.symbol.name.length - b.symbol.name.length ||
    (path < other ? -1 : path > other ? 1 : 0) ||
    a.symbol.startLine - b.symbol.startLine
  );
}
