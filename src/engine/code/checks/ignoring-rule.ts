/** Which line of which file makes a path ignored. */
import path from 'node:path';
import ignore from 'ignore';
import { askGit } from '../../../base/git-command.ts';
import { listingLimits } from '../../../base/limits.ts';
import { readRegularFile } from '../../../base/regular-file.ts';

export interface IgnoringRule {
  /** As git names it, or from the root of the project. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly pattern: string;
}

/** `ignored` is a path from the root, with `/` at its end for a folder. Null when no rule is found. */
export async function ignoringRule(root: string, ignored: string): Promise<IgnoringRule | null> {
  return (await ruleByGit(root, ignored)) ?? ruleByReading(root, ignored);
}

/** Git knows the rules of the user and of the repository as well. */
async function ruleByGit(root: string, ignored: string): Promise<IgnoringRule | null> {
  const answer = await askGit(root, ['check-ignore', '--verbose', '--no-index', '-z', '--', ignored]);
  // No git, no repository, or no rule of git's: our own file is read next.
  if (answer.kind !== 'answered') return null;
  const [file, line, pattern] = answer.text.split('\0');
  if (file === undefined || pattern === undefined || pattern.startsWith('!')) return null;
  return { file, line: Number(line), pattern };
}

/** The last line that matches, in the file nearest to the path. */
function ruleByReading(root: string, ignored: string): IgnoringRule | null {
  const parts = ignored.replace(/\/$/, '').split('/');
  for (let depth = parts.length - 1; depth >= 0; depth -= 1) {
    for (const name of ['.neuralmindignore', '.gitignore']) {
      const file = [...parts.slice(0, depth), name].join('/');
      const lines = linesOf(path.join(root, file));
      const line = lines.findLastIndex((pattern) => isIgnoredBy(pattern, parts.slice(depth), ignored.endsWith('/')));
      const pattern = lines[line];
      if (pattern !== undefined) return { file, line: line + 1, pattern };
    }
  }
  return null;
}

/** A path is ignored with each folder that holds it. */
function isIgnoredBy(pattern: string, parts: readonly string[], isFolder: boolean): boolean {
  if (pattern.startsWith('!')) return false;
  const rule = ignore({ ignorecase: false }).add(pattern);
  return parts.some((_, at) => {
    const isLast = at === parts.length - 1;
    return rule.test(`${parts.slice(0, at + 1).join('/')}${!isLast || isFolder ? '/' : ''}`).ignored;
  });
}

function linesOf(file: string): readonly string[] {
  const bytes = readRegularFile(file, listingLimits.ruleFileBytesMax);
  // Without such a file there are no rules.
  return bytes === null ? [] : bytes.toString('utf8').split(/\r?\n/);
}
