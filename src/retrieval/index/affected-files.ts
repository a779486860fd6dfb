/** Which files have to be linked again after some changed: those whose recorded questions have another answer now. */
import type Database from 'better-sqlite3';
import { directoryOf } from '../code/resolve/paths.ts';
import type { FileFacts } from '../code/symbol.ts';
import { questions } from './schema.ts';

/** What others can see of a file. */
export interface VisibleFile {
  readonly path: string;
  readonly interfaceHash: string;
  readonly module: string | null;
  /** How many symbols have each simple name. */
  readonly names: ReadonlyMap<string, number>;
}

export function visibleFile(facts: FileFacts): VisibleFile {
  const names = new Map<string, number>();
  for (const { name } of facts.symbols) names.set(name, (names.get(name) ?? 0) + 1);
  return { path: facts.path, interfaceHash: facts.interfaceHash, module: facts.module, names };
}

/** Collects changes while they are written; `files` must be asked before the questions of changed files are dropped. */
export class Changes {
  readonly #subjects = {
    file: new Set<string>(),
    name: new Set<string>(),
    directory: new Set<string>(),
    module: new Set<string>(),
  };

  /** `before` or `after` is null for a file that came or went. */
  add(before: VisibleFile | null, after: VisibleFile | null): void {
    const { file, name, directory, module } = this.#subjects;
    const path = (after ?? before)?.path ?? '';
    if (before?.interfaceHash !== after?.interfaceHash) file.add(path);
    if (before === null || after === null) directory.add(directoryOf(path));
    for (const one of new Set([...(before?.names.keys() ?? []), ...(after?.names.keys() ?? [])])) {
      if (before?.names.get(one) !== after?.names.get(one)) name.add(one);
    }
    const modules = [before?.module ?? null, after?.module ?? null];
    if (before === null || after === null || modules[0] !== modules[1]) {
      for (const one of modules) if (one !== null) module.add(one);
    }
  }

  /** The numbers of the files that asked about any of it. */
  files(db: Database.Database): ReadonlySet<number> {
    const found = new Set<number>();
    const askers = db
      .prepare<[number, string], number>(
        'SELECT asked.file FROM subject JOIN asked ON asked.subject = subject.id WHERE question = ? AND text = ?',
      )
      .pluck();
    for (const [question, subjects] of [
      [questions.file, this.#subjects.file],
      [questions.name, this.#subjects.name],
      [questions.directory, this.#subjects.directory],
      [questions.module, this.#subjects.module],
    ] as const) {
      for (const subject of subjects) for (const file of askers.all(question, subject)) found.add(file);
    }
    return found;
  }
}
