/**
 * The vectors of a store in memory, with what search by meaning asks about each decision, so that a question reads
 * no row of those it does not show.
 *
 * Made from the store at the first search by meaning, in short pieces; after that the events say what was changed. A
 * vector counts only for the model that made it and the text it was made from. What a tool without events changes in
 * an open store is seen here when the store is opened next, as it is everywhere.
 */
import type { Database } from 'better-sqlite3';
import type { Breath } from './breath.ts';
import type { Decision, DecisionStatus } from './decision.ts';
import type { TextEmbedder } from './embedder.ts';
import { prepared } from './prepared.ts';
import { stampOf } from './stamp.ts';
import { contentSha } from './vectors.ts';

/** One decision as the index knows it. Changed in place; `slot` is -1 when it is gone or has no vector. */
export interface Indexed {
  readonly id: string;
  createdAt: string;
  status: DecisionStatus;
  reviewBy: string | null;
  confidence: number;
  sha: string;
  slot: number;
}

export interface VectorIndex {
  readonly entries: ReadonlyMap<string, Indexed>;
  /** Keeps the vector when the text is still the one it was made from. */
  put(id: string, sha: string, vector: Float32Array): void;
  /** The cosine of a unit vector and the vector in `slot`. */
  cosine(question: Float32Array, slot: number): number;
}

type Model = Pick<TextEmbedder, 'modelId' | 'dimensions'>;

const indexes = new WeakMap<Database, { readonly model: string; readonly index: Promise<StoreIndex> }>();

/** The index of what the store holds now. */
export async function vectorIndexOf(db: Database, model: Model, breath: Breath): Promise<VectorIndex> {
  const name = `${model.modelId}/${model.dimensions}`;
  let known = indexes.get(db);
  if (known === undefined || known.model !== name) {
    known = { model: name, index: StoreIndex.load(db, model, breath) };
    indexes.set(db, known);
    // What failed once is tried again at the next search.
    known.index.catch(() => indexes.delete(db));
  }
  const index = await known.index;
  index.refresh();
  return index;
}

interface Row {
  readonly place: number;
  readonly id: string;
  readonly title: string;
  readonly rationale: string;
  readonly created_at: string;
  readonly status: DecisionStatus;
  readonly review_by: string | null;
  readonly confidence: number;
  readonly content_sha: string | null;
  readonly vector: Buffer | null;
}

const columns = `d.rowid AS place, d.id, d.title, d.rationale, d.created_at, d.status, d.review_by, d.confidence,
  v.content_sha, v.vector
  FROM decisions d LEFT JOIN decision_vectors v ON v.decision_id = d.id AND v.model_id = ? AND v.dim = ?`;
const rowsAtOnce = 200;

class StoreIndex implements VectorIndex {
  readonly entries = new Map<string, Indexed>();
  readonly #db: Database;
  readonly #model: Model;
  #matrix: Float32Array;
  #used = 0;
  readonly #free: number[] = [];
  #stamp = '';
  #lastEvent: number;

  private constructor(db: Database, model: Model) {
    this.#db = db;
    this.#model = model;
    this.#matrix = new Float32Array(model.dimensions * 64);
    this.#lastEvent = lastEventOf(db);
  }

  static async load(db: Database, model: Model, breath: Breath): Promise<StoreIndex> {
    const index = new StoreIndex(db, model);
    const page = prepared<Row>(db, `SELECT ${columns} WHERE d.rowid > ? ORDER BY d.rowid LIMIT ${rowsAtOnce}`);
    for (let place = Number.MIN_SAFE_INTEGER; ; ) {
      const rows = page.all(model.modelId, model.dimensions, place);
      for (const row of rows) {
        index.#take(row);
        place = row.place;
      }
      if (rows.length < rowsAtOnce) return index;
      await breath();
    }
  }

  /** Cheap when nothing was written since. */
  refresh(): void {
    const stamp = stampOf(this.#db);
    if (stamp === this.#stamp) return;
    const last = lastEventOf(this.#db);
    const changed = prepared<{ id: string }>(
      this.#db,
      'SELECT DISTINCT decision_id AS id FROM decision_events WHERE id > ? AND id <= ?',
    ).all(this.#lastEvent, last);
    const read = prepared<Row>(this.#db, `SELECT ${columns} WHERE d.id = ?`);
    for (const { id } of changed) {
      const row = read.get(this.#model.modelId, this.#model.dimensions, id);
      if (row === undefined) this.#drop(id);
      else this.#take(row);
    }
    this.#lastEvent = last;
    this.#stamp = stamp;
  }

  put(id: string, sha: string, vector: Float32Array): void {
    const entry = this.entries.get(id);
    if (entry === undefined || entry.sha !== sha || vector.length !== this.#model.dimensions) return;
    if (entry.slot < 0) entry.slot = this.#free.pop() ?? this.#grow();
    this.#matrix.set(vector, entry.slot * this.#model.dimensions);
  }

  cosine(question: Float32Array, slot: number): number {
    const matrix = this.#matrix;
    const { length } = question;
    const start = slot * this.#model.dimensions;
    // Four sums, so that one addition need not wait for the one before.
    let [a, b, c, d] = [0, 0, 0, 0];
    let at = 0;
    for (; at + 3 < length; at += 4) {
      a += (question[at] ?? 0) * (matrix[start + at] ?? 0);
      b += (question[at + 1] ?? 0) * (matrix[start + at + 1] ?? 0);
      c += (question[at + 2] ?? 0) * (matrix[start + at + 2] ?? 0);
      d += (question[at + 3] ?? 0) * (matrix[start + at + 3] ?? 0);
    }
    for (; at < length; at += 1) a += (question[at] ?? 0) * (matrix[start + at] ?? 0);
    return a + b + (c + d);
  }

  #take(row: Row): void {
    const sha = contentSha(row);
    const known = this.entries.get(row.id);
    if (known !== undefined && known.sha !== sha) this.#drop(row.id);
    const entry = this.entries.get(row.id);
    const state = {
      createdAt: row.created_at,
      status: row.status,
      reviewBy: row.review_by,
      confidence: row.confidence,
    };
    if (entry === undefined) this.entries.set(row.id, { id: row.id, ...state, sha, slot: -1 });
    else Object.assign(entry, state);
    const bytes = row.vector;
    if (bytes === null || row.content_sha !== sha || bytes.byteLength !== this.#model.dimensions * 4) return;
    // Copied, because a buffer of the database need not be aligned.
    this.put(row.id, sha, new Float32Array(new Uint8Array(bytes).buffer));
  }

  #drop(id: string): void {
    const entry = this.entries.get(id);
    if (entry === undefined) return;
    if (entry.slot >= 0) this.#free.push(entry.slot);
    entry.slot = -1;
    this.entries.delete(id);
  }

  #grow(): number {
    const slot = this.#used;
    this.#used += 1;
    if (this.#used * this.#model.dimensions > this.#matrix.length) {
      const larger = new Float32Array(Math.ceil(this.#used * 1.5) * this.#model.dimensions);
      larger.set(this.#matrix);
      this.#matrix = larger;
    }
    return slot;
  }
}

function lastEventOf(db: Database): number {
  return prepared<{ id: number | null }>(db, 'SELECT max(id) AS id FROM decision_events').get()?.id ?? 0;
}

/** What the index keeps of a decision is enough for it to be compared. */
export function textOf(db: Database, id: string): Pick<Decision, 'title' | 'rationale'> | null {
  return (
    prepared<{ title: string; rationale: string }>(db, 'SELECT title, rationale FROM decisions WHERE id = ?').get(id) ??
    null
  );
}
