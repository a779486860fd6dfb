/**
 * Measures the code mind over one source tree and prints the numbers as JSON: a process of its own for each tree, so
 * that the peak of memory is that of the tree.
 *
 * The tree is copied first: a changed file is changed in the copy.
 */
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { systemClock } from '../src/base/clock.ts';
import type { CodeMind } from '../src/engine/code/code-mind.ts';
import { openCodeMinds } from '../src/engine/code/code-minds.ts';
import { git } from '../src/engine/git.ts';
import { projectIdOf } from '../src/engine/projects/project-id.ts';
import type { Result } from '../src/memory/decisions/outcome.ts';
import { scanProject } from '../src/retrieval/code/scan.ts';
import { indexPath } from '../src/retrieval/index/index-file.ts';
import { IndexReader } from '../src/retrieval/index/index-reader.ts';

export interface TreeNumbers {
  readonly files: number;
  readonly lines: number;
  readonly sourceBytes: number;
  readonly indexBytes: number;
  readonly buildMs: number;
  /** Reading every file and counting its lines, for comparison. */
  readonly readMs: number;
  readonly peakMegabytes: number;
  readonly unchangedMs: number;
  readonly oneChangedMs: number;
  readonly queryMs: { readonly p50: number; readonly p95: number };
  /** Looking for the words of the question in every file, without an index. */
  readonly plainQueryMs: number;
  /** The changed file's new name was found, its old one gone, and names lead to their definitions. */
  readonly correct: boolean;
}

const questionsAsked = 60;
const rounds = 5;

const [given] = process.argv.slice(2);
if (given === undefined) throw new Error('usage: code-tree.ts FOLDER');
const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'mnemosyne-bench-code-')));
cpSync(given, root, { recursive: true });
const minds = openCodeMinds({ clock: systemClock, git, userHome: os.homedir(), onTrouble: () => {} });
const mind = minds.of({ id: projectIdOf(root), name: path.basename(given), path: root });
try {
  process.stdout.write(`${JSON.stringify(await measure(mind))}\n`);
} finally {
  await minds.close();
  rmSync(root, { recursive: true, force: true });
}

async function measure(mind: CodeMind): Promise<TreeNumbers> {
  const texts = await readAll();
  const [buildMs, built] = await timed(() => mind.build({ force: false }));
  must(built);
  const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  const unchanged = await several(async () => must(await mind.build({ force: false })).changed);
  const names = uniqueNames();
  const changed = await changeOne(mind, names[0]);
  const latencies: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    for (const name of names) {
      const question = questionOf(name);
      const [ms] = await timed(() => ask(mind, question));
      if (round > 0) latencies.push(ms);
    }
  }
  latencies.sort((a, b) => a - b);
  const found = await Promise.all(names.map(async (name) => isFirst(mind, name)));
  const plain = await several(
    async () => texts.files.filter((text) => /\bconnection\b|\brequest\b/i.test(text)).length,
  );
  const stats = must(await mind.stats());
  if (!stats.built) throw new Error('the index is gone');
  return {
    files: stats.files,
    lines: stats.lines,
    sourceBytes: texts.bytes,
    indexBytes: statSync(indexPath(root)).size,
    buildMs,
    readMs: texts.ms,
    peakMegabytes,
    unchangedMs: unchanged.ms,
    oneChangedMs: changed.ms,
    queryMs: { p50: at(latencies, 0.5), p95: at(latencies, 0.95) },
    plainQueryMs: plain.ms,
    correct: changed.correct && !unchanged.values.includes(true) && found.every((one) => one),
  };
}

async function readAll(): Promise<{ readonly files: readonly string[]; readonly bytes: number; readonly ms: number }> {
  const scanned = await scanProject(root, os.homedir());
  if (scanned.kind !== 'scanned') throw new Error(scanned.reason);
  const started = performance.now();
  const files = scanned.files.map((file) => readFileSync(path.join(root, file.path), 'utf8'));
  files.reduce((sum, text) => sum + text.split('\n').length, 0);
  const ms = performance.now() - started;
  return { files, bytes: scanned.files.reduce((sum, file) => sum + file.bytes, 0), ms };
}

interface Named {
  readonly name: string;
  readonly id: string;
  readonly path: string;
  readonly summary: string;
}

/** Documented definitions whose name occurs once, spread over the tree. */
function uniqueNames(): readonly Named[] {
  const reader = new IndexReader(indexPath(root));
  try {
    const asked = reader.ask(({ db }) =>
      db
        .prepare<[number], Named>(
          `SELECT MIN(node.name) AS name, 'symbol:' || file.path || '#' || node.qualified_name AS id, file.path AS path,
             node.summary AS summary
           FROM node JOIN file ON file.id = node.file
           WHERE node.kind IN ('function', 'method', 'class') AND length(node.summary) > 30 AND length(node.name) > 8
             AND file.path NOT LIKE '%test%'
             AND (SELECT COUNT(*) FROM node AS other WHERE other.name = node.name COLLATE NOCASE) = 1
           GROUP BY node.name ORDER BY (node.id * 7919) % 10007 LIMIT ?`,
        )
        .all(questionsAsked),
    );
    if (asked.kind !== 'answered') throw new Error(asked.kind);
    return asked.value;
  } finally {
    reader.close();
  }
}

function questionOf({ summary }: Named): string {
  return `where is it decided: ${summary.toLowerCase()}`;
}

async function ask(mind: CodeMind, question: string): Promise<void> {
  const request = { question, query_type: 'auto', context_budget: null, trace: false, trace_verbose: false } as const;
  must(await mind.query({ ...request, learn: false }));
}

async function isFirst(mind: CodeMind, { name, id }: Named): Promise<boolean> {
  const [first] = must(await mind.search({ query: name, n: 1 })).results;
  return first?.id === id;
}

async function changeOne(
  mind: CodeMind,
  named: Named | undefined,
): Promise<{ readonly ms: number; readonly correct: boolean }> {
  if (named === undefined) throw new Error('the tree has no documented definitions');
  const file = path.join(root, named.path);
  const text = readFileSync(file, 'utf8');
  const times: number[] = [];
  let correct = true;
  for (let round = 0; round < rounds; round += 1) {
    const renamed = `${named.name}Anew${round}`;
    writeFileSync(file, text.replaceAll(named.name, renamed));
    const [ms, built] = await timed(() => mind.build({ force: false }));
    times.push(ms);
    correct &&= must(built).files_read === 1;
    const [now] = must(await mind.search({ query: renamed, n: 1 })).results;
    correct &&= now?.source_file === named.path && now.label.endsWith(renamed);
  }
  writeFileSync(file, text);
  must(await mind.build({ force: false }));
  times.sort((a, b) => a - b);
  return { ms: at(times, 0.5), correct };
}

async function timed<Value>(work: () => Promise<Value>): Promise<[number, Value]> {
  const started = performance.now();
  const value = await work();
  return [performance.now() - started, value];
}

async function several<Value>(
  work: () => Promise<Value>,
): Promise<{ readonly ms: number; readonly values: readonly Value[] }> {
  const times: number[] = [];
  const values: Value[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [ms, value] = await timed(work);
    times.push(ms);
    values.push(value);
  }
  times.sort((a, b) => a - b);
  return { ms: at(times, 0.5), values };
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function must<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.value;
}
