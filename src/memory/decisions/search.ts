/**
 * Search over decisions in three modes: by words, by meaning, or both fused (the default).
 *
 * The answer always says which mode ran and which was asked for, with a notice when they differ: without a model,
 * hybrid answers by words, and semantic fails as unavailable.
 */
import { decisionLimits } from '../../base/limits.ts';
import { type CompactDecision, type Decision, toCompact, toView } from './decision.ts';
import type { TextEmbedder } from './embedder.ts';
import { type Condition, conditionsOf, type Filters } from './filters.ts';
import { type FusedHit, fuse, poolSize } from './fusion.ts';
import { keywordCounts, keywordSearch, matchedLabels } from './keyword-search.ts';
import { listAll } from './list.ts';
import { ok, type Result, unavailable } from './outcome.ts';
import type { SearchMode } from './parse-read.ts';
import { readDecision } from './rows.ts';
import { ModelTrouble, type SemanticAnswer, semanticSearch, similarityFloor } from './semantic-search.ts';
import { type QueryTerms, queryTerms, wholeTerm } from './terms.ts';
import type { NewVector } from './vectors.ts';
import type { View } from './view.ts';

export interface SearchQuestion {
  readonly query: string;
  readonly filters: Filters;
  readonly limit: number;
  readonly mode: SearchMode;
  readonly view: 'full' | 'compact';
  readonly explain: boolean;
}

export interface SearchSources {
  readonly view: View;
  /** Null when no model is there. */
  readonly embedder: TextEmbedder | null;
  /** Keeps vectors that a search had to make. A failure here is not a failure of the search. */
  keepVectors(modelId: string, vectors: readonly NewVector[]): Promise<void>;
}

export interface HitExplanation {
  /** Words of the question, or parts of them, found in the record. Empty for a hit by meaning alone. */
  readonly matched: readonly string[];
  /** From 1, null when the record is not in that list. */
  readonly keyword_rank: number | null;
  readonly keyword_score: number | null;
  readonly semantic_rank: number | null;
  readonly similarity: number | null;
}

export interface SearchExplanation {
  /** What was looked up, as words and parts of words. */
  readonly words: readonly string[];
  /** Words left out as too common. */
  readonly ignored_words: readonly string[];
  /** Words beyond the limit of one question. */
  readonly words_cut: number;
  /** Records with a matching word, filters aside; null when words were not searched. */
  readonly keyword_matches: number | null;
  /** Records compared by meaning; null when meaning was not searched. */
  readonly semantic_compared: number | null;
  /** What cut how many: each filter (the first that cut a matching record), the floor of similarity, the limit. */
  readonly cut: Readonly<Record<string, number>>;
  readonly similarity_floor: number | null;
}

export type SearchHit = (Decision | CompactDecision) & {
  readonly score: number;
  readonly explanation?: HitExplanation;
};

export interface SearchAnswer {
  readonly query: string;
  readonly mode: SearchMode;
  readonly requested_mode: SearchMode;
  /** Why the mode that ran is not the one asked for, or null. */
  readonly notice: string | null;
  readonly results: readonly SearchHit[];
  readonly explanation?: SearchExplanation;
}

interface Ranked {
  readonly mode: SearchMode;
  readonly notice: string | null;
  /** Best first, cut to the limit. */
  readonly hits: readonly FusedHit[];
  readonly keywordScores: ReadonlyMap<string, number>;
  readonly semantic: SemanticAnswer | null;
  readonly compared: number | null;
  /** How many the limit cut. */
  readonly beyondLimit: number;
}

/** Fails: `unavailable` (reason `no_model`) when semantic was asked for and cannot run. */
export async function search(sources: SearchSources, question: SearchQuestion): Promise<Result<SearchAnswer>> {
  const { view } = sources;
  const terms = queryTerms(question.query);
  const conditions = conditionsOf(question.filters, view.today);
  const ranked = await rank(sources, question, terms, conditions);
  if (!ranked.ok) return ranked;
  const { mode, notice, hits, semantic, keywordScores } = ranked.value;
  const labels = question.explain
    ? matchedLabels(
        view.db,
        terms.terms,
        hits.map((hit) => hit.id),
      )
    : null;
  const similarities = new Map(semantic?.hits.map((hit) => [hit.id, hit.score]));
  const results: SearchHit[] = [];
  for (const hit of hits) {
    const stored = readDecision(view.db, hit.id);
    // Deleted while the model was thinking.
    if (stored === null) continue;
    const shown = toView(stored, view.today);
    const explanation: HitExplanation = {
      matched: labels?.get(hit.id) ?? [],
      keyword_rank: hit.keywordRank,
      keyword_score: keywordScores.get(hit.id) ?? null,
      semantic_rank: hit.semanticRank,
      similarity: similarities.get(hit.id) ?? null,
    };
    results.push({
      ...(question.view === 'compact' ? toCompact(shown) : shown),
      score: hit.score,
      ...(question.explain ? { explanation } : {}),
    });
  }
  return ok({
    query: question.query,
    mode,
    requested_mode: question.mode,
    notice,
    results,
    ...(question.explain ? { explanation: explain(view, terms, conditions, ranked.value) } : {}),
  });
}

