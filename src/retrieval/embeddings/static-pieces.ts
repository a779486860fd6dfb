/**
 * Texts as rows of the static table: words, identifiers taken apart, WordPieces.
 *
 *   "readJSONFile(überall)"  ─words─▶  readJSONFile, uberall  ─identifier─▶  read, json, file, uberall
 *                            ─pieces─▶  read, json, file, u, ##ber, ##all
 *
 * Words are made as the uncased BERT tokenizer makes them: accents and invisible characters go, every CJK ideograph is a
 * word of its own. Two things differ, since only meaning is wanted here: what is neither letter nor digit is dropped
 * instead of being a piece, and an identifier in camelCase is taken apart unless it is a known word as it stands
 * (`GitHub`, `SQLite`).
 */
import { embedderLimits } from '../../base/limits.ts';

/** The row of a piece by its text; a piece that continues a word begins with `##`. */
export type PieceRows = Pick<ReadonlyMap<string, number>, 'get'>;

/** Words in which a piece is missing have no rows: a part of an unknown sign says nothing. */
const noRows: readonly number[] = [];

/** The ideographs that BERT sets apart; kana and hangul stay in words. */
const ideograph =
  '[\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{2a6df}\\u{2a700}-\\u{2ebef}\\u{2f800}-\\u{2fa1f}]';
const asciiWord = /[A-Za-z0-9]+/g;
const anyWord = new RegExp(`${ideograph}|(?:(?!${ideograph})[\\p{L}\\p{N}\\p{M}])+`, 'gu');
const nonAscii = /[^\0-\x7f]/;

/** Where a new word begins inside an identifier: `readFile`, `JSONFile`; but not in `URLs`. */
const innerWord = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?!\p{Ll}))/u;

/** The words of a text in order, with their case. */
export function wordsOf(text: string): readonly string[] {
  if (!nonAscii.test(text)) return text.match(asciiWord) ?? [];
  const plain = text.normalize('NFD').replace(/[\p{Mn}\p{Cf}]/gu, '');
  return plain.match(anyWord) ?? [];
}

/** `readJSONFile` as `read`, `JSON`, `File`. */
export function identifierWords(word: string): readonly string[] {
  return word.split(innerWord);
}

/** Turns words into rows, and remembers the words of late, since texts of one project repeat them. */
export class Pieces {
  readonly #rows: PieceRows;
  readonly #known = new Map<string, readonly number[]>();

  constructor(rows: PieceRows) {
    this.#rows = rows;
  }

  /** The rows of a word in order. Empty when the table knows no piece for a part of it. */
  rowsOf(word: string): readonly number[] {
    const known = this.#known.get(word);
    if (known !== undefined) return known;
    const rows = this.#find(word);
    if (this.#known.size >= embedderLimits.knownWordsMax) this.#known.clear();
    this.#known.set(word, rows);
    return rows;
  }

  #find(word: string): readonly number[] {
    if (word.length > embedderLimits.wordCharsMax) return noRows;
    const whole = this.#rows.get(word.toLowerCase());
    if (whole !== undefined) return [whole];
    return identifierWords(word).flatMap((part) => this.#pieces(part.toLowerCase()));
  }

  /** Greedy from the left, the longest piece first. */
  #pieces(word: string): readonly number[] {
    const found: number[] = [];
    for (let start = 0; start < word.length; ) {
      let end = word.length;
      let row: number | undefined;
      for (; end > start && row === undefined; end--) {
        row = this.#rows.get(start === 0 ? word.slice(0, end) : `##${word.slice(start, end)}`);
      }
      if (row === undefined) return noRows;
      found.push(row);
      start = end + 1;
    }
    return found;
  }
}
