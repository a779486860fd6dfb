/**
 * `npm run bench:code`: the code mind over a small, a middle, and a large source tree, beside the plain way of the same
 * work in the same run. `--small`, `--middle`, `--large FOLDER` name the trees; without them the pinned ones are
 * fetched. `--json FILE` keeps the run.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Corpus, defaultCacheFolder, fetchCorpus } from '../evals/code/corpora.ts';
import type { TreeNumbers } from './code-tree.ts';

const trees: readonly { readonly size: 'small' | 'middle' | 'large'; readonly corpus: Corpus }[] = [
  {
    size: 'small',
    corpus: {
      name: 'flask',
      language: 'Python',
      from: 'debian',
      package: 'python3-flask=2.2.2-3',
      sha256: '2c8c9a408c2373d8b42f0d3434f17fc1a710bc81e52273b96597b25c57b399d7',
      root: 'usr/lib/python3/dist-packages/flask',
    },
  },
  {
    size: 'middle',
    corpus: {
      name: 'django',
      language: 'Python',
      from: 'debian',
      package: 'python3-django=3:3.2.25-0+deb12u7',
      sha256: '9ad8ed29d9026207970777e194f658c39b3a7a96a932967f043503fc25bdc319',
      root: 'usr/lib/python3/dist-packages/django',
    },
  },
  {
    size: 'large',
    corpus: {
      name: 'go',
      language: 'Go',
      from: 'debian',
      package: 'golang-1.19-src=1.19.8-2',
      sha256: '2dfa82fe4f08f4e0193c532e561af4c91871f5235608f04f2bb8d57bb288df5a',
      root: 'usr/share/go-1.19/src',
    },
  },
];

const here = path.dirname(fileURLToPath(import.meta.url));
const started = new Date();
const cache = option('--cache') ?? defaultCacheFolder();
const rows: { readonly tree: string; readonly numbers: TreeNumbers; readonly coldQueryMs: number }[] = [];
for (const { size, corpus } of trees) {
  const folder = option(`--${size}`) ?? fetchCorpus(corpus, cache);
  rows.push({ tree: `${size}: ${path.basename(folder)}`, numbers: numbersOf(folder), coldQueryMs: coldQuery(folder) });
  print(rows.at(-1));
}
const file = option('--json');
if (file !== null) {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  const machine = {
    cores: os.cpus().length,
    model: os.cpus()[0]?.model,
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
  };
  writeFileSync(file, `${JSON.stringify({ started, commit, node: process.version, machine, rows }, null, 2)}\n`);
}
process.exit(rows.every(({ numbers }) => numbers.correct) ? 0 : 1);

function option(name: string): string | null {
  const at = process.argv.indexOf(name);
  return at === -1 ? null : (process.argv[at + 1] ?? null);
}

function numbersOf(folder: string): TreeNumbers {
  const run = spawnSync(process.execPath, [...process.execArgv, path.join(here, 'code-tree.ts'), folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (run.status !== 0) throw new Error(`measuring ${folder} ended with ${run.status}`);
  // Printed by the process that was just started.
  const numbers: TreeNumbers = JSON.parse(run.stdout);
  return numbers;
}

/** A command line that opens the index, answers and ends, in ms: the median of five. */
function coldQuery(folder: string): number {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'mnemosyne-bench-cold-'));
  try {
    execFileSync('cp', ['-R', `${folder}/.`, copy]);
    const program = path.join(path.dirname(here), 'bin', 'mnemosyne.mjs');
    const env = { ...process.env, HOME: copy, NEURALMIND_DAEMON_HOME: path.join(copy, '.daemon') };
    const command = (args: readonly string[]): void => {
      execFileSync(process.execPath, [program, ...args], {
        env: { ...env, HOME: os.homedir() },
        cwd: copy,
        stdio: 'pipe',
      });
    };
    command(['build', copy]);
    const times: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const begun = performance.now();
      command(['query', 'how is a request answered', '--project', copy, '--json']);
      if (round > 0) times.push(performance.now() - begun);
    }
    return times.sort((a, b) => a - b)[2] ?? Number.NaN;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function print(row: (typeof rows)[number] | undefined): void {
  if (row === undefined) return;
  const { tree, coldQueryMs, numbers: n } = row;
  const seconds = n.buildMs / 1000;
  console.log(`${n.correct ? 'right' : 'WRONG'}  ${tree}: ${n.files} files, ${n.lines} lines`);
  const line = (name: string, value: string, plain = ''): void =>
    console.log(`       ${name.padEnd(24)}${value.padStart(12)}${plain}`);
  line(
    'full build',
    `${seconds.toFixed(1)} s`,
    `  ${Math.round(n.lines / seconds)} lines/s, ${Math.round(n.files / seconds)} files/s; reading alone ${n.readMs.toFixed(0)} ms`,
  );
  line('peak memory', `${n.peakMegabytes} MB`);
  line('nothing changed', `${n.unchangedMs.toFixed(0)} ms`);
  line('one file changed', `${n.oneChangedMs.toFixed(0)} ms`);
  line(
    'warm query p50',
    `${n.queryMs.p50.toFixed(1)} ms`,
    `  p95 ${n.queryMs.p95.toFixed(1)} ms; two words by reading all ${n.plainQueryMs.toFixed(1)} ms`,
  );
  line('cold command', `${coldQueryMs.toFixed(0)} ms`);
  line(
    'index',
    `${(n.indexBytes / 1e6).toFixed(1)} MB`,
    `  ${(n.indexBytes / n.sourceBytes).toFixed(2)} of the source`,
  );
}
