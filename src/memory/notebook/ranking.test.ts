import { expect, test } from 'vitest';
import { makeQuery, matchRecord, termsOf } from './ranking.ts';
import type { StoredRecord } from './store.ts';

function stored(path: string, members: { title?: string; content?: string; tags?: string[] }): StoredRecord {
  const { title = null, content = '-', tags = [] } = members;
  return { record: { schema_version: 1, id: 'x', content, title, tags }, scope: 'project', path, sha256: '' };
}

test.each([
  ['Old_lock-gate/v2.json', ['old', 'lock', 'gate', 'v2', 'json']],
  ['a I x 7 42 ii', ['42', 'ii']],
  ['What is the USER to do', []],
  ['ΣΊΣΥΦΟΣ Straße', ['σίσυφοσ', 'strasse']],
  ['e\u0301tat', ['tat']],
  ['\u00e9tat', ['\u00e9tat']],
  ['\u{1d400} \u{1d400}\u{1d401}', ['\u{1d400}\u{1d401}']],
  ['ⅷ½ ٣٤', ['ⅷ½', '٣٤']],
  ['boats boats BOATS', ['boats']],
])('NB7 terms of %j', (text, terms) => {
  expect([...termsOf(text)]).toEqual(terms);
});

test.each([
  ['a whole tag weighs 4', { tags: ['Old  Lock'] }, 'nothing', ['old lock'], 4],
  ['part of a tag is no tag, but its terms count', { tags: ['old lock'] }, 'lock', ['lock'], 2],
  ['the title weighs 3', { title: 'lock' }, 'lock', [], 3],
  ['a tag term weighs 2', { tags: ['lock'] }, 'lock', [], 2],
  ['the path weighs 2', {}, 'json', [], 2],
  ['path and tag together count once', { tags: ['json'] }, 'json', [], 2],
  ['the content weighs 1', { content: 'lock' }, 'lock', [], 1],
  ['fields add up', { title: 'lock', content: 'lock lock', tags: ['lock'] }, 'lock Lock', ['LOCK'], 10],
  ['nothing in common is no match', { title: 'boats' }, 'lock', ['boats'], undefined],
])('NB8 %s', (_, members, query, tags, score) => {
  expect(matchRecord(makeQuery(query, tags), stored('note.json', members))?.score).toBe(score);
});

test('NB8 matches are shown folded and in code point order', () => {
  const record = stored('n.json', { title: 'Zebra \u{1d400}\u{1d401} ﬁre apple', tags: ['B', 'a'] });
  const match = matchRecord(makeQuery('zebra \u{1d400}\u{1d401} FIRE Apple', ['B', 'A']), record);
  expect(match?.terms).toEqual(['apple', 'fire', 'zebra', '\u{1d400}\u{1d401}']);
  expect(match?.tags).toEqual(['a', 'b']);
});

test('NB8 one record object at two paths is searched at both', () => {
  const first = stored('boats.json', {});
  const second = { ...first, path: 'lock.json' };
  const query = makeQuery('lock', []);
  expect(matchRecord(query, first)).toBeUndefined();
  expect(matchRecord(query, second)?.score).toBe(2);
});
