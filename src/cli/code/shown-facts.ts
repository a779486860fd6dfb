/** Facts about an index in two columns, and how a build and a check ended. */

import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { counted, grouped } from '../../base/numbers.ts';
import type { BuildAnswer, HealthAnswer, StatsAnswer } from '../../engine/code/answers.ts';
import type { Savings } from '../../retrieval/context/savings.ts';
import type { IrSummary } from '../../retrieval/context/validate.ts';
import { ageOf } from '../screen/age.ts';
import { table, wrap } from '../screen/layout.ts';
import type { Screen } from '../screen/screen.ts';
import { safeLine } from '../screen/text-width.ts';
import { bytesWords, secondsWords, timesSmaller } from './numbers.ts';
import { changeWords } from './shown-freshness.ts';

type Fact = readonly [name: string, value: string];
export type BuiltStats = Extract<StatsAnswer, { built: true }>;

const skippedFilesMax = 10;

export function statsLines(stats: StatsAnswer, screen: Screen): readonly string[] {
  if (!stats.built) {
    return [`${safeLine(stats.project)} has no index yet.`, 'Make one with: mnemosyne build'];
  }
  const { build_stats: built, freshness } = stats;
  const commit = built.commit === '' ? '' : ` at commit ${built.commit.slice(0, 10)}`;
  const facts: readonly Fact[] = [
    ['project', stats.project],
    ['state', freshness.state === 'fresh' ? 'fresh' : `behind: ${changeWords(freshness)}`],
    ['files', grouped(stats.files)],
    ['lines', grouped(stats.lines)],
    ['tokens', grouped(stats.tokens)],
    ['symbols', grouped(stats.symbols)],
    ['nodes', grouped(stats.nodes)],
    ['edges', grouped(stats.edges)],
    ['groups', grouped(stats.communities)],
    ['languages', mostFirst(stats.languages)],
    ['text only', mostFirst(stats.text_only)],
    ['skipped', mostFirst(stats.skipped)],
    ['unresolved', grouped(stats.unresolved)],
    ['embedder', stats.embedder],
    ['built', `${ageOf(built.built_at, screen.now)} in ${secondsWords(built.duration_seconds)}${commit}`],
    ['index', `${stats.db_path}, ${bytesWords(stats.db_bytes)}`],
  ];
  const skipped = stats.skipped_files.slice(0, skippedFilesMax);
  return [
    ...factLines(
      facts.filter(([, value]) => value !== ''),
      screen,
    ),
    ...(skipped.length === 0 ? [] : ['', 'Skipped files:']),
    ...skipped.map(({ path, reason }) => `  ${safeLine(path)}  ${screen.colours.dim(safeLine(reason))}`),
    ...(stats.skipped_files.length > skipped.length ? ['  … (all of them: --json)'] : []),
  ];
}

/** `stats` are those of the new index. */
export function buildLines(build: BuildAnswer, stats: StatsAnswer, { colours }: Screen): readonly string[] {
  const took = secondsWords(build.duration_seconds);
  if (!build.changed) {
    return [`Nothing has changed in ${safeLine(build.project)}: ${counted(build.files, 'file')} looked at in ${took}.`];
  }
  const changes = [
    ...(build.files_read === 0 ? [] : [`${grouped(build.files_read)} read`]),
    ...(build.files_reused === 0 ? [] : [`${grouped(build.files_reused)} as before`]),
    ...(build.files_removed === 0 ? [] : [`${grouped(build.files_removed)} gone`]),
  ];
  const how = changes.length === 0 ? '' : ` (${changes.join(', ')})`;
  const inside = stats.built ? `, ${counted(stats.symbols, 'symbol')}, ${counted(stats.edges, 'edge')}` : '';
  const skipped = stats.built ? mostFirst(stats.skipped) : '';
  return [
    `Indexed ${colours.bold(safeLine(build.project))} in ${took}: ${counted(build.files, 'file')}${how}${inside}.`,
    ...(skipped === '' ? [] : [colours.dim(`Skipped: ${skipped} (which: mnemosyne stats).`)]),
  ];
}

export function healthLines(health: HealthAnswer, screen: Screen): readonly string[] {
  const { green, yellow, red } = screen.colours;
  const paint = { ok: green, stale: yellow, missing: red, unusable: red }[health.state];
  const doing = [...(health.building ? ['building'] : []), ...(health.watching ? ['watching'] : [])];
  const detail =
    health.freshness === null || health.freshness.state === 'fresh' ? '' : ` (${changeWords(health.freshness)})`;
  return [
    `${paint(health.state)}  ${safeLine(health.project)}: ${safeLine(health.message)}${detail}`,
    ...(doing.length === 0 ? [] : [screen.colours.dim(doing.join(', '))]),
  ];
}

