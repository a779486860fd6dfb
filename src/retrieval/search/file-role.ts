/** What a file is for, from its path: a question is about the product unless it says otherwise. */
import type { Language } from '../code/symbol.ts';

export type FileRole =
  /** Checks the product. */
  | 'test'
  /** Shows or measures the product. */
  | 'example'
  /** Prose for people. */
  | 'document'
  /** What changed when: every word of the project, and no answer. */
  | 'history'
  /** Types without code. */
  | 'declaration'
  /** Settings and data. */
  | 'data'
  | 'product';

const testFolder =
  /(^|\/)(tests?|specs?|__tests__|__mocks__|testing|testdata|test-data|fixtures?|e2e|integration-tests?)\//i;
const testName =
  /(^|\/)(test_[^/]*|[^/]*_tests?\.\w+|[^/]*[.-](test|spec|tests|specs|test-d|e2e|cy)\.\w+|[^/]*(Tests?|Spec)\.(java|cs|php|kt|scala)|[^/]*_spec\.rb|conftest\.py|tests?\.\w+)$/;
const exampleFolder = /(^|\/)(examples?|samples?|demos?|benchmarks?|bench|docs_src|sandbox)\//i;
const historyName = /(^|\/)(change-?log|changes|history|news|release-?notes?|releases|newsfragments)([./-]|$)/i;
const documentFolder = /(^|\/)(docs?|documentation|man)\//i;
const prose: ReadonlySet<Language> = new Set(['markdown']);
const proseName = /\.(rst|txt|adoc|html)$|(^|\/)(readme|license|copying|contributing|authors|maintainers)[^/]*$/i;

export function fileRole(path: string, language: Language): FileRole {
  const isProse = prose.has(language) || (language === 'text' && proseName.test(path));
  if (testFolder.test(path) || testName.test(path)) return 'test';
  if (isProse && historyName.test(path)) return 'history';
  if (isProse || (language === 'text' && documentFolder.test(path))) return 'document';
  if (exampleFolder.test(path)) return 'example';
  if (/\.d\.[cm]?ts$/.test(path)) return 'declaration';
  return language === 'text' ? 'data' : 'product';
}
