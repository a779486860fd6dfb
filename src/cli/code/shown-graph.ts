/** What hangs together, as people read it: neighbours view by view, dependents as a tree. */

import { counted, grouped } from '../../base/numbers.ts';
import type { DependencyRelation } from '../../retrieval/graph/dependents.ts';
import type { Dependent, Impact } from '../../retrieval/graph/impact.ts';
import type { ShownNode, ShownResolution } from '../../retrieval/graph/shown-node.ts';
import type { BlastRadius, Neighbour, StructuralAnswer, ViewAnswer } from '../../retrieval/graph/structural.ts';
import { type Cell, table, wrap } from '../screen/layout.ts';
import type { Screen } from '../screen/screen.ts';
import { safeLine } from '../screen/text-width.ts';
import { placeWords } from './shown-hits.ts';

/** `shownMax` neighbours of each relation, all that came when it is null. */
export function neighboursLines(
  answer: StructuralAnswer,
  screen: Screen,
  { shownMax }: { readonly shownMax: number | null } = { shownMax: null },
): readonly string[] {
  const { relations, blast_radius: radius } = answer;
  const found = relations.filter(({ count }) => count > 0);
  const lookedFor = relations.map(({ relation }) => viewName(relation)).join(', ');
  return [
    ...resolutionLines(answer.query, answer, screen),
    ...found.flatMap((view) => viewLines(view, shownMax, screen)),
    ...(radius === null || radius.count === 0 ? [] : radiusLines(radius, screen)),
    ...noteLines(answer, found.length === 0 ? `Looked for ${lookedFor}.` : null, screen),
  ];
}

export function impactLines(answer: Impact, screen: Screen): readonly string[] {
  const { dependents, count, depth, truncated } = answer;
  const listed = dependents.length < count ? `, ${grouped(dependents.length)} of them shown` : '';
  const early = truncated && dependents.length >= count ? ' or more' : '';
  const within = depth === 1 ? 'within one hop' : `within ${depth} hops`;
  return [
    ...resolutionLines(answer.symbol, answer, screen),
    ...treeLines(answer, screen),
    ...(count === 0 ? [] : [screen.colours.dim(`${counted(count, 'dependent')}${early} ${within}${listed}`)]),
    ...noteLines(answer, count === 0 ? `Looked for dependents ${within}.` : null, screen),
  ];
}

/** A daemon of an earlier version suggests nothing. */
type WithResolution = Omit<ShownResolution, 'suggestions'> & Partial<Pick<ShownResolution, 'suggestions'>>;

/** What the name was understood as, or what it could mean. */
function resolutionLines(
  name: string,
  { resolution, resolved_node, candidates, candidates_count, suggestions = [] }: WithResolution,
  screen: Screen,
): readonly string[] {
  const { yellow } = screen.colours;
  const also =
    candidates_count > candidates.length ? [`  … ${grouped(candidates_count - candidates.length)} more`] : [];
  switch (resolution) {
    case 'exact':
    case 'semantic': {
      if (resolved_node === null) return [];
      const guess =
        resolution === 'semantic' ? [yellow(`Nothing is called ${safeLine(name)}; this may be meant:`)] : [];
      const others = candidates_count === 0 ? '' : screen.colours.dim(`  (and ${candidates_count} of the same name)`);
      return [...guess, `${nodeWords(resolved_node, screen)}${others}`];
    }
    case 'candidates':
      return [
        yellow(`${safeLine(name)} stands for ${counted(candidates_count, 'thing')}. Ask with the id of one:`),
        ...table(
          candidates.map((node) => [
            { text: node.kind },
            { text: `${safeLine(node.path ?? '')}:${node.start_line}`, paint: screen.colours.cyan },
            { text: safeLine(node.id) },
          ]),
          null,
        ).map((line) => `  ${line}`),
        ...also,
      ];
    case 'none':
      return [
        yellow(`Nothing in the index is called ${safeLine(name)}.`),
        ...(suggestions.length === 0 ? [] : [`Did you mean ${suggestions.map(safeLine).join(', ')}?`]),
        'Look for it by words with: mnemosyne search <words>',
      ];
  }
}

function viewLines(view: ViewAnswer, shownMax: number | null, screen: Screen): readonly string[] {
  const { relation, neighbours, count } = view;
  const { bold, dim } = screen.colours;
  const title = `${bold(viewName(relation))} ${dim(`(${grouped(count)})`)}`;
  const shown = neighbours.slice(0, shownMax ?? neighbours.length);
  const rows = shown.map((one): readonly Cell[] => [
    { text: `  ${nameOf(one)}` },
    { text: one.kind, paint: dim },
    ...placeCells(one, screen),
    { text: edgeWords(one), paint: dim },
  ]);
  const how = shown.length < neighbours.length ? `: --relations ${relation}` : '';
  const more = count > shown.length ? [dim(`  … ${grouped(count - shown.length)} more${how}`)] : [];
  return ['', title, ...table(rows, null), ...more];
}

