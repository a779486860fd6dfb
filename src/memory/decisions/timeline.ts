/** What was decided just before and just after a decision, whatever became of it. */
import { decisionLimits } from '../../base/limits.ts';
import { type Decision, toView } from './decision.ts';
import { toStored } from './instant.ts';
import { notFound, ok, type Result } from './outcome.ts';
import type { TimelineRequest } from './parse-read.ts';
import { type DecisionRow, decisionColumns, fromRow, readDecision } from './rows.ts';
import type { View } from './view.ts';

export interface Timeline {
  readonly anchor: Decision;
  /** Oldest first; the last is the nearest. */
  readonly before: readonly Decision[];
  /** Oldest first; the first is the nearest. */
  readonly after: readonly Decision[];
}

/** Fails: `memory_not_found`. */
export function timeline(view: View, id: string, request: TimelineRequest): Result<Timeline> {
  const anchor = readDecision(view.db, id);
  if (anchor === null) return notFound(id);
  const near = (comparison: '<' | '>', order: 'ASC' | 'DESC', limit: number) =>
    view.db
      .prepare<unknown[], DecisionRow>(
        `SELECT ${decisionColumns} FROM decisions d WHERE (d.created_at, d.id) ${comparison} (?, ?)
         ORDER BY d.created_at ${order}, d.id ${order} LIMIT ?`,
      )
      .all(toStored(anchor.created_at), anchor.id, limit)
      .map((row) => toView(fromRow(row), view.today));
  return ok({
    anchor: toView(anchor, view.today),
    before: near('<', 'DESC', request.before ?? decisionLimits.timelineDefault).reverse(),
    after: near('>', 'ASC', request.after ?? decisionLimits.timelineDefault),
  });
}
