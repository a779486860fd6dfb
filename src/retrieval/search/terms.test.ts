import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseQuery } from './query.ts';
import { eachWord, stemOf, termsOf, termsOfWord, wholeTerm } from './terms.ts';

describe('terms of identifiers and words', () => {
  test.each([
    ['readJSONFiles', ['readjsonfil', 'read', 'json', 'file']],
    ['utf8_decode', ['utf8decode', 'utf8', 'utf', 'decod']],
    ['parseURLs', ['parseurl', 'pars', 'url']],
    ['HTTPServer', ['httpserver', 'http', 'server']],
    ['__init__', ['init']],
    ['Überall', ['uberal']],
    ['x', []],
    ['sha256', ['sha256', 'sha', '256']],
  ])('RK1: %s', (word, terms) => {
    expect(termsOf(word)).toEqual(terms);
  });

  test('RK1: every form of one identifier shares its whole term', () => {
    const forms = ['atomicWriteJson', 'AtomicWriteJson', 'atomic_write_json', 'ATOMIC_WRITE_JSON'];
    for (const form of forms) expect(termsOf(form)[0]).toBe('atomicwritejson');
    for (const form of ['keepalive', 'keepAlive', 'keep_alives']) expect(termsOf(form)[0]).toBe(stemOf('keepalive'));
    expect(wholeTerm('atomic-write-json')).toBe('atomicwritejson');
  });

  test('RK2: forms and spellings of an English word share a stem', () => {
    expect(new Set(['cache', 'cached', 'caches', 'caching'].map(stemOf)).size).toBe(1);
    expect(stemOf('serialise')).toBe(stemOf('serialize'));
    expect(stemOf('initialising')).toBe(stemOf('initializing'));
    expect(stemOf('behaviour')).toBe(stemOf('behavior'));
    expect(stemOf('hour')).toBe('hour');
    expect(stemOf('v2')).toBe('v2');
  });

  test('RK3: scripts without spaces give characters and pairs, and the identifiers glued to them', () => {
    expect(termsOf('重跑gen_itgc后50条')).toEqual(
      expect.arrayContaining(['重', '跑', '重跑', 'genitgc', 'gen', 'itgc', '50']),
    );
    expect(termsOf('しりとり')).toContain('りと');
    expect(termsOf('끝말잇기')).toContain('말잇');
  });

  test('RK4: keys, hashes and long numbers are no terms', () => {
    expect(termsOf('a'.repeat(200))).toEqual([]);
    expect(termsOf('0123456789')).toEqual([]);
    expect(termsOf('404')).toEqual(['404']);
  });

  test('RK5: any text has terms or none, and never fails (seed 7)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const term of termsOf(text)) expect(term).not.toBe('');
        expect(parseQuery(text).terms.length).toBeLessThanOrEqual(64 + 160);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  test('RK5: the fast walk over ASCII finds the words of a slow one (seed 11)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 100 }), (text) => {
        const words: string[] = [];
        eachWord(text, 0, text.length, (word) => words.push(word));
        expect(words).toEqual(text.match(/\w{2,}/g) ?? []);
      }),
      { seed: 11, numRuns: 300 },
    );
  });

  test('RK5: names of object members are terms as others are', () => {
    expect(termsOfWord('constructor')).toEqual([stemOf('constructor')]);
    expect(parseQuery('toString __proto__').terms.map(({ term }) => term)).toContain('tostr');
  });
});

describe('questions', () => {
  const own = (text: string) => parseQuery(text, { meanings: false }).terms.map(({ term }) => term);

  test('RK6: a question is looked up by its content words', () => {
    expect(own('How do we know when the cache expires?')).toEqual(['know', 'cach', 'expir', 'cacheexpir']);
  });

  test('RK6: one of stop words alone is looked up by them', () => {
    expect(own('all')).toEqual(['all']);
  });

  test('RK6: neighbours are looked up as one identifier too', () => {
    expect(own('timed out')).toEqual(['time', 'timeout']);
    expect(own('who logs in')).toEqual(['log', 'login']);
    expect(own('keep alive')).toContain(stemOf('keepalive'));
    expect(own('host name')).toEqual(['host', 'name', 'hostnam']);
  });

  test('RK7: what a word may mean is looked up for less, and told with the word', () => {
    const terms = parseQuery('folder').terms;
    expect(terms.find(({ term }) => term === stemOf('directory'))).toMatchObject({
      label: 'folder',
      meaning: 'directory',
    });
    expect(terms.filter(({ meaning }) => meaning !== null).every(({ weight }) => weight < 1)).toBe(true);
    expect(terms[0]).toMatchObject({ term: 'folder', weight: 1, meaning: null });
  });

  test('RK8: a text of any length is looked up in bounded time, and what was left out is counted', () => {
    const text = Array.from(
      { length: 500 },
      (_, index) => `word${String.fromCharCode(97 + (index % 26))}x${index}`,
    ).join(' ');
    const query = parseQuery(text);
    expect(query.terms.length).toBeLessThanOrEqual(64 + 160 + 3);
    expect(query.cut).toBeGreaterThan(100);
  });

  test('RK9: a question says itself whether it is about tests or documents', () => {
    expect(parseQuery('which tests cover login?')).toMatchObject({ asksTests: true, asksDocuments: false });
    expect(parseQuery('is there a guide to plugins?')).toMatchObject({ asksTests: false, asksDocuments: true });
    expect(parseQuery('attest the latest contest')).toMatchObject({ asksTests: false });
  });
});
