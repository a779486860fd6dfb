/**
 * One ranking out of two: the words of a question (BM25) and its meaning (cosine of vectors).
 *
 * Ranks alone cannot be fused well here. A question that shares no word with its answer still shares some word with
 * other records, and the first of those weighs as much as the first by meaning: reciprocal ranks halve what the
 * vectors find. So scores are fused. The cosine is the base, and words add to it by how much of the question they
 * cover: next to nothing for a stray word, more than any wrong meaning when all the rare words are there. That is how
 * an identifier or an error code comes first whatever the model thinks of it. Numbers are in `evals/decisions`.
 *
 * Pure functions: no store, no model, no clock. Nothing is filtered out; `include_weak` and limits are the caller's.
 */
import { coverageAlone, type Strength, strengthOf, strongCosine } from './strength.ts';

export type RankingMode = 'keyword' | 'semantic' | 'hybrid';

export interface ScoredId {
  readonly id: string;
  readonly score: number;
  /** Position from 1 in the whole list, when only a part of it is given; otherwise the position in what is given. */
  readonly rank?: number;
}

/** What one term of the question matches. */
export interface TermMatches {
  /** How many of all indexed records hold the term. */
  readonly documents: number;
  /** Those of the candidates that hold it. A candidate that was not asked about counts as not holding it. */
  readonly ids: ReadonlySet<string>;
}

export interface RankingInput {
  /** Best first, score = -bm25. Ignored in semantic mode. */
  readonly keyword: readonly ScoredId[];
  /** Best first, score = cosine. Ignored in keyword mode. No candidate of the keyword list may be left out for its cosine. */
  readonly semantic: readonly ScoredId[];
  /** How many records were compared by meaning, when `semantic` holds only a part of them. */
  readonly compared?: number;
  /** One entry for each word of the question, also for words that match nothing. See `groupTerms`. */
  readonly terms: readonly TermMatches[];
  /** How many records are indexed: what `documents` of a term is out of. */
  readonly indexed: number;
  /** Candidates whose title is the question. See `titleKey`. */
  readonly exactTitles: ReadonlySet<string>;
  /** 0 to 1 by id; a record without an entry has 1. Lowers hybrid scores by at most half. */
  readonly confidences: ReadonlyMap<string, number>;
}

export interface RankedResult {
  readonly id: string;
  /** Higher is better, comparable within one answer only: -bm25, cosine, or the fused score, by mode. */
  readonly score: number;
  readonly strength: Strength;
  /** Position from 1 in the two lists, or null when absent from one: why a result is where it is. */
  readonly keywordRank: number | null;
  readonly semanticRank: number | null;
  /** 0 to 1, see `lexicalCoverage`; 0 in semantic mode. */
  readonly coverage: number;
}

/**
 * All candidates of the mode, best first: exact titles, then strong before weak, then by score. Equal scores go to the
 * better single rank, then to the keyword list, then to the order they came in. In hybrid mode the best hit by words
 * is kept near the top.
 */
export function rankResults(mode: RankingMode, input: RankingInput): RankedResult[] {
  const ranked = collect(mode, input).map((candidate) => ({
    exact: input.exactTitles.has(candidate.id),
    result: toResult(mode, input, candidate),
  }));
  ranked.sort(
    (a, b) =>
      Number(b.exact) - Number(a.exact) ||
      Number(b.result.strength === 'strong') - Number(a.result.strength === 'strong') ||
      b.result.score - a.result.score ||
      bestRank(a.result) - bestRank(b.result) ||
      (a.result.keywordRank ?? absentRank) - (b.result.keywordRank ?? absentRank),
  );
  const results = ranked.map(({ result }) => result);
  return mode === 'hybrid' ? wordsKept(results) : results;
}

/**
 * The best hit by words stands second at least when it holds most of the question: a crowd of records about the same
 * thing must not push out the one that names it.
 */
function wordsKept(results: RankedResult[]): RankedResult[] {
  const place = results.findIndex((result) => result.keywordRank === 1);
  const best = results[place];
  if (best === undefined || place < 2 || best.coverage < coverageAlone) return results;
  return [...results.slice(0, 1), best, ...results.slice(1, place), ...results.slice(place + 1)];
}

/**
 * The place of a record that holds no word of the question, by its cosine alone, as a number: what is greater is ranked
 * before. So the best of a large store can be picked without ranking all of it.
 */
export function placeByMeaning(mode: RankingMode, cosine: number, confidence: number, compared: number): number {
  const score = mode === 'hybrid' ? confident(cosine, confidence) : cosine;
  return cosine >= strongCosine(compared) ? 10 + score : score;
}

