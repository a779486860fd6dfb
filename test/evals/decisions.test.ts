/** The evaluation of decision search: that its data is what it says, and that its kept run supports what we claim. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { frozen, halfOf, queryClasses, readDecisions, readQueries, sha256OfFile } from '../../evals/decisions/data.ts';
import { measure } from '../../evals/decisions/measure.ts';
import { openStemmer, sharedWords } from '../../evals/decisions/overlap.ts';
import { openSystems } from '../../evals/decisions/systems.ts';
import { hashingEmbedder } from '../../src/retrieval/embeddings/hashing.ts';

const decisions = readDecisions();
const queries = readQueries();
const byId = new Map(decisions.map((decision) => [decision.id, decision]));

test('EV21 the data is the frozen set, byte for byte', () => {
  expect(sha256OfFile('decisions.json')).toBe(frozen['decisions.json']);
  expect(sha256OfFile('queries.json')).toBe(frozen['queries.json']);
  const readme = readFileSync(new URL('../../evals/decisions/README.md', import.meta.url), 'utf8');
  for (const sum of Object.values(frozen)) expect(readme).toContain(sum);
});

test('EV22 every query is in the half that the hash of its decision chooses, and both halves hold every class', () => {
  for (const query of queries) expect(query.half, query.id).toBe(halfOf(query));
  for (const half of ['tune', 'held-out']) {
    const classes = new Set(queries.filter((query) => query.half === half).map((query) => query.class));
    expect([...classes].sort()).toEqual([...queryClasses].sort());
  }
});

test('EV23 ids are unique and answers exist, and only unanswerable queries have none', () => {
  expect(byId.size).toBe(decisions.length);
  expect(new Set(queries.map((query) => query.id)).size).toBe(queries.length);
  for (const query of queries) {
    expect(query.answer === null, query.id).toBe(query.class === 'unanswerable');
    if (query.answer !== null) expect(byId.has(query.answer), query.id).toBe(true);
    if (query.class === 'title') expect(query.text).toBe(byId.get(query.answer ?? '')?.title);
  }
});

describe('paraphrases', () => {
  const stemmer = openStemmer();
  afterAll(() => stemmer.close());

  test('EV24 a paraphrase or a symptom shares no stemmed content word with the decision that answers it', () => {
    for (const query of queries) {
      if (query.class !== 'paraphrase' && query.class !== 'symptom') continue;
      const decision = byId.get(query.answer ?? '');
      expect(sharedWords(stemmer, query.text, `${decision?.title} ${decision?.rationale}`), query.id).toEqual([]);
    }
  });

  test('EV24 the check sees inflections', () => {
    expect(sharedWords(stemmer, 'Locks were held', 'the locking of rows')).toEqual(['lock']);
    expect(sharedWords(stemmer, 'why is it so', 'it is so')).toEqual([]);
  });
});

test('EV25 the kept run was made with this data, and hybrid loses to neither rival nor single mode over all queries', () => {
  const rows = newestRun();
  for (const half of ['tune', 'held-out']) {
    const total = (system: string, number: 'mrr' | 'recallAt5'): number => {
      const of = rows.filter((row) => row.half === half && row.system === system && row.class !== 'unanswerable');
      expect(of).toHaveLength(queryClasses.length - 1);
      return of.reduce((sum, row) => sum + (row.measures[number] ?? 0) * row.measures.queries, 0);
    };
    for (const rival of ['keyword', 'rival: floor 0.30', 'rival: rank fusion']) {
      expect(total('hybrid', 'mrr'), `${half} ${rival}`).toBeGreaterThan(total(rival, 'mrr'));
      expect(total('hybrid', 'recallAt5'), `${half} ${rival}`).toBeGreaterThan(total(rival, 'recallAt5'));
    }
    // On paraphrases the words can only disturb; they may cost a hundredth and bring more elsewhere.
    expect(total('hybrid', 'mrr')).toBeGreaterThan(total('semantic', 'mrr') - 1);
  }
});

test('EV26 in the kept run titles come first and strong, questions come first, and false certainty stays rare', () => {
  const rows = newestRun().filter((row) => row.system === 'hybrid');
  for (const half of ['tune', 'held-out']) {
    const of = (kind: string) => rows.find((row) => row.half === half && row.class === kind)?.measures;
    expect(of('title')?.firstAndStrong).toBe(1);
    expect(of('question')?.recallAt5).toBe(1);
    expect(of('question')?.mrr).toBeGreaterThanOrEqual(0.95);
    expect(of('unanswerable')?.anyStrong).toBeLessThanOrEqual(0.25);
    const answerable = rows.filter((row) => row.half === half && ['question', 'paraphrase'].includes(row.class));
    for (const row of answerable) expect(row.measures.anyStrong).toBeGreaterThanOrEqual(0.8);
  }
});

test('EV27 words alone find every question and every title of the set, measured now', async () => {
  const systems = await openSystems(hashingEmbedder(), decisions);
  for (const kind of ['question', 'title'] as const) {
    const answered = [];
    for (const query of queries.filter((entry) => entry.class === kind)) {
      answered.push({ query, answers: (await systems.answer(query.text)).keyword });
    }
    const measures = measure(answered);
    expect(measures.recallAt5).toBe(1);
    expect(measures.mrr).toBeGreaterThanOrEqual(0.95);
    if (kind === 'title') expect(measures.firstAndStrong).toBe(1);
  }
  await systems.close();
});

interface RunRow {
  readonly half: string;
  readonly class: string;
  readonly system: string;
  readonly measures: {
    readonly queries: number;
    readonly recallAt5: number | null;
    readonly mrr: number | null;
    readonly firstAndStrong: number | null;
    readonly anyStrong: number | null;
  };
}

function newestRun(): readonly RunRow[] {
  const folder = new URL('../../evals/decisions/runs/', import.meta.url);
  const newest = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .at(-1);
  expect(newest).toBeDefined();
  const run: { readonly data: unknown; readonly rows: readonly RunRow[] } = JSON.parse(
    readFileSync(new URL(newest ?? '', folder), 'utf8'),
  );
  expect(run.data).toEqual(frozen);
  return run.rows;
}
