/**
 * Which of the candidates hold each word of a question: what coverage is computed from, and what an explanation names.
 * Read from the lists of the search table, so that it says exactly what keyword search matches.
 */
import type { Database } from 'better-sqlite3';
import { holds, type Lookup } from './lookup.ts';
import { prepared } from './prepared.ts';
import { groupTerms, type TermMatches } from './ranking.ts';

export interface TermEvidence {
  /** One entry for each word of the question. */
  readonly terms: readonly TermMatches[];
  /** Records in the search table. */
  readonly indexed: number;
  /** Words of the question, or parts of them, that each candidate holds. */
  readonly labels: ReadonlyMap<string, readonly string[]>;
}

/** `candidates` are ids; pass only those whose coverage matters. */
export function termEvidence(db: Database, lookup: Lookup, candidates: readonly string[]): TermEvidence {
  const rows = prepared<{ row: number; id: string }>(
    db,
    `SELECT row, decision_id AS id FROM decision_search_rows
     WHERE decision_id IN (SELECT value FROM json_each(?))`,
  ).all(JSON.stringify(candidates));
  const labels = new Map<string, string[]>(candidates.map((id) => [id, []]));
  const lookedUp = lookup.terms.map((term) => {
    const ids = new Set(rows.flatMap(({ row, id }) => (holds(term.rows, row) ? [id] : [])));
    for (const id of ids) {
      const known = labels.get(id);
      if (known !== undefined && !known.includes(term.label)) known.push(term.label);
    }
    return { label: term.label, documents: term.rows.length, ids };
  });
  return { terms: groupTerms(lookedUp), indexed: lookup.indexed, labels };
}
