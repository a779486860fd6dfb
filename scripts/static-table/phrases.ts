/**
 * Phrases to learn from: a few words of developers put together at random, always the same ones.
 *
 * They are no sentences, but the model gives them the meaning of their words together, which is what a sum of pieces has
 * to come near to; and they can be made from the committed list alone.
 */

const phraseCount = 12_000;
const wordsLeast = 3;
const wordsMost = 8;
const seed = 12_345;

export interface CountedWord {
  readonly word: string;
  readonly occurrences: number;
}

export function samplePhrases(words: readonly CountedWord[], count = phraseCount): readonly string[] {
  const random = linearCongruential(seed);
  const choices = words.filter(({ word }) => word.length > 1);
  const bounds: number[] = [];
  let total = 0;
  for (const { occurrences } of choices) {
    // The square root, so that it is not the most frequent words all the time.
    total += Math.sqrt(occurrences);
    bounds.push(total);
  }
  const pick = (): string => choices[firstAbove(bounds, random() * total)]?.word ?? '';
  return Array.from({ length: count }, () => {
    const length = wordsLeast + Math.floor(random() * (wordsMost - wordsLeast + 1));
    return Array.from({ length }, pick).join(' ');
  });
}

/** Numbers from 0 up to 1, the same on every machine. Numerical Recipes, 32 bits. */
function linearCongruential(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Index of the first bound that is not below the value. */
function firstAbove(bounds: readonly number[], value: number): number {
  let low = 0;
  let high = bounds.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bounds[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
