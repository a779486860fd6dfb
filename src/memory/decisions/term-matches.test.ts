import { expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { keywordSearch } from './keyword-search.ts';
import { lookUp } from './lookup.ts';
import { standIn } from './open-store.ts';
import { lexicalCoverage } from './ranking.ts';
import { rebuildSearchIndex } from './search-index.ts';
import { termEvidence } from './term-matches.ts';
import { queryTerms } from './terms.ts';

function storeWith(titles: Readonly<Record<string, string>>) {
  const db = standIn(systemClock);
  const insert = db.prepare(
    `INSERT INTO decisions (id, title, rationale, commit_sha, created_at, updated_at)
     VALUES (?, ?, '', '', '2026-01-01T00:00:00.000000+00:00', '2026-01-01T00:00:00.000000+00:00')`,
  );
  for (const [id, title] of Object.entries(titles)) insert.run(id, title);
  rebuildSearchIndex(db);
  return db;
}

const titles = {
  wal: 'Write-ahead log for the database',
  code: 'Retry when the gateway answers ERR_QX7731',
  cache: 'Caching of rendered pages',
  quote: 'Quoted "names" in queries',
};

test('EV18 the evidence of a question is what keyword search matches, counted in the table itself', () => {
  const db = storeWith(titles);
  const ids = Object.keys(titles);
  for (const query of ['write ahead logs', 'ERR_QX7731', 'cached pages', '"names" NEAR (', 'nothing of this', '']) {
    const lookup = lookUp(db, queryTerms(query).terms);
    const evidence = termEvidence(db, lookup, ids);
    expect(evidence.indexed).toBe(4);
    const found = new Set(keywordSearch(db, lookup, [], 10).map((hit) => hit.id));
    for (const id of ids) expect(lexicalCoverage(evidence.terms, 4, id) > 0).toBe(found.has(id));
  }
  db.close();
});

test('EV19 an identifier, its spelling with other separators, and an inflected word cover their record wholly', () => {
  const db = storeWith(titles);
  const coverage = (query: string, id: string): number => {
    const evidence = termEvidence(db, lookUp(db, queryTerms(query).terms), [id]);
    return lexicalCoverage(evidence.terms, evidence.indexed, id);
  };
  expect(coverage('ERR_QX7731', 'code')).toBe(1);
  expect(coverage('err-qx7731', 'code')).toBe(1);
  expect(coverage('write ahead log', 'wal')).toBe(1);
  expect(coverage('cached page', 'cache')).toBe(1);
  expect(coverage('ERR_QX7732', 'code')).toBeLessThan(0.5);
  db.close();
});

test('EV20 candidates that were not asked about are not looked up', () => {
  const db = storeWith(titles);
  const { terms } = termEvidence(db, lookUp(db, queryTerms('database').terms), []);
  expect(terms).toEqual([{ documents: 1, ids: new Set() }]);
  db.close();
});
