/**
 * Which records are worth scoring when many hold some word of the question.
 *
 * BM25 costs some microseconds for each record, and common words make most of a store match. So the records are first
 * ordered by which words they hold, rare ones counting more and the title a little more again, and only the best of
 * that order that pass the filters are scored. Below a bound all of them are, and nothing is estimated.
 */
import type { Database } from 'better-sqlite3';
import { type Condition, filteredStatement, whereOf } from './filters.ts';
import { type LookedUpTerm, type Lookup, rowsOf } from './lookup.ts';
import { prepared } from './prepared.ts';

/** How many are scored at most, and how many mentions of words are scored without looking for the best. */
const scoredMax = 200;
const mentionsMax = 1_000;
/** What a word adds when the title holds it, as a share of what it adds anyway. */
const titleShare = 0.3;
/** What words that most records hold still weigh. */
const weightMin = 0.05;

/** Rows of the search table that pass `conditions`, best first; null when all that match can be scored. */
export function promisingRows(
  db: Database,
  lookup: Lookup,
  conditions: readonly Condition[],
  limit: number,
): readonly number[] | null {
  const held = lookup.terms.filter((term) => term.rows.length > 0);
  const mentions = held.reduce((sum, term) => sum + term.rows.length, 0);
  const wanted = Math.max(scoredMax, limit);
  if (lookup.indexed <= wanted || mentions <= mentionsMax) return null;
  const ordered = orderOf(db, held, lookup.indexed, wanted);
  const passing = conditions.length === 0 ? ordered.slice(0, wanted) : passingRows(db, ordered, conditions, wanted);
  if (passing.length >= limit) return passing;
  // Only words that most records hold, and too few of those in titles: the newest records that hold one.
  const any = held.map((term) => term.match).join(' OR ');
  return [...new Set([...passing, ...newest(db, any, conditions, wanted)])];
}

/** All records that hold a word that not most records hold, or any word in the title; promising ones first. */
function orderOf(db: Database, held: readonly LookedUpTerm[], indexed: number, wanted: number): readonly number[] {
  const last = prepared<{ row: number | null }>(db, 'SELECT max(row) AS row FROM decision_search_rows').get()?.row ?? 0;
  const sums = new Float64Array(last + 1);
  const add = (rows: Uint32Array, weight: number) => {
    for (const row of rows) sums[row] = (sums[row] ?? 0) + weight;
  };
  for (const { match, rows } of held) {
    const weight = Math.max(weightMin, Math.log((indexed - rows.length + 0.5) / (rows.length + 0.5)));
    if (rows.length <= indexed / 2) add(rows, weight);
    // All records with a rare word are scored anyway.
    if (rows.length > wanted / 2) add(rowsOf(db, `{title} : (${match})`), weight * titleShare);
  }
  // Sum and row in one number, because numbers sort ten times as fast as pairs. Of equals the newer goes first.
  const keys = new Float64Array(sums.length);
  let used = 0;
  for (let row = 0; row < sums.length; row += 1) {
    const sum = sums[row] ?? 0;
    if (sum === 0) continue;
    keys[used] = Math.round(sum * 1_000) * rowsMax + row;
    used += 1;
  }
  const sorted = keys.subarray(0, used).sort().reverse();
  return Array.from(sorted, (key) => key % rowsMax);
}

/** Leaves twenty-one bits of a whole number for the sums. */
const rowsMax = 2 ** 32;

/** The first `wanted` of `rows` that pass. */
export function passingRows(
  db: Database,
  rows: readonly number[],
  conditions: readonly Condition[],
  wanted: number,
): number[] {
  const where = whereOf(conditions);
  const statement = filteredStatement<{ row: number }>(
    db,
    conditions,
    `SELECT r.row AS row FROM json_each(?) j CROSS JOIN decision_search_rows r ON r.row = j.value
     CROSS JOIN decisions d ON d.id = r.decision_id WHERE ${where.sql}`,
  );
  const passing: number[] = [];
  for (let start = 0; start < rows.length && passing.length < wanted; start += wanted) {
    const part = JSON.stringify(rows.slice(start, start + wanted));
    // The statement goes through the list in its order.
    for (const { row } of statement.all(part, ...where.params)) passing.push(row);
  }
  return passing.slice(0, wanted);
}

function newest(db: Database, match: string, conditions: readonly Condition[], wanted: number): readonly number[] {
  const where = whereOf(conditions);
  return filteredStatement<{ row: number }>(
    db,
    conditions,
    `SELECT r.row AS row FROM decision_search JOIN decision_search_rows r ON r.row = decision_search.rowid
     JOIN decisions d ON d.id = r.decision_id WHERE decision_search MATCH ? AND ${where.sql}
     ORDER BY decision_search.rowid DESC LIMIT ?`,
  )
    .all(match, ...where.params, wanted)
    .map(({ row }) => row);
}
