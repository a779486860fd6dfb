/**
 * How text becomes search terms, for records and for questions alike. Any text is legal; some text has no terms.
 *
 * Spelling is folded: NFKC, lower case, Latin accents off. An identifier gives itself as one term without its
 * separators, and its parts on every level, so `src/io/atomicWrite.ts` gives `srcioatomicwritets`, `src`, `io`,
 * `atomicwritets`, `atomicwrite`, `atomic`, `write` and `ts`; `atomic_write` and `AtomicWrite` find it. Scripts that
 * are written without spaces give every character and every pair of neighbours. English words give their stem too.
 *
 * Terms hold no ASCII but letters and digits, so the table can split them at spaces and nothing else.
 */
import { decisionLimits } from '../../base/limits.ts';
import { stopWords } from './stop-words.ts';

/** A change here changes what is stored in the search table; the number makes old tables be rebuilt. */
export const termsVersion = 1;

export interface QueryTerm {
  /** As it is in the table. */
  readonly text: string;
  /** Whether longer terms that begin with it match too. */
  readonly prefix: boolean;
  /** As the reader knows it: the word of the question, or its part. */
  readonly label: string;
}

export interface QueryTerms {
  readonly terms: readonly QueryTerm[];
  /** Words of the question that were left out as too common. */
  readonly stopped: readonly string[];
  /** Words beyond the limit, not looked up. */
  readonly cut: number;
}

const termCharsMax = 128;
const prefixCharsMin = 3;

// The `v` flag (set subtraction) is newer than the language level the sources are checked against.
const unspaced =
  '[[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}' +
  '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々〆〇]&&[\\p{L}\\p{N}\\p{M}]]';
const letter = `[[\\p{L}\\p{N}\\p{M}]--${unspaced}]`;
const chunks = new RegExp(`(${unspaced}+)|(${letter}+(?:[_\\-.\\/\\\\:@#+$~]+${letter}+)*)`, 'gv');
const notWord = /[^\p{L}\p{N}\p{M}]+/gu;

/** From the widest separator to the finest; each level is split only after the one before. */
const levels: readonly RegExp[] = [
  /[/\\:]+/u,
  /[.@#+$~]+/u,
  /-+/u,
  /_+/u,
  /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u,
  /(?<=\p{N})(?=\p{L})|(?<=\p{L})(?=\p{N})/u,
];

/** All terms of a text in its order, with a space between two, as they go into the table. */
export function indexedTerms(text: string): string {
  const out: string[] = [];
  for (const chunk of chunksOf(text)) {
    if (chunk.kind === 'unspaced') {
      const characters = [...chunk.text];
      out.push(...characters, ...pairs(characters));
    } else {
      for (const term of identifierTerms(chunk.text).keys()) out.push(term, ...stemsOf(term));
    }
  }
  return out.join(' ');
}

/** The terms to look up for a question, first occurrence first. */
export function queryTerms(text: string): QueryTerms {
  const found = new Map<string, QueryTerm>();
  const common = new Map<string, QueryTerm>();
  for (const chunk of chunksOf(text)) {
    for (const term of chunk.kind === 'unspaced' ? unspacedTerms(chunk.text) : wordTerms(chunk.text)) {
      const target = stopWords.has(term.text) ? common : found;
      if (!target.has(term.text)) target.set(term.text, term);
    }
  }
  const chosen = [...(found.size > 0 ? found : common).values()];
  return {
    terms: chosen.slice(0, decisionLimits.queryTermsMax),
    stopped: found.size > 0 ? [...common.keys()] : [],
    cut: Math.max(0, chosen.length - decisionLimits.queryTermsMax),
  };
}

/**
 * A text of several words as one term, so that a question that is exactly a title finds that title first. Null for a
 * text of one word, which is such a term already.
 */
export function wholeTerm(text: string): string | null {
  const texts = [...chunksOf(text)].map((chunk) => chunk.text);
  return texts.length < 2 ? null : plain(texts.join(''));
}

/** The whole words of a text, folded: identifiers unsplit, no stop words unless there is nothing else. */
export function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const chunk of chunksOf(text)) {
    if (chunk.kind === 'unspaced') for (const term of unspacedTerms(chunk.text)) words.add(term.text);
    else words.add(plain(chunk.text));
  }
  const content = new Set([...words].filter((word) => !stopWords.has(word)));
  return content.size > 0 ? content : words;
}

interface Chunk {
  readonly kind: 'unspaced' | 'word';
  readonly text: string;
}

function* chunksOf(text: string): Generator<Chunk> {
  const folded = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC');
  for (const match of folded.matchAll(chunks)) {
    yield match[1] === undefined ? { kind: 'word', text: match[0] } : { kind: 'unspaced', text: match[0] };
  }
}

function unspacedTerms(text: string): readonly QueryTerm[] {
  const characters = [...text];
  const terms = characters.length === 1 ? characters : pairs(characters);
  return terms.map((term) => ({ text: term, prefix: false, label: term }));
}

function wordTerms(text: string): readonly QueryTerm[] {
  const terms: QueryTerm[] = [];
  for (const [term, label] of identifierTerms(text)) {
    terms.push({ text: term, prefix: term.length >= prefixCharsMin, label });
    if (!stopWords.has(term)) for (const stem of stemsOf(term)) terms.push({ text: stem, prefix: false, label });
  }
  return terms;
}

/** Term to label, the whole before its parts. */
function identifierTerms(text: string): ReadonlyMap<string, string> {
  const terms = new Map<string, string>();
  expand(text, 0, terms);
  return terms;
}

function expand(text: string, level: number, terms: Map<string, string>): void {
  const term = plain(text);
  if (term !== '' && !terms.has(term)) terms.set(term, text);
  for (let next = level; next < levels.length; next += 1) {
    const separator = levels[next];
    const parts = separator === undefined ? [] : text.split(separator).filter((part) => part !== '');
    if (parts.length < 2) continue;
    for (const part of parts) expand(part, next + 1, terms);
    return;
  }
}

function plain(text: string): string {
  const term = text.toLowerCase().replaceAll('ς', 'σ').replace(notWord, '');
  return term.length <= termCharsMax ? term : [...term].slice(0, termCharsMax).join('');
}

function pairs(characters: readonly string[]): readonly string[] {
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/**
 * The stem of an English inflection, when it differs from the word: endings of plural, past and -ing off, doubled
 * consonant and final e off. `caching`, `cached`, `caches` and `cache` share `cach`. Nothing shorter than three.
 */
function stemsOf(term: string): readonly string[] {
  if (!/^[a-z]{4,}$/.test(term)) return [];
  const bare = term
    .replace(/ies$/, 'y')
    .replace(/(?<=ss|sh|ch|x|z)es$/, '')
    .replace(/(?<=[^su])s$/, '')
    .replace(/(?<=[aeiouy].*)(?:ing|ed)$/, '');
  const single = bare === term ? bare : bare.replace(/([bdfgmnprt])\1$/, '$1');
  const stem = single.replace(/e$/, '').replace(/(?<=[^aeiou])y$/, 'i');
  return stem.length >= 3 && stem !== term ? [stem] : [];
}
