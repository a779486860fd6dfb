/**
 * The ways of answering that are compared: the three modes of the product, and two rivals that they must beat.
 *
 * Everything runs on a store in memory that is made for the run and thrown away; no project is opened. The parts are
 * those of the product: its terms, its search table, its ranking. Only filters and limits of a request are left out.
 */
import { systemClock } from '../../src/base/clock.ts';
import { keywordSearch } from '../../src/memory/decisions/keyword-search.ts';
import { standIn } from '../../src/memory/decisions/open-store.ts';
import { rankResults, titleKey } from '../../src/memory/decisions/ranking.ts';
import { rebuildSearchIndex } from '../../src/memory/decisions/search-index.ts';
import type { Strength } from '../../src/memory/decisions/strength.ts';
import { termEvidence } from '../../src/memory/decisions/term-matches.ts';
import { queryTerms } from '../../src/memory/decisions/terms.ts';
import { embeddedText } from '../../src/memory/decisions/vectors.ts';
import type { Embedder } from '../../src/retrieval/embeddings/embedder.ts';
import { nearest } from '../../src/retrieval/embeddings/vectors.ts';
import type { EvalDecision } from './data.ts';

export interface Answer {
  readonly id: string;
  /** Null for the rivals, which make no such difference. */
  readonly strength: Strength | null;
}

export const systemNames = ['keyword', 'semantic', 'hybrid', 'rival: floor 0.30', 'rival: rank fusion'] as const;
export type SystemName = (typeof systemNames)[number];

export interface Systems {
  /** All answers of every system, best first. */
  answer(query: string): Promise<Readonly<Record<SystemName, readonly Answer[]>>>;
  close(): void;
}

/** Deep enough for the first five of any limit a caller may set. */
const poolSize = 40;
const rivalFloor = 0.3;
const rivalConstant = 60;

export async function openSystems(embedder: Embedder, decisions: readonly EvalDecision[]): Promise<Systems> {
  const db = standIn(systemClock);
  const insert = db.prepare(
    `INSERT INTO decisions (id, title, rationale, commit_sha, created_at, updated_at)
     VALUES (?, ?, ?, '', '2026-01-01T00:00:00.000000+00:00', '2026-01-01T00:00:00.000000+00:00')`,
  );
  for (const decision of decisions) insert.run(decision.id, decision.title, decision.rationale);
  rebuildSearchIndex(db);
  const vectors = await embedder.embed(decisions.map(embeddedText));

  return {
    async answer(query) {
      const looked = queryTerms(query).terms;
      const keyword = keywordSearch(db, looked, [], poolSize);
      const semantic = await byMeaning(query);
      const pool = new Set([...keyword, ...semantic.slice(0, poolSize)].map((hit) => hit.id));
      const evidence = termEvidence(db, looked, [...pool]);
      const exact = decisions.filter((decision) => titleKey(decision.title) === titleKey(query));
      const input = {
        keyword,
        semantic,
        ...evidence,
        exactTitles: new Set(exact.map((decision) => decision.id)),
        confidences: new Map<string, number>(),
      };
      const close = semantic.filter((hit) => hit.score >= rivalFloor);
      return {
        keyword: rankResults('keyword', input),
        semantic: rankResults('semantic', input),
        hybrid: rankResults('hybrid', input),
        'rival: floor 0.30': close.map(({ id }) => ({ id, strength: null })),
        'rival: rank fusion': fuseRanks(keyword.slice(0, 20), close.slice(0, 20)),
      };
    },
    close() {
      db.close();
    },
  };

  async function byMeaning(query: string): Promise<{ readonly id: string; readonly score: number }[]> {
    const [vector] = await embedder.embed([query]);
    if (vector === undefined) throw new Error('The model gave no vector for the query.');
    return nearest(vector, vectors, vectors.length).flatMap(({ index, score }) => {
      const decision = decisions[index];
      return decision === undefined ? [] : [{ id: decision.id, score }];
    });
  }
}

/** Reciprocal rank fusion with equal weights, the usual choice. */
function fuseRanks(...lists: readonly (readonly { readonly id: string }[])[]): readonly Answer[] {
  const sums = new Map<string, number>();
  for (const list of lists) {
    for (const [index, { id }] of list.entries()) {
      sums.set(id, (sums.get(id) ?? 0) + 1 / (rivalConstant + index + 1));
    }
  }
  return [...sums].sort((a, b) => b[1] - a[1]).map(([id]) => ({ id, strength: null }));
}
