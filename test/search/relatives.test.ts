import { expect, test } from 'vitest';
import { lexicalScores } from '../../src/retrieval/search/lexical.ts';
import { parseQuery } from '../../src/retrieval/search/query.ts';
import { searchEntities } from '../../src/retrieval/search/rank.ts';
import { withRelatives } from '../../src/retrieval/search/related-words.ts';
import type { SearchSource } from '../../src/retrieval/search/source.ts';
import { mindBoxes } from '../index/mind-box.ts';
import { project } from './project.ts';
import { sourceOf, vectorOf } from './sources.ts';

const source = await sourceOf(project);
const { boxOf } = mindBoxes();
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

/** What the list has for a word, nearest first, as a source that has nothing else of it says, one after the other. */
function relativesOf(word: string): readonly { readonly term: string; readonly meaning: string }[] {
  const found: { readonly term: string; readonly meaning: string }[] = [];
  for (;;) {
    const passed = new Set(found.map(({ term }) => term));
    const live = [{ chunks: Uint32Array.of(0), counts: Uint16Array.of(1) }];
    const others = { ...source, postings: (term: string) => (passed.has(term) ? [] : live) };
    const [, ...next] = withRelatives(plain(word), others).terms;
    if (next.length === 0) return found;
    for (const { term, meaning } of next) found.push({ term, meaning: meaning ?? '' });
  }
}

/** The same source, in which a chunk that is of no file any more had each of these terms. */
function withDead(living: SearchSource, terms: readonly string[]): SearchSource {
  const dead = living.chunkFile.length;
  const list = { chunks: Uint32Array.of(dead), counts: Uint16Array.of(1) };
  const one = <Numbers extends Int32Array | Uint32Array | Uint16Array>(numbers: Numbers): Numbers => {
    const longer = numbers.slice(0, 0).constructor as new (length: number) => Numbers;
    const padded = new longer(numbers.length + 1);
    padded.set(numbers);
    return padded;
  };
  const { symbol, startLine, endLine, nameLength, headLength, bodyLength } = living.places;
  return {
    ...living,
    generation: living.generation + 1,
    chunkFile: one(living.chunkFile),
    places: {
      symbol: one(symbol),
      startLine: one(startLine),
      endLine: one(endLine),
      nameLength: one(nameLength),
      headLength: one(headLength),
      bodyLength: one(bodyLength),
    },
    postings: (term) => [...living.postings(term), ...(terms.includes(term) ? [list] : [])],
  };
}

test('RK13: a relative or a meaning that only dead chunks have is none, and leaves its place to others', () => {
  for (const word of ['reply', 'expire', 'evict', 'store']) {
    const living = withRelatives(plain(word), source);
    const absent = relativesOf(word)
      .map(({ term }) => term)
      .filter((term) => source.postings(term).length === 0);
    expect(absent.length).toBeGreaterThan(0);
    const stale = withDead(source, absent);
    expect(withRelatives(plain(word), stale)).toEqual(living);
    const tuning = { name: 1, head: 1, body: 1, k1: 1.5, b: 0.75 };
    const own = living.terms[0];
    if (own === undefined) throw new Error('The question has a word.');
    const meant = absent.map((term) => ({ ...own, term, weight: 0.3, meaning: term }));
    const query = { ...living, terms: [own, ...meant] };
    const scores = lexicalScores(stale, query, { chunk: tuning, file: tuning });
    const expected = lexicalScores(source, query, { chunk: tuning, file: tuning });
    expect([...scores.chunks.subarray(0, -1)]).toEqual([...expected.chunks]);
    expect([...scores.files]).toEqual([...expected.files]);
    expect([...scores.coverage]).toEqual([...expected.coverage]);
  }
});

test('RK13: RK29: an index from which a file was removed answers as one that never had it', async () => {
  // Eight relatives of one word, more than are looked up.
  const relatives = relativesOf('abandon')
    .map(({ meaning }) => meaning)
    .slice(0, 8);
  expect(relatives).toHaveLength(8);
  const files = Object.fromEntries(
    relatives.map((word, at) => [`f${at}.py`, `def zz${at}(): # ${word}\n    return '${word}'\n`]),
  );
  const grown = boxOf(files);
  await grown.index();
  grown.remove('f0.py');
  await grown.index();
  const { 'f0.py': _, ...left } = files;
  const fresh = boxOf(left);
  await fresh.index();
  const answers = await Promise.all(
    [grown, fresh].map(async (box) =>
      (await box.query('abandon')).top_search_hits.map(({ source_file, score, why }) => ({ source_file, score, why })),
    ),
  );
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]?.map(({ source_file }) => source_file)).toContain('f6.py');
});
