/** Whether `dist/` is what the sources would build: a hash over names and contents, kept beside the output. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const marker = 'dist/.built-from';
/** What the build is made with, besides the sources. */
const others = ['package-lock.json', 'scripts/bundle.mjs', 'tsconfig.json', 'tsconfig.build.json'];

export function isBuildStale(root) {
  const file = path.join(root, marker);
  return !existsSync(file) || readFileSync(file, 'utf8') !== sourceHash(root);
}

export function recordBuild(root) {
  writeFileSync(path.join(root, marker), sourceHash(root));
}

function sourceHash(root) {
  const hash = createHash('sha256');
  const files = readdirSync(path.join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .concat(others.map((name) => path.join(root, name)))
    .sort();
  for (const file of files) hash.update(path.relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}