/**
 * How much of the question a record holds in words: the weights of the terms it matches over the weights of all. A
 * term weighs the logarithm of how few records hold it, so that names and error codes count and `use` hardly does; a
 * term that no record holds weighs most and lowers every coverage. 0 when the question has no terms.
 */
export function lexicalCoverage(terms: readonly TermMatches[], indexed: number, id: string): number {
  let matched = 0;
  let total = 0;
  for (const term of terms) {
    const weight = Math.max(0, Math.log((indexed + indexedPrior + 1) / (term.documents + 0.5)));
    total += weight;
    if (term.ids.has(id)) matched += weight;
  }
  return total > 0 ? matched / total : 0;
}

/** One term as it is looked up, and the word of the question it stands for. */
export interface LookedUpTerm extends TermMatches {
  readonly label: string;
}

/**
 * The terms by which coverage is counted: one for each word of the question, however many spellings of it were looked
 * up (itself, its stem, its beginning). Words joined by hyphens, like `copy-on-write`, count by their parts alone when
 * no record writes them so. An identifier counts as a whole too: `ERR_QX7732` must not be answered by `ERR_QX7731`.
 */
export function groupTerms(terms: readonly LookedUpTerm[]): TermMatches[] {
  const groups = new Map<string, { documents: number; readonly ids: Set<string> }>();
  for (const term of terms) {
    const group = groups.get(term.label) ?? { documents: 0, ids: new Set<string>() };
    group.documents = Math.max(group.documents, term.documents);
    for (const id of term.ids) group.ids.add(id);
    groups.set(term.label, group);
  }
  return [...groups]
    .filter(([label, group]) => group.documents > 0 || !hyphenated.test(label))
    .map(([, group]) => group);
}

const hyphenated = /^\p{L}+(?:-\p{L}+)+$/u;

/** Two texts with one key are the same title: compatibility forms, case, punctuation and spacing do not count. */
export function titleKey(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).join(' ');
}

/** Records that a store is imagined to hold besides, so that weights are sensible when it has only one. */
const indexedPrior = 50;

/** What full coverage adds to a cosine. Unrelated texts hardly reach 0.5, so all words beat any wrong meaning. */
const wordsWeight = 0.8;
/** The power that keeps stray words quiet: a third of the words adds 0.01, three quarters add 0.25. */
const wordsPower = 4;

const absentRank = Number.MAX_SAFE_INTEGER;

interface Placed {
  readonly rank: number;
  readonly score: number;
}

interface Candidate {
  readonly id: string;
  keyword: Placed | null;
  semantic: Placed | null;
}

/** Keyword hits first, so that a stable sort leaves full ties to them. */
function collect(mode: RankingMode, input: RankingInput): Candidate[] {
  const byId = new Map<string, Candidate>();
  const place = (list: readonly ScoredId[], which: 'keyword' | 'semantic'): void => {
    for (const [index, { id, score, rank }] of list.entries()) {
      const candidate = byId.get(id) ?? { id, keyword: null, semantic: null };
      candidate[which] ??= { rank: rank ?? index + 1, score };
      byId.set(id, candidate);
    }
  };
  if (mode !== 'semantic') place(input.keyword, 'keyword');
  if (mode !== 'keyword') place(input.semantic, 'semantic');
  return [...byId.values()];
}

function toResult(mode: RankingMode, input: RankingInput, candidate: Candidate): RankedResult {
  // Search by meaning alone is judged by meaning alone.
  const coverage = mode === 'semantic' ? 0 : lexicalCoverage(input.terms, input.indexed, candidate.id);
  return {
    id: candidate.id,
    score: scoreOf(mode, input, candidate, coverage),
    strength: strengthOf({
      cosine: candidate.semantic?.score ?? null,
      coverage,
      exactTitle: input.exactTitles.has(candidate.id),
      compared: input.compared ?? input.semantic.length,
    }),
    keywordRank: candidate.keyword?.rank ?? null,
    semanticRank: candidate.semantic?.rank ?? null,
    coverage,
  };
}

function scoreOf(mode: RankingMode, input: RankingInput, candidate: Candidate, coverage: number): number {
  if (mode === 'keyword') return candidate.keyword?.score ?? 0;
  // A record without a vector is as far from the question as unrelated texts are on average.
  const cosine = candidate.semantic?.score ?? 0;
  if (mode === 'semantic') return cosine;
  return confident(cosine + wordsWeight * coverage ** wordsPower, input.confidences.get(candidate.id) ?? 1);
}

/** A score with the doubt about its record: at most halved, and never raised. */
function confident(score: number, confidence: number): number {
  // Halving a negative score would raise it.
  return score > 0 ? score * (0.5 + 0.5 * Math.min(1, Math.max(0, confidence))) : score;
}

function bestRank(result: RankedResult): number {
  return Math.min(result.keywordRank ?? absentRank, result.semanticRank ?? absentRank);
}
