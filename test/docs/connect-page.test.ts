/** `docs/connect.md` says which tools may be let through without a question. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isTool } from '../../src/operations/operation.ts';
import { table } from '../../src/operations/table.ts';

const page = readFileSync(new URL('../../docs/connect.md', import.meta.url), 'utf8');
const tools = table.filter(isTool);
const reading = tools.filter(({ tool }) => tool.annotations.readOnlyHint).map(({ tool }) => tool.name);
const changing = tools.filter(({ tool }) => !tool.annotations.readOnlyHint).map(({ tool }) => tool.name);

test('CM8 the page on connecting names the tools that only read and those that change something', () => {
  const lines = page.split('\n');
  const first = lines.indexOf('| Of | Read only | Change something |') + 2;
  const rows = lines.slice(first, first + 3).map((line) => line.split('|').slice(2, 4));
  const named = (column: 0 | 1) => rows.flatMap((cells) => [...(cells[column] ?? '').matchAll(/`(\w+_\w+)`/g)]);
  expect(
    named(0)
      .map(([, name]) => name)
      .sort(),
  ).toEqual(reading.toSorted());
  expect(
    named(1)
      .map(([, name]) => name)
      .sort(),
  ).toEqual(changing.toSorted());
});

test('CM8 the settings of the page let exactly the reading tools through', () => {
  const [, allow = '', ask = ''] = /"allow": \[([^\]]*)\],\s*"ask": \[([^\]]*)\]/.exec(page) ?? [];
  const names = (list: string) => [...list.matchAll(/"mcp__mnemosyne__(\w+)"/g)].map(([, name]) => name).sort();
  expect(names(allow)).toEqual(reading.toSorted());
  expect(names(ask)).toEqual(changing.toSorted());
});

test('CM8 every URL that a client is given offers all tools', () => {
  const urls = [...page.matchAll(/"http:\/\/127\.0\.0\.1:8000\/mcp[^"]*"/g)].map(([url]) => url);
  expect(urls.length).toBeGreaterThan(3);
  for (const url of urls) expect(url).toContain('tools=all');
});