export function savingsLines(savings: Savings, screen: Screen): readonly string[] {
  if (savings.total_queries + savings.total_wakeups === 0) {
    return [
      `Nothing is saved yet: no question and no wake-up of ${safeLine(savings.project)} is in ${safeLine(savings.log)}.`,
      'They are counted when they are asked: mnemosyne query, mnemosyne wakeup, or an agent.',
    ];
  }
  const { columns } = screen;
  const disclosure = savings.baseline_disclosure;
  const facts: readonly Fact[] = [
    ['asked', `${counted(savings.total_queries, 'query', 'queries')}, ${counted(savings.total_wakeups, 'wake-up')}`],
    ['answers took', `${counted(savings.total_tokens_used, 'token')} (measured)`],
    ['every file', `${counted(savings.est_total_full_cost, 'token')}, once for each answer (assumed)`],
    ['saved', savedWords(savings)],
    ...(savings.dollar_savings === null ? [] : costFacts(savings.dollar_savings)),
    ...savings.recent_queries.map(
      ({ at, tokens, ratio }, index) =>
        [
          index === 0 ? 'lately' : '',
          `${ageOf(at, screen.now)}: ${counted(tokens, 'token')}${smaller(ratio)}`,
        ] as const,
    ),
  ];
  // What the figures rest on comes before them.
  return [...(columns === null ? [disclosure] : wrap(disclosure, columns)), '', ...factLines(facts, screen)];
}

function savedWords({ total_tokens_saved: saved, avg_reduction_ratio: ratio }: Savings): string {
  if (saved <= 0) return 'nothing: all files together are smaller than the answers about them';
  return `at most ${counted(saved, 'token')}; answers are ${timesSmaller(ratio)} on average`;
}

function smaller(ratio: number): string {
  return ratio < 1 ? '' : `, ${timesSmaller(ratio)}`;
}

function costFacts(cost: NonNullable<Savings['dollar_savings']>): readonly Fact[] {
  const month = cost.monthly_saved <= 0 ? 'nothing saved' : `at most ${dollars(cost.monthly_saved)} saved`;
  return [
    ['cost', `${dollars(cost.actual_cost_total)}, with every file ${dollars(cost.baseline_cost_total)}`],
    ['a month', `${month}. ${cost.basis}`],
  ];
}

/** `$1,682.10` */
function dollars(amount: number): string {
  const [whole = '0', cents = '00'] = amount.toFixed(2).split('.');
  return `$${grouped(Number(whole))}.${cents}`;
}

export function validateLines(
  { counts, validation, written_to }: IrSummary & { readonly written_to: JsonValue },
  { colours }: Screen,
): readonly string[] {
  const { ok: isSound, errors, warnings, errors_total, warnings_total } = validation;
  const size = [
    counted(counts.nodes, 'node'),
    counted(counts.edges, 'edge'),
    counted(counts.clusters, 'group'),
    ...(counts.synapses === 0 ? [] : [counted(counts.synapses, 'synapse')]),
  ].join(', ');
  const told = [
    ...errors.map(({ code, message }) => `${colours.red('error')}    ${code}  ${safeLine(message)}`),
    ...warnings.map(({ code, message }) => `${colours.yellow('warning')}  ${code}  ${safeLine(message)}`),
  ];
  const left = errors_total + warnings_total - told.length;
  const files = isJsonObject(written_to) ? Object.values(written_to).map(String) : [];
  return [
    `${isSound ? 'The index hangs together' : colours.red('The index does not hang together')}: ${size}.`,
    ...told,
    ...(left > 0 ? [`… ${grouped(left)} more`] : []),
    ...files.map((file) => `Wrote ${safeLine(file)}`),
    ...(isSound ? [] : ['Make it anew with: mnemosyne build --force']),
  ];
}

/** `TypeScript 120, Python 3` */
function mostFirst(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([name, count]) => `${safeLine(name)} ${grouped(count)}`)
    .join(', ');
}

function factLines(facts: readonly Fact[], screen: Screen): readonly string[] {
  const rows = facts.map(([name, value]) => [
    { text: safeLine(name), paint: screen.colours.dim },
    { text: safeLine(value) },
  ]);
  return table(rows, screen.columns);
}
