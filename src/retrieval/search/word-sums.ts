/**
 * Sums over the words of a question, by place. What one word brings, by itself and by its meanings, is joined first, in
 * a table that is empty between two words: so questions use the same tables one after the other.
 */

interface Table {
  /** 0 between two words. */
  readonly values: Float32Array;
  /** Where there is one. */
  readonly touched: Int32Array;
}

/** Scores of chunks and files, and how much of the question each has, of one question at a time. */
const idleMax = 4;
const idle: Table[] = [];

function tableFor(size: number): Table {
  const at = idle.findIndex(({ values }) => values.length >= size);
  const [known] = at === -1 ? [] : idle.splice(at, 1);
  return known ?? { values: new Float32Array(size), touched: new Int32Array(size) };
}

/** Those of the largest project are kept. */
function giveBack(table: Table): void {
  idle.push(table);
  idle.sort((a, b) => b.values.length - a.values.length);
  idle.length = Math.min(idle.length, idleMax);
}

/** What one word brings is the root of the sum of its squares. */
export class Sums {
  readonly #totals: Float32Array;
  readonly #squares: Float32Array;
  readonly #touched: Int32Array;
  #count = 0;

  constructor(size: number) {
    this.#totals = new Float32Array(size);
    ({ values: this.#squares, touched: this.#touched } = tableFor(size));
  }

  add(at: number, score: number): void {
    this.#totals[at] = (this.#totals[at] ?? 0) + score;
  }

  /** What is not above 0 adds nothing, and would be taken for a place that was not touched. */
  join(at: number, score: number): void {
    if (!(score > 0)) return;
    const before = this.#squares[at] ?? 0;
    if (before === 0) this.#touched[this.#count++] = at;
    this.#squares[at] = before + score * score;
  }

  endWord(): void {
    for (let index = 0; index < this.#count; index++) {
      const at = this.#touched[index] ?? 0;
      this.#totals[at] = (this.#totals[at] ?? 0) + Math.sqrt(this.#squares[at] ?? 0);
      this.#squares[at] = 0;
    }
    this.#count = 0;
  }

  /** After the last word; nothing is added any more. */
  end(): Float32Array {
    giveBack({ values: this.#squares, touched: this.#touched });
    return this.#totals;
  }
}

/** What one word brings is the greatest of it. */
export class Greatest {
  readonly #totals: Float32Array;
  readonly #greatest: Float32Array;
  readonly #touched: Int32Array;
  #count = 0;

  constructor(size: number) {
    this.#totals = new Float32Array(size);
    ({ values: this.#greatest, touched: this.#touched } = tableFor(size));
  }

  /** What is not above 0 raises nothing, and would be taken for a place that was not touched. */
  raise(at: number, value: number): void {
    if (!(value > 0)) return;
    const before = this.#greatest[at] ?? 0;
    if (before === 0) this.#touched[this.#count++] = at;
    if (value > before) this.#greatest[at] = value;
  }

  endWord(): void {
    for (let index = 0; index < this.#count; index++) {
      const at = this.#touched[index] ?? 0;
      this.#totals[at] = (this.#totals[at] ?? 0) + (this.#greatest[at] ?? 0);
      this.#greatest[at] = 0;
    }
    this.#count = 0;
  }

  /** After the last word: shares of what a place with everything would have, which is above 0 where any has something. */
  endOf(whole: number): Float32Array {
    giveBack({ values: this.#greatest, touched: this.#touched });
    const totals = this.#totals;
    if (whole > 0) for (let at = 0; at < totals.length; at++) totals[at] = (totals[at] ?? 0) / whole;
    return totals;
  }
}
