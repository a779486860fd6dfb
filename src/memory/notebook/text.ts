/**
 * How the notebook looks at text: which characters are whitespace, when two texts are equal without regard to case,
 * how long a text is and how texts sort.
 *
 * JavaScript's own answers differ (`trim` misses six separators and eats U+FEFF, `toLowerCase` does not fold, `length`
 * and `<` see UTF-16 units), and records written by other programs depend on these, so they are spelled out here.
 */

/** One whitespace character, for use inside a character class. */
export const whitespaceClass = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

const whitespaceRun = new RegExp(`[${whitespaceClass}]+`);

/** `text` without whitespace at either end. U+FEFF is text. */
export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWhitespaceUnit(text.charCodeAt(start))) start += 1;
  while (end > start && isWhitespaceUnit(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** The parts of `text` between runs of whitespace; no part is empty, and blank text has none. */
export function splitWhitespace(text: string): string[] {
  return text.split(whitespaceRun).filter((part) => part !== '');
}

/** Whether `text` is empty or whitespace alone. */
export function isBlank(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (!isWhitespaceUnit(text.charCodeAt(index))) return false;
  }
  return true;
}

/**
 * Full Unicode case folding, as of Unicode 14: equal results mean equal texts apart from case. Not for display.
 *
 * Upper-casing and then lower-casing each code point gives the folding, apart from the exceptions below. It must be
 * done one code point at a time: on a whole text the final sigma would depend on its neighbours.
 */
export function foldCase(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  let folded = '';
  for (const character of text) folded += foldCharacter(character);
  return folded;
}

/** Length in Unicode code points; a lone surrogate counts as one. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    if (isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1))) {
      length -= 1;
      index += 1;
    }
  }
  return length;
}

/** Whether `text` has at most `charsMax` code points; cheap for text that is far too long. */
export function hasAtMost(text: string, charsMax: number): boolean {
  if (text.length <= charsMax) return true;
  return text.length <= 2 * charsMax && codePointLength(text) <= charsMax;
}

/** Orders by code point. UTF-16 order differs: it puts U+1F600 before U+FF5E. For `Array.prototype.sort`. */
export function compareCodePoints(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index += 1) {
    const leftUnit = left.charCodeAt(index);
    const rightUnit = right.charCodeAt(index);
    if (leftUnit !== rightUnit) return codePointRank(left, index) - codePointRank(right, index);
  }
  return left.length - right.length;
}

/** Whether `text` has no lone surrogate, so that it can be written as UTF-8 and read back. */
export function isWellFormed(text: string): boolean {
  return !loneSurrogate.test(text);
}

/** Whether `text` is ASCII alone, which needs neither normalisation nor folding tables. */
export function isAscii(text: string): boolean {
  return !beyondAscii.test(text);
}

/** With the `u` flag, halves of a pair are not seen one by one. */
const loneSurrogate = /[\ud800-\udfff]/u;
const beyondAscii = /[^\x00-\x7f]/;

/** Every whitespace character lies in the basic plane, so one UTF-16 unit decides. */
function isWhitespaceUnit(unit: number): boolean {
  if (unit <= 0x20) return unit >= 0x1c || (unit >= 0x09 && unit <= 0x0d);
  if (unit < 0x85) return false;
  return (
    unit === 0x85 ||
    unit === 0xa0 ||
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000
  );
}

function foldCharacter(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  // Dotless i has no partner; the capital sharp s folds as the small one does.
  if (codePoint === 0x131) return character;
  if (codePoint === 0x1e9e) return 'ss';
  // Cherokee had capitals first and folds upwards.
  if (isCherokee(codePoint)) return character.toUpperCase();
  if (isCapitalAfterUnicode14(codePoint)) return character;
  return character.toUpperCase().toLowerCase();
}

function isCherokee(codePoint: number): boolean {
  return (codePoint >= 0x13a0 && codePoint <= 0x13fd) || (codePoint >= 0xab70 && codePoint <= 0xabbf);
}

/** Capitals that gained a small partner after Unicode 14. They stay, so that equality never changes with Node. */
function isCapitalAfterUnicode14(codePoint: number): boolean {
  return (
    codePoint === 0x1c89 ||
    codePoint === 0xa7cb ||
    codePoint === 0xa7cc ||
    codePoint === 0xa7ce ||
    codePoint === 0xa7d2 ||
    codePoint === 0xa7d4 ||
    codePoint === 0xa7da ||
    codePoint === 0xa7dc ||
    (codePoint >= 0x10d50 && codePoint <= 0x10d65) ||
    (codePoint >= 0x16ea0 && codePoint <= 0x16eb8)
  );
}

/**
 * Ranks the code point that the unit at `index` belongs to, given that everything before is equal: pairs come after
 * the whole basic plane. Two pairs that share their first unit differ in the second, which ranks them as well.
 */
function codePointRank(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (isHighSurrogate(unit) && index + 1 < text.length && isLowSurrogate(text.charCodeAt(index + 1))) {
    return 0x10000 + unit;
  }
  if (isLowSurrogate(unit) && index > 0 && isHighSurrogate(text.charCodeAt(index - 1))) return 0x20000 + unit;
  return unit;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
