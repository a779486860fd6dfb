/**
 * What every search needs of all files of a project, held in memory: paths, places of chunks, vectors.
 *
 * It follows the tables by the generation that each file's row carries, so after a change only the files that changed
 * are read. It must be brought up to date and read within one transaction: postings name chunks of the same state.
 */
import type Database from 'better-sqlite3';
import type { Language } from '../code/symbol.ts';
import { staticModel } from '../embeddings/static-table.ts';
import type { ChunkPlaces, IndexedFile } from '../search/source.ts';
import { type ChunkVectors, type FileVectors, leadingDimensions } from '../search/vector-rows.ts';
import { readPlaces, readSearched, readVectors } from './codec.ts';
import { DamagedIndex } from './damaged-index.ts';

interface FileRow {
  readonly id: number;
  readonly path: string;
  readonly language: Language;
  readonly lines: number;
  readonly tokens: number;
  readonly symbols: number;
  readonly first_chunk: number;
  readonly chunk_count: number;
  readonly community: number;
  readonly parsed: number;
}

export class Snapshot {
  readonly #db: Database.Database;
  readonly #files = new Map<number, IndexedFile>();
  readonly #parsed = new Map<number, number>();
  #generation = 0;
  #chunkFile = new Int32Array(0);
  #places: ChunkPlaces = places(0);
  #liveChunks = 0;
  readonly #vectors = new Map<number, FileVectors>();
  readonly #rests = new Map<number, Int8Array>();
  /** Files whose places and vectors are still to be read: not every question needs them. */
  readonly #unread = new Set<number>();
  readonly #readPart: Database.Statement<[number], Uint8Array>;
  readonly #readRests: Database.Statement<[number], Uint8Array>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#readPart = db.prepare<[number], Uint8Array>('SELECT searched FROM chunk_part WHERE parsed = ?').pluck();
    this.#readRests = db.prepare<[number], Uint8Array>('SELECT rests FROM chunk_part WHERE parsed = ?').pluck();
  }

  get generation(): number {
    return this.#generation;
  }

  get files(): ReadonlyMap<number, IndexedFile> {
    return this.#files;
  }

  get chunkFile(): Int32Array {
    return this.#chunkFile;
  }

  get places(): ChunkPlaces {
    this.#readParts();
    return this.#places;
  }

  get liveChunks(): number {
    return this.#liveChunks;
  }

  /** Reads what changed up to `generation`, in which `nextChunk` is the first number that no chunk has. */
  follow(generation: number, nextChunk: number): void {
    if (generation === this.#generation) return;
    const changed = this.#db
      .prepare<[number], FileRow>(`SELECT ${columns} FROM file WHERE generation > ?`)
      .all(this.#generation);
    const ids = new Set(this.#db.prepare<[], number>('SELECT id FROM file').pluck().all());
    if (nextChunk < this.#chunkFile.length || generation < this.#generation) this.#forget();
    for (const id of this.#files.keys()) if (!ids.has(id)) this.#remove(id);
    this.#grow(nextChunk);
    const rows = this.#files.size + changed.length < ids.size ? this.#all() : changed;
    // First all old places are given up: where chunks were numbered anew, those of one file were those of another.
    const moved = rows.filter((row) => !this.#isInPlace(row));
    for (const { id } of moved) this.#freeChunks(id);
    for (const row of rows) this.#put(row);
    for (const row of moved) this.#place(row);
    this.#generation = generation;
  }

  vectors(): ChunkVectors | null {
    this.#readParts();
    if (this.#vectors.size === 0) return null;
    const { dimensions } = staticModel;
    return { dimensions, files: this.#vectors, restsOf: (file) => this.#restsOf(file) };
  }

  #restsOf(file: number): Int8Array {
    const known = this.#rests.get(file);
    if (known !== undefined) return known;
    const bytes = this.#readRests.get(this.#parsed.get(file) ?? -1);
    if (!(bytes instanceof Uint8Array)) throw new DamagedIndex('it names vectors of a file that it does not hold');
    const rests = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const rows = this.#vectors.get(file)?.chunks.length ?? 0;
    if (rests.length !== rows * (staticModel.dimensions - leadingDimensions)) {
      throw new DamagedIndex(`the vectors of file ${file} are not whole`);
    }
    this.#rests.set(file, rests);
    return rests;
  }

  #all(): readonly FileRow[] {
    return this.#db.prepare<[], FileRow>(`SELECT ${columns} FROM file`).all();
  }

  #put(row: FileRow): void {
    if (typeof row.path !== 'string') throw new DamagedIndex('the path of a file is no text');
    this.#files.set(row.id, {
      id: row.id,
      path: row.path,
      language: row.language,
      lines: row.lines,
      tokens: row.tokens,
      symbols: row.symbols,
      firstChunk: row.first_chunk,
      chunkCount: row.chunk_count,
      community: row.community,
    });
    this.#parsed.set(row.id, row.parsed);
  }

  #place(row: FileRow): void {
    const { first_chunk, chunk_count } = row;
    const isInside = first_chunk > 0 && chunk_count >= 0 && first_chunk + chunk_count <= this.#chunkFile.length;
    if (!isInside) throw new DamagedIndex(`file ${row.id} has pieces that no build numbered`);
    this.#chunkFile.fill(row.id, row.first_chunk, row.first_chunk + row.chunk_count);
    this.#liveChunks += row.chunk_count;
    this.#forgetParts(row.id);
    this.#unread.add(row.id);
  }

  #readParts(): void {
    // Asked for every chunk of an answer.
    if (this.#unread.size === 0) return;
    for (const id of this.#unread) {
      const file = this.#files.get(id);
      const stored = this.#readPart.get(this.#parsed.get(id) ?? -1);
      if (file === undefined || stored === undefined) {
        throw new DamagedIndex('it names places of a file that it does not hold');
      }
      const searched = readSearched(stored);
      const own = readPlaces(searched.places);
      if (own.symbol.length !== file.chunkCount)
        throw new DamagedIndex(`the places of file ${id} are those of another`);
      for (const part of parts) this.#places[part].set(own[part], file.firstChunk);
      const vectors = readVectors(searched.vectors);
      if (vectors.chunks.length > 0) this.#vectors.set(id, vectors);
    }
    this.#unread.clear();
  }

  #remove(id: number): void {
    this.#freeChunks(id);
    this.#files.delete(id);
    this.#parsed.delete(id);
    this.#forgetParts(id);
  }

  #forgetParts(id: number): void {
    this.#unread.delete(id);
    this.#vectors.delete(id);
    this.#rests.delete(id);
  }

  /** Whether a file is known and has its chunks where it had them. */
  #isInPlace({ id, first_chunk, parsed }: FileRow): boolean {
    return this.#files.get(id)?.firstChunk === first_chunk && this.#parsed.get(id) === parsed;
  }

  /** Gives up the chunks that a file has, where it is known. */
  #freeChunks(id: number): void {
    const file = this.#files.get(id);
    if (file === undefined) return;
    this.#chunkFile.fill(-1, file.firstChunk, file.firstChunk + file.chunkCount);
    this.#liveChunks -= file.chunkCount;
  }

  #forget(): void {
    this.#files.clear();
    this.#parsed.clear();
    this.#chunkFile = new Int32Array(0);
    this.#places = places(0);
    this.#liveChunks = 0;
    this.#vectors.clear();
    this.#rests.clear();
    this.#unread.clear();
  }

  #grow(length: number): void {
    const before = this.#chunkFile.length;
    if (length <= before) return;
    const chunkFile = new Int32Array(length).fill(-1, before);
    chunkFile.set(this.#chunkFile);
    const larger = places(length);
    for (const part of parts) larger[part].set(this.#places[part]);
    this.#chunkFile = chunkFile;
    this.#places = larger;
  }
}

const columns = 'id, path, language, lines, tokens, symbols, first_chunk, chunk_count, community, parsed';
const parts = ['symbol', 'startLine', 'endLine', 'nameLength', 'headLength', 'bodyLength'] as const;

function places(length: number): ChunkPlaces {
  return {
    symbol: new Int32Array(length),
    startLine: new Uint32Array(length),
    endLine: new Uint32Array(length),
    nameLength: new Uint16Array(length),
    headLength: new Uint16Array(length),
    bodyLength: new Uint16Array(length),
  };
}
