/**
 * Groups of files that hang together: communities (see `louvain.ts`) over the edges between files, without direction,
 * weighted by kind and number.
 *
 * The same files and edges in any order give the same groups: input is sorted and nothing is drawn at random. A file
 * without an edge to another one goes with those like it of its folder. Numbers are stable: without a previous
 * assignment the largest group is 0, of equal ones that with the smallest path; with one, a group keeps the number of
 * the group it shares most files with, and only a new group gets a new number.
 */
import type { EdgeKind } from '../code/link.ts';
import { grouped } from './grouped.ts';
import { louvain, pairsOf } from './louvain.ts';

export interface FileEdge {
  /** Paths of files, or names of anything else that holds files together, such as a package. */
  readonly from: string;
  readonly to: string;
  /** Above 0. Several edges of one pair add up. */
  readonly weight: number;
}

/** How much one edge between symbols of two files, or between the files, ties them. */
export const tieOf: Readonly<Record<EdgeKind, number>> = {
  inherits: 2,
  implements: 2,
  imports: 1,
  calls: 1,
  decorates: 1,
  references: 0.5,
  /** Of a package and its files. */
  contains: 0.5,
};

/** A number for each of `files`; `previous` may know others. */
export function communitiesOf(
  files: Iterable<string>,
  edges: Iterable<FileEdge>,
  previous: ReadonlyMap<string, number> = new Map(),
): Map<string, number> {
  const sorted = [...new Set(files)].sort();
  const groups = sortedGroups(sorted, edges);
  const numbers = numbersOf(groups, previous);
  const assigned = new Map<string, number>(sorted.map((file) => [file, 0]));
  groups.forEach((group, at) => {
    for (const file of group) assigned.set(file, numbers[at] ?? at);
  });
  return assigned;
}

/** The largest group first, of equal ones that with the smallest path. Each is sorted. */
function sortedGroups(files: readonly string[], edges: Iterable<FileEdge>): readonly (readonly string[])[] {
  const tied = detect(edges);
  const groupOf = (file: string): string => {
    const group = tied.get(file);
    return group === undefined ? `folder ${file.slice(0, Math.max(file.lastIndexOf('/'), 0))}` : `group ${group}`;
  };
  const groups = [...grouped(files, groupOf).values()];
  return groups.sort((a, b) => b.length - a.length || compare(a[0] ?? '', b[0] ?? ''));
}

/** The group of everything that has an edge to something else. */
function detect(edges: Iterable<FileEdge>): ReadonlyMap<string, number> {
  const ties: FileEdge[] = [];
  for (const edge of edges) {
    if (!(edge.weight > 0)) throw new RangeError(`The weight of an edge is above 0, not ${edge.weight}.`);
    if (edge.from !== edge.to) ties.push(edge);
  }
  const names = [...new Set(ties.flatMap((edge) => [edge.from, edge.to]))].sort();
  const numberOf = new Map(names.map((name, at) => [name, at]));
  const weights = new Map<number, number>();
  for (const { from, to, weight } of ties) {
    const [one, other] = [numberOf.get(from) ?? 0, numberOf.get(to) ?? 0];
    const key = Math.min(one, other) * names.length + Math.max(one, other);
    weights.set(key, (weights.get(key) ?? 0) + weight);
  }
  const groups = louvain(names.length, pairsOf(weights, names.length));
  return new Map(names.map((name, at) => [name, groups[at] ?? 0]));
}

/** A number for each group: the most shared files decide who keeps an old one. */
function numbersOf(groups: readonly (readonly string[])[], previous: ReadonlyMap<string, number>): readonly number[] {
  const claims = groups.flatMap((group, at) => {
    const known = group.map((file) => previous.get(file)).filter((number) => number !== undefined);
    return [...grouped(known, (number) => number)].map(([number, shared]) => ({ at, number, shared: shared.length }));
  });
  claims.sort((a, b) => b.shared - a.shared || a.number - b.number || a.at - b.at);
  const numbers = new Map<number, number>();
  const taken = new Set<number>();
  for (const { at, number } of claims) {
    if (numbers.has(at) || taken.has(number)) continue;
    numbers.set(at, number);
    taken.add(number);
  }
  // The number of a group that is gone does not go to a new one at once.
  const used = new Set(previous.values());
  let next = 0;
  return groups.map((_, at) => {
    const kept = numbers.get(at);
    if (kept !== undefined) return kept;
    while (used.has(next)) next += 1;
    used.add(next);
    return next;
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
