/**
 * Compares keyword, semantic and hybrid search over decisions, and two rivals, on the frozen queries.
 *
 *   node evals/decisions/run.ts                    both halves, as tables
 *   node evals/decisions/run.ts --half tune        one half, while tuning
 *   node evals/decisions/run.ts --keep 2026-11-30  also writes runs/2026-11-30.json
 *   node evals/decisions/run.ts --misses           also lists what hybrid does not find among five
 *
 * Needs the optional model packages; without them it says so and ends with exit code 4. Opens no project's store.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { openMiniLm } from '../../src/retrieval/embeddings/minilm.ts';
import { frozen, type Half, halves, queryClasses, readDecisions, readQueries } from './data.ts';
import { type Answered, type Measures, measure } from './measure.ts';
import { openSystems, type SystemName, systemNames } from './systems.ts';

interface Row {
  readonly half: Half;
  readonly class: string;
  readonly system: SystemName;
  readonly measures: Measures;
}

const { values: options } = parseArgs({
  options: { half: { type: 'string' }, keep: { type: 'string' }, misses: { type: 'boolean', default: false } },
});
const chosenHalves = halves.filter((half) => options.half === undefined || options.half === half);
if (chosenHalves.length === 0) throw new Error(`--half is one of ${halves.join(', ')}, not ${options.half}.`);
if (options.keep !== undefined && !/^[\w.-]{1,64}$/.test(options.keep)) throw new Error('--keep is a plain file name.');

const outcome = await openMiniLm();
if (outcome.kind === 'unavailable') {
  console.error(outcome.message);
  process.exit(4);
}
const { embedder } = outcome;
const decisions = readDecisions();
const queries = readQueries().filter((query) => chosenHalves.includes(query.half));
const systems = await openSystems(embedder, decisions);
const answered = new Map<SystemName, Answered[]>(systemNames.map((name) => [name, []]));
for (const query of queries) {
  const answers = await systems.answer(query.text);
  for (const name of systemNames) answered.get(name)?.push({ query, answers: answers[name] });
}
await systems.close();
await embedder.close();

const rows: Row[] = [];
for (const half of chosenHalves) {
  for (const kind of queryClasses) {
    for (const system of systemNames) {
      const of = (answered.get(system) ?? []).filter(({ query }) => query.half === half && query.class === kind);
      rows.push({ half, class: kind, system, measures: measure(of) });
    }
  }
}
for (const half of chosenHalves) print(half);
if (options.misses) printMisses();
if (options.keep !== undefined) keep(options.keep);

function print(half: Half): void {
  console.log(
    `\n${half}: ${decisions.length} decisions, ${queries.filter((query) => query.half === half).length} queries`,
  );
  console.log('class         system                  n  recall@5     MRR  1st+strong  any strong');
  for (const { class: kind, system, measures } of rows.filter((row) => row.half === half)) {
    const cells = [measures.recallAt5, measures.mrr, measures.firstAndStrong, measures.anyStrong];
    const numbers = cells.map((value, index) => (value?.toFixed(3) ?? '-').padStart([10, 8, 12, 12][index] ?? 10));
    console.log(`${kind.padEnd(14)}${system.padEnd(20)}${String(measures.queries).padStart(5)}${numbers.join('')}`);
  }
}

function printMisses(): void {
  console.log('\nnot among the first five of hybrid');
  for (const { query, answers } of answered.get('hybrid') ?? []) {
    if (query.answer === null) continue;
    const rank = answers.findIndex(({ id }) => id === query.answer) + 1;
    if (rank === 0 || rank > 5) console.log(`${String(rank).padStart(4)}  ${query.id}: ${query.text}`);
  }
}

function keep(name: string): void {
  const run = {
    at: new Date().toISOString(),
    command: `node evals/decisions/run.ts ${process.argv.slice(2).join(' ')}`,
    node: process.version,
    machine: `${process.platform} ${process.arch}, ${availableParallelism()} cores`,
    model: embedder.modelId,
    data: frozen,
    rows,
  };
  writeFileSync(new URL(`runs/${name}.json`, import.meta.url), `${JSON.stringify(run, null, 1)}\n`);
}
