/** Imports that name a file: C includes, `require` of Ruby and PHP, sourced scripts, proto imports, links of documents. */
import type { ImportFact, Language } from '../symbol.ts';
import { external, fileModule, type Module } from './module.ts';
import { ancestors, directoryOf, joinPath } from './paths.ts';
import type { ProjectView } from './project-view.ts';

/** Folders below any ancestor in which such names are looked for. */
const roots: Readonly<Partial<Record<Language, readonly string[]>>> = {
  c: ['', 'include', 'src', 'lib', 'inc'],
  cpp: ['', 'include', 'src', 'lib', 'inc'],
  ruby: ['lib', '', 'app'],
  php: [''],
  bash: [''],
  proto: ['', 'proto', 'protos', 'api'],
};
const endings: Readonly<Partial<Record<Language, readonly string[]>>> = {
  ruby: ['', '.rb'],
  bash: ['', '.sh'],
  php: ['', '.php'],
};

export function includedFile(view: ProjectView, from: string, language: Language, fact: ImportFact): Module | null {
  const directory = directoryOf(from);
  const tries = endings[language] ?? [''];
  const at = (path: string | null): string | null =>
    path === null ? null : (tries.map((ending) => path + ending).find((one) => view.facts(one) !== undefined) ?? null);
  if (fact.form === 'include') {
    const beside = at(joinPath(directory, fact.specifier));
    if (beside !== null) return fileModule(beside);
  }
  if (language === 'markdown' || language === 'openapi') {
    const fromRoot = at(joinPath(fact.specifier));
    return fact.specifier.startsWith('/') && fromRoot !== null ? fileModule(fromRoot) : null;
  }
  for (const folder of ancestors(directory)) {
    for (const root of roots[language] ?? ['']) {
      const path = at(joinPath(folder, root, fact.specifier));
      if (path !== null) return fileModule(path);
    }
  }
  return external(fact.specifier);
}
