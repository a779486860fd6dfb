/**
 * Numbers as bytes: postings with variable length, tables of numbers as they lie in memory (little endian).
 *
 * Reading ends on any bytes, in time and memory of their length, with what they say or with `DamagedIndex`.
 */
import { grown } from '../search/grown.ts';
import type { ChunkPlaces, FileTerms, PostingList } from '../search/source.ts';
import { type FileVectors, leadingDimensions } from '../search/vector-rows.ts';
import { DamagedIndex } from './damaged-index.ts';

/** Grows as numbers are added; each takes one byte for every seven bits. */
export class VarintWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(bytes = 16) {
    this.#bytes = new Uint8Array(bytes);
  }

  add(number: number): void {
    if (this.#length + 5 > this.#bytes.length) {
      this.#bytes = grown(this.#bytes, new Uint8Array(this.#bytes.length * 2));
    }
    let rest = number;
    while (rest > 127) {
      this.#bytes[this.#length] = (rest & 127) | 128;
      this.#length += 1;
      rest >>>= 7;
    }
    this.#bytes[this.#length] = rest;
    this.#length += 1;
  }

  /** What was written since the last call; valid until the next number. */
  take(): Uint8Array {
    const bytes = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return bytes;
  }
}

/** One posting list being written: chunks ascending, as distances from the one before. */
export class PostingWriter {
  readonly #out = new VarintWriter();
  #last = 0;

  /** The greatest chunk so far, 0 before the first. */
  get last(): number {
    return this.#last;
  }

  add(chunk: number, counts: number): void {
    this.#out.add(chunk - this.#last);
    this.#out.add(counts);
    this.#last = chunk;
  }

  /** The list; valid until the next posting, which begins another one. */
  take(): Uint8Array {
    this.#last = 0;
    return this.#out.take();
  }
}

export function readPostings(bytes: Uint8Array): PostingList {
  if (!(bytes instanceof Uint8Array)) throw new DamagedIndex(postingsFault);
  // Each posting is two numbers of at least one byte.
  const chunks = new Uint32Array(bytes.length >> 1);
  const counts = new Uint16Array(bytes.length >> 1);
  let at = 0;
  let length = 0;
  let chunk = 0;
  // Written out twice: with a reader of numbers, as below, long lists took a fifth longer.
  while (at < bytes.length) {
    let byte = bytes[at++] ?? 0;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
    }
    chunk += value;
    byte = bytes[at++] ?? 0;
    value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
    }
    chunks[length] = chunk;
    counts[length] = value;
    length += 1;
  }
  if (at !== bytes.length) throw new DamagedIndex(postingsFault);
  return { chunks: chunks.subarray(0, length), counts: counts.subarray(0, length) };
}

const postingsFault = 'the places of a word are not whole';

/** Terms of a file without the places of its chunks: number of terms, the terms, then for each its postings. */
export function writeTerms(terms: FileTerms): Uint8Array {
  const out = new VarintWriter(terms.counts.length * 3 + 16);
  for (let term = 0; term < terms.terms.length; term += 1) {
    const from = terms.starts[term] ?? 0;
    const to = terms.starts[term + 1] ?? 0;
    out.add(to - from);
    let last = 0;
    for (let at = from; at < to; at += 1) {
      const chunk = terms.chunks[at] ?? 0;
      out.add(chunk - last);
      out.add(terms.counts[at] ?? 0);
      last = chunk;
    }
  }
  const names = Buffer.from(terms.terms.join('\n'), 'utf8');
  const numbers = out.take();
  const bytes = new Uint8Array(8 + names.length + numbers.length);
  const head = new DataView(bytes.buffer);
  head.setUint32(0, terms.terms.length, true);
  head.setUint32(4, names.length, true);
  bytes.set(names, 8);
  bytes.set(numbers, 8 + names.length);
  return bytes;
}

/** The terms of a file, as `writeTerms` wrote them. */
export function termNames(bytes: Uint8Array): readonly string[] {
  const { count, numbersAt } = termsHead(bytes);
  if (count === 0) return [];
  const names = Buffer.from(bytes.buffer, bytes.byteOffset + 8, numbersAt - 8)
    .toString('utf8')
    .split('\n');
  if (names.length !== count) throw new DamagedIndex(termsFault);
  return names;
}

const termsFault = 'the words of a file are not whole';

/** How many terms there are, and where their names end. Each is followed by one byte at least. */
function termsHead(bytes: Uint8Array): { readonly count: number; readonly numbersAt: number } {
  const head = viewOf(bytes, 8, termsFault);
  const count = head.getUint32(0, true);
  const numbersAt = 8 + head.getUint32(4, true);
  if (count > bytes.length - numbersAt) throw new DamagedIndex(termsFault);
  return { count, numbersAt };
}

