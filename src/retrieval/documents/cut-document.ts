/**
 * Cuts a text without syntax into pieces for search: at the ends of paragraphs, where there is none at the ends of
 * lines, and in a line without end at white space. A piece has at most `chunkLines` lines and `chunkChars` characters.
 * Every character that is no white space is in exactly one piece.
 */
import { documentLimits } from '../../base/limits.ts';
import type { LineTable } from '../code/line-table.ts';
import type { TextChunk } from '../code/symbol.ts';

/** A stretch of the text that is cut apart from the rest, and the symbol it is of. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly symbol: number | null;
}

export function cutDocument(text: string, lines: LineTable, stretches: readonly Stretch[]): readonly TextChunk[] {
  const chunks: TextChunk[] = [];
  for (const { start, end, symbol } of stretches) {
    let at = skipBlank(text, lines, start, end);
    while (at < end) {
      const next = nextCut(text, lines, at, end);
      const last = endOfText(text, at, next);
      chunks.push({
        symbol,
        start: at,
        end: last,
        startLine: lines.lineAt(at),
        endLine: lines.lineAt(last - 1),
      });
      at = skipBlank(text, lines, next, end);
    }
  }
  return chunks;
}

/** Where the piece that begins at `from` ends. Something of it is no white space. */
function nextCut(text: string, lines: LineTable, from: number, to: number): number {
  const { chunkLines, chunkChars } = documentLimits;
  const tooFar = lines.lineAt(from) + chunkLines;
  const byLines = tooFar > lines.count ? to : lines.startOf(tooFar);
  const limit = Math.min(to, byLines, from + chunkChars);
  if (limit === to) return to;
  const piece = text.slice(from, limit);
  // A cut in the first part of a piece would leave many small ones.
  const least = piece.length / 3;
  const paragraph = lastEnd(piece, /\r?\n[ \t]*\r?\n/g);
  if (paragraph >= least) return from + paragraph;
  const line = limit === byLines ? piece.length : lastEnd(piece, /\r\n|\r(?!$)|\n/g);
  if (line >= least) return from + line;
  const sentence = lastEnd(piece, /[.!?]\s|[。！？]/g);
  if (sentence >= least) return from + sentence;
  const blank = lastEnd(piece, /\s+/g);
  if (blank > 0 && piece.slice(0, blank).trim() !== '') return from + blank;
  // Never between the halves of a character.
  return /[\ud800-\udbff]$/.test(piece) ? limit - 1 : limit;
}

function lastEnd(piece: string, pattern: RegExp): number {
  let end = 0;
  for (const match of piece.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}

/** The first line from `from` that holds something; in the middle of a line, the next thing in it. */
function skipBlank(text: string, lines: LineTable, from: number, to: number): number {
  const blank = /\s*/y;
  blank.lastIndex = from;
  blank.test(text);
  const at = blank.lastIndex;
  if (at >= to) return to;
  // Indentation belongs to what is indented.
  return Math.max(from, lines.startOf(lines.lineAt(at)));
}

function endOfText(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && text.slice(end - 1, end).trim() === '') end -= 1;
  return end;
}
