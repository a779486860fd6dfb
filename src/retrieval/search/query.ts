/**
 * A question as what is looked up for it. Any text is legal. A question is about its content words; where it has none
 * (`from`, `is in`), its stop words are looked up instead. Several of them are a question only where something is called
 * so, which `rank.ts` looks for.
 */
import { searchLimits } from '../../base/limits.ts';
import { namesApart, type Phrase, phrasesOf } from './name-apart.ts';
import { askingWords, stopWords } from './stop-words.ts';
import { eachWord, stemOf, termsOfWord, wholeTerm } from './terms.ts';
import { thesaurus } from './thesaurus.ts';

export interface QueryTerm {
  readonly term: string;
  /** As it stands in the question. */
  readonly label: string;
  /** Above 0, at most 1: how much a match says of the question. */
  readonly weight: number;
  /** The word of the thesaurus that was looked up for it, or null for the word itself. */
  readonly meaning: string | null;
  /** The term of the question that it is looked up for: itself, or the one it is a meaning of. */
  readonly of: string;
}

export interface Query {
  /** In the order of the question, distinct. */
  readonly terms: readonly QueryTerm[];
  /** Distinct words beyond the limit, which are not looked up. */
  readonly cut: number;
  /** What is written as a name of the code: identifiers, what stands in backticks, a question of one or a few words. */
  readonly names: readonly string[];
  /** What may be a name that is written as its words. */
  readonly phrases: readonly Phrase[];
  /** Whether it has several words and only such as every sentence is made of: `what is this`. */
  readonly onlyStopWords: boolean;
  /** Whether it asks for tests. */
  readonly asksTests: boolean;
  /** Whether it asks for documents rather than code. */
  readonly asksDocuments: boolean;
}

export interface QueryOptions {
  /** Whether meanings of words are looked up as well. */
  readonly meanings: boolean;
}

/** Two neighbours are looked up as one identifier as well: `time out` finds `timeout` and `time_out`. */
const gluedWeight = 0.3;
/** Small words that make one word with the one before: `timed out` is a timeout, `logs in` a login. */
const particles: ReadonlySet<string> = new Set(['out', 'off', 'in', 'up', 'down', 'back', 'over', 'on', 'away']);
/** How one asks, not for what; but a file, a function and a class can be what a question is about. */
const askingWeight = 0.5;
/**
 * One meaning of a word against the word. Between 0.3 and 0.5 on the tuning half nothing changes much; below it, what is
 * asked for in other words is lost.
 */
const meaningWeight = 0.4;

const stopTerms: ReadonlySet<string> = new Set([...stopWords].map(stemOf));
const sharedStem = stemOf('response');
const askingTerms: ReadonlySet<string> = new Set([...askingWords].map(stemOf));
const testWords = /\b(tests?|testing|tested|specs?|fixtures?|mocks?|e2e)\b/i;
/** `cache.get`, get(): each repetition is bounded, so that no text takes the time of its square. */
const calledOrQuoted = /`[^`\s]{0,120}?([\p{L}\p{N}_]{1,80})(?:\(\))?`|([\p{L}\p{N}_]{1,80})\(\)/gu;
const documentWords = /\b(docs?|documentation|documented|readme|guides?|tutorials?|manual|changelog)\b/i;

/** By its stem, in any form; but a response is not responsible. */
function isAsking(word: string, term: string): boolean {
  return askingTerms.has(term) && (term !== sharedStem || askingWords.has(word.toLowerCase()));
}

export function parseQuery(given: string, { meanings }: QueryOptions = { meanings: true }): Query {
  const text = given.slice(0, searchLimits.queryCharsMax);
  const content = new Map<string, QueryTerm>();
  const stopped = new Map<string, QueryTerm>();
  const names = new Set<string>();
  const words = new Set<string>();
  let cut = 0;
  let previous: string | null = null;
  eachWord(text, 0, text.length, (word) => {
    const terms = termsOfWord(word);
    words.add(word);
    if (terms.length > 1) names.add(word);
    const isContent = terms.some((term) => !stopTerms.has(term));
    if (isContent && content.size >= searchLimits.queryTermsMax) {
      if (terms.some((term) => !content.has(term))) cut += 1;
      return;
    }
    for (const term of terms) {
      const target = stopTerms.has(term) ? stopped : content;
      const weight = isAsking(word, term) ? askingWeight : 1;
      if (!target.has(term)) target.set(term, { term, label: word, weight, meaning: null, of: term });
    }
    if (previous !== null && (isContent || particles.has(word.toLowerCase()))) {
      const term = isContent
        ? stemOf(wholeTerm(previous + word))
        : stemOf(wholeTerm(stemOf(wholeTerm(previous)) + word));
      const label = `${previous} ${word}`;
      if (!content.has(term)) content.set(term, { term, label, weight: gluedWeight, meaning: null, of: term });
    }
    previous = isContent ? word : null;
  });
  for (const [, quoted, called] of text.matchAll(calledOrQuoted)) names.add(quoted ?? called ?? '');
  const own = content.size > 0 ? [...content.values()] : [...stopped.values()].slice(0, searchLimits.queryTermsMax);
  return {
    terms: meanings ? [...own, ...meaningsOf(own, content)] : own,
    cut,
    names: [...(words.size === 1 ? words : new Set([...names, ...namesApart([...words])]))].slice(
      0,
      searchLimits.queryNamesMax,
    ),
    phrases: phrasesOf(text),
    onlyStopWords: content.size === 0 && words.size > 1,
    asksTests: testWords.test(text),
    asksDocuments: documentWords.test(text),
  };
}

/** Each meaning of each word, once, and none that the question itself has. A word of two has the meanings of one. */
function meaningsOf(own: readonly QueryTerm[], content: ReadonlyMap<string, QueryTerm>): readonly QueryTerm[] {
  const found = new Map<string, QueryTerm>();
  for (const { term, label, weight } of own) {
    const factor = weight === gluedWeight ? 2 * gluedWeight : weight;
    for (const [meant, meaning] of thesaurus.get(term) ?? []) {
      if (found.size >= searchLimits.queryMeaningsMax) return [...found.values()];
      if (content.has(meant)) continue;
      const known = found.get(meant);
      // Two words that may mean the same say it more surely.
      const sum = (known?.weight ?? 0) + meaningWeight * Math.min(1, factor);
      const told = known === undefined ? { label, of: term } : { label: known.label, of: known.of };
      found.set(meant, { term: meant, ...told, weight: Math.min(1, sum), meaning });
    }
  }
  return [...found.values()];
}
