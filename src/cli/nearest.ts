/** The word that a misspelt one probably stands for. */

/** At most a third of the letters may differ, swapped neighbours counting once; undefined when no word is that near. */
export function nearestOf(typed: string, words: readonly string[]): string | undefined {
  const near = words
    .map((word) => ({ word, distance: distanceOf(typed, word) }))
    .filter(({ word, distance }) => distance <= Math.max(typed.length, word.length) / 3)
    .sort((one, other) => one.distance - other.distance);
  return near[0]?.word;
}

/** Optimal string alignment: insertions, deletions, changes and swaps of neighbours. */
function distanceOf(one: string, other: string): number {
  let earlier: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const changed = one[row - 1] === other[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + changed,
          swapped ? (earlier[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    earlier = previous;
    previous = current;
  }
  return previous[other.length] ?? 0;
}
