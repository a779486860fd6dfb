/**
 * What every search needs of all files of a project, held in memory: paths, places of chunks, vectors.
 *
 * It follows the tables by the generation that each file's row carries, so after a change only the files that changed
 * are read. It must be brought up to date and read within one transaction: postings name chunks of the same state.
 */
import type Database from 'better-sqlite3';
import type { Language } from '../code/symbol.ts';
import { staticModel } from '../embeddings/static-table.ts';
import type { ChunkPlaces, ChunkVectors, IndexedFile } from '../search/source.ts';
import { readPlaces, readVectors } from './codec.ts';

interface FileRow {
  readonly id: number;
  readonly path: string;
  readonly language: Language;
  readonly lines: number;
  readonly tokens: number;
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
  #vectors: ChunkVectors | null = null;
  readonly #changedSinceVectors = new Set<number>();

  constructor(db: Database.Database) {
    this.#db = db;
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
    return this.#places;
  }

  get liveChunks(): number {
    return this.#liveChunks;
  }

  /** Reads what changed up to `generation`, in which `nextChunk` is the first number that no chunk has. */
  follow(generation: number, nextChunk: number): void {
    if (generation === this.#generation) return;
    const changed = this.#db
      .prepare<[number], FileRow>(
        `SELECT id, path, language, lines, tokens, first_chunk, chunk_count, community, parsed FROM file
         WHERE generation > ?`,
      )
      .all(this.#generation);
    const ids = new Set(this.#db.prepare<[], number>('SELECT id FROM file').pluck().all());
    if (nextChunk < this.#chunkFile.length || generation < this.#generation) this.#forget();
    for (const [id, file] of this.#files) if (!ids.has(id)) this.#remove(id, file);
    this.#grow(nextChunk);
    const readPart = this.#db.prepare<[number], Uint8Array>('SELECT places FROM parsed WHERE id = ?').pluck();
    const rows = this.#files.size + changed.length < ids.size ? this.#all() : changed;
    for (const row of rows) this.#put(row, readPart.get(row.parsed));
    this.#generation = generation;
  }

  vectors(): ChunkVectors | null {
    if (this.#vectors === null) this.#vectors = this.#readVectors(this.#files.keys(), []);
    else if (this.#changedSinceVectors.size > 0) {
      this.#vectors = this.#readVectors(this.#changedSinceVectors, this.#stillLive(this.#vectors));
    }
    this.#changedSinceVectors.clear();
    return this.#vectors.chunks.length === 0 ? null : this.#vectors;
  }

  #all(): readonly FileRow[] {
    return this.#db
      .prepare<[], FileRow>(
        'SELECT id, path, language, lines, tokens, first_chunk, chunk_count, community, parsed FROM file',
      )
      .all();
  }

  #put(row: FileRow, stored: Uint8Array | undefined): void {
    if (stored === undefined) throw new Error('The index names places of a file that it does not hold.');
    const before = this.#files.get(row.id);
    const file: IndexedFile = {
      id: row.id,
      path: row.path,
      language: row.language,
      lines: row.lines,
      tokens: row.tokens,
      firstChunk: row.first_chunk,
      chunkCount: row.chunk_count,
      community: row.community,
    };
    const isSamePlace = before?.firstChunk === row.first_chunk && this.#parsed.get(row.id) === row.parsed;
    this.#files.set(row.id, file);
    this.#parsed.set(row.id, row.parsed);
    if (isSamePlace) return;
    if (before !== undefined) this.#free(before);
    this.#chunkFile.fill(row.id, row.first_chunk, row.first_chunk + row.chunk_count);
    this.#liveChunks += row.chunk_count;
    const own = readPlaces(stored);
    for (const part of parts) this.#places[part].set(own[part], row.first_chunk);
    this.#changedSinceVectors.add(row.id);
  }

  #remove(id: number, file: IndexedFile): void {
    this.#free(file);
    this.#files.delete(id);
    this.#parsed.delete(id);
    this.#changedSinceVectors.add(id);
  }

  #free(file: IndexedFile): void {
    this.#chunkFile.fill(-1, file.firstChunk, file.firstChunk + file.chunkCount);
    this.#liveChunks -= file.chunkCount;
  }

  #forget(): void {
    this.#files.clear();
    this.#parsed.clear();
    this.#chunkFile = new Int32Array(0);
    this.#places = places(0);
    this.#liveChunks = 0;
    this.#vectors = null;
    this.#changedSinceVectors.clear();
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

  #stillLive(vectors: ChunkVectors): readonly VectorPart[] {
    const { dimensions, chunks, rows } = vectors;
    const kept: VectorPart[] = [];
    let from = 0;
    const isStale = (at: number): boolean => {
      const file = this.#chunkFile[chunks[at] ?? 0] ?? -1;
      return file === -1 || this.#changedSinceVectors.has(file);
    };
    for (let at = 0; at <= chunks.length; at += 1) {
      if (at < chunks.length && !isStale(at)) continue;
      if (at > from) {
        kept.push({ chunks: chunks.subarray(from, at), rows: rows.subarray(from * dimensions, at * dimensions) });
      }
      from = at + 1;
    }
    return kept;
  }

  #readVectors(files: Iterable<number>, kept: readonly VectorPart[]): ChunkVectors {
    const { dimensions } = staticModel;
    const read = this.#db.prepare<[number], Uint8Array>('SELECT vectors FROM parsed WHERE id = ?').pluck();
    const added: VectorPart[] = [];
    for (const id of files) {
      const file = this.#files.get(id);
      const parsed = this.#parsed.get(id);
      const bytes = parsed === undefined ? undefined : read.get(parsed);
      if (file === undefined || bytes === undefined) continue;
      const own = readVectors(bytes);
      if (own.chunks.length > 0)
        added.push({ chunks: own.chunks.map((chunk) => chunk + file.firstChunk), rows: own.rows });
    }
    const all = [...kept, ...added].sort((a, b) => (a.chunks[0] ?? 0) - (b.chunks[0] ?? 0));
    const count = all.reduce((sum, part) => sum + part.chunks.length, 0);
    const chunks = new Uint32Array(count);
    const rows = new Int8Array(count * dimensions);
    let at = 0;
    for (const part of all) {
      chunks.set(part.chunks, at);
      rows.set(part.rows, at * dimensions);
      at += part.chunks.length;
    }
    return { dimensions, chunks, rows };
  }
}

interface VectorPart {
  readonly chunks: Uint32Array;
  readonly rows: Int8Array;
}

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
