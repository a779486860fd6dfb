/**
 * Makes `dist/` from the sources: few files, so that a command starts at once. Loading two hundred modules one by one
 * takes longer than answering most questions.
 *
 * A command loads what it needs: what the sources import dynamically stays apart. Every file lies straight in `dist/`,
 * where threads find their file beside the caller and `src/base/package-root.ts` finds the package. Nothing is renamed
 * or squeezed, so that the trace of a fault can be read.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** What runs in a thread of its own is whole in its file: a thread needs little of the program. */
const threads = [
  'src/retrieval/code/parse-worker.ts',
  'src/retrieval/documents/document-worker.ts',
  'src/retrieval/embeddings/minilm-worker.ts',
  'src/retrieval/index/index-worker.ts',
];

/** What the command always loads is one file, and what it needs besides for a question about code is another. */
const groups = [
  { name: 'base', test: /\/src\/cli\/command-line\.ts$/, priority: 2 },
  { name: 'question', test: /\/src\/(cli\/code\/commands|cli\/rows\/direct|operations\/code\/rows)\.ts$/, priority: 1 },
];

/** Packages that bring more than JavaScript, or that little needs. All others become part of our files. */
const external = ['@lat.md/embed', '@vscode/tree-sitter-wasm', 'better-sqlite3', 'unpdf', 'web-tree-sitter'];

const [root = process.cwd(), dist = path.join(root, 'dist')] = process.argv.slice(2);
await bundle();

async function bundle() {
  rmSync(dist, { recursive: true, force: true });
  /** Folders of the packages that became part of our files. */
  const packages = new Set();
  const addPackage = (id) => {
    const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];
    if (folder !== undefined) packages.add(folder);
  };
  const { rolldown } = await import(pathToFileURL(bundlerPath()).href);
  for (const input of ['src/main.ts', ...threads]) {
    const made = await rolldown({
      cwd: root,
      input,
      platform: 'node',
      external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
      // The sources import dynamically what another command may need, also where a group has it already.
      checks: { ineffectiveDynamicImport: false },
      onLog: (_level, log) => {
        throw new Error(log.message);
      },
    });
    const { output } = await made.write({
      dir: dist,
      format: 'esm',
      // Text beyond ASCII takes twice the memory, and all of it is read and decoded at every start.
      charset: 'ascii',
      comments: false,
      plugins: [{ name: 'builtins', renderChunk: (code) => withoutFacades(code) }],
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      ...(threads.includes(input) ? { codeSplitting: false } : { codeSplitting: { groups } }),
    });
    await made.close();
    for (const { moduleIds = [] } of output) for (const id of moduleIds) addPackage(id);
  }
  writeFileSync(path.join(dist, 'LICENSES'), [...packages].sort().map(licenceOf).join('\n'));
}

/**
 * Modules of Node itself are taken as they are. An import makes a second module of each first and asks it for every
 * export it has, which loads what nobody uses: a tenth of what a small command takes.
 */
function withoutFacades(code) {
  return code.replace(/^import (.+?) from "(node:[\w/]+)";$/gm, (statement, wanted, name) => {
    const parts = /^(?:(?<whole>[\w$]+)(?:, )?)?(?:\{(?<named>[^}]+)\})?$/.exec(wanted);
    if (parts === null) throw new Error(`this import is not understood: ${statement}`);
    const { whole, named } = parts.groups;
    const pattern = named === undefined ? whole : `{${named.replace(/ as /g, ': ')}}`;
    const first = `const ${whole ?? pattern} = globalThis.process.getBuiltinModule("${name}");`;
    return whole === undefined || named === undefined ? first : `${first} const ${pattern} = ${whole};`;
  });
}

/** Vite brings it. */
function bundlerPath() {
  const vite = createRequire(path.join(root, 'package.json')).resolve('vite/package.json');
  return createRequire(vite).resolve('rolldown');
}

/** A package says in a file of its own under what terms it may be passed on, or in its `package.json`. */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${name} names no licence`);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts, ''].join('\n\n');
}
