/**
 * Search over decisions in three modes: by words, by meaning, or both fused (the default).
 *
 * Every result says whether it is likely an answer (strong) or only the nearest there is (weak). The answer always says which mode ran and which was asked for, with a notice when they differ: without a model,
 * hybrid answers by words, and semantic fails as unavailable.
 */
import { decisionLimits } from '../../base/limits.ts';
import { type CompactDecision, type Decision, toCompact, toView } from './decision.ts';
import type { TextEmbedder } from './embedder.ts';
import { type Condition, conditionsOf, type Filters } from './filters.ts';
import { exactTitles, keywordCounts, keywordSearch } from './keyword-search.ts';
import { type Lookup, lookUp } from './lookup.ts';
import { ok, type Result, unavailable } from './outcome.ts';
import type { SearchMode } from './parse-read.ts';
import { placeByMeaning, type RankedResult, rankResults, type ScoredId } from './ranking.ts';
import { readDecision } from './rows.ts';
import { ModelTrouble, type SemanticAnswer, semanticSearch } from './semantic-search.ts';
import { type Strength, strongCosine, weakNotice } from './strength.ts';
import { type TermEvidence, termEvidence } from './term-matches.ts';
import { type QueryTerms, queryTerms, wholeTerm } from './terms.ts';
import type { NewVector } from './vectors.ts';
import type { View } from './view.ts';

export interface SearchQuestion {
  readonly query: string;
  readonly filters: Filters;
  readonly limit: number;
  readonly mode: SearchMode;
  readonly view: 'full' | 'compact';
  readonly includeWeak: boolean;
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
  /** The share of the question's words that the record holds, rare ones weighing more, 0 to 1. */
  readonly coverage: number;
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
  /** What cut how many: each filter (the first that cut a matching record), `weak` when weak ones are left out, the limit. */
  readonly cut: Readonly<Record<string, number>>;
  /** The similarity from which a record is strong whatever its words; null when meaning was not searched. */
  readonly strong_similarity: number | null;
}

export type SearchHit = (Decision | CompactDecision) & {
  /** -bm25, cosine or the fused score, by mode. Higher is better, comparable within one answer. */
  readonly score: number;
  readonly strength: Strength;
  readonly explanation?: HitExplanation;
};

export interface SearchAnswer {
  readonly query: string;
  readonly mode: SearchMode;
  readonly requested_mode: SearchMode;
  /** Why the mode that ran is not the one asked for, and that nothing strong was found; or null. */
  readonly notice: string | null;
  readonly results: readonly SearchHit[];
  readonly explanation?: SearchExplanation;
}

/** How deep each list is read for an answer of `limit` records. */
export function poolSize(limit: number): number {
  return Math.max(4 * limit, 20);
}

interface Asked {
  readonly view: View;
  readonly question: SearchQuestion;
  readonly terms: QueryTerms;
  readonly lookup: Lookup;
  readonly conditions: readonly Condition[];
}

interface Ranked {
  readonly mode: SearchMode;
  /** Why it is not the mode asked for, or null. */
  readonly notice: string | null;
  /** Best first, more than asked for. */
  readonly results: readonly RankedResult[];
  readonly keyword: readonly ScoredId[];
  readonly semantic: readonly ScoredId[];
  readonly evidence: TermEvidence;
  /** Records compared by meaning; null when meaning was not searched. */
  readonly compared: number | null;
}

/** Fails: `unavailable` (reason `no_model`) when semantic was asked for and cannot run. */
export async function search(sources: SearchSources, question: SearchQuestion): Promise<Result<SearchAnswer>> {
  const { view } = sources;
  const terms = queryTerms(question.query);
  const conditions = conditionsOf(question.filters, view.today);
  const asked: Asked = { view, question, terms, lookup: lookUp(view.db, terms.terms), conditions };
  const ranked = await rank(sources, asked);
  if (!ranked.ok) return ranked;
  const { mode, results, keyword, semantic, evidence } = ranked.value;
  const wanted = question.includeWeak ? results : results.filter(({ strength }) => strength === 'strong');
  const keywordScores = new Map(keyword.map(({ id, score }) => [id, score]));
  const similarities = new Map(semantic.map(({ id, score }) => [id, score]));
  const hits: SearchHit[] = [];
  for (const result of wanted) {
    if (hits.length === question.limit) break;
    const stored = readDecision(view.db, result.id);
    // Deleted while the model was thinking.
    if (stored === null) continue;
    const shown = toView(stored, view.today);
    const explanation: HitExplanation = {
      matched: evidence.labels.get(result.id) ?? [],
      coverage: result.coverage,
      keyword_rank: result.keywordRank,
      keyword_score: keywordScores.get(result.id) ?? null,
      semantic_rank: result.semanticRank,
      similarity: similarities.get(result.id) ?? null,
    };
    hits.push({
      ...(question.view === 'compact' ? toCompact(shown) : shown),
      score: result.score,
      strength: result.strength,
      ...(question.explain ? { explanation } : {}),
    });
  }
  const notices = [ranked.value.notice, weakNotice(results, question.includeWeak)].filter((text) => text !== null);
  return ok({
    query: question.query,
    mode,
    requested_mode: question.mode,
    notice: notices.length === 0 ? null : notices.join(' '),
    results: hits,
    ...(question.explain ? { explanation: explain(asked, ranked.value, hits.length) } : {}),
  });
}

