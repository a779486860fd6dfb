/** Line numbers of offsets. A line ends at `\n`, at `\r\n`, or at a lone `\r`, so that line endings never shift lines. */
export class LineTable {
  readonly #starts: number[] = [0];
  readonly #length: number;

  constructor(text: string) {
    this.#length = text.length;
    let newline = text.indexOf('\n');
    let carriage = text.indexOf('\r');
    while (newline !== -1 || carriage !== -1) {
      const isNewline = carriage === -1 || (newline !== -1 && newline < carriage);
      const end = isNewline ? newline : carriage + 1 === newline ? newline : carriage;
      this.#starts.push(end + 1);
      if (newline !== -1 && newline <= end) newline = text.indexOf('\n', end + 1);
      if (carriage !== -1 && carriage <= end) carriage = text.indexOf('\r', end + 1);
    }
  }

  /** Lines of the text, at least one. What follows the last line end is a line only when there is something. */
  get count(): number {
    const hasEmptyEnd = this.#starts.at(-1) === this.#length;
    return Math.max(1, this.#starts.length - (hasEmptyEnd ? 1 : 0));
  }

  /** The line of an offset, from 1. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** The offset at which a line begins; past the last line, the last one's. */
  startOf(line: number): number {
    return this.#starts[Math.min(Math.max(line, 1), this.#starts.length) - 1] ?? 0;
  }
}
