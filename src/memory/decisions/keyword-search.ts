/**
 * Search by words: any word of the question may match, better matches come first (BM25 over the weighted fields).
 *
 * Every term is looked up as itself and, when it is long enough and not common, as the beginning of longer terms, so
 * that an exact word outranks a longer one. A question is never query syntax. Filters are part of the statements, so
 * the limit counts only records that pass them.
 *
 * Where very many records hold some word of the question, only the most promising are scored (`promising.ts`).
 */
import type { Database } from 'better-sqlite3';
import { type Condition, filteredStatement, whereOf } from './filters.ts';
import { type Lookup, rowsOf } from './lookup.ts';
import { prepared } from './prepared.ts';
import { passingRows, promisingRows } from './promising.ts';
import { titleKey } from './ranking.ts';
import { searchedFields } from './search-index.ts';
import { indexedTerms, wholeTerm } from './terms.ts';

export interface KeywordHit {
  readonly id: string;
  /** BM25 with its sign turned: higher is better, comparable only within one answer. */
  readonly score: number;
}

const weights = searchedFields.map(({ weight }) => weight).join(', ');
const matching = `FROM decision_search
  JOIN decision_search_rows r ON r.row = decision_search.rowid
  JOIN decisions d ON d.id = r.decision_id
  WHERE decision_search MATCH ?`;

/**
 * `whole` is the question as one term (`wholeTerm`), for titles that it equals. The records of `always`, which pass
 * the conditions, are in the answer behind the limit when they are not within it.
 */
export function keywordSearch(
  db: Database,
  lookup: Lookup,
  conditions: readonly Condition[],
  limit: number,
  whole: string | null = null,
  always: ReadonlySet<string> = new Set(),
): readonly KeywordHit[] {
  const held = lookup.terms.filter((term) => term.rows.length > 0).map((term) => term.match);
  const match = [...held, ...(whole === null ? [] : [`"${whole}"`])].join(' OR ');
  if (match === '') return [];
  const rows = promisingRows(db, lookup, conditions, limit);
  const found = rows === null ? scored(db, match, conditions, limit) : scored(db, match, [among(rows)], limit);
  const known = new Set(found.map((hit) => hit.id));
  const absent = [...always].filter((id) => !known.has(id));
  if (absent.length === 0) return found;
  return [...found, ...scored(db, match, [amongIds(absent)], absent.length)];
}

/** The records whose title is `query`, apart from case, punctuation and spacing. */
export function exactTitles(db: Database, query: string, conditions: readonly Condition[]): ReadonlySet<string> {
  const key = titleKey(query);
  const terms = indexedTerms(query).split(' ');
  const [first] = terms;
  if (key === '' || first === undefined || first === '') return new Set();
  // A title of one word begins with that word. A text without spaces begins with all its terms in a row. Every other
  // title is a term as a whole, in whatever way it separates its words.
  const whole = wholeTerm(query) ?? first;
  const expression = key.includes(' ') ? `"${whole}"` : `^ "${[...first].length > 1 ? first : terms.join(' ')}"`;
  const where = whereOf(conditions);
  const candidates = db
    .prepare<unknown[], { id: string; title: string }>(
      `SELECT d.id AS id, d.title AS title ${matching} AND ${where.sql}`,
    )
    .all(`{title} : (${expression})`, ...where.params);
  return new Set(candidates.filter(({ title }) => titleKey(title) === key).map(({ id }) => id));
}

/**
 * Records whose title holds at least `least` of `words` (as `wordsOf` gives them), most first, newest first among
 * equals. A word counts as held when it is a part of one in the title, too.
 */
export function titlesHolding(
  db: Database,
  words: ReadonlySet<string>,
  least: number,
  conditions: readonly Condition[],
  limit: number,
): readonly { readonly id: string; readonly title: string }[] {
  const counts = new Map<number, number>();
  for (const word of words) {
    for (const row of rowsOf(db, `{title} : "${word}"`)) counts.set(row, (counts.get(row) ?? 0) + 1);
  }
  const rows = [...counts]
    .filter(([, count]) => count >= least)
    .sort((left, right) => right[1] - left[1] || right[0] - left[0])
    .map(([row]) => row);
  const read = prepared<{ id: string; title: string }>(
    db,
    `SELECT d.id AS id, d.title AS title FROM decision_search_rows r JOIN decisions d ON d.id = r.decision_id
     WHERE r.row = ?`,
  );
  return passingRows(db, rows, conditions, limit).flatMap((row) => read.get(row) ?? []);
}

export interface KeywordCounts {
  /** Records that match a word, filters aside. */
  readonly matched: number;
  /** Filter name to the records that it was the first to cut. */
  readonly cut: ReadonlyMap<string, number>;
}

export function keywordCounts(db: Database, lookup: Lookup, conditions: readonly Condition[]): KeywordCounts {
  const held = lookup.terms.filter((term) => term.rows.length > 0).map((term) => term.match);
  const columns = conditions.map((condition, index) => {
    const earlier = conditions.slice(0, index).map((other) => `(${other.sql}) AND`);
    return `count(*) FILTER (WHERE ${earlier.join(' ')} (${condition.sql}) IS NOT TRUE) AS cut${index}`;
  });
  const params = conditions.flatMap((condition, index) => [
    ...conditions.slice(0, index).flatMap((other) => other.params),
    ...condition.params,
  ]);
  const row =
    held.length === 0
      ? undefined
      : db
          .prepare<unknown[], Record<string, number>>(
            `SELECT ${['count(*) AS matched', ...columns].join(', ')} ${matching}`,
          )
          .get(...params, held.join(' OR '));
  const cut = new Map(conditions.map((condition, index) => [condition.name, row?.[`cut${index}`] ?? 0]));
  return { matched: row?.['matched'] ?? 0, cut };
}

function scored(db: Database, match: string, conditions: readonly Condition[], limit: number): readonly KeywordHit[] {
  const where = whereOf(conditions);
  return filteredStatement<KeywordHit>(
    db,
    conditions,
    `SELECT d.id AS id, -bm25(decision_search, ${weights}) AS score ${matching} AND ${where.sql}
     ORDER BY score DESC, d.created_at DESC, d.id DESC LIMIT ?`,
  ).all(match, ...where.params, limit);
}

/** The plus keeps the table from being asked once for each row, which takes ten times as long. */
function among(rows: readonly number[]): Condition {
  const sql = '+decision_search.rowid IN (SELECT value FROM json_each(?))';
  return { name: 'rows', sql, params: [JSON.stringify(rows)] };
}

function amongIds(ids: readonly string[]): Condition {
  const sql = `+decision_search.rowid IN (
    SELECT row FROM decision_search_rows WHERE decision_id IN (SELECT value FROM json_each(?)))`;
  return { name: 'ids', sql, params: [JSON.stringify(ids)] };
}
