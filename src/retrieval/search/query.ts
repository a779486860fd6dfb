/**
 * A question as what is looked up for it. Any text is legal. A question is about its content words; where it has none
 * (`get all`), its stop words are looked up instead.
 */
import { searchLimits } from '../../base/limits.ts';
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
}

export interface Query {
  /** In the order of the question, distinct. */
  readonly terms: readonly QueryTerm[];
  /** Distinct words beyond the limit, which are not looked up. */
  readonly cut: number;
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
const askingWeight = 0.3;
/**
 * One meaning of a word against the word. Between 0.2 and 0.35 on the tuning half nothing changes much; above it, words
 * that stand in the code lose to those that might.
 */
const meaningWeight = 0.3;

const stopTerms: ReadonlySet<string> = new Set([...stopWords].map(stemOf));
const sharedStem = stemOf('response');
const askingTerms: ReadonlySet<string> = new Set([...askingWords].map(stemOf));
const testWords = /\b(tests?|testing|tested|specs?|fixtures?|mocks?|e2e)\b/i;
const documentWords = /\b(docs?|documentation|documented|readme|guides?|tutorials?|manual|changelog)\b/i;

/** By its stem, in any form; but a response is not responsible. */
function isAsking(word: string, term: string): boolean {
  return askingTerms.has(term) && (term !== sharedStem || askingWords.has(word.toLowerCase()));
}

export function parseQuery(given: string, { meanings }: QueryOptions = { meanings: true }): Query {
  const text = given.slice(0, searchLimits.queryCharsMax);
  const content = new Map<string, QueryTerm>();
  const stopped = new Map<string, QueryTerm>();
  let cut = 0;
  let previous: string | null = null;
  eachWord(text, 0, text.length, (word) => {
    const terms = termsOfWord(word);
    const isContent = terms.some((term) => !stopTerms.has(term));
    if (isContent && content.size >= searchLimits.queryTermsMax) {
      if (terms.some((term) => !content.has(term))) cut += 1;
      return;
    }
    for (const term of terms) {
      const target = stopTerms.has(term) ? stopped : content;
      const weight = isAsking(word, term) ? askingWeight : 1;
      if (!target.has(term)) target.set(term, { term, label: word, weight, meaning: null });
    }
    if (previous !== null && (isContent || particles.has(word.toLowerCase()))) {
      const term = isContent
        ? stemOf(wholeTerm(previous + word))
        : stemOf(wholeTerm(stemOf(wholeTerm(previous)) + word));
      const label = `${previous} ${word}`;
      if (!content.has(term)) content.set(term, { term, label, weight: gluedWeight, meaning: null });
    }
    previous = isContent ? word : null;
  });
  const own = content.size > 0 ? [...content.values()] : [...stopped.values()].slice(0, searchLimits.queryTermsMax);
  return {
    terms: meanings ? [...own, ...meaningsOf(own, content)] : own,
    cut,
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
      found.set(meant, { term: meant, label: known?.label ?? label, weight: Math.min(1, sum), meaning });
    }
  }
  return [...found.values()];
}
