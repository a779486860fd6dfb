/**
 * One ranking out of two: reciprocal rank fusion.
 *
 * A record earns 1/(60 + rank) from each list it is in, ranks from 1, so a strong hit of either list survives. Ties go
 * to the better single rank, then to the keyword list. Confidence is a mild factor from 0.5 to 1 at the end.
 */
export interface FusedHit {
  readonly id: string;
  readonly score: number;
  readonly keywordRank: number | null;
  readonly semanticRank: number | null;
}

export const fusionConstant = 60;

/** How deep each list is read for an answer of `limit` records. */
export function poolSize(limit: number): number {
  return Math.max(4 * limit, 20);
}

/** `keyword` and `semantic` are ids, best first. `confidenceOf` gives 0 to 1. */
export function fuse(
  keyword: readonly string[],
  semantic: readonly string[],
  confidenceOf: (id: string) => number,
): readonly FusedHit[] {
  const keywordRanks = ranksOf(keyword);
  const semanticRanks = ranksOf(semantic);
  const hits = [...new Set([...keyword, ...semantic])].map((id) => {
    const keywordRank = keywordRanks.get(id) ?? null;
    const semanticRank = semanticRanks.get(id) ?? null;
    const sum = share(keywordRank) + share(semanticRank);
    return { id, score: sum * (0.5 + 0.5 * confidenceOf(id)), keywordRank, semanticRank };
  });
  return hits.sort(
    (left, right) =>
      right.score - left.score || bestRank(left) - bestRank(right) || keywordRankOf(left) - keywordRankOf(right),
  );
}

function ranksOf(ids: readonly string[]): ReadonlyMap<string, number> {
  return new Map(ids.map((id, index) => [id, index + 1]));
}

function share(rank: number | null): number {
  return rank === null ? 0 : 1 / (fusionConstant + rank);
}

function bestRank(hit: FusedHit): number {
  return Math.min(hit.keywordRank ?? Number.POSITIVE_INFINITY, hit.semanticRank ?? Number.POSITIVE_INFINITY);
}

function keywordRankOf(hit: FusedHit): number {
  return hit.keywordRank ?? Number.MAX_SAFE_INTEGER;
}
