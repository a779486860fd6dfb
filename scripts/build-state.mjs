/** Whether `dist/` is what the sources would build: a hash over names and contents, kept beside the output. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const marker = '.built-from';
/** What the build is made with, besides the sources. */
const others = ['package-lock.json', 'scripts/bundle.mjs', 'tsconfig.json', 'tsconfig.build.json'];

export function isBuildStale(root) {
  const file = path.join(root, 'dist', marker);
  return !existsSync(file) || readFileSync(file, 'utf8') !== sourceHash(root);
}

/**
 * Puts a whole build in the place of `dist/`. `hash` is that of the sources before it was made: what was edited
 * meanwhile is not in it. A build that is killed, or one of two at once, never leaves half of one there.
 */
export function publishBuild(root, made, hash) {
  const dist = path.join(root, 'dist');
  const old = `${made}.old`;
  writeFileSync(path.join(made, marker), hash);
  for (let tries = 1; ; tries += 1) {
    try {
      if (existsSync(dist)) renameSync(dist, old);
      renameSync(made, dist);
      break;
    } catch (error) {
      // Another build put its own there, or took the old one away, between two steps.
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(error.code) || tries === publishTriesMax) throw error;
    } finally {
      rmSync(old, { recursive: true, force: true });
    }
  }
}

const publishTriesMax = 20;

export function sourceHash(root) {
  const hash = createHash('sha256');
  const files = readdirSync(path.join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .concat(others.map((name) => path.join(root, name)))
    .sort();
  for (const file of files) hash.update(path.relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}
