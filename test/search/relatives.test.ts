import { expect, test } from 'vitest';
import { parseQuery } from '../../src/retrieval/search/query.ts';
import { searchEntities } from '../../src/retrieval/search/rank.ts';
import { withRelatives } from '../../src/retrieval/search/related-words.ts';
import { project } from './project.ts';
import { sourceOf, vectorOf } from './sources.ts';

const source = await sourceOf(project);
const plain = (text: string) => parseQuery(text, { meanings: false });

test('RK29: a word is looked up by its relatives that the project has, for less than itself', () => {
  const terms = withRelatives(plain('reply'), source).terms;
  expect(terms[0]).toMatchObject({ term: 'repli', weight: 1, meaning: null });
  const relatives = terms.slice(1);
  expect(relatives.map(({ meaning }) => meaning)).toContain('answered');
  expect(relatives.length).toBeLessThanOrEqual(6);
  for (const { term, weight, label, of } of relatives) {
    expect(of).toBe('repli');
    expect(source.postings(term).length).toBeGreaterThan(0);
    expect(weight).toBeGreaterThan(0);
    expect(weight).toBeLessThan(0.4);
    expect(label).toBe('reply');
  }
});

test('RK29: what a question says itself keeps its weight, and words that nothing is related to bring nothing', () => {
  const terms = withRelatives(plain('reply answer'), source).terms;
  expect(terms.filter(({ term }) => term === 'answer')).toEqual([
    { term: 'answer', label: 'answer', weight: 1, meaning: null, of: 'answer' },
  ]);
  expect(withRelatives(plain('zyxwv'), source).terms).toHaveLength(1);
  expect(withRelatives(plain(''), source).terms).toEqual([]);
});

test('RK29: a description of several words is searched by its meaning, a name is not', async () => {
  const description = 'drop stale answers';
  const [hit] = searchEntities(source, description, await vectorOf(description), 3);
  expect(hit).toMatchObject({ label: 'ResponseCache.evict_expired', score: 1 });
  expect(searchEntities(source, 'purge', null, 3)).toEqual([]);
  expect(searchEntities(source, 'purge old stale', null, 3)[0]?.path).toBe('shop/cache.py');
});

test('RK29: a word that only shares its stem with how one asks is not taken for that', () => {
  const weightOf = (text: string) => plain(text).terms.find(({ term }) => term === 'respons')?.weight;
  expect(weightOf('who reads the response')).toBe(1);
  expect(weightOf('which part is responsible')).toBeLessThan(1);
});
