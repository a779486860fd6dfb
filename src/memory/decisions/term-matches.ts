/**
 * How many records hold each term of a question, and which of the candidates: what the coverage of a question by a
 * record is computed from. Asked of the search table itself, so that it matches exactly what keyword search matches.
 */
import type { Database } from 'better-sqlite3';
import { prepared } from './prepared.ts';
import { groupTerms, type TermMatches } from './ranking.ts';
import type { QueryTerm } from './terms.ts';

export interface TermEvidence {
  /** One entry for each word of the question. */
  readonly terms: readonly TermMatches[];
  /** Records in the search table. */
  readonly indexed: number;
}

/** Two small statements for each term. `candidates` are ids; pass only those whose coverage matters. */
export function termEvidence(db: Database, terms: readonly QueryTerm[], candidates: readonly string[]): TermEvidence {
  const count = prepared<{ n: number }>(db, 'SELECT count(*) AS n FROM decision_search WHERE decision_search MATCH ?');
  const among = prepared<{ id: string }>(
    db,
    `SELECT r.decision_id AS id FROM decision_search JOIN decision_search_rows r ON r.row = decision_search.rowid
     WHERE decision_search MATCH ? AND decision_search.rowid IN (
       SELECT row FROM decision_search_rows WHERE decision_id IN (SELECT value FROM json_each(?)))`,
  );
  const list = JSON.stringify(candidates);
  const lookedUp = terms.map((term) => {
    // Terms are letters and digits; quoted, so that none is read as syntax.
    const match = term.prefix ? `"${term.text}" OR "${term.text}"*` : `"${term.text}"`;
    const documents = count.get(match)?.n ?? 0;
    const ids = new Set(documents === 0 ? [] : among.all(match, list).map((row) => row.id));
    return { label: term.label, documents, ids };
  });
  const indexed = prepared<{ n: number }>(db, 'SELECT count(*) AS n FROM decision_search_rows').get()?.n ?? 0;
  return { terms: groupTerms(lookedUp), indexed };
}
