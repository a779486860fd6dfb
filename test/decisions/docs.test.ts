import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { eventKinds } from '../../src/memory/decisions/events.ts';
import { searchedFields } from '../../src/memory/decisions/search-index.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../docs/decisions.md'), 'utf8');

test('DC69 the page on decisions names exactly the fields that search reads, with their weights', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| ([\d.]+) \|$/gm)].map(([, field, weight]) => ({
    field,
    weight: Number(weight),
  }));
  expect(rows).toEqual(searchedFields);
});

test('DC97 the page on decisions names every kind of event', () => {
  for (const kind of eventKinds) expect(page).toContain(`\`${kind}\``);
});
