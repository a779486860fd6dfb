/** Puts text into columns and wraps it: the parts of every answer that people read. */
import { columnsOf, graphemes, widthOf } from './text-width.ts';

/** `text` is shown as `paint(text)`; only the bare text is measured. */
export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

const gap = '  ';
/** A last column that is narrower than this is not wrapped: it would be a thin strip. */
const lastColumnMin = 24;

/**
 * Aligned columns, two spaces apart. The last one is wrapped to what `columns` leaves, under itself; without `columns`
 * every row is one line.
 */
export function table(rows: readonly (readonly Cell[])[], columns: number | null): readonly string[] {
  const widths = rows.reduce<readonly number[]>(
    (known, row) => row.map(({ text }, index) => Math.max(known[index] ?? 0, widthOf(text))),
    [],
  );
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + gap.length, 0);
  const left = columns === null ? null : columns - before;
  return rows.flatMap((row) => {
    const leading = row.slice(0, -1).map(({ text, paint = plain }, index) => {
      return `${paint(text)}${' '.repeat((widths[index] ?? 0) - widthOf(text))}${gap}`;
    });
    const last = row.at(-1) ?? { text: '' };
    const { paint = plain } = last;
    const lines = left === null || left < lastColumnMin ? [last.text] : wrap(last.text, left);
    return lines.map((line, index) => `${index === 0 ? leading.join('') : ' '.repeat(before)}${paint(line)}`.trimEnd());
  });
}

/** Lines of at most `width` columns, broken at spaces, and inside words that are longer. Line breaks stay. */
export function wrap(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): readonly string[] {
  if (widthOf(line) <= width) return [line];
  const indent = /^ */.exec(line)?.[0].slice(0, Math.floor(width / 2)) ?? '';
  const lines: string[] = [];
  let current = indent;
  for (const word of line.trim().split(/ +/)) {
    const joined = current.trim() === '' ? `${current}${word}` : `${current} ${word}`;
    if (widthOf(joined) <= width) {
      current = joined;
      continue;
    }
    if (current.trim() !== '') lines.push(current);
    const pieces = pieceUp(word, width - indent.length).map((piece) => `${indent}${piece}`);
    lines.push(...pieces.slice(0, -1));
    current = pieces.at(-1) ?? indent;
  }
  return [...lines, current];
}

function pieceUp(word: string, width: number): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  let filled = 0;
  for (const grapheme of graphemes(word)) {
    const columns = columnsOf(grapheme);
    if (filled + columns > width && piece !== '') {
      pieces.push(piece);
      piece = '';
      filled = 0;
    }
    piece += grapheme;
    filled += columns;
  }
  return [...pieces, piece];
}

function plain(text: string): string {
  return text;
}
