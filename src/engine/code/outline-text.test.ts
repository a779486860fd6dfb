import { expect, test } from 'vitest';
import { factsOf } from '../../../test/code/sources.ts';
import { skeleton } from '../../retrieval/graph/skeleton.ts';
import { outlineNote, outlineText } from './outline-text.ts';

async function outlined(file: string, source: string): Promise<readonly string[]> {
  return outlineText(skeleton(await factsOf(file, source))).split('\n');
}

test('CC32: of several values that one declaration gives the first shows it and the others name that one', async () => {
  const python = [
    'a = b = c = 1',
    'd = a == b',
    'first = second = {',
    '    "one": 1,',
    '}',
    'x, y = 1, 2',
    `long = longer = "${'z'.repeat(400)}"`,
    'class K:',
    '    def __init__(self):',
    '        self.one = self.two = 0',
    '        self.three = 0',
    '',
  ].join('\n');
  expect(await outlined('a.py', python)).toEqual([
    '1  a = b = c = 1',
    '1  variable b, declared with a',
    '1  variable c, declared with a',
    '2  d = a == b',
    '3-5  first = second = {…',
    '3-5  variable second, declared with first',
    '6  x, y = 1, 2',
    '6  variable y, declared with x',
    expect.stringMatching(/^7 {2}long = longer = "z+…$/),
    '7  variable longer, declared with long',
    '8-11  class K:',
    '  9-11  def __init__(self):',
    '  10  self.one = self.two = 0',
    '  10  field two, declared with one',
    '  11  self.three = 0',
  ]);
  expect(await outlined('c.c', 'int a = 1, b = 2, *c;\nint d = 1;\n')).toEqual([
    '1  int a = 1, b = 2, *c;',
    '1  variable b, declared with a',
    '1  variable c, declared with a',
    '2  int d = 1;',
  ]);
  const apart = await outlined('s.ts', 'export const s = 1, t = 2, u = { a: 1 };\n');
  expect(apart.filter((line) => line.includes('declared with'))).toEqual([]);
  expect(apart.slice(0, 3)).toEqual(['1  s = 1', '1  t = 2', '1  u = { a: 1 }']);
});

test('CC32: a page that begins inside such a declaration shows it', async () => {
  const facts = await factsOf('a.py', 'a = b = 1\n');
  expect(outlineText(skeleton(facts, { offset: 1 }))).toBe('1  b = 1');
});

test('CC33: an offset behind the last symbol is told with the last one there is', async () => {
  const facts = await factsOf('a.py', 'a = 1\nb = 2\n');
  const noted = (offset: number) => outlineNote({ ...skeleton(facts, { offset }), textOnly: null });
  expect(noted(1)).toBeNull();
  expect(noted(2)).toBe('nothing is left at offset 2: the last symbol has offset 1');
  expect(noted(9_999)).toBe('nothing is left at offset 9,999: the last symbol has offset 1');
});
