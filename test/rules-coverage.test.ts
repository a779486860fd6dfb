/** `docs/rules.md` and the tests prove each other: no rule without a test that quotes it, no quoted rule that is not there. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { checkoutRoot, isTestFile, type SourceFile, sourceFiles } from './source-files.ts';

const rulePattern = /^- \*\*([A-Z]{2}\d+)\*\* \S/gm;
const quotePattern = /\b[A-Z]{2}\d+\b/g;
/** The title of a case in a table: the rule, then what is promised. */
const caseTitle = /^[A-Z]{2}\d+( [a-z]|$)/;

/** Test files, and the suites under `test/` that several test files run. */
const suites = [
  ...sourceFiles('src', ['.test.ts']).filter((file) => isTestFile(file.path)),
  ...sourceFiles('test', ['.ts']),
];

const rules = [...readFileSync(path.join(checkoutRoot, 'docs/rules.md'), 'utf8').matchAll(rulePattern)].map(
  (match) => match[1] ?? '',
);
const prefixes = new Set(rules.map((rule) => rule.slice(0, 2)));
const quoted = new Set(
  suites
    .flatMap(titlesOf)
    .flatMap((title) => title.match(quotePattern) ?? [])
    .filter((rule) => prefixes.has(rule.slice(0, 2))),
);

/** The names of the tests and groups of a file, as written, and those of cases that a table hands to them. */
function titlesOf(file: SourceFile): readonly string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && caseTitle.test(node.text)) titles.push(node.text);
    if (ts.isCallExpression(node) && isTestCall(node.expression)) {
      const [title] = node.arguments;
      if (title !== undefined && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) {
        titles.push(title.getText());
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true));
  return titles;
}

/** `test(`, `test.each(table)(`, `describe.skipIf(condition)(` and the like. */
function isTestCall(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return ['test', 'it', 'describe'].includes(callee.text);
  if (ts.isPropertyAccessExpression(callee)) return isTestCall(callee.expression);
  return ts.isCallExpression(callee) && isTestCall(callee.expression);
}

test('RL1 every rule has one number and is quoted by a test', () => {
  expect(rules.length).toBeGreaterThan(50);
  expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([]);
  expect(rules.filter((rule) => !quoted.has(rule))).toEqual([]);
});

test('RL2 every quoted rule is written down', () => {
  expect([...quoted].filter((rule) => !rules.includes(rule))).toEqual([]);
});
