/** `docs/errors.md` against the catalogue it is made from. After a change: `npx vitest run test/docs --update`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { errorCatalogue } from '../../src/base/errors.ts';
import { errorsPage } from '../../src/operations/errors-page.ts';
import { notebookRows as table } from '../../src/operations/table.ts';
import { checkoutRoot } from '../source-files.ts';

const page = path.join(checkoutRoot, 'docs/errors.md');

test('TB22 the committed page of errors is the one that the catalogue makes', async () => {
  await expect(errorsPage()).toMatchFileSnapshot(page);
});

test('TB22 the page has exactly the codes of the catalogue, with their numbers', () => {
  const rows = new Map(
    [...readFileSync(page, 'utf8').matchAll(/^\| `([a-z_]+)` \| (.*) \|$/gm)].map((match) => [match[1], match[2]]),
  );
  expect([...rows.keys()]).toEqual(Object.keys(errorCatalogue));
  for (const [code, entry] of Object.entries(errorCatalogue)) {
    expect(rows.get(code)?.startsWith(`${entry.meaning} | ${entry.http} | `)).toBe(true);
  }
});

test('TB22 the page names the tools that can answer a code', () => {
  const text = readFileSync(page, 'utf8');
  for (const row of table) {
    for (const code of row.errors) {
      const line = text.split('\n').find((each) => each.startsWith(`| \`${code}\` |`)) ?? '';
      expect(line.includes(`\`${row.tool.name}\``) || line.endsWith('| all |')).toBe(true);
    }
  }
});
