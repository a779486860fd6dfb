/** The evaluation of the static table: that its pairs are what it says, and that the shipped table gives the kept numbers. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { frozenSha256, halfOf, halves, pairClasses, readPairs } from '../../evals/static-table/pairs.ts';
import { ranking, scoresByVector, scoresByWords } from '../../evals/static-table/systems.ts';
import { openStatic } from '../../src/retrieval/embeddings/static.ts';

const folder = new URL('../../evals/static-table/', import.meta.url);
const pairs = readPairs();

interface Row {
  readonly half: string;
  readonly class: string;
  readonly system: string;
  readonly pairs: number;
  readonly mrr: number;
}

test('ET30 the pairs are the frozen set, and the hash of an id chooses the half', () => {
  expect(readFileSync(new URL('README.md', folder), 'utf8')).toContain(frozenSha256);
  expect(new Set(pairs.map((pair) => pair.id)).size).toBe(pairs.length);
  for (const pair of pairs) expect(pair.half, pair.id).toBe(halfOf(pair.id));
  for (const half of halves) {
    for (const kind of pairClasses) {
      expect(pairs.filter((pair) => pair.half === half && pair.class === kind).length).toBeGreaterThan(40);
    }
  }
});

test('ET31 a right text counts by its rank, equal scores against it, and an absent one as nothing', () => {
  const scores = [
    [0.9, 0.1, 0.2],
    [0.5, 0.5, 0.1],
    [0.4, 0.3, null],
  ];
  expect(ranking(scores)).toEqual({ pairs: 3, mrr: 0.5, first: 0.333, amongFive: 0.667 });
  expect(scoresByWords(['the locks'], ['locking rows', 'a "quoted" text'])[0]?.map((score) => score !== null)).toEqual([
    true,
    false,
  ]);
});

test('ET32 the shipped table gives the numbers of the kept run and finds far more than keywords', async () => {
  const outcome = await openStatic();
  if (outcome.kind === 'unavailable') throw new Error(outcome.message);
  const { rows, models, pairsSha256 } = newestRun();
  expect(pairsSha256).toBe(frozenSha256);
  expect(models).toContain(outcome.embedder.modelId);
  for (const half of halves) {
    for (const kind of pairClasses) {
      const chosen = pairs.filter((pair) => pair.half === half && pair.class === kind);
      const queries = chosen.map((pair) => pair.query);
      const texts = chosen.map((pair) => pair.text);
      const table = ranking(await scoresByVector(outcome.embedder, queries, texts));
      const keyword = ranking(scoresByWords(queries, texts));
      expect(rows).toContainEqual({ half, class: kind, system: 'static', ...table });
      expect(rows).toContainEqual({ half, class: kind, system: 'keyword', ...keyword });
      expect(table.mrr).toBeGreaterThan(3 * keyword.mrr);
    }
  }
  await outcome.embedder.close();
});

function newestRun(): { rows: readonly Row[]; models: readonly string[]; pairsSha256: string } {
  const runs = new URL('runs/', folder);
  const newest = readdirSync(runs).sort().at(-1);
  if (newest === undefined) throw new Error('There is no kept run.');
  // Written by run.ts in exactly this shape; the comparisons above fail for any other.
  return JSON.parse(readFileSync(new URL(newest, runs), 'utf8')) as ReturnType<typeof newestRun>;
}
