/** Packages of Go: a folder, found through the nearest `go.mod`, a vendor folder, or the path itself (GOPATH). */
import { external, type Module } from './module.ts';
import { ancestors, directoryOf, joinPath } from './paths.ts';
import type { ProjectView } from './project-view.ts';

export function goPackage(view: ProjectView, from: string, specifier: string): Module | null {
  const owner = view.config.goModules
    .filter((one) => specifier === one.path || specifier.startsWith(`${one.path}/`))
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (owner !== undefined) {
    const directory = joinPath(owner.directory, specifier.slice(owner.path.length));
    return directory === null ? null : packageIn(view, directory);
  }
  for (const root of ancestors(directoryOf(from))) {
    for (const directory of [joinPath(root, 'vendor', specifier), joinPath(root, specifier)]) {
      // One name like `errors` may be a folder here and a package of the library.
      const isLibraryName = !specifier.includes('.') && root !== '' && view.config.goModules.length > 0;
      const module = directory === null || isLibraryName ? null : packageIn(view, directory);
      if (module !== null) return module;
    }
  }
  return external(specifier);
}

/** The package of a folder, without its tests. */
export function packageIn(view: ProjectView, directory: string): Module | null {
  const files = view.filesIn(directory).filter((one) => one.endsWith('.go') && !one.endsWith('_test.go'));
  return files.length === 0 ? null : { kind: 'files', files, directory: null, package: directory };
}

/** The files that share names with a file: the same folder and the same package clause; tests see them too. */
export function packageSiblings(view: ProjectView, from: string, module: string | null): readonly string[] {
  return view
    .filesIn(directoryOf(from))
    .filter((one) => one.endsWith('.go') && one !== from && view.facts(one)?.module === module);
}

/** The name that an import without one gets: that of the package clause, or the last part of the path. */
export function packageName(view: ProjectView, module: Module | null, specifier: string): string {
  const first = module?.kind === 'files' ? module.files[0] : undefined;
  const declared = first === undefined ? null : (view.facts(first)?.module ?? null);
  if (declared !== null) return declared;
  const parts = specifier.split('/');
  const last = parts.at(-1) ?? specifier;
  const name = /^v\d+$/.test(last) && parts.length > 1 ? (parts.at(-2) ?? last) : last;
  return name.replace(/\.v\d+$/, '').replace(/^go-|-go$/g, '');
}
