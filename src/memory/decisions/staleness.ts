/**
 * Which decisions a change of files makes stale, and what each is told. Pure: it knows neither git nor the store.
 *
 * A decision is touched when a file that it names, or a file below a folder that it names, has changed. It is spared
 * when every such file holds again exactly what it held when the decision was last said to hold. Decisions that depend
 * on one that became stale become stale with it, however long the chain.
 */
import type { Decision } from './decision.ts';

/** `null` for a file that is not there. */
export type BlobOf = (file: string) => string | null;

/** The changed files that count against a decision; empty when it still holds. */
export function filesAgainst(
  named: readonly string[],
  changed: readonly string[],
  fingerprints: ReadonlyMap<string, string>,
  blobAtHead: BlobOf,
): readonly string[] {
  return changed.filter((file) => {
    const holds = fingerprints.get(file);
    if (holds !== undefined && named.includes(file)) return blobAtHead(file) !== holds;
    return named.some((name) => file === name || file.startsWith(`${name}/`));
  });
}

export interface StaleMark {
  readonly id: string;
  readonly reason: string;
  readonly triggeredBy: 'file_change' | 'cascade';
}

/** `direct` in the order in which the marks are to be made; dependents follow what they depend on. */
export function withDependents(
  direct: readonly StaleMark[],
  decisions: readonly Pick<Decision, 'id' | 'status' | 'dependency_constraints'>[],
): readonly StaleMark[] {
  const dependents = new Map<string, string[]>();
  for (const { id, status, dependency_constraints } of decisions) {
    if (status !== 'ACTIVE') continue;
    for (const needed of dependency_constraints) {
      const known = dependents.get(needed);
      if (known === undefined) dependents.set(needed, [id]);
      else known.push(id);
    }
  }
  const marks = [...direct];
  const marked = new Set(direct.map(({ id }) => id));
  for (const { id } of marks) {
    for (const dependent of dependents.get(id) ?? []) {
      if (marked.has(dependent)) continue;
      marked.add(dependent);
      marks.push({ id: dependent, reason: `depends on stale decision ${id}`, triggeredBy: 'cascade' });
    }
  }
  return marks;
}
