/**
 * What linking may ask about the other files of a project.
 *
 * The edges of a file are a function of its own facts, the project's configuration and the answers to these
 * questions. `recordingView` writes down which were asked, so that an index can keep them beside the edges: a file has
 * to be linked again only when its facts changed or one of the recorded answers did, that is when
 *
 *   - a path in `files` appeared, went away or got another `interfaceHash`,
 *   - a name in `names` got or lost a definition anywhere,
 *   - a folder in `directories`, or a package in `modules`, got or lost a file,
 *   - the configuration changed (then everything is linked again).
 *
 * A reference that found nothing has asked for its name, so a later definition brings it back.
 */
import type { FileFacts, SymbolFact } from '../symbol.ts';
import type { ProjectConfig } from './project-config.ts';

export interface SymbolRef {
  readonly path: string;
  readonly index: number;
}

export function sameRef(one: SymbolRef, other: SymbolRef): boolean {
  return one.path === other.path && one.index === other.index;
}

export interface ProjectView {
  readonly config: ProjectConfig;
  /** The facts of a file, or undefined when the project has no such file. */
  facts(path: string): FileFacts | undefined;
  /** Every symbol with this simple name, sorted by path and index. */
  definitions(name: string): readonly SymbolRef[];
  /** The files that declare themselves part of a package or namespace, sorted. */
  filesOfModule(module: string): readonly string[];
  /** The files directly inside a folder, sorted; the root is the empty path. */
  filesIn(directory: string): readonly string[];
}

export interface LinkInputs {
  readonly files: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly directories: ReadonlySet<string>;
  readonly modules: ReadonlySet<string>;
}

/** A view over facts that are held in memory. */
export function memoryView(all: Iterable<FileFacts>, config: ProjectConfig): ProjectView {
  const byPath = new Map<string, FileFacts>();
  const byName = new Map<string, SymbolRef[]>();
  const byDirectory = new Map<string, string[]>();
  const byModule = new Map<string, string[]>();
  const sorted = [...all].sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const facts of sorted) {
    byPath.set(facts.path, facts);
    const directory = facts.path.slice(0, Math.max(facts.path.lastIndexOf('/'), 0));
    entry(byDirectory, directory).push(facts.path);
    if (facts.module !== null) entry(byModule, facts.module).push(facts.path);
    facts.symbols.forEach((symbol, index) => {
      entry(byName, symbol.name).push({ path: facts.path, index });
    });
  }
  return {
    config,
    facts: (path) => byPath.get(path),
    definitions: (name) => byName.get(name) ?? [],
    filesOfModule: (module) => byModule.get(module) ?? [],
    filesIn: (directory) => byDirectory.get(directory) ?? [],
  };
}

export function recordingView(view: ProjectView): { readonly view: ProjectView; readonly inputs: LinkInputs } {
  const files = new Set<string>();
  const names = new Set<string>();
  const directories = new Set<string>();
  const modules = new Set<string>();
  return {
    inputs: { files, names, directories, modules },
    view: {
      config: view.config,
      facts(path) {
        files.add(path);
        return view.facts(path);
      },
      definitions(name) {
        names.add(name);
        return view.definitions(name);
      },
      filesOfModule(module) {
        modules.add(module);
        return view.filesOfModule(module);
      },
      filesIn(directory) {
        directories.add(directory);
        return view.filesIn(directory);
      },
    },
  };
}

/** The symbols of a file by qualified name, made once for each version of its facts. */
export function symbolsByName(facts: FileFacts): ReadonlyMap<string, readonly number[]> {
  let known = indexes.get(facts);
  if (known === undefined) {
    const made = new Map<string, number[]>();
    facts.symbols.forEach((symbol, index) => {
      entry(made, symbol.qualifiedName).push(index);
    });
    known = made;
    indexes.set(facts, known);
  }
  return known;
}

export function symbolAt(view: ProjectView, ref: SymbolRef): SymbolFact | undefined {
  return view.facts(ref.path)?.symbols[ref.index];
}

const indexes = new WeakMap<FileFacts, ReadonlyMap<string, readonly number[]>>();

function entry<Key, Value>(map: Map<Key, Value[]>, key: Key): Value[] {
  let list = map.get(key);
  if (list === undefined) {
    list = [];
    map.set(key, list);
  }
  return list;
}
