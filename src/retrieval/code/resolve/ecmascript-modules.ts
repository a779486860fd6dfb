/**
 * Modules of JavaScript and TypeScript: relative paths with left-out or rewritten extensions, `paths` and `baseUrl` of
 * the nearest tsconfig, packages of the workspace through their `exports`, `#` imports. Everything else is external.
 */
import { external, fileModule, type Module } from './module.ts';
import { ancestors, directoryOf, joinPath } from './paths.ts';
import { type NodePackage, recordOf } from './project-config.ts';
import type { ProjectView } from './project-view.ts';

const extensions = ['.ts', '.tsx', '.mts', '.cts', '.d.ts', '.js', '.jsx', '.mjs', '.cjs', '.vue', '.svelte'];
const conditions: ReadonlySet<string> = new Set([
  'source',
  'development',
  'types',
  'import',
  'module',
  'node',
  'require',
  'browser',
  'default',
]);

export function ecmascriptModule(view: ProjectView, from: string, written: string): Module | null {
  const specifier = written.replace(/[?].*$/, '');
  const directory = directoryOf(from);
  if (specifier.startsWith('.')) return found(fileAt(view, joinPath(directory, specifier)));
  if (specifier.startsWith('/')) return found(fileAt(view, joinPath(specifier)));
  const byPaths = throughTsConfig(view, directory, specifier);
  if (byPaths !== null) return fileModule(byPaths);
  if (specifier.startsWith('#')) {
    const owner = nearestPackage(view, directory);
    const target = owner === null ? null : throughMap(view, owner, owner.imports, specifier);
    return target === null ? null : fileModule(target);
  }
  const inWorkspace = throughWorkspace(view, specifier);
  return inWorkspace === undefined ? external(specifier) : found(inWorkspace);
}

function found(path: string | null): Module | null {
  return path === null ? null : fileModule(path);
}

/** The file of a path whose extension may be left out, or be that of the compiled file. */
function fileAt(view: ProjectView, path: string | null): string | null {
  if (path === null) return null;
  if (path !== '' && view.facts(path) !== undefined) return path;
  const compiled = /^(.*?)(\.d)?\.([cm]?)jsx?$|^(.*)\.d\.ts$/.exec(path);
  const stem = compiled?.[1] ?? compiled?.[4];
  if (stem !== undefined) {
    const source = ['.ts', '.tsx', '.mts', '.cts', '.d.ts', '.js', '.jsx']
      .map((one) => stem + one)
      .find((one) => view.facts(one) !== undefined);
    if (source !== undefined) return source;
  }
  const files = new Set(view.filesIn(directoryOf(path)));
  const direct = extensions.map((one) => path + one).find((one) => files.has(one));
  if (direct !== undefined) return direct;
  const inside = new Set(view.filesIn(path));
  const prefix = path === '' ? '' : `${path}/`;
  return extensions.map((one) => `${prefix}index${one}`).find((one) => inside.has(one)) ?? null;
}

function throughTsConfig(view: ProjectView, directory: string, specifier: string): string | null {
  for (const folder of ancestors(directory)) {
    const here = view.config.tsConfigs.filter((one) => one.directory === folder);
    if (here.length === 0) continue;
    // A solution file that only refers to others has their files beside it or below; all of a folder are asked.
    for (const config of here) {
      const target =
        throughPaths(view, config.paths, specifier) ??
        (config.base === null ? null : fileAt(view, joinPath(config.base, specifier)));
      if (target !== null) return target;
    }
  }
  return null;
}

function throughPaths(
  view: ProjectView,
  paths: ProjectView['config']['tsConfigs'][number]['paths'],
  specifier: string,
): string | null {
  // The longest literal prefix wins, as the compiler has it.
  const matching = paths
    .flatMap(({ pattern, targets }) => {
      const star = pattern.indexOf('*');
      if (star === -1) return pattern === specifier ? [{ rest: '', targets, weight: Number.POSITIVE_INFINITY }] : [];
      const [head, tail] = [pattern.slice(0, star), pattern.slice(star + 1)];
      if (!specifier.startsWith(head) || !specifier.endsWith(tail) || specifier.length < head.length + tail.length)
        return [];
      return [{ rest: specifier.slice(head.length, specifier.length - tail.length), targets, weight: head.length }];
    })
    .sort((a, b) => b.weight - a.weight);
  for (const { rest, targets } of matching) {
    for (const target of targets) {
      const path = fileAt(view, joinPath(target.replace('*', rest)));
      if (path !== null) return path;
    }
  }
  return null;
}

