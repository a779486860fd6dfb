/** The first sentence of a documentation, on one line: what a hit says a definition does. */

const sentenceCharsMax = 160;
/** A full stop before a space ends a sentence unless it ends an abbreviation (`e.g.`) or a number in a list (`1.`). */
const end = /(?<!\b(?:e\.g|i\.e|etc|vs|cf|[0-9]+))[.!?。！？](?=\s|$)/u;

/** Cut at the end of a word where it is longer than 160 characters; empty for an empty documentation. */
export function firstSentence(documentation: string): string {
  const paragraph = documentation.trimStart().split(/\n\s*\n/, 1)[0] ?? '';
  const line = paragraph.replace(/\s+/g, ' ').trim();
  const match = end.exec(line);
  const sentence = match === null ? line : line.slice(0, match.index + 1);
  if (sentence.length <= sentenceCharsMax) return sentence;
  const cut = sentence.slice(0, sentenceCharsMax);
  const space = cut.lastIndexOf(' ');
  return `${cut.slice(0, space === -1 ? cut.length : space)}…`;
}
