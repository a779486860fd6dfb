/**
 * Single rows of the static table, for who has a question and not a project: a few hundred kilobytes are read instead
 * of nine megabytes, and the numbers of a row when it is asked for.
 *
 * `places.bin` makes it possible, all numbers little-endian:
 *
 *   order    uint16 for each row: the rows in the order of their pieces, as bytes
 *   starts   uint32 for each row and one more: where its piece begins in the table
 *   checks   uint32: CRC-32 of the pieces and factors, then of the numbers of each 64 rows
 *
 * Whatever is read is checked: a table that is not the one of its header gives no vector.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { staticTableLimits } from '../../base/limits.ts';
import { errnoOf } from '../../base/private-file.ts';
import { EmbedderFailure } from './embedder.ts';
import type { PieceRows } from './static-pieces.ts';
import {
  anotherTable,
  missing,
  parseHeader,
  readFilesOf,
  type StaticHeader,
  type StaticTable,
  type StaticUnavailable,
  sha256Of,
  staticModel,
  tableBytes,
  unavailable,
  wrongSize,
} from './static-table.ts';

/** What a text is summed from. */
export interface StaticRows {
  readonly pieces: PieceRows;
  factorOf(row: number): number;
  /** `dimensions` of them. May throw an EmbedderFailure: the row is not as it was made. */
  numbersOf(row: number): Int8Array;
  close(): void;
}

export type StaticRowsOutcome = { readonly kind: 'opened'; readonly rows: StaticRows } | StaticUnavailable;

const { dimensions } = staticModel;
const rowsOfBlock = 64;

/** The same rows of a table that is in memory as a whole. */
export function rowsOf({ rows, factors, numbers }: StaticTable): StaticRows {
  return {
    pieces: rows,
    factorOf: (row) => factors[row] ?? 0,
    numbersOf: (row) => numbers.subarray(row * dimensions, (row + 1) * dimensions),
    close() {},
  };
}

/** Opens the table and checks what it reads of it. Throws only what the disk throws beyond a missing file. */
export async function openStaticRows(folder: URL): Promise<StaticRowsOutcome> {
  const read = await readFilesOf(folder, ['table.json', 'places.bin']);
  if (read === null) return missing;
  const [headerText = '', places = Buffer.alloc(0)] = read;
  const header = parseHeader(headerText.toString());
  if (typeof header === 'string') return unavailable('not_loadable', `The header of the static table ${header}.`);
  if (sha256Of(places) !== header.placesSha256) return anotherTable;
  if (places.length !== placesBytes(header.pieces)) return wrongSize;
  let descriptor: number;
  try {
    descriptor = openSync(fileURLToPath(new URL('table.bin', folder)), 'r');
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    return missing;
  }
  const file = new TableFile(descriptor, header, places);
  const fault = fstatSync(descriptor).size === tableBytes(header) ? null : wrongSize;
  if (fault === null && file.isHeadWhole) return { kind: 'opened', rows: file };
  file.close();
  return fault ?? anotherTable;
}

/** What `places.bin` holds of a table: see above. `pieces` in the order of rows, `bytes` as in `table.bin`. */
export function packPlaces(pieces: readonly string[], bytes: Uint8Array): Uint8Array {
  const encoded = pieces.map((piece) => Buffer.from(piece));
  const places = Buffer.alloc(placesBytes(pieces.length));
  encoded
    .map((piece, row) => ({ piece, row }))
    .sort((a, b) => a.piece.compare(b.piece))
    .forEach(({ row }, at) => void places.writeUInt16LE(row, at * 2));
  let start = 0;
  [...encoded, null].forEach((piece, row) => {
    places.writeUInt32LE(start, startsAt(pieces.length) + row * 4);
    start += (piece?.length ?? 0) + 1;
  });
  const numbersAt = bytes.length - pieces.length * dimensions;
  const checks = checksAt(pieces.length);
  places.writeUInt32LE(crc32(bytes.subarray(0, numbersAt)), checks);
  for (let block = 0; block * rowsOfBlock < pieces.length; block++) {
    const from = numbersAt + block * blockBytes;
    places.writeUInt32LE(crc32(bytes.subarray(from, from + blockBytes)), checks + (block + 1) * 4);
  }
  return places;
}

