/**
 * The file of the static table: one weighted vector for every WordPiece, made once from MiniLM by
 * `scripts/static-table/` and shipped with the package.
 *
 *   table.json   header: model id, sizes, SHA-256 of the other file, where it comes from, its licence
 *   table.bin    pieces   UTF-8, one a line, in the order of the rows
 *                factors  float32 little-endian for each row: the step of its numbers times its weight in a text
 *                numbers  int8, `dimensions` for each row
 *
 * A table that is not the one its header describes is refused, since its vectors would be stored under the model id of
 * another.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { UnavailableReason } from './embedder.ts';
import type { PieceRows } from './static-pieces.ts';

export const staticModel = {
  /** Stored beside vectors. A table with other numbers needs another version in its name. */
  id: 'minilm-static-256-v1',
  dimensions: 256,
} as const;

/** Beside `src` and `dist`, so that the sources and the build reach it by the same path. */
export const staticTableFolder = new URL('../../../assets/static-table/', import.meta.url);

export interface StaticTable {
  readonly rows: PieceRows;
  readonly factors: Float32Array;
  readonly numbers: Int8Array;
}

export type StaticTableOutcome =
  | { readonly kind: 'loaded'; readonly table: StaticTable }
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason; readonly message: string };

interface Header {
  readonly pieces: number;
  readonly pieceBytes: number;
  readonly sha256: string;
}

/** Reads and checks the table: about 9 MB and a tenth of a second. Throws only what the disk throws beyond a missing file. */
export async function loadStaticTable(folder: URL = staticTableFolder): Promise<StaticTableOutcome> {
  let headerText: string;
  let bytes: Buffer;
  try {
    headerText = await readFile(new URL('table.json', folder), 'utf8');
    bytes = await readFile(new URL('table.bin', folder));
  } catch (error) {
    if (!isMissingFile(error)) throw error;
    return unavailable('not_installed', 'The files of the static table are missing. Install the package again.');
  }
  const header = parseHeader(headerText);
  if (typeof header === 'string') return unavailable('not_loadable', `The header of the static table ${header}.`);
  if (createHash('sha256').update(bytes).digest('hex') !== header.sha256) {
    const message = 'The static table is not the one its header describes. Install the package again.';
    return unavailable('checksum_mismatch', message);
  }
  const { dimensions } = staticModel;
  const wanted = header.pieceBytes + header.pieces * (Float32Array.BYTES_PER_ELEMENT + dimensions);
  const names = bytes.toString('utf8', 0, header.pieceBytes).split('\n');
  if (bytes.length !== wanted || names.length !== header.pieces) {
    return unavailable('not_loadable', 'The static table has not the size that its header states.');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset + header.pieceBytes);
  const factors = Float32Array.from(names, (_, row) => view.getFloat32(row * Float32Array.BYTES_PER_ELEMENT, true));
  const numbersAt = header.pieceBytes + factors.byteLength;
  const numbers = new Int8Array(bytes.buffer, bytes.byteOffset + numbersAt, header.pieces * dimensions);
  return { kind: 'loaded', table: { rows: new Map(names.map((name, row) => [name, row])), factors, numbers } };
}

/** The header, or what is wrong with it. Fields for people, such as the licence, are not needed here. */
function parseHeader(text: string): Header | string {
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
  if (!isCount(pieces) || !isCount(pieceBytes)) return 'does not state its sizes';
  if (typeof sha256 !== 'string') return 'names no checksum';
  return { pieces, pieceBytes, sha256 };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function unavailable(reason: UnavailableReason, message: string): StaticTableOutcome {
  return { kind: 'unavailable', reason, message };
}

function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