async function rank(sources: SearchSources, asked: Asked): Promise<Result<Ranked>> {
  const { view, question, conditions } = asked;
  if (question.mode === 'keyword') return ok(rankTogether('keyword', asked, null, null));
  const { embedder } = sources;
  if (embedder === null) return withoutMeaning(asked, 'Search by meaning is not available: no model is installed.');
  let semantic: SemanticAnswer;
  try {
    semantic = await semanticSearch(view, embedder, question.query, conditions);
  } catch (error) {
    if (!(error instanceof ModelTrouble)) throw error;
    return withoutMeaning(asked, 'Search by meaning is not available: the model could not be used.');
  }
  if (semantic.made.length > 0) await sources.keepVectors(embedder.modelId, semantic.made);
  return ok(rankTogether(question.mode, asked, semantic, null));
}

function withoutMeaning(asked: Asked, why: string): Result<Ranked> {
  if (asked.question.mode === 'semantic') return unavailable('no_model', why);
  return ok(rankTogether('keyword', asked, null, `${why} These are the results by words.`));
}

/** Both lists, read deep enough for the limit, and one ranking out of them. */
function rankTogether(
  mode: SearchMode,
  { view, question, lookup, conditions }: Asked,
  semantic: SemanticAnswer | null,
  notice: string | null,
): Ranked {
  const pool = poolSize(question.limit);
  const titles = exactTitles(view.db, question.query, conditions);
  const keyword =
    mode === 'semantic' ? [] : keywordSearch(view.db, lookup, conditions, pool, wholeTerm(question.query), titles);
  const compared = semantic?.compared ?? 0;
  const place = (cosine: number, confidence: number) => placeByMeaning(mode, cosine, confidence, compared);
  const near = semantic?.best(pool, place, [...titles, ...keyword.map(({ id }) => id)]) ?? [];
  const candidates = [...new Set([...keyword, ...near].map(({ id }) => id))];
  const evidence = termEvidence(view.db, lookup, candidates);
  const confidences = new Map(candidates.map((id) => [id, semantic?.confidenceOf(id) ?? 1]));
  const results = rankResults(mode, {
    keyword,
    semantic: near,
    compared,
    terms: evidence.terms,
    indexed: evidence.indexed,
    exactTitles: titles,
    confidences,
  });
  return { mode, notice, results, keyword, semantic: near, evidence, compared: semantic?.compared ?? null };
}

function explain(
  { view, question, terms, lookup, conditions }: Asked,
  ranked: Ranked,
  shown: number,
): SearchExplanation {
  const byWords = ranked.mode === 'semantic' ? null : keywordCounts(view.db, lookup, conditions);
  const cut: Record<string, number> = {};
  for (const [name, count] of byWords?.cut ?? []) cut[name] = count;
  const matchedAndPassed = (byWords?.matched ?? 0) - Object.values(cut).reduce((sum, count) => sum + count, 0);
  // Every record that was compared could have been shown; without a model, every one that matched a word.
  const possible = ranked.compared ?? matchedAndPassed;
  const strong = ranked.results.filter(({ strength }) => strength === 'strong').length;
  if (!question.includeWeak) cut['weak'] = Math.max(0, possible - strong);
  cut['limit'] = Math.max(0, (question.includeWeak ? possible : strong) - shown);
  return {
    words: [...new Set(terms.terms.map((term) => term.label))],
    ignored_words: terms.stopped,
    words_cut: terms.cut,
    keyword_matches: byWords?.matched ?? null,
    semantic_compared: ranked.compared,
    cut,
    strong_similarity: ranked.compared === null ? null : strongCosine(ranked.compared),
  };
}

export const searchLimitDefault = decisionLimits.searchResultsDefault;
