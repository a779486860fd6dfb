/**
 * Compares the static table, MiniLM and keyword search on paraphrase pairs: which of all texts says the same?
 *
 *   node evals/static-table/run.ts                    both halves
 *   node evals/static-table/run.ts --half tune        one half, while tuning
 *   node evals/static-table/run.ts --keep 2026-11-30  also writes runs/2026-11-30.json
 *   node evals/static-table/run.ts --table FOLDER     another table than the one that ships
 *
 * Without the optional model packages the row of MiniLM is left out, and nothing can be kept.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type Embedder, EmbedderFailure } from '../../src/retrieval/embeddings/embedder.ts';
import { openMiniLm } from '../../src/retrieval/embeddings/minilm.ts';
import { openStatic } from '../../src/retrieval/embeddings/static.ts';
import { frozenSha256, halves, pairClasses, readPairs } from './pairs.ts';
import { type Ranking, ranking, type Scores, scoresByVector, scoresByWords } from './systems.ts';

const { values: options } = parseArgs({
  options: { half: { type: 'string' }, keep: { type: 'string' }, table: { type: 'string' } },
});
const chosen = halves.filter((half) => options.half === undefined || options.half === half);
if (chosen.length === 0) throw new Error(`--half is one of ${halves.join(', ')}, not ${options.half}.`);
if (options.keep !== undefined && !/^[\w.-]{1,64}$/.test(options.keep)) throw new Error('--keep is a plain file name.');

const table = await openStatic(
  options.table === undefined ? {} : { folder: pathToFileURL(`${path.resolve(options.table)}/`) },
);
if (table.kind === 'unavailable') throw new EmbedderFailure(table.message, table.reason);
const miniLm = await openMiniLm();
if (miniLm.kind === 'unavailable') console.error(`without MiniLM: ${miniLm.message}`);

const rows: ({ readonly half: string; readonly class: string; readonly system: string } & Ranking)[] = [];
for (const half of chosen) {
  for (const kind of pairClasses) {
    const pairs = readPairs().filter((pair) => pair.half === half && pair.class === kind);
    const queries = pairs.map((pair) => pair.query);
    const texts = pairs.map((pair) => pair.text);
    const add = (system: string, scores: Scores): void =>
      void rows.push({ half, class: kind, system, ...ranking(scores) });
    add('keyword', scoresByWords(queries, texts));
    add('static', await scoresByVector(table.embedder, queries, texts));
    if (miniLm.kind === 'ready') add('MiniLM', await scoresByVector(miniLm.embedder, queries, texts));
  }
}
console.log('half      class   system   pairs    MRR  first  among 5');
for (const { half, class: kind, system, pairs, mrr, first, amongFive } of rows) {
  const numbers = `${mrr.toFixed(3)}  ${first.toFixed(3)}    ${amongFive.toFixed(3)}`;
  console.log(`${half.padEnd(10)}${kind.padEnd(8)}${system.padEnd(9)}${String(pairs).padStart(5)}  ${numbers}`);
}
const textsPerSecond = {
  static: await speed(table.embedder, 20_000),
  ...(miniLm.kind === 'ready' ? { MiniLM: await speed(miniLm.embedder, 40) } : {}),
};
console.log('texts a second:', textsPerSecond);
if (options.keep !== undefined) keep(options.keep);
if (miniLm.kind === 'ready') await miniLm.embedder.close();

/** Sentences of about twenty words, each with words of its own. */
async function speed(embedder: Embedder, count: number): Promise<number> {
  const texts = Array.from(
    { length: count },
    (_, index) =>
      `The function readBlock${index} opens page ${index} of the table, checks its header and returns the rows to the cursor`,
  );
  await embedder.embed(texts.slice(0, Math.ceil(count / 20)));
  const started = performance.now();
  await embedder.embed(texts);
  return Math.round(count / ((performance.now() - started) / 1000));
}

function keep(name: string): void {
  if (miniLm.kind === 'unavailable') throw new Error('A kept run needs MiniLM beside the table.');
  const run = {
    at: new Date().toISOString(),
    command: `node evals/static-table/run.ts ${process.argv.slice(2).join(' ')}`,
    node: process.version,
    machine: `${process.platform} ${process.arch}, ${availableParallelism()} cores`,
    models: [table.kind === 'ready' ? table.embedder.modelId : '', miniLm.embedder.modelId],
    pairsSha256: frozenSha256,
    rows,
    textsPerSecond,
  };
  writeFileSync(new URL(`runs/${name}.json`, import.meta.url), `${JSON.stringify(run, null, 1)}\n`);
}
