/**
 * Asks every question of every corpus and compares the default ranking with its parts and with baselines.
 *
 *   npm run eval:code                         both halves
 *   npm run eval:code -- --half tuning        while tuning
 *   npm run eval:code -- --corpus twisted     some corpora; the flag may be repeated
 *   npm run eval:code -- --set everyday       one set; the held-out one is asked in no other way and only with --keep
 *   npm run eval:code -- --check              asks nothing: fetches the corpora and looks for the files of the questions
 *   npm run eval:code -- --cache FOLDER       where the corpora are kept
 *   npm run eval:code -- --keep 2026-11-30    also writes runs/2026-11-30.json
 *
 * A plain run leaves the held-out set out, and so does --corpus. Nothing is learned and nothing indexed on the disk. Ends with 1 when a baseline is as good as the default on the
 * frozen half of all questions or of one set, in recall at 5 or in MRR.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { corpora, defaultCacheFolder, fetchCorpus, heldOutCorpora, type QuestionSet, sets } from './corpora.ts';
import { indexCorpus, readCorpus } from './index-corpus.ts';
import { type Answered, type Measures, measure } from './measures.ts';
import { faultsOf, frozenSha256, type Half, halfOf, halves, type Question, readQuestions } from './questions.ts';
import { hasRipgrep, type System, systems, tokensOf } from './systems.ts';

const { values: options } = parseArgs({
  options: {
    half: { type: 'string' },
    corpus: { type: 'string', multiple: true },
    set: { type: 'string' },
    check: { type: 'boolean', default: false },
    cache: { type: 'string' },
    keep: { type: 'string' },
  },
});
const chosenSet = sets.find((set) => set === options.set);
if (chosenSet !== options.set) throw new Error(`--set is one of ${sets.join(', ')}, not ${options.set}.`);
const halvesOfSet = chosenSet === 'held-out' ? (['frozen'] as const) : halves;
const chosenHalves = halvesOfSet.filter((half) => options.half === undefined || options.half === half);
if (chosenHalves.length === 0) throw new Error(`--half is one of ${halvesOfSet.join(', ')}, not ${options.half}.`);
const corporaOfSet =
  chosenSet === undefined ? corpora : [...corpora, ...heldOutCorpora].filter(({ set }) => set === chosenSet);
const chosenCorpora = corporaOfSet.filter(({ name }) => options.corpus === undefined || options.corpus.includes(name));
if (chosenCorpora.length === 0) {
  throw new Error(`--corpus is one of ${corporaOfSet.map(({ name }) => name).join(', ')}.`);
}
if (options.check) process.exit(check() ? 0 : 1);
if (options.keep !== undefined) {
  if (!/^[\w.-]{1,64}$/.test(options.keep)) throw new Error('--keep is a plain file name.');
  const isComplete = chosenCorpora.length === corporaOfSet.length && chosenHalves.length === halvesOfSet.length;
  if (!isComplete || (chosenSet !== undefined && chosenSet !== 'held-out')) {
    throw new Error('A kept run has both halves of all corpora, or the whole held-out set.');
  }
  if (chosenSet === 'held-out' && existsSync(runFile(options.keep)))
    throw new Error(`${options.keep} is kept already.`);
} else if (chosenSet === 'held-out') {
  throw new Error('Every look at the held-out set is kept: say --keep, and write it down in README.md.');
}

const compared = systems.filter(({ name }) => name !== 'ripgrep' || hasRipgrep());
if (compared.length < systems.length) console.error('without ripgrep: rg is not installed');

interface Asked extends Answered {
  readonly corpus: string;
  readonly set: QuestionSet;
  readonly half: Half;
  readonly system: System;
}

const asked: Asked[] = [];
const questions: Question[] = [];
for (const corpus of chosenCorpora) {
  const indexed = await indexCorpus(await readCorpus(fetchCorpus(corpus, options.cache ?? defaultCacheFolder())));
  for (const question of readQuestions(corpus.name)) {
    questions.push(question);
    const half = halfOf(question);
    if (!chosenHalves.includes(half)) continue;
    for (const system of compared) {
      const { files, text, ms } = await system.answer(indexed, question.question);
      const told = { corpus: corpus.name, set: corpus.set, half, system, gold: question.gold };
      asked.push({ ...told, files, tokens: tokensOf(text), ms });
    }
  }
  console.error(`${corpus.name}: ${indexed.files.length} files`);
}

interface Row extends Measures {
  readonly half: Half;
  /** A corpus, a set or `all`. */
  readonly questionsOf: string;
  readonly system: string;
}

