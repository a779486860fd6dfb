/** What a question found, as people read it: one place after the other, with the reason why it is there. */

import { counted, grouped } from '../../base/numbers.ts';
import type {
  Hit,
  HitReasons,
  QueryAnswer,
  SearchAnswer,
  SkeletonAnswer,
  WakeupAnswer,
} from '../../engine/code/answers.ts';
import { wrap } from '../screen/layout.ts';
import type { Screen } from '../screen/screen.ts';
import { safeLine, safeText } from '../screen/text-width.ts';
import { timesSmaller } from './numbers.ts';
import { freshnessLines } from './shown-freshness.ts';
import { traceLines } from './shown-trace.ts';

/** The places that the budget has room for, and below them what an agent would get and what was left out of it. */
export function queryLines(answer: QueryAnswer, screen: Screen): readonly string[] {
  const { top_search_hits: found, tokens, budget, cut, trace } = answer;
  const hits = found.slice(0, answer.search_hits);
  const left = cut.l0 + cut.l1 + cut.l2 + cut.l3;
  const places = found.length - hits.length;
  const among = places === 0 ? '' : ` (${grouped(places)} of ${counted(found.length, 'place')})`;
  const facts = [
    `${grouped(tokens.total)} of ${counted(budget, 'token')}`,
    ...(left === 0 ? [] : [`${counted(left, 'line')} left out${among}`]),
    ...(answer.reduction_ratio >= 1 ? [ratioWords(answer.reduction_ratio)] : []),
  ];
  return [
    ...freshnessLines(answer.freshness, screen),
    ...(hits.length === 0 && places > 0
      ? ['No place fits into the budget; give more: --budget']
      : hitsLines(hits, screen)),
    '',
    screen.colours.dim(facts.join(', ')),
    ...(trace === null ? [] : ['', ...traceLines(trace, screen)]),
  ];
}

export function searchLines({ results, freshness }: SearchAnswer, screen: Screen): readonly string[] {
  return [...freshnessLines(freshness, screen), ...hitsLines(results, screen)];
}

/** `src/store.ts:10-42  function openStore`, under it the declaration, under that the reasons. */
export function hitsLines(hits: readonly Hit[], screen: Screen): readonly string[] {
  if (hits.length === 0) return ['Nothing fits.', 'Try other words, or see what there is: mnemosyne wakeup'];
  return hits.flatMap((hit) => hitLines(hit, screen));
}

export function hitLines(hit: Hit, screen: Screen): readonly string[] {
  const { bold, dim } = screen.colours;
  const named = hit.kind === 'file' || hit.kind === 'text' ? '' : ` ${bold(safeLine(hit.label))}`;
  const about = hit.signature === '' ? hit.summary : hit.signature;
  const why = reasonWords(hit.why);
  return [
    `${placeWords(hit.source_file, hit.start_line, hit.end_line, screen)}  ${hit.kind}${named}`,
    ...(about === '' ? [] : indented(safeLine(about), screen)),
    ...(why === '' ? [] : indented(safeLine(why), screen).map(dim)),
  ];
}

/** `src/store.ts:10-42`, with one number for one line, and none for what has no lines. */
export function placeWords(path: string, start: number, end: number, { colours }: Screen): string {
  const lines = start === 0 ? '' : end > start ? `:${start}-${end}` : `:${start}`;
  return colours.cyan(`${safeLine(path)}${lines}`);
}

export function wakeupLines(answer: WakeupAnswer, { colours }: Screen): readonly string[] {
  const ratio = answer.reduction_ratio >= 1 ? `, ${ratioWords(answer.reduction_ratio)}` : '';
  return [
    ...safeText(answer.context).trimEnd().split('\n'),
    '',
    colours.dim(`${counted(answer.tokens, 'token')}${ratio}`),
  ];
}

export function skeletonLines(answer: SkeletonAnswer, screen: Screen): readonly string[] {
  const { colours } = screen;
  const { source_file, language, lines, symbols, note, outline, next_offset } = answer;
  return [
    ...freshnessLines(answer.freshness, screen),
    `${colours.cyan(safeLine(source_file))}  ${safeLine(language)}, ${counted(lines, 'line')}, ${counted(symbols, 'symbol')}`,
    ...(note === null ? [] : [colours.dim(safeLine(`${note.charAt(0).toUpperCase()}${note.slice(1)}.`))]),
    ...(outline === '' ? [] : safeText(outline).trimEnd().split('\n')),
    ...(next_offset === null ? [] : ['', `There is more: --offset ${next_offset}`]),
  ];
}

function reasonWords({ lexical = [], vector, graph = [] }: HitReasons): string {
  return [
    ...(lexical.length === 0 ? [] : [`words: ${lexical.join(', ')}`]),
    ...(vector === undefined ? [] : [`meaning ${vector.toFixed(2)}`]),
    ...(graph.length === 0 ? [] : [`beside ${graph.join(', ')}`]),
  ].join(' · ');
}

function ratioWords(ratio: number): string {
  return `${timesSmaller(ratio)} than every indexed file together`;
}

function indented(text: string, { columns }: Screen): readonly string[] {
  const line = `    ${text}`;
  return columns === null ? [line] : wrap(line, columns);
}
