/**
 * Ignore rules with the semantics of git, for folders that git does not know and for our own ignore file.
 *
 * The rules of a folder's file come after those of the folders above and win over them; a folder that is ignored is
 * not looked into, so nothing in it can be taken back. What holds for a folder is found once: most folders of most
 * projects have no rules above them, and cost nothing more.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { listingLimits } from '../../base/limits.ts';
import { readRegularFile } from '../../base/regular-file.ts';

interface RuleFile {
  readonly rules: Ignore;
  /** Characters of a path before what the rules are about. */
  readonly prefix: number;
}

interface Folder {
  /** The file of the folder itself first, that of the root last. */
  readonly ruleFiles: readonly RuleFile[];
  /** Undefined until somebody asks. */
  isIgnored: boolean | undefined;
}

export class IgnoreRules {
  readonly #root: string;
  readonly #fileName: string;
  readonly #folders = new Map<string, Folder>();

  /** `fileName` is looked for in every folder below `root`, which is absolute. */
  constructor(root: string, fileName: '.gitignore' | '.neuralmindignore') {
    this.#root = root;
    this.#fileName = fileName;
  }

  /** Tells whether a folder, just listed, holds a file of rules, which saves looking for it. */
  entered(directory: string, hasRules: boolean): void {
    this.#open(directory, hasRules);
  }

  /** Whether a path is ignored, its folders being asked first. The path has `/` and starts at the root. */
  ignores(file: string, isDirectory: boolean): boolean {
    return this.#isFolderIgnored(folderOf(file)) || this.ignoresEntry(file, isDirectory);
  }

  /** The same for an entry whose folders are known not to be ignored. */
  ignoresEntry(file: string, isDirectory: boolean): boolean {
    for (const { rules, prefix } of this.#folder(folderOf(file)).ruleFiles) {
      const result = rules.test(file.slice(prefix) + (isDirectory ? '/' : ''));
      if (result.ignored) return true;
      if (result.unignored) return false;
    }
    return false;
  }

  #isFolderIgnored(directory: string): boolean {
    if (directory === '') return false;
    const folder = this.#folder(directory);
    folder.isIgnored ??= this.ignores(directory, true);
    return folder.isIgnored;
  }

  #folder(directory: string): Folder {
    // Nearly every folder has no such file, and a failed read costs many times as much as a look.
    return this.#folders.get(directory) ?? this.#open(directory, existsSync(this.#fileIn(directory)));
  }

  #open(directory: string, hasRules: boolean): Folder {
    const above = directory === '' ? [] : this.#folder(folderOf(directory)).ruleFiles;
    const rules = hasRules ? readRules(this.#fileIn(directory)) : null;
    const prefix = directory === '' ? 0 : directory.length + 1;
    const folder = { ruleFiles: rules === null ? above : [{ rules, prefix }, ...above], isIgnored: undefined };
    this.#folders.set(directory, folder);
    return folder;
  }

  #fileIn(directory: string): string {
    return path.join(this.#root, directory, this.#fileName);
  }
}

/** The folder of a path from the root; the root is the empty one. */
function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')));
}

function readRules(file: string): Ignore | null {
  const bytes = readRegularFile(file, listingLimits.ruleFileBytesMax);
  // Gone since, or one that nobody may read: git goes on without it as well.
  if (bytes === null) return null;
  return ignore({ ignorecase: false }).add(bytes.toString('utf8').replace(/^\uFEFF/, ''));
}
