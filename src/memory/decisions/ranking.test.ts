import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupTerms, lexicalCoverage, placeByMeaning, type RankingInput, rankResults, titleKey } from './ranking.ts';

const seed = 20261130;
const empty: RankingInput = {
  keyword: [],
  semantic: [],
  terms: [],
  indexed: 100,
  exactTitles: new Set(),
  confidences: new Map(),
};
const hit = (id: string, score: number) => ({ id, score });
const term = (documents: number, ...ids: string[]) => ({ documents, ids: new Set(ids) });
const order = (mode: 'keyword' | 'semantic' | 'hybrid', input: Partial<RankingInput>) =>
  rankResults(mode, { ...empty, ...input }).map((result) => result.id);

test('EV7 nothing that either list found is lost, and everything weak comes after everything strong', () => {
  const input = {
    keyword: [hit('words', 9), hit('both', 4)],
    semantic: [hit('near', 0.5), hit('both', 0.2), hit('far', -0.1), hit('words', -0.3)],
    terms: [term(1, 'words')],
  };
  const results = rankResults('hybrid', { ...empty, ...input });
  expect(results.map(({ id, strength }) => [id, strength])).toEqual([
    ['words', 'strong'],
    ['near', 'strong'],
    ['both', 'weak'],
    ['far', 'weak'],
  ]);
  expect(results[0]).toMatchObject({ keywordRank: 1, semanticRank: 4, coverage: 1 });
  expect(results[1]).toMatchObject({ keywordRank: null, semanticRank: 1, coverage: 0 });
});

test('EV7 a strong record stays before a weak one that scores more', () => {
  const fillers = Array.from({ length: 98 }, (_, index) => hit(`filler${index}`, 0));
  const semantic = [hit('doubted', 0.5), hit('weak', 0.32), ...fillers];
  const confidences = new Map([['doubted', 0]]);
  const [first, second] = rankResults('hybrid', { ...empty, semantic, confidences });
  expect(first).toMatchObject({ id: 'doubted', strength: 'strong', score: 0.25 });
  expect(second).toMatchObject({ id: 'weak', strength: 'weak', score: 0.32 });
});

test('EV8 a record that holds the rare words of the question is first, however far in meaning', () => {
  const semantic = [...Array.from({ length: 40 }, (_, index) => hit(`other${index}`, 0.45)), hit('code', -0.05)];
  const terms = [term(1, 'code'), term(1, 'code')];
  expect(order('hybrid', { keyword: [hit('code', 12)], semantic, terms })[0]).toBe('code');
});

test('EV9 a stray word does not outweigh meaning', () => {
  const keyword = [hit('stray', 7)];
  const semantic = [hit('answer', 0.31), hit('stray', 0.29)];
  const terms = [term(3, 'stray'), term(0), term(0), term(0)];
  expect(order('hybrid', { keyword, semantic, terms })).toEqual(['answer', 'stray']);
});

test('EV10 an exact title is first in every mode', () => {
  const input = {
    keyword: [hit('better', 20), hit('title', 3)],
    semantic: [hit('better', 0.9), hit('title', 0.2)],
    exactTitles: new Set(['title']),
    terms: [term(1, 'better')],
  };
  for (const mode of ['keyword', 'semantic', 'hybrid'] as const) {
    const [first] = rankResults(mode, { ...empty, ...input });
    expect(first).toMatchObject({ id: 'title', strength: 'strong' });
  }
});

test('EV11 each mode reads its own list and keeps its own score', () => {
  const input = { keyword: [hit('a', 5), hit('b', 4)], semantic: [hit('b', 0.8), hit('c', 0.6)] };
  expect(rankResults('keyword', { ...empty, ...input }).map(({ id, score }) => [id, score])).toEqual([
    ['a', 5],
    ['b', 4],
  ]);
  expect(rankResults('semantic', { ...empty, ...input }).map(({ id, score }) => [id, score])).toEqual([
    ['b', 0.8],
    ['c', 0.6],
  ]);
});

test('EV12 equal scores go to the better single rank, then to the keyword list, then to the order of arrival', () => {
  const semantic = [hit('s1', 0), hit('s2', 0)];
  expect(order('hybrid', { keyword: [hit('k1', 1)], semantic })).toEqual(['k1', 's1', 's2']);
  expect(order('semantic', { semantic: [hit('new', 0.5), hit('old', 0.5)] })).toEqual(['new', 'old']);
});

test('EV13 low confidence lowers a hybrid score by at most half and never raises one', () => {
  const semantic = [hit('doubted', 0.9), hit('sure', 0.8), hit('negative', -0.4)];
  const confidences = new Map([
    ['doubted', 0],
    ['negative', 0],
  ]);
  const scores = new Map(
    rankResults('hybrid', { ...empty, semantic, confidences }).map(({ id, score }) => [id, score]),
  );
  expect(scores.get('sure')).toBe(0.8);
  expect(scores.get('doubted')).toBeCloseTo(0.45, 10);
  expect(scores.get('negative')).toBe(-0.4);
});

