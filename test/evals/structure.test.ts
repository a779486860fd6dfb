/** The evaluation of structural edges: that its facts are what they say, and that its kept run supports what we claim. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { corpora, frozen, halfOf, isTestPath, readFacts, relations } from '../../evals/code/structure/facts.ts';

interface Row {
  readonly id: string;
  readonly half: string;
  readonly system: string;
  readonly isExact: boolean;
}

const facts = corpora.flatMap((corpus) => readFacts(corpus));
const folder = new URL('../../evals/code/structure/', import.meta.url);

test('EG10 the facts are the frozen set, ids are unique, and both halves hold every relation', () => {
  const readme = readFileSync(new URL('README.md', folder), 'utf8');
  for (const corpus of corpora) {
    const sum = createHash('sha256')
      .update(readFileSync(new URL(`${corpus}.json`, folder)))
      .digest('hex');
    expect(sum, corpus).toBe(frozen[corpus]);
    expect(readme).toContain(sum);
  }
  expect(facts.length).toBeGreaterThanOrEqual(100);
  expect(new Set(facts.map((fact) => fact.id)).size).toBe(facts.length);
  for (const fact of facts) {
    expect(fact.answer.length, fact.id).toBeGreaterThan(0);
    expect([...new Set(fact.answer)].sort(), fact.id).toEqual(fact.answer);
    expect(fact.answer.filter(isTestPath), fact.id).toEqual([]);
  }
  for (const half of ['tune', 'held-out']) {
    const found = new Set(facts.filter((fact) => halfOf(fact) === half).map((fact) => fact.relation));
    expect([...found].sort()).toEqual([...relations].sort());
  }
});

test('EG11 in the kept run the linker is exact on nine of ten facts of each half, and better than the search for words', () => {
  const run: { rows: Row[] } = JSON.parse(readFileSync(new URL('runs/2026-11-30.json', folder), 'utf8'));
  for (const half of ['tune', 'held-out']) {
    const exact = (system: string): number =>
      run.rows.filter((row) => row.half === half && row.system === system && row.isExact).length;
    const count = facts.filter((fact) => halfOf(fact) === half).length;
    expect(run.rows.filter((row) => row.half === half && row.system === 'edges').length).toBe(count);
    expect(exact('edges')).toBeGreaterThanOrEqual(0.9 * count);
    expect(exact('edges')).toBeGreaterThan(exact('words'));
  }
});