const blockBytes = rowsOfBlock * dimensions;
const startsAt = (pieces: number): number => pieces * 2;
const checksAt = (pieces: number): number => startsAt(pieces) + (pieces + 1) * 4;
const placesBytes = (pieces: number): number => checksAt(pieces) + (Math.ceil(pieces / rowsOfBlock) + 1) * 4;

class TableFile implements StaticRows, PieceRows {
  readonly pieces = this;
  readonly isHeadWhole: boolean;
  readonly #descriptor: number;
  readonly #count: number;
  readonly #numbersAt: number;
  readonly #places: Buffer;
  /** Pieces and factors. */
  readonly #head: Buffer;
  readonly #factorsAt: number;
  readonly #blocks: (Int8Array | undefined)[] = [];
  /** Made for who asks often: all pieces by name, and the numbers of all. */
  #map: ReadonlyMap<string, number> | null = null;
  #numbers: Buffer | null = null;
  #asked = 0;

  constructor(descriptor: number, { pieces, pieceBytes }: StaticHeader, places: Buffer) {
    this.#descriptor = descriptor;
    this.#count = pieces;
    this.#places = places;
    this.#factorsAt = pieceBytes;
    this.#numbersAt = pieceBytes + pieces * Float32Array.BYTES_PER_ELEMENT;
    this.#head = this.#read(0, this.#numbersAt);
    this.isHeadWhole = crc32(this.#head) === this.#check(0);
  }

  get(piece: string): number | undefined {
    this.#asked += 1;
    if (this.#asked > staticTableLimits.searchedPiecesMax) return this.#all().get(piece);
    const wanted = Buffer.from(piece);
    let from = 0;
    let to = this.#count;
    while (from < to) {
      const middle = (from + to) >> 1;
      const row = this.#places.readUInt16LE(middle * 2);
      const order = this.#head.compare(wanted, 0, wanted.length, this.#start(row), this.#start(row + 1) - 1);
      if (order === 0) return row;
      if (order < 0) from = middle + 1;
      else to = middle;
    }
    return undefined;
  }

  factorOf(row: number): number {
    return this.#head.readFloatLE(this.#factorsAt + row * Float32Array.BYTES_PER_ELEMENT);
  }

  numbersOf(row: number): Int8Array {
    const at = (row % rowsOfBlock) * dimensions;
    const index = Math.floor(row / rowsOfBlock);
    const block = this.#blocks[index] ?? this.#readBlock(index);
    return block.subarray(at, at + dimensions);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #readBlock(index: number): Int8Array {
    const bytes = this.#bytesOf(
      index * blockBytes,
      Math.min(blockBytes, this.#count * dimensions - index * blockBytes),
    );
    if (crc32(bytes) !== this.#check(index + 1)) {
      throw new EmbedderFailure(anotherTable.message, anotherTable.reason);
    }
    const block = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#blocks[index] = block;
    return block;
  }

  /** Of the numbers. */
  #bytesOf(from: number, length: number): Buffer {
    if (this.#asked <= staticTableLimits.searchedPiecesMax) return this.#read(this.#numbersAt + from, length);
    this.#numbers ??= this.#read(this.#numbersAt, this.#count * dimensions);
    return this.#numbers.subarray(from, from + length);
  }

  /** What is missing at the end of the file is missing at the end of what is given. */
  #read(from: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafeSlow(length);
    let read = 0;
    while (read < length) {
      const more = readSync(this.#descriptor, buffer, read, length - read, from + read);
      if (more === 0) break;
      read += more;
    }
    return buffer.subarray(0, read);
  }

  #check(index: number): number {
    return this.#places.readUInt32LE(checksAt(this.#count) + index * 4);
  }

  #start(row: number): number {
    return this.#places.readUInt32LE(startsAt(this.#count) + row * 4);
  }

  #all(): ReadonlyMap<string, number> {
    this.#map ??= new Map(
      this.#head
        .toString('utf8', 0, this.#factorsAt)
        .split('\n')
        .map((piece, row) => [piece, row]),
    );
    return this.#map;
  }
}
