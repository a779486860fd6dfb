/** The events of one decision, oldest first, page by page. A deleted decision still has its history. */
import { decisionLimits } from '../../base/limits.ts';
import { openCursor, sealCursor } from './cursor.ts';
import { type DecisionEvent, type EventRow, fromEventRow } from './events.ts';
import type { Page, PageRequest } from './list.ts';
import { notFound, ok, type Result } from './outcome.ts';
import { prepared } from './prepared.ts';
import { readDecision } from './rows.ts';
import type { View } from './view.ts';

export interface History extends Page<DecisionEvent> {
  readonly id: string;
  readonly deleted: boolean;
}

/** Fails: `memory_not_found` for an id that never was, `invalid_request` for a foreign cursor. */
export function history(view: View, id: string, page: PageRequest): Result<History> {
  const limit = page.limit ?? decisionLimits.pageSizeDefault;
  const question = ['history', id];
  let after: string | number = 0;
  if (page.cursor !== undefined) {
    const opened = openCursor(view.cursorKey, question, page.cursor);
    if (!opened.ok) return opened;
    after = opened.value[0] ?? 0;
  }
  const count = prepared<{ n: number }>(view.db, 'SELECT count(*) AS n FROM decision_events WHERE decision_id = ?').get(
    id,
  );
  const total = count?.n ?? 0;
  if (total === 0) return notFound(id);
  const found = prepared<EventRow>(
    view.db,
    'SELECT * FROM decision_events WHERE decision_id = ? AND id > ? ORDER BY id LIMIT ?',
  )
    .all(id, after, limit + 1)
    .map(fromEventRow);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const more = found.length > limit && last !== undefined;
  return ok({
    id,
    deleted: readDecision(view.db, id) === null,
    items,
    next_cursor: more ? sealCursor(view.cursorKey, question, [last.id]) : null,
    total,
  });
}
