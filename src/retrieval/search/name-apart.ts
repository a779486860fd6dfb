/** A name that is written as the words it is made of: `current app` for `current_app` or `currentApp`. */

const wordsMax = 4;

/** What the words are called as one, in lower case; nothing for one word and for what is a sentence rather than a name. */
export function namesApart(words: readonly string[]): readonly string[] {
  if (words.length < 2 || words.length > wordsMax) return [];
  const lower = words.map((word) => word.toLowerCase());
  return [lower.join('_'), lower.join('')];
}
