/**
 * Which rows the static table has, and how often each is read: the WordPieces of the model plus frequent words of
 * developers that it would take apart.
 */
import { readFileSync } from 'node:fs';
import { Pieces, wordsOf } from '../../src/retrieval/embeddings/static-pieces.ts';
import { type CountedWord, samplePhrases } from './phrases.ts';

export interface PieceList {
  /** Sorted: the pieces of the model in its order, then added words, the most frequent first. */
  readonly pieces: readonly string[];
  /** How many of them are words that the model lacks. */
  readonly added: number;
  /** The share of each piece in what developers write, 0 for pieces not met. */
  readonly shares: Float64Array;
  /** Phrases to learn from, and the rows of their pieces. */
  readonly phrases: readonly { readonly text: string; readonly rows: readonly number[] }[];
}

const addedWordsMax = 3_000;
/** Letters of any script and digits, at the start of a word or (`##`) inside it. */
const usable = /^(##)?[\p{L}\p{N}\p{M}]+$/u;
/** Letters, and a number only after them: `utf8` but not `x1f`. */
const addable = /^[a-z]{3,}[0-9]{0,3}$/;

/** `tokenizerPath`: the `tokenizer.json` of the model package. */
export function readPieceList(tokenizerPath: string): PieceList {
  const vocabulary = readVocabulary(tokenizerPath);
  const counted = readLines('words.tsv').map((line) => {
    const [word = '', , occurrences] = line.split('\t');
    return { word, occurrences: Number(occurrences) };
  });
  const known = new Set(vocabulary);
  const frequent = counted.map(({ word }) => word).filter((word) => addable.test(word) && !known.has(word));
  const named = readLines('technologies.txt').filter((word) => !known.has(word));
  const added = [...new Set([...frequent.slice(0, addedWordsMax), ...named])];
  const pieces = [...vocabulary.filter((piece) => usable.test(piece)), ...added];
  const splitter = new Pieces(new Map(pieces.map((piece, row) => [piece, row])));
  const phrases = samplePhrases(counted).map((text) => ({
    text,
    rows: wordsOf(text).flatMap((word) => splitter.rowsOf(word)),
  }));
  return { pieces, added: added.length, shares: sharesOf(splitter, pieces.length, counted), phrases };
}

/** The text a piece is embedded as: the model has no other way to be asked for the middle of a word. */
export function textOf(piece: string): string {
  return piece.startsWith('##') ? piece.slice(2) : piece;
}

/** Counted words handed to the pieces that they are made of. */
function sharesOf(splitter: Pieces, pieces: number, counted: readonly CountedWord[]): Float64Array {
  const shares = new Float64Array(pieces);
  let total = 0;
  for (const { word, occurrences } of counted) {
    for (const row of splitter.rowsOf(word)) {
      shares[row] = (shares[row] ?? 0) + occurrences;
      total += occurrences;
    }
  }
  return shares.map((share) => share / total);
}

function readVocabulary(tokenizerPath: string): readonly string[] {
  const tokenizer: unknown = JSON.parse(readFileSync(tokenizerPath, 'utf8'));
  const vocabulary = property(property(tokenizer, 'model'), 'vocab');
  if (typeof vocabulary !== 'object' || vocabulary === null) throw new Error('The tokenizer has no vocabulary.');
  return Object.entries(vocabulary)
    .sort((a, b) => Number(a[1]) - Number(b[1]))
    .map(([piece]) => piece);
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function readLines(name: string): readonly string[] {
  const lines = readFileSync(new URL(name, import.meta.url), 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}
