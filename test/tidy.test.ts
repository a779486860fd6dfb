/** Habits that a reader of the sources may rely on, checked over every file. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { checkoutRoot, type SourceFile, sourceFiles } from './source-files.ts';

const code = ['src', 'test', 'bench', 'evals', 'scripts', 'bin'].flatMap((folder) =>
  sourceFiles(folder, ['.ts', '.mjs']),
);
const others = code.filter((file) => file.path !== 'test/tidy.test.ts');

function linesMatching(pattern: RegExp): readonly string[] {
  return others.flatMap((file) =>
    file.text
      .split('\n')
      .map((line, index) => ({ line, at: `${file.path}:${index + 1}` }))
      .filter(({ line }) => pattern.test(line))
      .map(({ line, at }) => `${at} ${line.trim()}`),
  );
}

/** Where the type `any` is written; the word in a comment or a name is none. */
function placesOfAny(file: SourceFile): readonly string[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const places: string[] = [];
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) {
      places.push(`${file.path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return places;
}

test('TD1 no unfinished marks, no way around the types, no test that is switched off', () => {
  expect(linesMatching(/\b(TODO|FIXME|XXX|HACK)\b/)).toEqual([]);
  expect(linesMatching(/@ts-(ignore|expect-error|nocheck)/)).toEqual([]);
  expect(others.filter((file) => file.path.endsWith('.ts')).flatMap(placesOfAny)).toEqual([]);
  expect(linesMatching(/\b(test|it|describe)\.(skip|only|todo)\(/)).toEqual([]);
});

test('TD2 no folder is called after nothing', () => {
  const vague = /(^|\/)(utils?|common|shared|helpers?|core|misc)\//;
  expect(code.map((file) => file.path).filter((file) => vague.test(file))).toEqual([]);
});

test('TD3 file names are kebab-case', () => {
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|faults\.test|d))?\.(ts|mjs)$/;
  expect(code.map((file) => path.basename(file.path)).filter((name) => !kebab.test(name))).toEqual([]);
});

test('TD4 the lock file names no download address, and versions are exact', () => {
  const lock = readFileSync(path.join(checkoutRoot, 'package-lock.json'), 'utf8');
  expect(lock).not.toMatch(/"resolved"|https?:\/\/[^"]*\.tgz/);
  const manifest: unknown = JSON.parse(readFileSync(path.join(checkoutRoot, 'package.json'), 'utf8'));
  const versions = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries((manifest as Record<string, Record<string, string> | undefined>)[kind] ?? {}),
  );
  expect(versions.length).toBeGreaterThan(10);
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});