async function rank(
  sources: SearchSources,
  question: SearchQuestion,
  terms: QueryTerms,
  conditions: readonly Condition[],
): Promise<Result<Ranked>> {
  if (question.mode === 'keyword') return ok(rankByKeyword(sources.view, question, terms, conditions, null));
  const { embedder } = sources;
  const noModel = 'search by meaning is not available: no model is installed';
  if (embedder === null) return withoutMeaning(sources.view, question, terms, conditions, noModel);
  const candidates = listAll(sources.view, question.filters);
  let semantic: SemanticAnswer;
  try {
    semantic = await semanticSearch(sources.view, embedder, question.query, candidates);
  } catch (error) {
    if (!(error instanceof ModelTrouble)) throw error;
    const failed = 'search by meaning is not available: the model could not be used';
    return withoutMeaning(sources.view, question, terms, conditions, failed);
  }
  if (semantic.made.length > 0) await sources.keepVectors(embedder.modelId, semantic.made);
  const compared = candidates.length;
  if (question.mode === 'semantic') {
    const hits = semantic.hits.slice(0, question.limit).map((hit, index) => ({
      ...hit,
      keywordRank: null,
      semanticRank: index + 1,
    }));
    const beyondLimit = semantic.hits.length - hits.length;
    return ok({ mode: 'semantic', notice: null, hits, keywordScores: new Map(), semantic, compared, beyondLimit });
  }
  const pool = poolSize(question.limit);
  const keyword = keywordSearch(sources.view.db, terms.terms, conditions, pool, wholeTerm(question.query));
  const confidences = new Map(candidates.map((decision) => [decision.id, decision.confidence]));
  const fused = fuse(
    keyword.map((hit) => hit.id),
    semantic.hits.slice(0, pool).map((hit) => hit.id),
    (id) => confidences.get(id) ?? readDecision(sources.view.db, id)?.confidence ?? 1,
  );
  const hits = fused.slice(0, question.limit);
  const keywordScores = new Map(keyword.map((hit) => [hit.id, hit.score]));
  const beyondLimit = fused.length - hits.length;
  return ok({ mode: 'hybrid', notice: null, hits, keywordScores, semantic, compared, beyondLimit });
}

function withoutMeaning(
  view: View,
  question: SearchQuestion,
  terms: QueryTerms,
  conditions: readonly Condition[],
  why: string,
): Result<Ranked> {
  if (question.mode === 'semantic') return unavailable('no_model', why);
  return ok(rankByKeyword(view, question, terms, conditions, `${why}; these are the results by words`));
}

function rankByKeyword(
  view: View,
  question: SearchQuestion,
  terms: QueryTerms,
  conditions: readonly Condition[],
  notice: string | null,
): Ranked {
  const found = keywordSearch(view.db, terms.terms, conditions, question.limit, wholeTerm(question.query));
  const hits = found.map(({ id, score }, index) => ({ id, score, keywordRank: index + 1, semanticRank: null }));
  const keywordScores = new Map(found.map((hit) => [hit.id, hit.score]));
  return { mode: 'keyword', notice, hits, keywordScores, semantic: null, compared: null, beyondLimit: 0 };
}

function explain(view: View, terms: QueryTerms, conditions: readonly Condition[], ranked: Ranked): SearchExplanation {
  const byWords = ranked.mode === 'semantic' ? null : keywordCounts(view.db, terms.terms, conditions);
  const cut: Record<string, number> = {};
  for (const [name, count] of byWords?.cut ?? []) cut[name] = count;
  if (ranked.semantic !== null) cut['similarity_floor'] = ranked.semantic.belowFloor;
  // By words alone the limit is in the statement, so what it cut is counted here.
  const passing = (byWords?.matched ?? 0) - [...(byWords?.cut.values() ?? [])].reduce((sum, count) => sum + count, 0);
  cut['limit'] = ranked.mode === 'keyword' ? Math.max(0, passing - ranked.hits.length) : ranked.beyondLimit;
  return {
    words: [...new Set(terms.terms.map((term) => term.label))],
    ignored_words: terms.stopped,
    words_cut: terms.cut,
    keyword_matches: byWords?.matched ?? null,
    semantic_compared: ranked.compared,
    cut,
    similarity_floor: ranked.semantic === null ? null : similarityFloor,
  };
}

export const searchLimitDefault = decisionLimits.searchResultsDefault;
