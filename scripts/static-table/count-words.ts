/**
 * Step 0 of the static table: how often developers write which word.
 *
 *   node scripts/static-table/count-words.ts FOLDER...   writes words.tsv beside this file
 *
 * Reads source files below the folders: identifiers taken apart, comments and strings as they are. Every package counts
 * the same, however large it is, so that one generated client does not decide. Run it again only to settle on another
 * list: the later steps take the committed `words.tsv`, and another list is another table.
 */
import { opendirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { identifierWords, wordsOf } from '../../src/retrieval/embeddings/static-pieces.ts';

const sourceFile =
  /\.(c|cc|cpp|cs|css|go|h|hpp|java|js|cjs|mjs|php|proto|ps1|py|pyi|rb|rs|rst|scss|sh|sql|ts|tsx|cts|mts)$/;
const fileBytesMax = 400_000;
/** A file with longer lines on average was made by a program. */
const lineCharsMax = 120;
const word = /^[a-z][a-z0-9]{0,23}$/;
/** Fewer packages make a word the private matter of their authors. */
const packagesMin = 4;
const wordsMax = 12_000;
/** Below these folders every folder is a package of its own. */
const packageFolders = new Set(['node_modules', 'site-packages', 'dist-packages', 'third_party', 'vendor']);

interface Count {
  packages: number;
  /** Sum of the shares of the word in the text of each package. */
  shares: number;
}

const roots = process.argv.slice(2);
if (roots.length === 0) throw new Error('Name the folders with source trees.');
const packages = new Map<string, Map<string, number>>();
for (const root of roots) for (const file of filesBelow(path.resolve(root))) count(file, path.resolve(root));
const words = merge();
const lines = [...words]
  .filter(([, { packages }]) => packages >= packagesMin)
  .sort(([a, x], [b, y]) => y.packages - x.packages || y.shares - x.shares || (a < b ? -1 : 1))
  .slice(0, wordsMax)
  .map(([word, { packages: spread, shares }]) => `${word}\t${spread}\t${Math.ceil((shares / packages.size) * 1e9)}`);
const head = `# word, packages of ${packages.size} that use it, occurrences in 1,000,000,000 words (mean over all packages)`;
writeFileSync(new URL('words.tsv', import.meta.url), `${[head, ...lines].join('\n')}\n`);
console.log(`${packages.size} packages, ${words.size} words, ${lines.length} kept`);

function* filesBelow(folder: string): Generator<string> {
  const directory = opendirSync(folder);
  for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== '__pycache__') yield* filesBelow(full);
    else if (entry.isFile() && sourceFile.test(entry.name) && statSync(full).size <= fileBytesMax) yield full;
  }
  directory.closeSync();
}

function count(file: string, root: string): void {
  const text = readFileSync(file, 'utf8');
  if (text.length / text.split('\n').length > lineCharsMax) return;
  const name = packageOf(path.relative(root, file), root);
  const counts = packages.get(name) ?? new Map<string, number>();
  packages.set(name, counts);
  for (const written of wordsOf(text)) {
    for (const part of identifierWords(written)) {
      const lower = part.toLowerCase();
      if (word.test(lower)) counts.set(lower, (counts.get(lower) ?? 0) + 1);
    }
  }
}

/** The folder after the last package folder, with its scope; else the first folder below the root, or the root. */
function packageOf(relative: string, root: string): string {
  const folders = relative.split(path.sep).slice(0, -1);
  const at = folders.findLastIndex((folder) => packageFolders.has(folder)) + 1;
  const scoped = folders[at]?.startsWith('@') === true;
  const name = folders.slice(at, at + (scoped ? 2 : 1)).join('/');
  return at === 0 || name === '' ? `${root}:${name}` : name;
}

function merge(): ReadonlyMap<string, Count> {
  const merged = new Map<string, Count>();
  for (const counts of packages.values()) {
    let total = 0;
    for (const times of counts.values()) total += times;
    for (const [word, times] of counts) {
      const sum = merged.get(word) ?? { packages: 0, shares: 0 };
      merged.set(word, { packages: sum.packages + 1, shares: sum.shares + times / total });
    }
  }
  return merged;
}
