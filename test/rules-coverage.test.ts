/** `docs/rules.md` and the tests prove each other: no rule without a test that quotes it, no quoted rule that is not there. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkoutRoot, isTestFile, sourceFiles } from './source-files.ts';

const rulePattern = /^- \*\*([A-Z]{2}\d+)\*\* \S/gm;
const titlePattern = /\b(?:test|it|describe)(?:\.[a-zA-Z]+)*(?:\([^()]*\))?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
const quotePattern = /\b[A-Z]{2}\d+\b/g;

const rules = [...readFileSync(path.join(checkoutRoot, 'docs/rules.md'), 'utf8').matchAll(rulePattern)].map(
  (match) => match[1] ?? '',
);
const prefixes = new Set(rules.map((rule) => rule.slice(0, 2)));
const quoted = new Set(
  ['src', 'test', 'evals'].flatMap((folder) =>
    sourceFiles(folder, ['.test.ts'])
      .filter((file) => isTestFile(file.path))
      .flatMap((file) => [...file.text.matchAll(titlePattern)])
      .flatMap((match) => (match[2] ?? '').match(quotePattern) ?? [])
      .filter((rule) => prefixes.has(rule.slice(0, 2))),
  ),
);

test('RL1 every rule has one number and is quoted by a test', () => {
  expect(rules.length).toBeGreaterThan(50);
  expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([]);
  expect(rules.filter((rule) => !quoted.has(rule))).toEqual([]);
});

test('RL2 every quoted rule is written down', () => {
  expect([...quoted].filter((rule) => !rules.includes(rule))).toEqual([]);
});
