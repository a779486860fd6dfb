/** The word that a misspelt one probably stands for. */
import { editDistance, nearDistance } from '../base/edit-distance.ts';

/** At most a third of the letters may differ, swapped neighbours counting once; undefined when no word is that near. */
export function nearestOf(typed: string, words: readonly string[]): string | undefined {
  const near = words
    .map((word) => ({ word, distance: editDistance(typed, word, nearDistance(typed.length, word.length)) }))
    .filter(({ distance }) => distance !== Number.POSITIVE_INFINITY)
    .sort((one, other) => one.distance - other.distance);
  return near[0]?.word;
}
