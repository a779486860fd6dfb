/**
 * An index that is open for questions. Every question runs inside one transaction on one state of the tables.
 *
 * Another process may build the index, or replace it: each question first looks whether the file is still the same one
 * and whether it changed.
 */
import type Database from 'better-sqlite3';
import type { FieldCounts, IndexedSymbol, NamedSymbol, PostingList, SearchSource } from '../search/source.ts';
import { forEachPosting, readPostings, termNames } from './codec.ts';
import { type BuildFacts, readBuildFacts } from './counters.ts';
import { type IndexState, identityOf, openForReading, stateOf } from './index-file.ts';
import { byPlace, type NodeRow, nodeColumns } from './node-rows.ts';
import { nodeId } from './nodes.ts';
import { PartsStore } from './parts-store.ts';
import { Snapshot } from './snapshot.ts';
import { type StoredGraph, storedGraph } from './stored-graph.ts';

/** One state of an index. Good only inside the question it was given to. */
export interface IndexView {
  readonly db: Database.Database;
  readonly facts: BuildFacts;
  readonly search: SearchSource;
  readonly graph: StoredGraph;
  readonly parts: PartsStore;
}

export type Asked<Value> =
  | { readonly kind: 'answered'; readonly value: Value }
  | Exclude<IndexState, { kind: 'usable' }>;

export class IndexReader {
  readonly file: string;
  #open: OpenIndex | null = null;

  constructor(file: string) {
    this.file = file;
  }

