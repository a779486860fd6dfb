/**
 * Ignore rules with the semantics of git, for folders that git does not know and for our own ignore file.
 *
 * The rules of a folder's file come after those of the folders above and win over them; a folder that is ignored is
 * not looked into, so nothing in it can be taken back.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';

export class IgnoreRules {
  readonly #root: string;
  readonly #fileName: string;
  readonly #byDirectory = new Map<string, Ignore | null>();

  /** `fileName` is looked for in every folder below `root`, which is absolute. */
  constructor(root: string, fileName: '.gitignore' | '.neuralmindignore') {
    this.#root = root;
    this.#fileName = fileName;
  }

  /** Whether a path is ignored, its folders being asked first. The path has `/` and starts at the root. */
  ignores(file: string, isDirectory: boolean): boolean {
    const parts = file.split('/');
    for (let length = 1; length <= parts.length; length += 1) {
      const isLast = length === parts.length;
      if (this.ignoresEntry(parts.slice(0, length).join('/'), isLast ? isDirectory : true)) return true;
    }
    return false;
  }

  /** The same for an entry whose folders are known not to be ignored. */
  ignoresEntry(file: string, isDirectory: boolean): boolean {
    const parts = file.split('/');
    for (let depth = parts.length - 1; depth >= 0; depth -= 1) {
      const rules = this.#rulesIn(parts.slice(0, depth).join('/'));
      if (rules === null) continue;
      const relative = parts.slice(depth).join('/') + (isDirectory ? '/' : '');
      const result = rules.test(relative);
      if (result.ignored) return true;
      if (result.unignored) return false;
    }
    return false;
  }

  #rulesIn(directory: string): Ignore | null {
    let rules = this.#byDirectory.get(directory);
    if (rules === undefined) {
      rules = readRules(path.join(this.#root, directory, this.#fileName));
      this.#byDirectory.set(directory, rules);
    }
    return rules;
  }
}

function readRules(file: string): Ignore | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // No such file, or one that nobody may read: git goes on without it as well.
    return null;
  }
  return ignore({ ignorecase: false }).add(text.replace(/^\uFEFF/, ''));
}
