/** What the texts of files gave, kept under a hash of path and content. */
import type Database from 'better-sqlite3';
import { indexLimits } from '../../base/limits.ts';
import type { FileFacts } from '../code/symbol.ts';
import { checkParts, type PartsBlobs } from './check-parts.ts';
import { readSearched, writeSearched } from './codec.ts';
import { DamagedIndex } from './damaged-index.ts';
import type { StoredFacts } from './facts-codec.ts';
import { type IndexedParts, unpackFacts, unpackOutline } from './indexed-parts.ts';

export class PartsStore {
  readonly #find: Database.Statement<[string], number>;
  readonly #use: Database.Statement<[number, number]>;
  readonly #insert: Database.Statement<[string, number, number, Uint8Array, Uint8Array]>;
  readonly #insertChunks: Database.Statement<[number | bigint, Uint8Array, Uint8Array]>;
  readonly #parts: Database.Statement<[number], PartsBlobs>;
  readonly #facts: Database.Statement<[number], Uint8Array>;
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#find = db.prepare<[string], number>('SELECT id FROM parsed WHERE key = ?').pluck();
    this.#use = db.prepare('UPDATE parsed SET used_in = ? WHERE id = ?');
    this.#insert = db.prepare('INSERT INTO parsed (key, used_in, bytes, facts, terms) VALUES (?, ?, ?, ?, ?)');
    this.#insertChunks = db.prepare('INSERT INTO chunk_part (parsed, searched, rests) VALUES (?, ?, ?)');
    this.#parts = db.prepare(
      'SELECT facts, terms, searched, rests FROM parsed JOIN chunk_part ON parsed = id WHERE id = ?',
    );
    this.#facts = db.prepare<[number], Uint8Array>('SELECT facts FROM parsed WHERE id = ?').pluck();
  }

  /** The number of what is kept under this key, or null. */
  find(key: string): number | null {
    return this.#find.get(key) ?? null;
  }

  /** Whether anything is kept that no file has now. */
  hasSpare(): boolean {
    const spare = 'SELECT EXISTS (SELECT 1 FROM parsed WHERE id NOT IN (SELECT parsed FROM file))';
    return this.#db.prepare<[], number>(spare).pluck().get() === 1;
  }

  add(key: string, parts: IndexedParts, generation: number): number {
    const known = this.find(key);
    if (known !== null) return this.use(known, generation);
    const { facts, places, terms, vectors, rests } = parts;
    const bytes = [facts, places, terms, vectors, rests].reduce((sum, part) => sum + part.length, 0);
    const { lastInsertRowid } = this.#insert.run(key, generation, bytes, facts, terms);
    this.#insertChunks.run(lastInsertRowid, writeSearched(places, vectors), rests);
    return Number(lastInsertRowid);
  }

  use(id: number, generation: number): number {
    this.#use.run(generation, id);
    return id;
  }

  /** For using them again: they have lain unread for a while, so they are checked. */
  parts(id: number): IndexedParts {
    const stored = this.#parts.get(id);
    if (stored === undefined) throw new DamagedIndex('it names parts of a file that it does not hold');
    checkParts(stored);
    const { facts, terms, searched, rests } = stored;
    return { facts, terms, rests, ...readSearched(searched) };
  }

  stored(id: number): StoredFacts {
    return unpackFacts(this.#factsOf(id));
  }

  /** Facts as linking and the table of nodes need them. */
  outline(id: number): StoredFacts {
    return unpackOutline(this.#factsOf(id));
  }

  facts(id: number): FileFacts {
    return this.stored(id).facts;
  }

  #factsOf(id: number): Uint8Array {
    const bytes = this.#facts.get(id);
    if (bytes === undefined) throw new DamagedIndex('it names facts of a file that it does not hold');
    return bytes;
  }

  /** Drops what no file has any more, oldest use first, beyond what is worth keeping for a switch back. */
  dropUnused(): void {
    const total = (where: string): number =>
      this.#db.prepare<[], number>(`SELECT COALESCE(SUM(bytes), 0) FROM parsed WHERE ${where}`).pluck().get() ?? 0;
    const inUse = 'id IN (SELECT parsed FROM file)';
    let spare = total(`NOT ${inUse}`);
    const kept = Math.max(indexLimits.keptPartsBytesLeast, total(inUse) * indexLimits.keptPartsFactor);
    if (spare <= kept) return;
    const unused = this.#db
      .prepare<[], { id: number; bytes: number }>(
        `SELECT id, bytes FROM parsed WHERE NOT ${inUse} ORDER BY used_in, id`,
      )
      .all();
    const drop = this.#db.prepare('DELETE FROM parsed WHERE id = ?');
    const dropChunks = this.#db.prepare('DELETE FROM chunk_part WHERE parsed = ?');
    for (const { id, bytes } of unused) {
      if (spare <= kept) return;
      drop.run(id);
      dropChunks.run(id);
      spare -= bytes;
    }
  }
}