  /** Asks one question, which must end before this returns. */
  ask<Value>(question: (view: IndexView) => Value): Asked<Value> {
    const identity = identityOf(this.file);
    if (this.#open !== null && this.#open.identity !== identity) this.close();
    if (this.#open === null) {
      const state = stateOf(this.file);
      if (state.kind !== 'usable') return state;
      this.#open = new OpenIndex(this.file, identityOf(this.file));
    }
    return { kind: 'answered', value: this.#open.ask(question) };
  }

  close(): void {
    this.#open?.close();
    this.#open = null;
  }
}

class OpenIndex {
  readonly identity: string | null;
  readonly #db: Database.Database;
  readonly #snapshot: Snapshot;
  readonly #parts: PartsStore;
  readonly #postings: Database.Statement<[string], Uint8Array>;
  readonly #terms: Database.Statement<[number], Uint8Array>;
  readonly #symbol: Database.Statement<[number, number], NodeRow>;
  readonly #named: Database.Statement<[string], NodeRow & { readonly file: number | null }>;
  readonly #known: Database.Statement<[string], string>;
  readonly #namesFrom: Database.Statement<[string, string, number], string>;
  readonly #neighbours: Database.Statement<[number, number], { file: number; count: number }>;
  /** One object for good: a search keeps what it derives from a source beside it. */
  readonly #source: SearchSource;
  #graph: StoredGraph;
  #lists = new Map<string, readonly PostingList[]>();
  #version: unknown = null;
  #facts: BuildFacts;

  constructor(file: string, identity: string | null) {
    this.identity = identity;
    this.#db = openForReading(file);
    this.#snapshot = new Snapshot(this.#db);
    this.#source = this.#searchSource();
    this.#parts = new PartsStore(this.#db);
    this.#graph = storedGraph(this.#db);
    this.#facts = readBuildFacts(this.#db);
    this.#postings = this.#db
      .prepare<[string], Uint8Array>('SELECT data FROM posting WHERE term = ? ORDER BY segment')
      .pluck();
    this.#terms = this.#db
      .prepare<[number], Uint8Array>('SELECT terms FROM file JOIN parsed ON parsed.id = file.parsed WHERE file.id = ?')
      .pluck();
    this.#symbol = this.#db.prepare(
      `SELECT ${nodeColumns} FROM node JOIN file ON file.id = node.file WHERE node.file = ? AND node.position = ?`,
    );
    this.#named = this.#db.prepare(
      `SELECT ${nodeColumns}, node.file AS file FROM node JOIN file ON file.id = node.file
       WHERE node.name = ? COLLATE NOCASE`,
    );
    this.#known = this.#db
      .prepare<[string], string>(
        `SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM node WHERE name = value COLLATE NOCASE)`,
      )
      .pluck();
    this.#namesFrom = this.#db
      .prepare<[string, string, number], string>(
        `SELECT DISTINCT lower(name) FROM node INDEXED BY node_name
         WHERE name >= ? COLLATE NOCASE AND name < ? COLLATE NOCASE ORDER BY name COLLATE NOCASE LIMIT ?`,
      )
      .pluck();
    this.#neighbours = this.#db.prepare(
      `SELECT target AS file, count FROM file_edge WHERE source = ?
       UNION ALL SELECT source AS file, count FROM file_edge WHERE target = ?`,
    );
  }

  #searchSource(): SearchSource {
    const snapshot = this.#snapshot;
    return {
      get generation() {
        return snapshot.generation;
      },
      get files() {
        return snapshot.files;
      },
      get chunkFile() {
        return snapshot.chunkFile;
      },
      get places() {
        return snapshot.places;
      },
      get liveChunks() {
        return snapshot.liveChunks;
      },
      postings: (term) => this.#postingsOf(term),
      eachTerm: (file, visit) => this.#eachTerm(file, visit),
      vectors: () => snapshot.vectors(),
      symbolOf: (chunk) => this.#symbolOf(chunk),
      symbolsNamed: (name) => this.#symbolsNamed(name),
      knownNames: (names) => this.#known.all(JSON.stringify(names)),
      namesFrom: (beginning, most) => this.#namesFrom.all(beginning, `${beginning}\u{10ffff}`, most),
      neighbourFiles: (file) => this.#neighbourFiles(file),
    };
  }

  ask<Value>(question: (view: IndexView) => Value): Value {
    this.#db.exec('BEGIN');
    try {
      this.#follow();
      return question({
        db: this.#db,
        facts: this.#facts,
        search: this.#source,
        graph: this.#graph,
        parts: this.#parts,
      });
    } finally {
      this.#db.exec('COMMIT');
    }
  }

  close(): void {
    this.#db.close();
  }

  #follow(): void {
    // The pragma tells about commits of other connections; reading a row begins the transaction's view first.
    const facts = readBuildFacts(this.#db);
    const version = this.#db.pragma('data_version', { simple: true });
    if (version === this.#version && facts.generation === this.#facts.generation) return;
    this.#version = version;
    if (facts.generation !== this.#snapshot.generation) {
      this.#lists = new Map();
      this.#graph = storedGraph(this.#db);
      this.#snapshot.follow(facts.generation, facts.nextChunk);
    }
    this.#facts = facts;
  }

  #postingsOf(term: string): readonly PostingList[] {
    const known = this.#lists.get(term);
    if (known !== undefined) return known;
    const lists = this.#postings.all(term).map(readPostings);
    if (this.#lists.size >= heldTermsMax) this.#lists.clear();
    this.#lists.set(term, lists);
    return lists;
  }

  #eachTerm(file: number, visit: (term: string, position: number, counts: FieldCounts) => void): void {
    const bytes = this.#terms.get(file);
    if (bytes === undefined) return;
    const names = termNames(bytes);
    forEachPosting(bytes, (term, position, counts) => visit(names[term] ?? '', position, counts));
  }

  #symbolOf(chunk: number): IndexedSymbol | null {
    const file = this.#snapshot.chunkFile[chunk] ?? -1;
    const position = this.#snapshot.places.symbol[chunk] ?? -1;
    if (file === -1 || position === -1) return null;
    const row = this.#symbol.get(file, position);
    return row === undefined ? null : indexedSymbol(row);
  }

  #symbolsNamed(name: string): readonly NamedSymbol[] {
    const rows = this.#named.all(name).sort(byPlace);
    return rows.flatMap((row) => {
      const symbol = row.file === null ? null : indexedSymbol(row);
      return symbol === null || row.file === null ? [] : [{ file: row.file, symbol }];
    });
  }

  #neighbourFiles(file: number): ReadonlyMap<number, number> {
    const counts = new Map<number, number>();
    for (const row of this.#neighbours.all(file, file)) counts.set(row.file, (counts.get(row.file) ?? 0) + row.count);
    return counts;
  }
}

function indexedSymbol(row: NodeRow): IndexedSymbol | null {
  if (row.kind === 'file' || row.kind === 'package' || row.kind === 'external') return null;
  return {
    id: nodeId(row),
    name: row.name,
    qualifiedName: row.qualified_name,
    kind: row.kind,
    signature: row.signature,
    summary: row.summary,
    startLine: row.start_line,
    endLine: row.end_line,
  };
}

/** Postings of terms that are held decoded; questions of one person share words. */
const heldTermsMax = 2_000;