/** Calls back with the position of the term, term after term, and chunks ascending within one. */
export function forEachPosting(bytes: Uint8Array, visit: (term: number, chunk: number, counts: number) => void): void {
  const { count, numbersAt } = termsHead(bytes);
  let at = numbersAt;
  const next = (): number => {
    let byte = bytes[at++] ?? 0;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
    }
    return value;
  };
  for (let term = 0; term < count; term += 1) {
    let chunk = 0;
    const length = next();
    // Each posting is two numbers of at least one byte.
    if (length < 0 || length > (bytes.length - at) >> 1) throw new DamagedIndex(termsFault);
    for (let left = length; left > 0; left -= 1) {
      chunk += next();
      visit(term, chunk, next());
    }
  }
  if (at !== bytes.length) throw new DamagedIndex(termsFault);
}

export function writePlaces(places: ChunkPlaces): Uint8Array {
  const { symbol, startLine, endLine, nameLength, headLength, bodyLength } = places;
  return writeTables(symbol.length, [symbol, startLine, endLine, nameLength, headLength, bodyLength]);
}

/** How many entries the tables have, then the tables, as they lie in memory. */
function writeTables(count: number, tables: readonly NumberTable[]): Uint8Array {
  const bytes = new Uint8Array(4 + tables.reduce((sum, table) => sum + table.byteLength, 0));
  new DataView(bytes.buffer).setUint32(0, count, true);
  let at = 4;
  for (const { buffer, byteOffset, byteLength } of tables) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return bytes;
}

type NumberTable = Pick<Uint8Array, 'buffer' | 'byteOffset' | 'byteLength'>;

export function readPlaces(given: Uint8Array): ChunkPlaces {
  const count = viewOf(given, 4, placesFault).getUint32(0, true);
  if (given.length !== 4 + count * placeBytes) throw new DamagedIndex(placesFault);
  const bytes = aligned(given);
  const wide = (part: number): number => bytes.byteOffset + 4 + part * count * 4;
  const narrow = (part: number): number => bytes.byteOffset + 4 + count * 12 + part * count * 2;
  return {
    symbol: new Int32Array(bytes.buffer, wide(0), count),
    startLine: new Uint32Array(bytes.buffer, wide(1), count),
    endLine: new Uint32Array(bytes.buffer, wide(2), count),
    nameLength: new Uint16Array(bytes.buffer, narrow(0), count),
    headLength: new Uint16Array(bytes.buffer, narrow(1), count),
    bodyLength: new Uint16Array(bytes.buffer, narrow(2), count),
  };
}

/** Of one chunk in `writePlaces`. */
export const placeBytes = 3 * 4 + 3 * 2;
const placesFault = 'the places of a file are not whole';

/** Both parts that a question reads of every file in one piece: a piece of its own costs more to get than to read. */
export function writeSearched(places: Uint8Array, vectors: Uint8Array): Uint8Array {
  const vectorsAt = 4 + padded(places.length);
  const bytes = new Uint8Array(vectorsAt + vectors.length);
  new DataView(bytes.buffer).setUint32(0, places.length, true);
  bytes.set(places, 4);
  bytes.set(vectors, vectorsAt);
  return bytes;
}

export function readSearched(bytes: Uint8Array): { readonly places: Uint8Array; readonly vectors: Uint8Array } {
  const length = viewOf(bytes, 4, searchedFault).getUint32(0, true);
  const vectorsAt = 4 + padded(length);
  if (vectorsAt > bytes.length) throw new DamagedIndex(searchedFault);
  return { places: bytes.subarray(4, 4 + length), vectors: bytes.subarray(vectorsAt) };
}

const searchedFault = 'what a search reads of a file is not whole';

/** To where a number of four bytes can begin. */
function padded(length: number): number {
  return length + (-length & 3);
}

/** Vectors of a file: how many, the positions of their chunks, their scales, then the leading dimensions. */
export function writeVectors({ chunks, scales, leading }: FileVectors): Uint8Array {
  return writeTables(chunks.length, [chunks, scales, leading]);
}

export function readVectors(given: Uint8Array): FileVectors {
  const count = viewOf(given, 4, vectorsFault).getUint32(0, true);
  if (given.length !== 4 + count * vectorBytes) throw new DamagedIndex(vectorsFault);
  const bytes = aligned(given);
  const at = bytes.byteOffset + 4;
  return {
    chunks: new Uint32Array(bytes.buffer, at, count),
    scales: new Float32Array(bytes.buffer, at + count * 4, count),
    leading: new Int8Array(bytes.buffer, at + count * 8, count * leadingDimensions),
  };
}

/** Of one vector in `writeVectors`. */
export const vectorBytes = 4 + 4 + leadingDimensions;
const vectorsFault = 'the vectors of a file are not whole';

/** Of at least so many bytes. SQLite keeps any kind of value in any column. */
function viewOf(bytes: Uint8Array, least: number, fault: string): DataView {
  if (!(bytes instanceof Uint8Array) || bytes.length < least) throw new DamagedIndex(fault);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** The same bytes where numbers of four can begin. */
function aligned(bytes: Uint8Array): Uint8Array {
  // `slice` of a Buffer is no copy.
  return bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
}
