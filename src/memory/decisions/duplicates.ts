/**
 * Hints that a new decision may exist already: at most three ACTIVE ones. Hints only; nothing is merged or refused.
 *
 * When the new decision names files, another counts if it shares one and a word of the title. When it names none, at
 * least half of the words of its title must be in the other title. Words are compared whole, so "100 req/min" and
 * "1000 req/min" share one of two.
 */
import type { Database } from 'better-sqlite3';
import { decisionLimits } from '../../base/limits.ts';
import type { Decision, DecisionStatus } from './decision.ts';
import { conditionsOf, filtersOf, whereOf } from './filters.ts';
import { titlesHolding } from './keyword-search.ts';
import { wordsOf } from './terms.ts';

export interface PossibleDuplicate {
  readonly id: string;
  readonly title: string;
  readonly status: DecisionStatus;
  /** The share of the new title's words that are in this title, 0 to 1. */
  readonly score: number;
}

/** How many are compared word by word: the newest of a file, or those that share most words. */
const candidatesMax = 100;
const titlesMax = 20;

interface Candidate {
  readonly id: string;
  readonly title: string;
}

export function possibleDuplicates(db: Database, decision: Decision, today: string): readonly PossibleDuplicate[] {
  const words = wordsOf(decision.title);
  if (words.size === 0) return [];
  const sharing = decision.files_affected.length > 0;
  const filters = filtersOf({ status: 'ACTIVE' }, decision.files_affected, 'ACTIVE');
  const conditions = [...conditionsOf(filters, today), { name: 'self', sql: 'd.id <> ?', params: [decision.id] }];
  const where = whereOf(conditions);
  const candidates = sharing
    ? db
        .prepare<unknown[], Candidate>(
          `SELECT d.id AS id, d.title AS title FROM decisions d WHERE ${where.sql}
           ORDER BY d.created_at DESC, d.id DESC LIMIT ?`,
        )
        .all(...where.params, candidatesMax)
    : titlesHolding(db, words, Math.ceil(words.size / 2), conditions, titlesMax);
  return candidates
    .map(({ id, title }) => ({ id, title, status: 'ACTIVE' as const, score: shareOf(words, title) }))
    .filter(({ score }) => (sharing ? score > 0 : score >= 0.5))
    .sort((left, right) => right.score - left.score)
    .slice(0, decisionLimits.duplicatesMax);
}

function shareOf(words: ReadonlySet<string>, title: string): number {
  const others = wordsOf(title);
  return [...words].filter((word) => others.has(word)).length / words.size;
}
