/**
 * How text becomes search terms, for code and questions alike. Any text is legal; some text has no terms.
 *
 *   readJSONFiles  ─▶  readjsonfil, read, json, file
 *   utf8_decode    ─▶  utf8decode, utf8, utf, decod
 *   重跑gen_itgc后   ─▶  重, 跑, 重跑, genitgc, gen, itgc, 后
 *
 * An identifier gives the stem of itself without its separators, and those of its parts; a plain word gives its stem
 * alone. So `keepalive`, `keepAlive` and `keep_alive` share a term.
 * Scripts without spaces give every character and every pair of neighbours. Spelling is folded to NFKC, lower case, no
 * accents. Words of letters only are stemmed as English (Porter 1980).
 */
import { stemmer } from 'stemmer';
import { searchLimits } from '../../base/limits.ts';

/** Raise it whenever the same text gives other terms: what is stored was made with it. */
export const termsVersion = 1;

const other = 0;
const lower = 1;
const upper = 2;
const digit = 3;
const underscore = 4;

/** The class of every ASCII character; what is beyond ASCII may be part of a word. */
const classes = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return lower;
  if (code >= 65 && code <= 90) return upper;
  if (code >= 48 && code <= 57) return digit;
  return code === 95 ? underscore : other;
});

const beyondAscii = /[^\0-\x7f]/;
const letters = /^[a-z]+$/;
const startsWithDigit = /^[0-9]/;
// The `v` flag (set intersection) is newer than the language level the sources are checked against.
const unspaced =
  '[[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}' +
  '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々〆〇]&&[\\p{L}\\p{N}\\p{M}]]';
const pieces = new RegExp(`(${unspaced}+)|([[\\p{L}\\p{N}\\p{M}_]--${unspaced}]+)`, 'gv');
const innerBorder =
  /_+|(?<=[\p{Ll}\p{Lo}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?!\p{L}))|(?<=\p{N})(?=\p{L})|(?<=\p{L})(?=\p{N})/u;

/**
 * Calls back with every run of characters that may be a word: letters, digits, `_`, and whatever is beyond ASCII.
 * Single ASCII characters are left out.
 */
export function eachWord(text: string, from: number, to: number, visit: (word: string) => void): void {
  eachWordSpan(text, from, to, (start, end) => visit(text.slice(start, end)));
}

/** The same without making a text of the word. `hash` is the FNV-1a of its UTF-16 units, in 32 bits. */
export function eachWordSpan(
  text: string,
  from: number,
  to: number,
  visit: (start: number, end: number, hash: number) => void,
): void {
  let start = -1;
  let hash = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code >= 128 || classes[code] !== other) {
      if (start === -1) {
        start = at;
        hash = hashBasis;
      }
      hash = Math.imul(hash ^ code, hashPrime);
    } else if (start !== -1) {
      if (at - start > 1 || text.charCodeAt(start) >= 128) visit(start, at, hash);
      start = -1;
    }
  }
  if (start !== -1 && (to - start > 1 || text.charCodeAt(start) >= 128)) visit(start, to, hash);
}

const hashBasis = 0x811c9dc5 | 0;
const hashPrime = 0x01000193;

/** The terms of one word as `eachWord` gives it, in order, repeated ones again, stop words among them. */
export function termsOfWord(word: string): readonly string[] {
  const terms: string[] = [];
  if (!beyondAscii.test(word)) addIdentifier(word, terms);
  else {
    const folded = word
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .normalize('NFKC');
    for (const match of folded.matchAll(pieces)) {
      if (match[1] === undefined) addIdentifier(match[0], terms);
      else addUnspaced(match[1], terms);
    }
  }
  return terms;
}

/** All terms of a text in its order, stop words among them. For names and other short texts. */
export function termsOf(text: string): readonly string[] {
  const terms: string[] = [];
  eachWord(text, 0, text.length, (word) => terms.push(...termsOfWord(word)));
  return terms;
}

/** An identifier as one term: lower case, no separators. Empty when nothing of it can be searched. */
export function wholeTerm(identifier: string): string {
  return identifier
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '')
    .toLowerCase();
}

/**
 * The stem of a word in lower case, the same for British and American spelling. A word with digits, or of another
 * script, stays as it is.
 */
export function stemOf(word: string): string {
  if (word.length < 3 || !letters.test(word)) return word;
  return stemmer(word.length < 6 ? word : american(word));
}

/** Not a spelling but a key: `promise` becomes `promize`, on the side of the index and of the question alike. */
function american(word: string): string {
  return word
    .replace(/is(?=(e|es|ed|er|ers|ing|able|ation|ations)$)/, 'iz')
    .replace(/(?<=[a-z]{3})our(?=(s|ed|ing|al|able)?$)/, 'or');
}

function addIdentifier(word: string, terms: string[]): void {
  if (word.length > searchLimits.wordCharsMax) return;
  const parts = isPlain(word) ? [word] : word.split(innerBorder).filter((part) => part !== '');
  if (parts.length > 1) addTerm(stemOf(parts.join('').toLowerCase()), terms);
  // `utf8` is a word to its readers, although its digit is split off.
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? '';
    const next = parts[at + 1];
    if (parts.length > 2 && next !== undefined && startsWithDigit.test(next) && !startsWithDigit.test(part)) {
      addTerm((part + next).toLowerCase(), terms);
    }
    addTerm(stemOf(part.toLowerCase()), terms);
  }
}

function addTerm(term: string, terms: string[]): void {
  if (term.length < 2 && !beyondAscii.test(term)) return;
  if (startsWithDigit.test(term) && term.length > searchLimits.numberCharsMax) return;
  terms.push(term);
}

/** Lower case with at most a capital in front. */
function isPlain(word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const kind = classes[word.charCodeAt(at)] ?? other;
    if (kind !== lower && !(at === 0 && kind === upper)) return false;
  }
  return true;
}

function addUnspaced(text: string, terms: string[]): void {
  let before = '';
  for (const character of text) {
    terms.push(character);
    if (before !== '') terms.push(before + character);
    before = character;
  }
}
