/** Line numbers of offsets. A line ends at `\n`, at `\r\n`, or at a lone `\r`, so that line endings never shift lines. */
export class LineTable {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    const ends = /\r\n?|\n/g;
    for (let match = ends.exec(text); match !== null; match = ends.exec(text)) this.#starts.push(ends.lastIndex);
  }

  /** Lines of the text; a last line that is empty counts for nothing. */
  get count(): number {
    return this.#starts.length;
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
