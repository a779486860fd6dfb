/**
 * The size of a text for a model, in tokens.
 *
 * Two measures are in use: the tokens of o200k_base, and a quarter of the characters, rounded up. Clients compare a
 * budget with either, so the larger one counts. "Characters" are UTF-16 units here, which are never fewer than code
 * points. Marks of special tokens such as `<|endoftext|>` are text like any other.
 *
 * Importing this file reads nothing: the table is read for the first text.
 */
import { readTokenTable, type TokenTable } from './token-table.ts';

/** The larger of both measures; never less than the true size. Throws `PackagedFileFailure` without a whole table. */
export function measureTokens(text: string): number {
  return Math.max(countTokens(text), Math.ceil(text.length / charactersPerToken));
}

/** Tokens of o200k_base. A lone surrogate counts as U+FFFD, which it becomes in UTF-8. */
export function countTokens(text: string): number {
  counting ??= { table: readTokenTable(), pieces: new RegExp(piece, 'gu') };
  const { table, pieces } = counting;
  let tokens = 0;
  for (const [found] of text.matchAll(pieces)) {
    if (found.length * bytesPerUnitMax > buffer.length) buffer = new Uint8Array(found.length * bytesPerUnitMax * 2);
    tokens += table.count(buffer, encoder.encodeInto(found, buffer).written);
  }
  return tokens;
}

/** How o200k_base cuts a text before it encodes the pieces (openai/tiktoken, MIT). */
const contraction = "(?:'(?:[sS]|[dD]|[mM]|[tT]|[lL][lL]|[vV][eE]|[rR][eE]))?";
const piece = [
  String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+${contraction}`,
  String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*${contraction}`,
  String.raw`\p{N}{1,3}`,
  String.raw` ?[^\s\p{L}\p{N}]+[\r\n/]*`,
  String.raw`\s*[\r\n]+`,
  String.raw`\s+(?!\S)`,
  String.raw`\s+`,
].join('|');

let counting: { readonly table: TokenTable; readonly pieces: RegExp } | null = null;
const charactersPerToken = 4;
const bytesPerUnitMax = 3;
const encoder = new TextEncoder();
let buffer = new Uint8Array(4_096);
