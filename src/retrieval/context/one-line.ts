/**
 * Text of a repository as part of a line: without line ends and control characters, so that no name of a file and no
 * comment can look like a line of ours, and not longer than `charsMax` code points.
 */
export function oneLine(text: string, charsMax: number): string {
  // A huge text is not walked to its end.
  const plain = text
    .slice(0, charsMax * 8)
    .replace(/[\s\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\p{Cs}/gu, '\ufffd')
    .trim();
  const points = [...plain];
  if (points.length <= charsMax) return plain;
  const cut = points.slice(0, charsMax - 1).join('');
  const border = cut.lastIndexOf(' ');
  return `${(border > cut.length / 2 ? cut.slice(0, border) : cut).trimEnd()}…`;
}

/** A path as part of a line. Spaces stay, since the path is there to be used; what would break the line is marked. */
export function onePath(path: string): string {
  return path.replace(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}
