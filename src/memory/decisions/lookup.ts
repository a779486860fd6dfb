/**
 * How a question is looked up in the search table: which terms, and which records hold each.
 *
 * Listing the records of a term is cheap, scoring them is not; so every term is listed first, and what needs to know
 * who holds what reads these lists. They are kept until something is written. A word that many records hold as it is
 * written is not looked up as the beginning of longer words too: that would cost most where it helps least.
 */
import type { Database } from 'better-sqlite3';
import { prepared } from './prepared.ts';
import { stampOf } from './stamp.ts';
import type { QueryTerm } from './terms.ts';

export interface LookedUpTerm {
  /** As the reader knows it: the word of the question, or its part. */
  readonly label: string;
  /** The search expression. Terms are letters and digits, and quoted, so that none is read as syntax. */
  readonly match: string;
  /** Rows of the search table that hold it, ascending. */
  readonly rows: Uint32Array;
}

export interface Lookup {
  /** One for each term, also for those that nothing holds. */
  readonly terms: readonly LookedUpTerm[];
  /** Records in the search table. */
  readonly indexed: number;
}

/** A word held by more records than this stands for itself only. */
const prefixDocumentsMax = 200;

export function lookUp(db: Database, terms: readonly QueryTerm[]): Lookup {
  const lists = listsOf(db);
  const looked = terms.map(({ text, prefix, label }) => {
    const exact = `"${text}"`;
    const rows = listed(db, lists, exact);
    if (!prefix || rows.length > prefixDocumentsMax) return { label, match: exact, rows };
    // The word itself is looked up beside its continuations, so that it counts more than they do.
    return { label, match: `${exact} OR ${exact}*`, rows: listed(db, lists, `${exact}*`) };
  });
  const indexed = prepared<{ n: number }>(db, 'SELECT count(*) AS n FROM decision_search_rows').get()?.n ?? 0;
  return { terms: looked, indexed };
}

interface KeptLists {
  readonly stamp: string;
  readonly lists: Map<string, Uint32Array>;
  kept: number;
}

const keptLists = new WeakMap<Database, KeptLists>();
/** Rows in all lists of one store together, four bytes each. */
const keptRowsMax = 4_000_000;

/** The rows that match, ascending. */
export function rowsOf(db: Database, match: string): Uint32Array {
  return listed(db, listsOf(db), match);
}

function listsOf(db: Database): KeptLists {
  const stamp = stampOf(db);
  const known = keptLists.get(db);
  if (known !== undefined && known.stamp === stamp && known.kept <= keptRowsMax) return known;
  const fresh = { stamp, lists: new Map<string, Uint32Array>(), kept: 0 };
  keptLists.set(db, fresh);
  return fresh;
}

function listed(db: Database, lists: KeptLists, match: string): Uint32Array {
  const known = lists.lists.get(match);
  if (known !== undefined) return known;
  const rows = readRows(db, match);
  lists.lists.set(match, rows);
  // The key counts too: many words that nothing holds are also many.
  lists.kept += rows.length + match.length;
  return rows;
}

/** One text instead of a row each: most of the time would go into making the rows. */
function readRows(db: Database, match: string): Uint32Array {
  const row = prepared<{ list: string }>(
    db,
    'SELECT json_group_array(rowid) AS list FROM decision_search WHERE decision_search MATCH ?',
  ).get(match);
  // Written by the statement above, in the order of the table.
  return row === undefined ? new Uint32Array() : Uint32Array.from(JSON.parse(row.list) as number[]);
}

/** Whether `row` is in an ascending list. */
export function holds(rows: Uint32Array, row: number): boolean {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] ?? 0) < row) low = middle + 1;
    else high = middle;
  }
  return rows[low] === row;
}
