/**
 * The characters that the content policy speaks of. A regular expression's own `\b`, `\w`, `\d`, `\s` and `i` see ASCII
 * only or too little, so each is spelled out here; all patterns of the policy carry the `u` flag.
 */
import { whitespaceClass } from '../text.ts';

/** Any whitespace, line breaks included. */
export const space = `[${whitespaceClass}]`;
export const nonSpace = `[^${whitespaceClass}]`;
export { whitespaceClass };

/** Before a word: the start, or a character that is no letter, digit or underscore. */
export const wordStart = '(?<![\\p{L}\\p{N}_])';

/**
 * A pattern for `word` (lower-case ASCII letters) in any case. Four letters beyond ASCII are case variants of i, s
 * and k and count as such, or they would be a way around the policy.
 */
export function anyCase(word: string): string {
  let pattern = '';
  for (const letter of word) pattern += `[${letter}${letter.toUpperCase()}${variants.get(letter) ?? ''}]`;
  return pattern;
}

const variants: ReadonlyMap<string, string> = new Map([
  ['i', '\\u0130\\u0131'],
  ['s', '\\u017f'],
  ['k', '\\u212a'],
]);

const decimalDigit = /^\p{Nd}$/u;

/**
 * The value, 0 to 9, of a decimal digit of any script. Digits of a script stand together in order from its zero, and
 * neighbouring sets of ten follow each other without a gap, so the place in the run decides.
 */
export function digitValue(digit: string): number {
  const codePoint = digit.codePointAt(0) ?? 0;
  if (codePoint <= 0x39) return codePoint - 0x30;
  let before = 0;
  while (decimalDigit.test(String.fromCodePoint(codePoint - before - 1))) before += 1;
  return before % 10;
}
