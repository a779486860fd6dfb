/**
 * Answers the structural facts with the linker and with a plain search, and compares both with the exact answers.
 *
 *   node evals/code/structure/run.ts --sources FOLDER                    a folder with one folder for each corpus
 *   node evals/code/structure/run.ts --sources FOLDER --half tune        one half, while tuning
 *   node evals/code/structure/run.ts --sources FOLDER --wrong            also lists what was missed or added
 *   node evals/code/structure/run.ts --sources FOLDER --keep 2026-11-30  also writes runs/2026-11-30.json
 *
 * Reads sources and opens no project. README.md says which sources they are.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { link } from '../../../src/retrieval/code/link.ts';
import { ParsePool } from '../../../src/retrieval/code/parse-pool.ts';
import { readProjectConfig } from '../../../src/retrieval/code/resolve/project-config.ts';
import { scanProject } from '../../../src/retrieval/code/scan.ts';
import type { FileFacts } from '../../../src/retrieval/code/symbol.ts';
import { byEdges, byWords } from './answers.ts';
import { type Corpus, corpora, type Half, halfOf, type Relation, readFacts, relations } from './facts.ts';

interface Row {
  readonly corpus: Corpus;
  readonly id: string;
  readonly half: Half;
  readonly relation: Relation;
  readonly system: 'edges' | 'words';
  readonly isExact: boolean;
  readonly missing: readonly string[];
  readonly extra: readonly string[];
}

interface Timing {
  readonly corpus: Corpus;
  readonly files: number;
  readonly symbols: number;
  readonly edges: number;
  readonly linkMs: number;
}

const { values: options } = parseArgs({
  options: {
    sources: { type: 'string' },
    half: { type: 'string' },
    keep: { type: 'string' },
    wrong: { type: 'boolean', default: false },
  },
});
if (options.sources === undefined) throw new Error('--sources names the folder that holds the corpora.');
if (options.half !== undefined && options.half !== 'tune' && options.half !== 'held-out')
  throw new Error(`--half is tune or held-out, not ${options.half}.`);
if (options.keep !== undefined && !/^[\w.-]{1,64}$/.test(options.keep)) throw new Error('--keep is a plain file name.');

const rows: Row[] = [];
const timings: Timing[] = [];
for (const corpus of corpora) await answerAll(corpus, path.join(options.sources, corpus));
print();
if (options.keep !== undefined) keep(options.keep);

async function answerAll(corpus: Corpus, root: string): Promise<void> {
  const scanned = await scanProject(root);
  if (scanned.kind === 'refused') throw new Error(`${root} cannot be read: ${scanned.reason}.`);
  const read = (file: string): string => readFileSync(path.join(scanned.root, file), 'utf8');
  const files: { facts: FileFacts; text: string }[] = [];
  const pool = new ParsePool();
  const paths = scanned.files.map((file) => file.path).filter((file) => /\.(py|go|tsx?)$/.test(file));
  for await (const { path: file, outcome } of pool.parseAll(scanned.root, paths)) {
    if (outcome.kind !== 'parsed') throw new Error(`${file} was not parsed: ${outcome.reason}.`);
    files.push({ facts: outcome.facts, text: read(file) });
  }
  await pool.close();
  const config = readProjectConfig(scanned.configFiles, (file) =>
    scanned.configFiles.includes(file) ? read(file) : null,
  );
  const started = performance.now();
  const edges = [
    ...link(
      files.map((file) => file.facts),
      config,
    ),
  ].flatMap((file) => file.edges);
  timings.push({
    corpus,
    files: files.length,
    symbols: files.reduce((sum, file) => sum + file.facts.symbols.length, 0),
    edges: edges.length,
    linkMs: Math.round(performance.now() - started),
  });
  const systems = { edges: byEdges(edges), words: byWords(files) };
  for (const fact of readFacts(corpus)) {
    const half = halfOf(fact);
    if (options.half !== undefined && options.half !== half) continue;
    for (const system of ['edges', 'words'] as const) {
      const given = systems[system](fact);
      const missing = fact.answer.filter((id) => !given.includes(id));
      const extra = given.filter((id) => !fact.answer.includes(id));
      const isExact = missing.length === 0 && extra.length === 0;
      rows.push({ corpus, id: fact.id, half, relation: fact.relation, system, isExact, missing, extra });
      if (options.wrong && system === 'edges' && !isExact) {
        console.log(`${fact.id} ${half} ${fact.relation} ${fact.symbol}`);
        for (const id of missing) console.log(`  missing ${id}`);
        for (const id of extra) console.log(`  extra   ${id}`);
      }
    }
  }
}

function print(): void {
  console.log('half      system  relation       facts  exact  missing  extra');
  for (const half of ['tune', 'held-out'] as const) {
    for (const system of ['edges', 'words'] as const) {
      for (const relation of [...relations, null]) {
        const chosen = rows.filter(
          (row) => row.half === half && row.system === system && (relation === null || row.relation === relation),
        );
        if (chosen.length === 0) continue;
        const counts = [
          chosen.length,
          chosen.filter((row) => row.isExact).length,
          chosen.reduce((sum, row) => sum + row.missing.length, 0),
          chosen.reduce((sum, row) => sum + row.extra.length, 0),
        ];
        const [facts, exact, missing, extra] = counts.map(String);
        console.log(
          `${half.padEnd(10)}${system.padEnd(8)}${(relation ?? 'all').padEnd(13)}${facts?.padStart(7)}${exact?.padStart(7)}` +
            `${missing?.padStart(9)}${extra?.padStart(7)}`,
        );
      }
    }
  }
  for (const { corpus, files, symbols, edges, linkMs } of timings)
    console.log(`${corpus}: ${files} files, ${symbols} symbols, ${edges} edges, linked in ${linkMs} ms`);
}

function keep(name: string): void {
  const run = {
    at: new Date().toISOString(),
    command: `node evals/code/structure/run.ts ${process.argv.slice(2).join(' ')}`.replace(
      options.sources ?? '',
      'SOURCES',
    ),
    node: process.version,
    processors: availableParallelism(),
    timings,
    rows,
  };
  writeFileSync(new URL(`./runs/${name}.json`, import.meta.url), `${JSON.stringify(run, null, 2)}\n`);
}
