/**
 * Search by meaning: the cosine of the question with every record that passes the filters.
 *
 * Nothing is cut by a floor: a question in quite other words than its answer has a small cosine (`strength.ts` says
 * which of them count). Vectors that are missing are made here, in one pass with the question, and handed back to be
 * kept; nothing is embedded when a decision is written.
 */
import { breathing } from './breath.ts';
import type { TextEmbedder } from './embedder.ts';
import { type Condition, whereOf } from './filters.ts';
import type { ScoredId } from './ranking.ts';
import { type Indexed, textOf, type VectorIndex, vectorIndexOf } from './vector-index.ts';
import { contentSha, embeddedText, type NewVector, storedVector } from './vectors.ts';
import type { View } from './view.ts';

export interface SemanticAnswer {
  /** How many records passed the filters and were compared. */
  readonly compared: number;
  /** To be put into the store by the caller. */
  readonly made: readonly NewVector[];
  /** 0 to 1, null for a record that was not compared. */
  confidenceOf(id: string): number | null;
  /**
   * The `count` best by cosine, the `count` best by `key` and those of `ids`, best cosine first, newest first among
   * equals; the rank is that among all.
   */
  best(count: number, key: (cosine: number, confidence: number) => number, ids: Iterable<string>): readonly ScoredId[];
}

/** The model could not be used; the cause says why. */
export class ModelTrouble extends Error {
  constructor(options: ErrorOptions) {
    super('the model could not be used', options);
    this.name = 'ModelTrouble';
  }
}

/** Rejects with ModelTrouble when the model cannot answer. */
export async function semanticSearch(
  view: View,
  embedder: TextEmbedder,
  query: string,
  conditions: readonly Condition[],
): Promise<SemanticAnswer> {
  const index = await vectorIndexOf(view.db, embedder, breathing());
  const passing = passingOf(view, index, conditions);
  if (passing.length === 0) return answerOf(index, new Float32Array(), [], []);
  const missing = passing.filter((entry) => entry.slot < 0 && !found(view, embedder, index, entry));
  const question = (await ask(embedder, [query], 'query'))[0] ?? new Float32Array();
  const texts = missing.flatMap(({ id }) => {
    const text = textOf(view.db, id);
    return text === null ? [] : [{ id, sha: contentSha(text), text: embeddedText(text) }];
  });
  const fresh =
    texts.length === 0
      ? []
      : await ask(
          embedder,
          texts.map(({ text }) => text),
          'document',
        );
  const made: NewVector[] = [];
  for (const [position, { id, sha }] of texts.entries()) {
    const vector = fresh[position];
    if (vector === undefined) continue;
    index.put(id, sha, vector);
    made.push({ decisionId: id, contentSha: sha, vector });
  }
  return answerOf(index, question, passing, made);
}

/** Whether another process has made the vector meanwhile. */
function found(view: View, embedder: TextEmbedder, index: VectorIndex, entry: Indexed): boolean {
  const vector = storedVector(view.db, embedder, entry);
  if (vector !== null) index.put(entry.id, entry.sha, vector);
  return vector !== null;
}

/** The index itself knows the status of a day, which is the filter of nearly every search. */
function passingOf(view: View, index: VectorIndex, conditions: readonly Condition[]): readonly Indexed[] {
  const [only, ...others] = conditions;
  if (only === undefined) return [...index.entries.values()];
  if (only.name === 'status' && others.length === 0) {
    const wanted = new Set(only.params.slice(1));
    return [...index.entries.values()].filter(({ status, reviewBy }) =>
      wanted.has(status === 'ACTIVE' && reviewBy !== null && reviewBy < view.today ? 'STALE' : status),
    );
  }
  const where = whereOf(conditions);
  return view.db
    .prepare<unknown[], { id: string }>(`SELECT d.id AS id FROM decisions d WHERE ${where.sql}`)
    .all(...where.params)
    .flatMap(({ id }) => index.entries.get(id) ?? []);
}

function answerOf(
  index: VectorIndex,
  question: Float32Array,
  passing: readonly Indexed[],
  made: readonly NewVector[],
): SemanticAnswer {
  // Those deleted or changed while the model was thinking have no vector now.
  const compared = passing.filter((entry) => entry.slot >= 0);
  const cosines = Float64Array.from(compared, (entry) => index.cosine(question, entry.slot));
  return {
    compared: compared.length,
    made,
    confidenceOf: (id) => index.entries.get(id)?.confidence ?? null,
    best(count, key, ids) {
      const keys = Float64Array.from(compared, (entry, at) => key(cosines[at] ?? 0, entry.confidence));
      const sorted = cosines.slice().sort();
      const cosineFrom = nthBest(sorted, count);
      const keyFrom = nthBest(keys.slice().sort(), count);
      const named = new Set(ids);
      const chosen = compared.flatMap((entry, at) => {
        const choice = { entry, score: cosines[at] ?? 0, key: keys[at] ?? 0 };
        return choice.score >= cosineFrom || choice.key >= keyFrom || named.has(entry.id) ? [choice] : [];
      });
      // Equal scores may make more than were asked for.
      const byKey = new Set(chosen.toSorted((left, right) => right.key - left.key).slice(0, count));
      chosen.sort((left, right) => right.score - left.score || newerFirst(left.entry, right.entry));
      const placed: Required<ScoredId>[] = [];
      let rank = 0;
      for (const [position, choice] of chosen.entries()) {
        rank = choice.score === chosen[position - 1]?.score ? rank + 1 : countAbove(sorted, choice.score) + 1;
        if (position < count || byKey.has(choice) || named.has(choice.entry.id)) {
          placed.push({ id: choice.entry.id, score: choice.score, rank });
        }
      }
      return placed;
    },
  };
}

function newerFirst(left: Indexed, right: Indexed): number {
  if (left.createdAt !== right.createdAt) return left.createdAt < right.createdAt ? 1 : -1;
  return left.id < right.id ? 1 : -1;
}

function nthBest(sorted: Float64Array, count: number): number {
  return sorted[Math.max(0, sorted.length - count)] ?? 0;
}

/** How many of `sorted` (ascending) are greater than `value`. */
function countAbove(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return sorted.length - low;
}

async function ask(embedder: TextEmbedder, texts: readonly string[], kind: 'document' | 'query') {
  let vectors: readonly Float32Array[];
  try {
    vectors = await embedder.embed(texts, kind);
  } catch (cause) {
    throw new ModelTrouble({ cause });
  }
  if (vectors.length !== texts.length || vectors.some((vector) => vector.length !== embedder.dimensions)) {
    throw new ModelTrouble({ cause: new Error('wrong number or length of vectors') });
  }
  return vectors;
}
