/**
 * The ways of answering that are compared: the three modes of the product, and two rivals that they must beat.
 *
 * The product answers as it answers anybody: through `Decisions.search`, on a store in a temporary folder that is made
 * for the run and removed; no project is opened. The rivals are made of its lists, read from the same answers.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { Decisions } from '../../src/memory/decisions/decisions.ts';
import { noGit } from '../../src/memory/decisions/git-facts.ts';
import type { Result } from '../../src/memory/decisions/outcome.ts';
import { parseSearch, type SearchMode } from '../../src/memory/decisions/parse-read.ts';
import { parseCreate } from '../../src/memory/decisions/parse-write.ts';
import type { SearchHit } from '../../src/memory/decisions/search.ts';
import type { Strength } from '../../src/memory/decisions/strength.ts';
import type { Embedder } from '../../src/retrieval/embeddings/embedder.ts';
import type { EvalDecision } from './data.ts';

export interface Answer {
  readonly id: string;
  /** Null for the rivals, which make no such difference. */
  readonly strength: Strength | null;
}

export const systemNames = ['keyword', 'semantic', 'hybrid', 'rival: floor 0.30', 'rival: rank fusion'] as const;
export type SystemName = (typeof systemNames)[number];

export interface Systems {
  /** The answers of every system, best first, as many as a caller may ask for. */
  answer(query: string): Promise<Readonly<Record<SystemName, readonly Answer[]>>>;
  close(): Promise<void>;
}

/** The most that the product shows. */
const limit = 25;
const rivalFloor = 0.3;
const rivalConstant = 60;

export async function openSystems(embedder: Embedder, decisions: readonly EvalDecision[]): Promise<Systems> {
  const folder = mkdtempSync(path.join(tmpdir(), 'decision-eval-'));
  const model = {
    modelId: embedder.modelId,
    dimensions: embedder.dimensions,
    embed: (texts: readonly string[]) => embedder.embed(texts),
  };
  const file = path.join(folder, 'memory.db');
  const store = new Decisions({ file, roots: [folder], clock: systemClock, git: noGit, embedder: () => model });
  await Promise.all(
    decisions.map(async ({ id, title, rationale }) =>
      must(await store.create(must(parseCreate({ id, title, rationale })))),
    ),
  );

  return {
    async answer(query) {
      const [keyword, semantic, hybrid] = await Promise.all([
        search(query, 'keyword'),
        search(query, 'semantic'),
        search(query, 'hybrid'),
      ]);
      const listOf = (hits: readonly SearchHit[], rank: 'keyword_rank' | 'semantic_rank') =>
        hits.toSorted((a, b) => (a.explanation?.[rank] ?? 0) - (b.explanation?.[rank] ?? 0));
      const words = listOf(keyword, 'keyword_rank');
      const near = listOf(semantic, 'semantic_rank').filter((hit) => (hit.explanation?.similarity ?? 0) >= rivalFloor);
      return {
        keyword: keyword.map(({ id, strength }) => ({ id, strength })),
        semantic: semantic.map(({ id, strength }) => ({ id, strength })),
        hybrid: hybrid.map(({ id, strength }) => ({ id, strength })),
        'rival: floor 0.30': near.map(({ id }) => ({ id, strength: null })),
        'rival: rank fusion': fuseRanks(words.slice(0, 20), near.slice(0, 20)),
      };
    },
    async close() {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };

  async function search(query: string, mode: SearchMode): Promise<readonly SearchHit[]> {
    const request = must(parseSearch({ query, mode, limit, explain: true }));
    return must(await store.search(request)).results;
  }
}

function must<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.value;
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
