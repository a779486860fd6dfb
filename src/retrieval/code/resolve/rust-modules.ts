/** Crates and modules of Rust: where `crate`, `super` and a module of its own file lie. */
import { fileModule, type Module } from './module.ts';
import { baseName, directoryOf, joinPath } from './paths.ts';
import type { ProjectView } from './project-view.ts';

/** The root module of the crate a file belongs to. */
export function crateRoot(view: ProjectView, from: string): Module | null {
  const crate = view.config.crates
    .filter((one) => one.directory === '' || from.startsWith(`${one.directory}/`))
    .sort((a, b) => b.directory.length - a.directory.length)[0];
  const directory = crate?.directory ?? '';
  const relative = from.slice(directory === '' ? 0 : directory.length + 1);
  // Each file of these folders is a crate of its own.
  if (/^(tests|examples|benches|src\/bin)\/[^/]+\.rs$/.test(relative)) return fileModule(from);
  return rootIn(view, directory, crate?.root ?? null, relative);
}

/** The root module of a crate of the workspace, or null when the name is none. */
export function crateNamed(view: ProjectView, name: string): Module | null {
  const crate = view.config.crates.find((one) => one.name === name);
  return crate === undefined ? null : rootIn(view, crate.directory, crate.root, '');
}

/** The file of a module declared by `mod name;` in a file. */
export function childModule(view: ProjectView, from: string, name: string): Module | null {
  const directory = moduleDirectory(from);
  const file = [joinPath(directory, `${name}.rs`), joinPath(directory, name, 'mod.rs')].find(
    (one) => one !== null && view.facts(one) !== undefined,
  );
  return file === undefined || file === null ? null : fileModule(file);
}

/** The module around the one a file holds. */
export function parentModule(view: ProjectView, from: string): Module | null {
  const directory = isModuleRoot(from) ? directoryOf(directoryOf(from)) : directoryOf(from);
  const own = joinPath(directory, '..') === null ? '' : baseName(directory);
  const candidates = [
    joinPath(directory, 'mod.rs'),
    joinPath(directory, 'lib.rs'),
    joinPath(directory, 'main.rs'),
    joinPath(directory, '..', `${own}.rs`),
  ];
  const file = candidates.find((one) => one !== null && one !== from && view.facts(one) !== undefined);
  return file === undefined || file === null ? null : fileModule(file);
}

function rootIn(view: ProjectView, directory: string, root: string | null, relative: string): Module | null {
  const main = joinPath(directory, 'src/main.rs');
  const library = joinPath(directory, 'src/lib.rs');
  const order = relative === 'src/main.rs' ? [main, library] : [root, library, main];
  const file = order.find((one) => one !== null && view.facts(one) !== undefined);
  return file === undefined || file === null ? null : fileModule(file);
}

function isModuleRoot(path: string): boolean {
  return /(^|\/)(mod|lib|main)\.rs$/.test(path);
}

function moduleDirectory(path: string): string {
  return isModuleRoot(path) ? directoryOf(path) : path.replace(/\.rs$/, '');
}
