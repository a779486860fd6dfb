/**
 * The size of a text for a model, in tokens.
 *
 * Two measures are in use: the tokens of o200k_base, and a quarter of the characters, rounded up. Clients compare a
 * budget with either, so the larger one counts. "Characters" are UTF-16 units here, which are never fewer than code
 * points. Marks of special tokens such as `<|endoftext|>` are text like any other.
 *
 * Reading the whole table of o200k_base would take a good part of the time that a cold call of the command line has.
 * So the first count reads only its beginning, whose counts are a few per cent too high and never too low: a budget
 * holds all the same. A process that stays calls `countExactly` when it has a moment, and is exact from then on.
 */
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { readTokenTable, type TableExtent, type TokenTable } from './token-table.ts';

/** The larger of both measures; never less than the true size. */
export function measureTokens(text: string): number {
  return Math.max(countTokens(text), Math.ceil(text.length / charactersPerToken));
}

/** Tokens of o200k_base, or a few more: see above. A lone surrogate counts as U+FFFD, which it becomes in UTF-8. */
export function countTokens(text: string): number {
  const { table } = open('beginning');
  let tokens = 0;
  for (const [piece] of text.matchAll(O200K_TOKEN_SPLIT_REGEX)) {
    if (piece.length * bytesPerUnitMax > buffer.length) buffer = new Uint8Array(piece.length * bytesPerUnitMax * 2);
    tokens += table.count(buffer, encoder.encodeInto(piece, buffer).written);
  }
  return tokens;
}

/** Reads the whole table unless that has been done. Blocks for some tens of milliseconds, once. */
export function countExactly(): void {
  open('whole');
}

function open(extent: TableExtent): { readonly table: TokenTable } {
  if (opened === null || (extent === 'whole' && opened.extent !== 'whole')) {
    opened = { extent, table: readTokenTable(extent) };
  }
  return opened;
}

let opened: { readonly extent: TableExtent; readonly table: TokenTable } | null = null;
const charactersPerToken = 4;
const bytesPerUnitMax = 3;
const encoder = new TextEncoder();
let buffer = new Uint8Array(4_096);