function nearestPackage(view: ProjectView, directory: string): NodePackage | null {
  for (const folder of ancestors(directory)) {
    const owner = view.config.nodePackages.find((one) => one.directory === folder);
    if (owner !== undefined) return owner;
  }
  return null;
}

/** The file of a package of this project; null when the package is here and the file is not; undefined when it is external. */
function throughWorkspace(view: ProjectView, specifier: string): string | null | undefined {
  const owner = view.config.nodePackages
    .filter((one) => one.name !== null && (specifier === one.name || specifier.startsWith(`${one.name}/`)))
    .sort((a, b) => (b.name?.length ?? 0) - (a.name?.length ?? 0))[0];
  if (owner === undefined || owner.name === null) return undefined;
  const subPath = specifier.slice(owner.name.length + 1);
  const key = subPath === '' ? '.' : `./${subPath}`;
  const exported = throughMap(view, owner, owner.exports, key);
  if (exported !== null) return exported;
  const candidates =
    subPath === ''
      ? [owner.main ?? '', 'src/index', 'src/main', 'lib/index', 'index', 'src']
      : [subPath, `src/${subPath}`, `lib/${subPath}`];
  return (
    candidates
      .filter((one) => one !== '' || subPath === '')
      .map((one) => sourceAt(view, owner.directory, one))
      .find((one) => one !== null) ?? null
  );
}

function throughMap(view: ProjectView, owner: NodePackage, map: unknown, key: string): string | null {
  if (typeof map === 'string') return key === '.' ? sourceAt(view, owner.directory, map) : null;
  const entries = recordOf(map);
  const isConditions = key === '.' && !Object.keys(entries).some((one) => one.startsWith('.') || one.startsWith('#'));
  if (isConditions) return firstTarget(view, owner, map, '');
  if (Object.hasOwn(entries, key)) return firstTarget(view, owner, entries[key], '');
  const patterns = Object.keys(entries)
    .filter((one) => one.includes('*'))
    .sort((a, b) => b.length - a.length);
  for (const pattern of patterns) {
    const star = pattern.indexOf('*');
    const [head, tail] = [pattern.slice(0, star), pattern.slice(star + 1)];
    if (key.startsWith(head) && key.endsWith(tail) && key.length >= head.length + tail.length) {
      const target = firstTarget(view, owner, entries[pattern], key.slice(head.length, key.length - tail.length));
      if (target !== null) return target;
    }
  }
  return null;
}

function firstTarget(view: ProjectView, owner: NodePackage, target: unknown, star: string): string | null {
  if (typeof target === 'string') return sourceAt(view, owner.directory, target.replaceAll('*', star));
  if (Array.isArray(target))
    return target.map((one) => firstTarget(view, owner, one, star)).find((one) => one !== null) ?? null;
  for (const [condition, inner] of Object.entries(recordOf(target))) {
    if (!conditions.has(condition)) continue;
    const path = firstTarget(view, owner, inner, star);
    if (path !== null) return path;
  }
  return null;
}

/** A file of a package; what is built there has its source under `src`. */
function sourceAt(view: ProjectView, directory: string, target: string): string | null {
  const direct = fileAt(view, joinPath(directory, target));
  if (direct !== null) return direct;
  const built = /^(?:\.\/)?(?:dist|build|lib|out|esm|cjs)\/(?:(?:esm|cjs|es|types|src)\/)?(.*)$/.exec(target);
  const rest = built?.[1];
  if (rest === undefined) return null;
  return fileAt(view, joinPath(directory, 'src', rest)) ?? fileAt(view, joinPath(directory, rest));
}
