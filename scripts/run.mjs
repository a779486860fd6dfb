/**
 * Every npm script goes through here, so that a fresh clone needs one command: install what is missing, find a Node
 * that can run the program, then run it. Plain JavaScript, because it has to work before anything is installed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSupportedNode } from '../bin/node-version.mjs';
import { isBuildStale, publishBuild, sourceHash } from './build-state.mjs';
import { npmCi } from './npm-ci.mjs';
import { startArguments } from './start-arguments.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** Where the person stands: npm runs scripts in the checkout. */
const folder = process.env.INIT_CWD ?? process.cwd();
const sourceFlags = ['--disable-warning=ExperimentalWarning'];

const commands = {
  start: (args) => build() || run([at('bin/mnemosyne.mjs'), ...startArguments(args, root, folder)]),
  dev: (args) =>
    run([...sourceFlags, `--watch-path=${at('src')}`, '--watch-preserve-output', at('src/main.ts'), ...args]),
  build: () => build(),
  check: () => check(),
  format: () => runToEnd([at('node_modules/@biomejs/biome/bin/biome'), 'check', '--write', '.']),
  test: (args) =>
    (args.length === 0 ? check() : 0) ||
    run([at('node_modules/vitest/vitest.mjs'), 'run', ...args], { NODE_ENV: 'test' }),
  bench: (args) => run([...sourceFlags, at('bench/run.ts'), ...args]),
  'bench:code': (args) => build() || run([...sourceFlags, at('bench/code.ts'), ...args]),
  'eval:code': (args) => run([...sourceFlags, at('evals/code/run.ts'), ...args]),
  eval: (args) => run([...sourceFlags, at('evals/decisions/run.ts'), ...args]),
};

const [name, ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined;
if (command === undefined) {
  console.error(`usage: node scripts/run.mjs <${Object.keys(commands).join('|')}> [arguments]`);
  process.exit(2);
}
await install();
process.exit(await command(args));

function at(relative) {
  return path.join(root, relative);
}

/** Installs exactly the locked packages, once per state of the lock file. */
async function install() {
  const lock = createHash('sha256')
    .update(readFileSync(at('package-lock.json')))
    .digest('hex');
  const marker = at('node_modules/.installed-lock');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === lock) return;
  console.error('Installing the locked packages ...');
  const status = await npmCi(root);
  if (status !== 0) {
    console.error('The packages could not be installed; see the messages of npm above.');
    process.exit(status);
  }
  writeFileSync(marker, lock);
}

/** The Node that runs us when it is a supported one, else the one that came with the packages. */
function supportedNode() {
  if (process.env.MNEMOSYNE_NODE) return process.env.MNEMOSYNE_NODE;
  return isSupportedNode(process.versions.node) ? process.execPath : at('node_modules/node/bin/node');
}

function check() {
  return runToEnd([at('node_modules/@biomejs/biome/bin/biome'), 'check', '.']) || runToEnd([typescript(), '-p', root]);
}

/** The program in few files, and the client for others with its types. Types are checked by `check`. */
function build() {
  if (!isBuildStale(root)) return 0;
  const hash = sourceHash(root);
  // In the same file system as `dist/`, and where nobody looks for sources.
  const made = at(`node_modules/.build-${process.pid}`);
  try {
    const status =
      runToEnd([at('scripts/bundle.mjs'), root, made]) ||
      runToEnd([typescript(), '-p', at('tsconfig.build.json'), '--outDir', made]);
    if (status === 0) publishBuild(root, made, hash);
    return status;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

function typescript() {
  return at('node_modules/typescript/bin/tsc');
}

/** A short tool: blocks until it ends, answers its exit code. What it prints goes to stderr, stdout is the program's. */
function runToEnd(argv) {
  return spawnSync(supportedNode(), argv, { cwd: root, stdio: ['ignore', 2, 2] }).status ?? 1;
}

/** The program itself: passes signals on, resolves to its exit code. */
function run(argv, env = {}) {
  const child = spawn(supportedNode(), argv, { stdio: 'inherit', env: { ...process.env, ...env } });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