const all = 'all';
const chosenSets = sets.filter((set) => chosenCorpora.some((corpus) => corpus.set === set));
const totals = chosenSets.length > 1 ? [all, ...chosenSets] : chosenSets;
const rows: readonly Row[] = chosenHalves.flatMap((half) =>
  [...totals, ...chosenCorpora.map(({ name }) => name)].flatMap((questionsOf) =>
    compared.map((system) => ({
      half,
      questionsOf,
      system: system.name,
      ...measure(
        asked.filter(
          (one) => one.half === half && one.system === system && [all, one.set, one.corpus].includes(questionsOf),
        ),
      ),
    })),
  ),
);

for (const half of chosenHalves) {
  const own = rows.filter((row) => row.half === half);
  for (const total of totals) {
    const ofTotal = own.filter(({ questionsOf }) => questionsOf === total);
    console.log(`\n${half} half, ${total}, ${ofTotal[0]?.questions ?? 0} questions`);
    console.log('system                recall@5  recall@8  first    MRR  tokens     ms');
    for (const row of ofTotal) console.log(lineOf(row));
  }
  const byCorpus = chosenCorpora.flatMap(({ name }) =>
    own.filter(({ questionsOf, system }) => questionsOf === name && system === 'default'),
  );
  console.log(byCorpus.map((row) => `${row.questionsOf} ${row.recallAt5.toFixed(2)}/${row.mrr.toFixed(2)}`).join('  '));
}
if (options.keep !== undefined) keep(options.keep);

const beaten = baselinesNotBeaten();
if (beaten.length > 0) {
  console.error(`\nnot better than: ${beaten.join(', ')}`);
  process.exitCode = 1;
}

/** Whether all questions are sound. */
function check(): boolean {
  const faults = chosenCorpora.flatMap((corpus) => {
    const own = readQuestions(corpus.name);
    console.log(
      `${corpus.name}: ${own.length} questions, ${own.filter(({ sharesWords }) => sharesWords).length} share words`,
    );
    return faultsOf(corpus.name, own, fetchCorpus(corpus, options.cache ?? defaultCacheFolder()));
  });
  for (const fault of faults) console.error(fault);
  return faults.length === 0;
}

function lineOf(row: Row): string {
  const numbers = [row.recallAt5.toFixed(3), row.recallAt8.toFixed(3), row.first.toFixed(3), row.mrr.toFixed(3)];
  const [recallAt5 = '', recallAt8 = '', first = '', mrr = ''] = numbers;
  return (
    `${row.system.padEnd(20)}${recallAt5.padStart(10)}${recallAt8.padStart(10)}${first.padStart(7)}` +
    `${mrr.padStart(7)}${row.tokens.toFixed(0).padStart(8)}${row.ms.toFixed(1).padStart(7)}`
  );
}

function baselinesNotBeaten(): readonly string[] {
  const baselines = new Set(systems.filter(({ isBaseline }) => isBaseline).map(({ name }) => name));
  return totals.flatMap((total) => {
    const frozen = rows.filter((row) => row.half === 'frozen' && row.questionsOf === total);
    const ours = frozen.find((row) => row.system === 'default');
    if (ours === undefined) return [];
    return frozen
      .filter((row) => baselines.has(row.system))
      .filter((row) => row.recallAt5 >= ours.recallAt5 || row.mrr >= ours.mrr)
      .map((row) => `${row.system} (${total})`);
  });
}

function keep(name: string): void {
  const run = {
    at: new Date().toISOString(),
    command: `npm run eval:code -- ${process.argv.slice(2).join(' ')}`,
    node: process.version,
    machine: `${process.platform} ${process.arch}, ${availableParallelism()} cores`,
    corpora: chosenCorpora.map(({ name, set, package: pinned, sha256, more }) => ({
      name,
      set,
      package: pinned,
      sha256,
      more,
    })),
    frozenQuestionsSha256: frozenSha256(questions),
    rows,
  };
  writeFileSync(runFile(name), `${JSON.stringify(run, null, 1)}\n`);
}

function runFile(name: string): URL {
  return new URL(`runs/${name}.json`, import.meta.url);
}
