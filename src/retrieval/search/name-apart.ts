/** A name that is written as the words it is made of: `current app` for `current_app` or `currentApp`. */
import { searchLimits } from '../../base/limits.ts';
import { askingWords, stopWords } from './stop-words.ts';

/** Neighbouring words of a sentence that could be a name written apart, or the one word that it is about. */
export interface Phrase {
  /** 1 to `searchLimits.nameWordsMax`. */
  readonly words: number;
  /** How the words are written as one, in lower case. */
  readonly names: readonly string[];
}

/** What the words are called as one, in lower case; nothing for one word and for what is a sentence rather than a name. */
export function namesApart(words: readonly string[]): readonly string[] {
  if (words.length < 2 || words.length > searchLimits.nameWordsMax) return [];
  const lower = words.map((word) => word.toLowerCase());
  return [lower.join('_'), lower.join('')];
}

/**
 * The one word that a question is about, where it is only one (`how does debounce work`), and every run of neighbouring
 * words that has one with content: distinct, in the order of the text, at most `searchLimits.queryPhrasesMax`. A name
 * may have stop words in it, also first or last: `to_json`, `as_of`. Marks between words mean nothing, here as elsewhere.
 */
export function phrasesOf(text: string): readonly Phrase[] {
  const found = new Map<string, Phrase>();
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const [about, another] = new Set(words.map((word) => word.toLowerCase()).filter(isContent));
  if (about !== undefined && another === undefined) found.set(about, { words: 1, names: [about] });
  for (let from = 0; from < words.length; from++) {
    for (let to = from + 2; to <= Math.min(words.length, from + searchLimits.nameWordsMax); to++) {
      const run = words.slice(from, to);
      const [name, ...others] = namesApart(run);
      if (name === undefined || found.has(name) || run.every((word) => stopWords.has(word.toLowerCase()))) continue;
      if (found.size >= searchLimits.queryPhrasesMax) return [...found.values()];
      found.set(name, { words: run.length, names: [name, ...others] });
    }
  }
  return [...found.values()];
}

function isContent(word: string): boolean {
  return !stopWords.has(word) && !askingWords.has(word);
}
