/** Whether the build is that of the sources, and how a new one takes its place. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isBuildStale, publishBuild, sourceHash } from '../../scripts/build-state.mjs';
import { checkoutRoot } from '../source-files.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'build-state-'));
  for (const name of ['src', 'scripts', 'node_modules']) mkdirSync(path.join(root, name));
  for (const name of ['package-lock.json', 'scripts/bundle.mjs', 'tsconfig.json', 'tsconfig.build.json'])
    cpSync(path.join(checkoutRoot, name), path.join(root, name));
  writeFileSync(path.join(root, 'src/main.ts'), 'export {};\n');
});
afterEach(() => rmSync(root, { recursive: true }));

function made(name: string): string {
  const folder = path.join(root, 'node_modules', name);
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'main.js'), name);
  return folder;
}

test('SU6 what was edited while a build was made is not taken for built', () => {
  expect(isBuildStale(root)).toBe(true);
  const hash = sourceHash(root);
  writeFileSync(path.join(root, 'src/main.ts'), 'export const edited = true;\n');
  publishBuild(root, made('.build-1'), hash);
  expect(isBuildStale(root)).toBe(true);
  publishBuild(root, made('.build-2'), sourceHash(root));
  expect(isBuildStale(root)).toBe(false);
});

test('SU6 a build replaces the one before whole and leaves nothing beside it', () => {
  mkdirSync(path.join(root, 'dist'));
  writeFileSync(path.join(root, 'dist/old.js'), 'of a build before');
  publishBuild(root, made('.build-3'), sourceHash(root));
  expect(readdirSync(path.join(root, 'dist')).sort()).toEqual(['.built-from', 'main.js']);
  expect(readFileSync(path.join(root, 'dist/main.js'), 'utf8')).toBe('.build-3');
  expect(existsSync(path.join(root, 'node_modules/.build-3'))).toBe(false);
  expect(readdirSync(path.join(root, 'node_modules'))).toEqual([]);
});