function viewName(relation: ViewAnswer['relation']): string {
  return relation.replaceAll('_', ' ');
}

function placeCells({ path, start_line, end_line }: ShownNode, { colours }: Screen): readonly Cell[] {
  if (path === null) return [{ text: 'outside the project', paint: colours.dim }];
  const lines = end_line > start_line ? `${start_line}-${end_line}` : `${start_line}`;
  return [{ text: `${safeLine(path)}:${lines}`, paint: colours.cyan }];
}

/** `line 12`, with a mark where a name alone decided. */
function edgeWords({ edge_line, confidence, inferred }: Neighbour): string {
  const line = edge_line === 0 ? '' : `line ${edge_line}`;
  const sure = inferred ? `inferred, ${confidence.toFixed(2)}` : '';
  return [line, sure].filter((words) => words !== '').join(', ');
}

function radiusLines({ depth, nodes, count, counts_by_hop }: BlastRadius, screen: Screen): readonly string[] {
  const { bold, dim } = screen.colours;
  const hops = counts_by_hop.map((reached, index) => `${grouped(reached)} in ${counted(index + 1, 'hop')}`).join(', ');
  const rows = nodes.map((node): readonly Cell[] => [
    { text: `  ${'  '.repeat(node.hop - 1)}${nameOf(node)}` },
    { text: node.kind, paint: dim },
    ...placeCells(node, screen),
  ]);
  const more = count > nodes.length ? [dim(`  … ${grouped(count - nodes.length)} more`)] : [];
  return ['', `${bold(`blast radius, ${depth} deep`)} ${dim(`(${hops})`)}`, ...table(rows, null), ...more];
}

/** Each dependent below what it depends on. */
function treeLines({ dependents, resolved_node }: Impact, screen: Screen): readonly string[] {
  if (resolved_node === null) return [];
  const listed = new Set(dependents.map(({ id }) => id));
  const below = new Map<string, Dependent[]>();
  for (const one of dependents) {
    // A chain can pass what is no dependent of its own; what was cut from the list hangs on the top.
    const on = one.chain.slice(1).find((id) => listed.has(id)) ?? top;
    below.set(on, [...(below.get(on) ?? []), one]);
  }
  const drawn = (on: string, before: string): readonly string[] =>
    (below.get(on) ?? []).flatMap((one, index, all) => {
      const isLast = index === all.length - 1;
      const { dim } = screen.colours;
      const line = `${dim(`${before}${isLast ? '└─' : '├─'}`)} ${dependentWords(one, screen)}`;
      return [line, ...drawn(one.id, `${before}${isLast ? '  ' : '│ '} `)];
    });
  return drawn(top, '');
}

const top = '';

/** What a dependent does with what it depends on. */
const verbs: Readonly<Record<DependencyRelation, string>> = {
  callers: 'calls',
  importers: 'imports',
  subclasses: 'inherits',
  implementers: 'implements',
  used_by: 'uses',
  decorates: 'is decorated by',
};

function dependentWords(one: Dependent, screen: Screen): string {
  const { colours } = screen;
  const place =
    one.path === null ? '' : `  ${placeWords(one.path, one.line === 0 ? one.start_line : one.line, 0, screen)}`;
  const inferred = one.inferred ? colours.yellow(' (inferred)') : '';
  return `${nameOf(one)}  ${colours.dim(verbs[one.relation])}${place}${inferred}`;
}

/** `Store.open()`, and of a file its name: the path stands beside it. */
function nameOf({ label, qualified_name, kind }: ShownNode): string {
  if (kind === 'file') return safeLine(label);
  return `${safeLine(qualified_name)}${label.endsWith('()') ? '()' : ''}`;
}

function nodeWords(node: ShownNode, screen: Screen): string {
  const place = node.path === null ? '' : `  ${placeWords(node.path, node.start_line, node.end_line, screen)}`;
  return `${screen.colours.bold(nameOf(node))}  ${node.kind}${place}`;
}

/** `lookedFor` when nothing was found. What a name stands for is said already where nothing was looked up. */
function noteLines(
  { note, unresolved, resolved_node }: Pick<StructuralAnswer, 'note' | 'unresolved' | 'resolved_node'>,
  lookedFor: string | null,
  { colours, columns }: Screen,
): readonly string[] {
  if (resolved_node === null) return [];
  const open = note !== null && unresolved > 0 ? `(${grouped(unresolved)} unresolved)` : null;
  const words = [lookedFor, note, open].filter((part) => part !== null).join(' ');
  if (words === '') return [];
  return ['', ...(columns === null ? [words] : wrap(words, columns)).map(colours.dim)];
}
