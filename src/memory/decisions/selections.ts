/** Decisions chosen by what they are, what they govern and what they rest on, newest first unless said otherwise. */
import { type Decision, toView } from './decision.ts';
import { filtersOf } from './filters.ts';
import { listAll } from './list.ts';
import { readDecision } from './rows.ts';
import type { View } from './view.ts';

export interface Many {
  /** In the order of the ids. */
  readonly items: readonly Decision[];
  /** Ids of decisions that do not exist. */
  readonly missing: readonly string[];
}

export function many(view: View, ids: readonly string[]): Many {
  const found = ids.map((id) => ({ id, decision: readDecision(view.db, id) }));
  return {
    items: found.flatMap(({ decision }) => (decision === null ? [] : [toView(decision, view.today)])),
    missing: found.flatMap(({ id, decision }) => (decision === null ? [id] : [])),
  };
}

/** Those that govern one of `files`, which are in stored form; invalidated ones only when asked for. */
export function governing(view: View, files: readonly string[], invalidated: boolean): readonly Decision[] {
  if (files.length === 0) return [];
  const filters = filtersOf({}, files, 'ALL');
  const chosen = invalidated ? filters : { ...filters, statuses: standing };
  return listAll(view, chosen).map((decision) => toView(decision, view.today));
}

/** Those that depend on `id` and are not invalidated. */
export function dependents(view: View, id: string): readonly Decision[] {
  return listAll(view, { ...filtersOf({}, [], 'ALL'), statuses: standing })
    .filter((decision) => decision.dependency_constraints.includes(id))
    .map((decision) => toView(decision, view.today));
}

/** Those whose review day is past and that are ACTIVE in the store: they read STALE. */
export function overdue(view: View): readonly Decision[] {
  return listAll(view, filtersOf({ status: 'STALE' }, [], 'STALE')).filter((decision) => decision.status === 'ACTIVE');
}

const standing = ['ACTIVE', 'STALE'] as const;
