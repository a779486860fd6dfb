/** Lists decisions, newest first, page by page. Rows that come and go never make a walk repeat or skip another row. */
import { decisionLimits } from '../../base/limits.ts';
import { openCursor, sealCursor } from './cursor.ts';
import { type Decision, toView } from './decision.ts';
import { conditionsOf, type Filters, whereOf } from './filters.ts';
import { toStored } from './instant.ts';
import { ok, type Result } from './outcome.ts';
import { type DecisionRow, decisionColumns, fromRow } from './rows.ts';
import type { View } from './view.ts';

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
  /** How many the selection holds, all pages together. */
  readonly total: number;
}

export interface PageRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Fails: `invalid_request` for a cursor that is not of this selection. */
export function list(view: View, filters: Filters, page: PageRequest): Result<Page<Decision>> {
  const limit = page.limit ?? decisionLimits.pageSizeDefault;
  const question = ['list', filters, view.asOf];
  const where = whereOf(conditionsOf(filters, view.today));
  let after = '';
  let position: readonly (string | number)[] = [];
  if (page.cursor !== undefined) {
    const opened = openCursor(view.cursorKey, question, page.cursor);
    if (!opened.ok) return opened;
    position = opened.value;
    after = 'AND (d.created_at, d.id) < (?, ?)';
  }
  const found = view.db
    .prepare<unknown[], DecisionRow>(
      `SELECT ${decisionColumns} FROM decisions d WHERE ${where.sql} ${after}
       ORDER BY d.created_at DESC, d.id DESC LIMIT ?`,
    )
    .all(...where.params, ...position, limit + 1)
    .map(fromRow);
  const count = view.db
    .prepare<unknown[], { total: number }>(`SELECT count(*) AS total FROM decisions d WHERE ${where.sql}`)
    .get(...where.params);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const more = found.length > limit && last !== undefined;
  return ok({
    items: items.map((decision) => toView(decision, view.today)),
    next_cursor: more ? sealCursor(view.cursorKey, question, [toStored(last.created_at), last.id]) : null,
    total: count?.total ?? 0,
  });
}

/** Every decision of a selection, newest first. */
export function listAll(view: View, filters: Filters): readonly Decision[] {
  const where = whereOf(conditionsOf(filters, view.today));
  return view.db
    .prepare<unknown[], DecisionRow>(
      `SELECT ${decisionColumns} FROM decisions d WHERE ${where.sql} ORDER BY d.created_at DESC, d.id DESC`,
    )
    .all(...where.params)
    .map(fromRow);
}
