/**
 * The import order of `DESIGN.md`, held by reading the sources. There is no list of exceptions and no comment that
 * switches it off; the last tests make sure that the check looks at real files and can see a breach.
 */
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { isTestFile, type SourceFile, sourceFiles } from './source-files.ts';

const order = [
  'base',
  'memory',
  'retrieval',
  'engine',
  'operations',
  'client',
  'transports',
  'server',
  'cli',
  'main.ts',
];

/** Folders of equal standing that must not know each other: the engine connects them. */
const strangers = new Set(['memory retrieval', 'retrieval memory']);

function areaOf(file: string): string {
  return file.split('/')[1] ?? '';
}

function importsOf(file: SourceFile): readonly string[] {
  return ts
    .preProcessFile(file.text, true, true)
    .importedFiles.map((imported) => imported.fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => path.posix.normalize(path.posix.join(path.posix.dirname(file.path), name)));
}

function breachesOf(file: SourceFile): readonly string[] {
  const from = areaOf(file.path);
  return importsOf(file).flatMap((target) => {
    if (!target.startsWith('src/')) return [`${file.path} reaches out of src: ${target}`];
    const to = areaOf(target);
    if (!order.includes(to)) return [`${file.path} imports from the unknown area ${to}`];
    if (order.indexOf(to) > order.indexOf(from)) return [`${file.path} imports upward from ${to}`];
    if (strangers.has(`${from} ${to}`)) return [`${file.path} (${from}) must not know ${to}`];
    return [];
  });
}

const files = sourceFiles('src', ['.ts']).filter((file) => !isTestFile(file.path));

test('WL1 every source file lies in an area of the order', () => {
  expect(files.map((file) => areaOf(file.path)).filter((area) => !order.includes(area))).toEqual([]);
});

test('WL2 a file imports only from its own area or lower ones', () => {
  expect(files.flatMap(breachesOf)).toEqual([]);
});

test('WL3 the sources never import tests, benches or evaluations', () => {
  const outside = files.flatMap((file) =>
    importsOf(file).filter((target) => isTestFile(target) || !target.startsWith('src/')),
  );
  expect(outside).toEqual([]);
});

test('WL4 the check reads real files and sees a breach', () => {
  expect(files.length).toBeGreaterThan(40);
  expect(files.flatMap(importsOf).length).toBeGreaterThan(100);
  const upward = { path: 'src/base/x.ts', text: "import { a } from '../server/y.ts';" };
  const lazy = { path: 'src/memory/x.ts', text: "export const a = () => import('../retrieval/y.ts');" };
  const typed = { path: 'src/engine/x.ts', text: "export type { A } from '../cli/y.ts';" };
  expect([upward, lazy, typed].flatMap(breachesOf)).toHaveLength(3);
});
