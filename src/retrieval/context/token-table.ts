/**
 * The byte pair encoding o200k_base: how many tokens a piece of UTF-8 is.
 *
 * The table is the published one, 199,998 byte strings whose order is their rank (openai/tiktoken, MIT). A command has
 * no time to read that list, so `scripts/token-table/` has made of it what lies in memory, and it is shipped so:
 *
 *   starts   uint32 little-endian, 2^16 + 1: where the bucket of each hash (FNV-1a) begins in the entries
 *   entries  of all tokens, bucket after bucket: length (1 byte), rank (3 bytes, little-endian), the token's bytes
 *
 * Every byte of it is read whenever a command has to count, so it is packed rather than aligned.
 *
 * Encoding is the usual one: a piece that is in the table is one token; any other begins as single bytes, and the pair
 * of neighbours with the lowest rank is joined, the leftmost first, until no pair is in the table. A heap keeps this
 * at n log n for a piece of n bytes: a line of a hostile file can be one piece.
 */
import { endianness } from 'node:os';
import { type PackagedFile, PackagedFileFailure, readPackagedFile } from '../../base/packaged-file.ts';

/** The script that makes the table tells its size and its checksum. */
export const tokenTableFile: PackagedFile = {
  path: 'assets/token-table/table.bin',
  bytes: 2_459_810,
  crc32: 0xb4b39f82,
};

export interface TokenTable {
  /** Tokens of `piece[0 … length)`, as one piece. */
  count(piece: Uint8Array, length: number): number;
}

/** A power of two that gives buckets of three tokens. */
const bucketCount = 2 ** 16;
const tokenCount = 199_998;
const entriesAt = (bucketCount + 1) * Uint32Array.BYTES_PER_ELEMENT;
/** Length and rank. */
const entryHeadBytes = 4;

/** Reads the table below `root`, by default that of the package; throws `PackagedFileFailure` when it is not whole. */
export function readTokenTable(root?: URL): TokenTable {
  const file = readPackagedFile(tokenTableFile, root);
  if (file.kind === 'unusable') throw new PackagedFileFailure(file.reason, file.message);
  return unpackTokenTable(file.bytes);
}

/** The table of a content that `packTokenTable` made. Any other of its size gives wrong numbers, in as much time. */
export function unpackTokenTable(file: Buffer): TokenTable {
  if (endianness() === 'BE') file.subarray(0, entriesAt).swap32();
  const starts = new Uint32Array(file.buffer, file.byteOffset, bucketCount + 1);
  return tokenTable(starts, file.subarray(entriesAt));
}

/** The content of the file, of all tokens in the order of ranks. */
export function packTokenTable(tokens: readonly Uint8Array[]): Uint8Array {
  if (tokens.length !== tokenCount) throw new Error(`these are not the tokens of o200k_base: ${tokens.length}`);
  const buckets: Uint8Array[][] = Array.from({ length: bucketCount }, () => []);
  tokens.forEach((token, rank) => {
    if (token.length > 255) throw new Error('a token is longer than its entry can say');
    const head = [token.length, rank & 255, (rank >> 8) & 255, rank >> 16];
    buckets[bucketOf(hashOf(token, 0, token.length))]?.push(Uint8Array.from([...head, ...token]));
  });
  const starts = new Uint32Array(bucketCount + 1);
  buckets.forEach((entries, bucket) => {
    starts[bucket + 1] = (starts[bucket] ?? 0) + entries.reduce((sum, entry) => sum + entry.length, 0);
  });
  const numbers = Buffer.from(starts.buffer);
  if (endianness() === 'BE') numbers.swap32();
  return Buffer.concat([numbers, ...buckets.flat()]);
}

function tokenTable(starts: Uint32Array, entries: Uint8Array): TokenTable {
  /** Rank of `piece[from … to)`, or -1. */
  const rankOf = (piece: Uint8Array, from: number, to: number): number => {
    const bucket = bucketOf(hashOf(piece, from, to));
    const end = Math.min(starts[bucket + 1] ?? 0, entries.length);
    for (let at = starts[bucket] ?? 0; at < end; ) {
      const length = entries[at] ?? 0;
      if (length === to - from && sameBytes(entries, at + entryHeadBytes, piece, from, to)) {
        return (entries[at + 1] ?? 0) | ((entries[at + 2] ?? 0) << 8) | ((entries[at + 3] ?? 0) << 16);
      }
      at += entryHeadBytes + length;
    }
    return -1;
  };

  return {
    count(piece, length) {
      if (length <= 1) return length;
      return rankOf(piece, 0, length) === -1 ? joinPairs(piece, length, rankOf) : 1;
    },
  };
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

function hashOf(piece: Uint8Array, from: number, to: number): number {
  let value = hashStart;
  for (let at = from; at < to; at += 1) value = Math.imul(value ^ (piece[at] ?? 0), hashFactor);
  return value;
}

function bucketOf(value: number): number {
  return (value ^ (value >>> 15)) & (bucketCount - 1);
}

function sameBytes(bytes: Uint8Array, start: number, piece: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    if (bytes[start + at - from] !== piece[at]) return false;
  }
  return true;
}
