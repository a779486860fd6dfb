/**
 * The file of the static table: one weighted vector for every WordPiece, made once from MiniLM by
 * `scripts/static-table/` and shipped with the package.
 *
 *   table.json   header: model id, sizes, SHA-256 of the other files, where it comes from, its licence
 *   table.bin    pieces   UTF-8, one a line, in the order of the rows
 *                factors  float32 little-endian for each row: the step of its numbers times its weight in a text
 *                numbers  int8, `dimensions` for each row
 *   places.bin   what it takes to read single rows: see `static-rows.ts`
 *
 * A table that is not the one its header describes is refused, since its vectors would be stored under the model id of
 * another.
 */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { packageRoot } from '../../base/package-root.ts';
import type { PackagedFault } from '../../base/packaged-file.ts';
import { errnoOf } from '../../base/private-file.ts';

export const staticModel = {
  /** Stored beside vectors. A table with other numbers needs another version in its name. */
  id: 'minilm-static-256-v1',
  dimensions: 256,
} as const;

export const staticTableFolder = new URL('assets/static-table/', packageRoot);

export interface StaticTable {
  readonly rows: ReadonlyMap<string, number>;
  readonly factors: Float32Array;
  readonly numbers: Int8Array;
}

export interface StaticUnavailable {
  readonly kind: 'unavailable';
  readonly reason: PackagedFault;
  readonly message: string;
}

export type StaticTableOutcome = { readonly kind: 'loaded'; readonly table: StaticTable } | StaticUnavailable;

export interface StaticHeader {
  readonly pieces: number;
  readonly pieceBytes: number;
  /** Of `table.bin`, and of `places.bin`. */
  readonly sha256: string;
  readonly placesSha256: string;
}

/**
 * Reads and checks the whole table: about 9 MB and a tenth of a second. Throws only what the disk throws beyond a
 * missing file.
 */
export async function loadStaticTable(folder: URL = staticTableFolder): Promise<StaticTableOutcome> {
  const read = await readFilesOf(folder, ['table.json', 'places.bin', 'table.bin']);
  if (read === null) return missing;
  const [headerText = '', places = empty, bytes = empty] = read;
  const header = parseHeader(headerText.toString());
  if (typeof header === 'string') return unavailable('not_loadable', `The header of the static table ${header}.`);
  if (sha256Of(bytes) !== header.sha256 || sha256Of(places) !== header.placesSha256) return anotherTable;
  const { dimensions } = staticModel;
  const names = bytes.toString('utf8', 0, header.pieceBytes).split('\n');
  if (bytes.length !== tableBytes(header) || names.length !== header.pieces) return wrongSize;
  const view = new DataView(bytes.buffer, bytes.byteOffset + header.pieceBytes);
  const factors = Float32Array.from(names, (_, row) => view.getFloat32(row * Float32Array.BYTES_PER_ELEMENT, true));
  const numbersAt = header.pieceBytes + factors.byteLength;
  const numbers = new Int8Array(bytes.buffer, bytes.byteOffset + numbersAt, header.pieces * dimensions);
  return { kind: 'loaded', table: { rows: new Map(names.map((name, row) => [name, row])), factors, numbers } };
}

const empty = Buffer.alloc(0);
export const missing = unavailable(
  'not_installed',
  'The files of the static table are missing. Install the package again.',
);
export const anotherTable = unavailable(
  'checksum_mismatch',
  'The static table is not the one its header describes. Install the package again.',
);
export const wrongSize = unavailable('not_loadable', 'The static table has not the size that its header states.');

/** Of `table.bin`. */
export function tableBytes({ pieces, pieceBytes }: StaticHeader): number {
  return pieceBytes + pieces * (Float32Array.BYTES_PER_ELEMENT + staticModel.dimensions);
}

/** The contents in the same order, or null when a file is missing. */
export async function readFilesOf(folder: URL, names: readonly string[]): Promise<readonly Buffer[] | null> {
  try {
    return await Promise.all(names.map((name) => readFile(new URL(name, folder))));
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    return null;
  }
}

export function sha256Of(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

/** The header, or what is wrong with it. Fields for people, such as the licence, are not needed here. */
export function parseHeader(text: string): StaticHeader | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'is not JSON';
  }
  const field = (key: string): unknown =>
    typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  if (field('modelId') !== staticModel.id) return `is not of the model ${staticModel.id}`;
  if (field('dimensions') !== staticModel.dimensions) return `does not state ${staticModel.dimensions} dimensions`;
  const pieces = field('pieces');
  const pieceBytes = field('pieceBytes');
  const sha256 = field('sha256');
  const placesSha256 = field('placesSha256');
  if (!isCount(pieces) || !isCount(pieceBytes)) return 'does not state its sizes';
  if (typeof sha256 !== 'string' || typeof placesSha256 !== 'string') return 'names no checksum';
  return { pieces, pieceBytes, sha256, placesSha256 };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

export function unavailable(reason: PackagedFault, message: string): StaticUnavailable {
  return { kind: 'unavailable', reason, message };
}
