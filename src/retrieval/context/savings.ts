/**
 * What answers saved: the tokens they took beside the tokens of all files that they speak for.
 *
 * That comparison is generous, and `baseline_disclosure` says so: nobody reads every file for every question.
 */
import { contextLimits } from '../../base/limits.ts';
import { reductionRatio } from './compose.ts';
import type { UsageEvent } from './usage-log.ts';

/** US dollars for a million tokens of input. */
export const pricesPerMtok = {
  'claude-fable-5': 10,
  'claude-opus-4-8': 5,
  'claude-sonnet-5': 3,
  'claude-sonnet-4-6': 3,
  'claude-haiku-4-5': 1,
  'gpt-5.1': 1.25,
  'gpt-5-mini': 0.25,
  'gemini-2.5-pro': 1.25,
  'gemini-2.5-flash': 0.3,
} as const satisfies Record<string, number>;

export const defaultPricedModel = 'claude-opus-4-8';
export const queriesPerDayDefault = 100;
const daysPerMonth = 30;

export interface RecentQuery {
  readonly at: string;
  readonly tokens: number;
  readonly ratio: number;
}

export interface DollarSavings {
  readonly model: string;
  readonly price_per_mtok: number;
  readonly baseline_cost_total: number;
  readonly actual_cost_total: number;
  readonly saved_total: number;
  readonly daily_saved: number;
  readonly monthly_saved: number;
  readonly queries_per_day: number;
  readonly days: number;
  readonly baseline_tokens_per_query: number;
  /** Always: price and queries a day are assumptions. */
  readonly estimated: true;
  readonly basis: string;
}

export interface Savings {
  readonly project: string;
  readonly scope: 'project';
  readonly log: string;
  readonly total_queries: number;
  readonly total_wakeups: number;
  readonly total_tokens_used: number;
  /** Tokens of all files, once for each event. */
  readonly est_total_full_cost: number;
  /** Below zero where a project is smaller than the answers about it. */
  readonly total_tokens_saved: number;
  readonly avg_reduction_ratio: number;
  readonly baseline_disclosure: string;
  /** The newest first. */
  readonly recent_queries: readonly RecentQuery[];
  /** Null unless the cost was asked for. */
  readonly dollar_savings: DollarSavings | null;
}

export interface SavingsInput {
  readonly project: string;
  /** Where the events come from, as it shall be shown. */
  readonly log: string;
  /** Oldest first; none when there is no log. */
  readonly events: readonly UsageEvent[];
  readonly cost: boolean;
  /** One that has no price here is counted with the price of the default. Null for the default. */
  readonly model: string | null;
  readonly queriesPerDay: number | null;
}

export function savings(input: SavingsInput): Savings {
  const queries = input.events.filter(({ kind }) => kind === 'query');
  const used = sum(input.events.map(({ tokens }) => tokens));
  const full = sum(input.events.map(({ baseline }) => baseline));
  return {
    project: input.project,
    scope: 'project',
    log: input.log,
    total_queries: queries.length,
    total_wakeups: input.events.length - queries.length,
    total_tokens_used: used,
    est_total_full_cost: full,
    total_tokens_saved: full - used,
    avg_reduction_ratio: reductionRatio(full, used),
    baseline_disclosure: baselineDisclosure,
    recent_queries: queries
      .slice(-contextLimits.recentQueriesMax)
      .reverse()
      .map(({ at, tokens, baseline }) => ({ at, tokens, ratio: reductionRatio(baseline, tokens) })),
    dollar_savings: input.cost ? dollarSavings(input, queries, { used, full }) : null,
  };
}

const baselineDisclosure =
  'An upper bound, not a measurement: the full cost assumes that every indexed file would be read for every query and ' +
  'wake-up, each file counted at the time of the answer. An agent that searches by other means reads less, so the real ' +
  'saving is smaller.';

function dollarSavings(
  { model, queriesPerDay }: SavingsInput,
  queries: readonly UsageEvent[],
  { used, full }: { used: number; full: number },
): DollarSavings {
  const name = model ?? defaultPricedModel;
  const known = Object.hasOwn(pricesPerMtok, name);
  const price = new Map<string, number>(Object.entries(pricesPerMtok)).get(known ? name : defaultPricedModel) ?? 0;
  const perDay = queriesPerDay ?? queriesPerDayDefault;
  const savedPerQuery = mean(queries.map(({ tokens, baseline }) => baseline - tokens));
  const daily = dollars(savedPerQuery * perDay, price);
  return {
    model: name,
    price_per_mtok: price,
    baseline_cost_total: rounded(dollars(full, price)),
    actual_cost_total: rounded(dollars(used, price)),
    saved_total: rounded(dollars(full - used, price)),
    daily_saved: rounded(daily),
    monthly_saved: rounded(daily * daysPerMonth),
    queries_per_day: perDay,
    days: daysPerMonth,
    baseline_tokens_per_query: Math.round(mean(queries.map(({ baseline }) => baseline))),
    estimated: true,
    basis:
      `An estimate from the tokens saved per logged query, ${perDay} queries a day, input tokens at $${price} per million` +
      (known ? '.' : ` (the price of ${defaultPricedModel}: none is known for ${name}).`),
  };
}

function dollars(tokens: number, pricePerMtok: number): number {
  return (tokens / 1e6) * pricePerMtok;
}

/** To a millionth of a dollar. */
function rounded(amount: number): number {
  return Math.round(amount * 1e6) / 1e6;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}
