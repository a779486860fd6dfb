/**
 * Search by words: any word of the question may match, better matches come first (BM25 over the weighted fields).
 *
 * Every term is looked up as itself and, when it is long enough, as the beginning of longer terms, so that an exact
 * word outranks a longer one. Terms are made of letters and digits and quoted: a question is never query syntax.
 * Filters are part of the statement, so the limit counts only records that pass them.
 */
import type { Database } from 'better-sqlite3';
import type { Condition } from './filters.ts';
import { whereOf } from './filters.ts';
import { searchedFields } from './search-index.ts';
import { type QueryTerm, queryTerms } from './terms.ts';

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

/** `whole` is the question as one term (`wholeTerm`), for titles that it equals. */
export function keywordSearch(
  db: Database,
  terms: readonly QueryTerm[],
  conditions: readonly Condition[],
  limit: number,
  whole: string | null = null,
): readonly KeywordHit[] {
  if (terms.length === 0) return [];
  const where = whereOf(conditions);
  return db
    .prepare<unknown[], KeywordHit>(
      `SELECT d.id AS id, -bm25(decision_search, ${weights}) AS score ${matching} AND ${where.sql}
       ORDER BY score DESC, d.created_at DESC, d.id DESC LIMIT ?`,
    )
    .all(whole === null ? matchOf(terms) : `${matchOf(terms)} OR "${whole}"`, ...where.params, limit);
}

/** Records whose title holds a whole word of `title`, best first: what duplicate hints are made from. */
export function titleSearch(
  db: Database,
  title: string,
  conditions: readonly Condition[],
  limit: number,
): readonly { readonly id: string; readonly title: string }[] {
  const terms = queryTerms(title).terms.map((term) => ({ ...term, prefix: false }));
  if (terms.length === 0) return [];
  const where = whereOf(conditions);
  return db
    .prepare<unknown[], { id: string; title: string }>(
      `SELECT d.id AS id, d.title AS title ${matching} AND ${where.sql}
       ORDER BY bm25(decision_search, ${weights}), d.created_at DESC, d.id DESC LIMIT ?`,
    )
    .all(`{title} : (${matchOf(terms)})`, ...where.params, limit);
}

export interface KeywordCounts {
  /** Records that match a word, filters aside. */
  readonly matched: number;
  /** Filter name to the records that it was the first to cut. */
  readonly cut: ReadonlyMap<string, number>;
}

export function keywordCounts(
  db: Database,
  terms: readonly QueryTerm[],
  conditions: readonly Condition[],
): KeywordCounts {
  if (terms.length === 0) return { matched: 0, cut: new Map() };
  const columns = conditions.map((condition, index) => {
    const earlier = conditions.slice(0, index).map((other) => `(${other.sql}) AND`);
    return `count(*) FILTER (WHERE ${earlier.join(' ')} (${condition.sql}) IS NOT TRUE) AS cut${index}`;
  });
  const params = conditions.flatMap((condition, index) => [
    ...conditions.slice(0, index).flatMap((other) => other.params),
    ...condition.params,
  ]);
  const row = db
    .prepare<unknown[], Record<string, number>>(`SELECT ${['count(*) AS matched', ...columns].join(', ')} ${matching}`)
    .get(...params, matchOf(terms));
  const cut = new Map(conditions.map((condition, index) => [condition.name, row?.[`cut${index}`] ?? 0]));
  return { matched: row?.['matched'] ?? 0, cut };
}

/** Which words of the question a record matches, as their labels. Asked of the table itself. */
export function matchedLabels(
  db: Database,
  terms: readonly QueryTerm[],
  ids: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const labels = new Map<string, string[]>(ids.map((id) => [id, []]));
  const list = JSON.stringify(ids);
  const statement = db.prepare<unknown[], { id: string }>(
    `SELECT d.id AS id ${matching} AND r.row IN (
       SELECT row FROM decision_search_rows WHERE decision_id IN (SELECT value FROM json_each(?)))`,
  );
  for (const term of terms) {
    for (const { id } of statement.all(matchOf([term]), list)) {
      const known = labels.get(id);
      if (known !== undefined && !known.includes(term.label)) known.push(term.label);
    }
  }
  return labels;
}

function matchOf(terms: readonly QueryTerm[]): string {
  return terms.map((term) => (term.prefix ? `"${term.text}" OR "${term.text}"*` : `"${term.text}"`)).join(' OR ');
}