test('EV14 coverage is 0 to 1, rare words weigh more, and words that nothing holds lower it', () => {
  expect(lexicalCoverage([], 100, 'a')).toBe(0);
  expect(lexicalCoverage([term(1, 'a')], 100, 'a')).toBe(1);
  const rare = lexicalCoverage([term(1, 'a'), term(80, 'b')], 100, 'a');
  expect(rare).toBeGreaterThan(0.8);
  expect(lexicalCoverage([term(1, 'a'), term(0)], 100, 'a')).toBeLessThan(0.5);
  // One record that holds two words of three is a good match even in a store of one.
  expect(lexicalCoverage([term(1, 'a'), term(1, 'a'), term(0)], 1, 'a')).toBeGreaterThan(0.6);
});

test(`EV14 coverage stays between 0 and 1 for any counts (seed ${seed})`, () => {
  const anyTerm = fc.record({ documents: fc.nat(5_000), ids: fc.constantFrom(new Set<string>(), new Set(['a'])) });
  fc.assert(
    fc.property(fc.array(anyTerm), fc.nat(1_000), (terms, indexed) => {
      const coverage = lexicalCoverage(terms, indexed, 'a');
      expect(coverage).toBeGreaterThanOrEqual(0);
      expect(coverage).toBeLessThanOrEqual(1);
    }),
    { seed },
  );
});

test('EV15 the spellings of one word count once, and hyphenated words that no record writes so count by their parts', () => {
  const looked = (label: string, documents: number, ...ids: string[]) => ({ label, ...term(documents, ...ids) });
  const groups = groupTerms([
    looked('caching', 2, 'a', 'b'),
    looked('caching', 3, 'c'),
    looked('copy-on-write', 0),
    looked('copy', 4, 'a'),
    looked('err_qx7732', 0),
  ]);
  expect(groups).toEqual([term(3, 'a', 'b', 'c'), term(4, 'a'), term(0)]);
});

test('EV16 a title is recognised whatever its case, punctuation, width or spacing', () => {
  expect(titleKey('  Use “WAL” mode!')).toBe(titleKey('use wal MODE'));
  expect(titleKey('ＷＡＬ')).toBe('wal');
  expect(titleKey('数据库')).not.toBe(titleKey('数据'));
  expect(titleKey('v1.2.3')).not.toBe(titleKey('v1.2.4'));
});

test(`EV17 the ranking is the same for the same lists, and every candidate is there once (seed ${seed})`, () => {
  const list = fc.uniqueArray(
    fc.record({ id: fc.constantFrom(...'abcdefgh'), score: fc.integer({ min: -2, max: 2 }) }),
    {
      selector: (entry) => entry.id,
    },
  );
  fc.assert(
    fc.property(list, list, fc.constantFrom('keyword', 'semantic', 'hybrid'), (keyword, semantic, mode) => {
      const input = { ...empty, keyword, semantic: semantic.map(({ id, score }) => ({ id, score: score / 2 })) };
      const results = rankResults(mode, input);
      expect(rankResults(mode, input)).toEqual(results);
      const lists = mode === 'keyword' ? keyword : mode === 'semantic' ? semantic : [...keyword, ...semantic];
      expect(results.map(({ id }) => id).sort()).toEqual([...new Set(lists.map(({ id }) => id))].sort());
    }),
    { seed },
  );
});

test(`EV28 the place by meaning alone orders records without words as the ranking does (seed ${seed})`, () => {
  const entry = fc.record({
    score: fc.double({ min: -1, max: 1, noNaN: true }),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(
      fc.array(entry),
      fc.constantFrom('semantic', 'hybrid'),
      fc.integer({ min: 1, max: 5_000 }),
      (entries, mode, compared) => {
        const semantic = entries.map(({ score }, index) => hit(`${index}`, score));
        const confidences = new Map(entries.map(({ confidence }, index) => [`${index}`, confidence]));
        const places = rankResults(mode, { ...empty, semantic, compared, confidences }).map(({ id }) => {
          const { score, confidence } = entries[Number(id)] ?? { score: Number.NaN, confidence: Number.NaN };
          return placeByMeaning(mode, score, confidence, compared);
        });
        expect(places).toEqual(places.toSorted((a, b) => b - a));
      },
    ),
    { seed },
  );
});

test('EV29 a part of a list keeps the ranks of the whole, and strength goes by all that were compared', () => {
  const semantic = [{ ...hit('a', 0.35), rank: 7 }];
  expect(rankResults('semantic', { ...empty, semantic, compared: 50 })[0]).toMatchObject({
    semanticRank: 7,
    strength: 'strong',
  });
  expect(rankResults('semantic', { ...empty, semantic, compared: 5_000 })[0]).toMatchObject({ strength: 'weak' });
});

test('EV30 the best hit by words that holds most of the question is second at least, whatever crowd is near in meaning', () => {
  const crowd = Array.from({ length: 40 }, (_, index) => hit(`note${index}`, 1));
  const input = { semantic: [...crowd, hit('code', 0)], keyword: [hit('code', 9)] };
  expect(
    order('hybrid', { ...input, terms: [term(1, 'code'), term(1, 'code'), term(1, 'code'), term(0)] }).indexOf('code'),
  ).toBe(1);
  expect(order('hybrid', { ...input, terms: [term(1, 'code'), term(0)] }).indexOf('code')).toBeGreaterThan(10);
});
