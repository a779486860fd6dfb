/** The ways of finding the other half of a pair that are compared. Each scores every text for one query. */
import Database from 'better-sqlite3';
import type { Embedder } from '../../src/retrieval/embeddings/embedder.ts';
import { dot } from '../../src/retrieval/embeddings/vectors.ts';
import { stopwords } from '../decisions/stopwords.ts';

/** For each query the score of each text, higher is nearer; null where a system does not return the text at all. */
export type Scores = readonly (readonly (number | null)[])[];

export async function scoresByVector(
  embedder: Embedder,
  queries: readonly string[],
  texts: readonly string[],
): Promise<Scores> {
  const asked = await embedder.embed(queries);
  const held = await embedder.embed(texts);
  return asked.map((query) => held.map((text) => dot(query, text)));
}

/** BM25 over stemmed words, any of which may match: the keyword search that a vector has to add something to. */
export function scoresByWords(queries: readonly string[], texts: readonly string[]): Scores {
  const db = new Database(':memory:');
  db.exec(`CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'porter unicode61')`);
  const insert = db.prepare('INSERT INTO texts(rowid, text) VALUES (?, ?)');
  for (const [index, text] of texts.entries()) insert.run(index, text);
  const find = db.prepare<[string], { id: number; score: number }>(
    'SELECT rowid AS id, -bm25(texts) AS score FROM texts WHERE texts MATCH ?',
  );
  const scores = queries.map((query) => {
    const words = (query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !stopwords.has(word));
    const found = words.length === 0 ? [] : find.all(words.map((word) => `"${word}"`).join(' OR '));
    const byText = new Map(found.map(({ id, score }) => [id, score]));
    return texts.map((_, index) => byText.get(index) ?? null);
  });
  db.close();
  return scores;
}

export interface Ranking {
  readonly pairs: number;
  /** Mean of 1/rank of the right text, 0 where it is not returned. */
  readonly mrr: number;
  /** Share of queries with the right text first. */
  readonly first: number;
  readonly amongFive: number;
}

/** The right text for a query is the one at its own index. Of equal scores the right one comes last. */
export function ranking(scores: Scores): Ranking {
  const ranks = scores.map((row, query) => {
    const right = row[query];
    if (right === null || right === undefined) return Number.POSITIVE_INFINITY;
    return 1 + row.filter((score, text) => text !== query && score !== null && score >= right).length;
  });
  const share = (holds: (rank: number) => boolean): number => mean(ranks.map((rank) => (holds(rank) ? 1 : 0)));
  return {
    pairs: ranks.length,
    mrr: mean(ranks.map((rank) => 1 / rank)),
    first: share((rank) => rank === 1),
    amongFive: share((rank) => rank <= 5),
  };
}

function mean(values: readonly number[]): number {
  return Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 1000) / 1000;
}
