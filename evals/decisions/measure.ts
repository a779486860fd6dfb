/** Numbers over the answers to many queries. */
import type { EvalQuery } from './data.ts';
import type { Answer } from './systems.ts';

export interface Measures {
  readonly queries: number;
  /** Share of queries whose answer is among the first five; null for queries without an answer, as below. */
  readonly recallAt5: number | null;
  /** Mean of 1/rank of the answer, 0 when it is not returned. */
  readonly mrr: number | null;
  /** Share whose first result is the answer and strong. Null where strength is unknown, as below. */
  readonly firstAndStrong: number | null;
  /** Share with at least one strong result. For queries without an answer: how often the search is wrongly sure. */
  readonly anyStrong: number | null;
}

export interface Answered {
  readonly query: EvalQuery;
  readonly answers: readonly Answer[];
}

export const shownAnswers = 10;

export function measure(answered: readonly Answered[]): Measures {
  const answerable = answered.filter(({ query }) => query.answer !== null);
  const ranks = answerable.map(({ query, answers }) => answers.findIndex(({ id }) => id === query.answer) + 1);
  const knowsStrength = answered.some(({ answers }) => answers.some(({ strength }) => strength !== null));
  const isStrong = (answer: Answer | undefined): boolean => answer?.strength === 'strong';
  return {
    queries: answered.length,
    recallAt5: share(ranks, (rank) => rank >= 1 && rank <= 5),
    mrr: mean(ranks.map((rank) => (rank === 0 ? 0 : 1 / rank))),
    firstAndStrong: knowsStrength
      ? share(answerable, ({ query, answers }) => answers[0]?.id === query.answer && isStrong(answers[0]))
      : null,
    anyStrong: knowsStrength ? share(answered, ({ answers }) => answers.slice(0, shownAnswers).some(isStrong)) : null,
  };
}

function share<T>(items: readonly T[], holds: (item: T) => boolean): number | null {
  return mean(items.map((item) => (holds(item) ? 1 : 0)));
}

function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 1000) / 1000;
}
