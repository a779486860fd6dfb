/**
 * How far one word is from another: the optimal string alignment distance, which counts insertions, deletions, changes
 * and swaps of neighbours, each as one.
 */

/**
 * Infinity when it is more than `distanceMax`. Only cells near the diagonal are filled: a path through any other
 * has more insertions or deletions already.
 */
export function editDistance(one: string, other: string, distanceMax: number): number {
  if (Math.abs(one.length - other.length) > distanceMax) return Number.POSITIVE_INFINITY;
  const far = distanceMax + 1;
  const band = Math.min(distanceMax, Math.max(one.length, other.length));
  let earlier = new Int32Array(other.length + 1).fill(far);
  let previous = Int32Array.from(earlier, (_, column) => Math.min(column, far));
  let current = new Int32Array(other.length + 1);
  let leastBefore = 0;
  for (let row = 1; row <= one.length; row += 1) {
    const first = Math.max(1, row - band);
    const last = Math.min(other.length, row + band);
    // What lies beside the band holds what an earlier row left there.
    current[first - 1] = first === 1 && row <= band ? row : far;
    if (last < other.length) current[last + 1] = far;
    let least = current[first - 1] ?? far;
    for (let column = first; column <= last; column += 1) {
      const changed = one.charCodeAt(row - 1) === other.charCodeAt(column - 1) ? 0 : 1;
      let cell = Math.min(
        (previous[column] ?? far) + 1,
        (current[column - 1] ?? far) + 1,
        (previous[column - 1] ?? far) + changed,
      );
      if (row > 1 && column > 1 && isSwap(one, row, other, column))
        cell = Math.min(cell, (earlier[column - 2] ?? far) + 1);
      current[column] = cell;
      if (cell < least) least = cell;
    }
    // A swap reaches back over one row, and costs one more there.
    if (least > distanceMax && leastBefore >= distanceMax) return Number.POSITIVE_INFINITY;
    leastBefore = least;
    [earlier, previous, current] = [previous, current, earlier];
  }
  const distance = previous[other.length] ?? far;
  return distance > distanceMax ? Number.POSITIVE_INFINITY : distance;
}

function isSwap(one: string, row: number, other: string, column: number): boolean {
  return (
    one.charCodeAt(row - 1) === other.charCodeAt(column - 2) && one.charCodeAt(row - 2) === other.charCodeAt(column - 1)
  );
}

/** How far words of these lengths may be from each other where one is meant: a third of the letters of the longer. */
export function nearDistance(length: number, otherLength: number): number {
  return Math.floor(Math.max(length, otherLength) / 3);
}
