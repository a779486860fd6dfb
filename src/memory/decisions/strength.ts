/**
 * Whether a search result is likely an answer (`strong`) or only the nearest there is (`weak`).
 *
 * Weak results are ranked and returned, never dropped here: a question in quite other words than its answer has a
 * small cosine, and a cut at a constant loses most of them. The thresholds come from `evals/decisions`; change them
 * only together with a kept run. Two kinds of evidence count, meaning and words: much of one, or some of both.
 */

export const strengths = ['strong', 'weak'] as const;
export type Strength = (typeof strengths)[number];

export interface Evidence {
  /** Cosine of question and record, or null when nothing was compared by meaning. */
  readonly cosine: number | null;
  /** Share of the question's weighted words that the record holds, 0 to 1. See `lexicalCoverage`. */
  readonly coverage: number;
  /** The question is the title of the record, apart from case and punctuation. */
  readonly exactTitle: boolean;
  /** How many records the question was compared with by meaning. */
  readonly compared: number;
}

/**
 * The cosine from which a record counts, when the question was compared with one hundred, and how that moves. The best
 * of many unrelated records is nearer than the best of few. On stores of 60 records drawn from the evaluation, one
 * question without an answer in five has a record above the threshold, and one paraphrase in six has its best below.
 * A constant would call everything strong in a large store and nothing in a small one.
 */
const cosineAtHundred = 0.332;
const cosinePerEfold = 0.022;
/** Beyond these the logarithm is no longer measured. */
const cosineMin = 0.24;
const cosineMax = 0.4;

/** The share of a question's words that hardly any record about something else holds. */
export const coverageAlone = 0.7;
/** Enough when meaning does not speak against it, or was not asked. */
const coverageSupported = 0.42;
/** Two texts about different things are mostly below this. */
const cosineSupporting = 0.2;

export function strengthOf(evidence: Evidence): Strength {
  const { cosine, coverage } = evidence;
  if (evidence.exactTitle || coverage >= coverageAlone) return 'strong';
  if (cosine === null) return coverage >= coverageSupported ? 'strong' : 'weak';
  if (coverage >= coverageSupported && cosine >= cosineSupporting) return 'strong';
  return cosine >= strongCosine(evidence.compared) ? 'strong' : 'weak';
}

/** The cosine from which a record out of `compared` counts as strong. Grows with the logarithm of the store. */
export function strongCosine(compared: number): number {
  const scaled = cosineAtHundred + cosinePerEfold * Math.log(Math.max(compared, 1) / 100);
  return Math.min(cosineMax, Math.max(cosineMin, scaled));
}

/** What a caller is told when something was found and none of it is strong; null otherwise. */
export function weakNotice(results: readonly { readonly strength: Strength }[], weakShown = true): string | null {
  if (results.length === 0 || results.some((result) => result.strength === 'strong')) return null;
  return weakShown
    ? 'Nothing strong was found. These are the nearest records and may not answer the question.'
    : 'Nothing strong was found. The nearest records are weak and were left out as asked.';
}
