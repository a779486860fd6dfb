/**
 * Modules of Python. Relative and absolute imports share one look-up; a folder that is a package is no root for
 * absolute names, so `import json` inside a package that has a `json` of its own means the library.
 */
import { external, type Module } from './module.ts';
import { ancestors, directoryOf, joinPath } from './paths.ts';
import type { ProjectView } from './project-view.ts';

/** Modules of the standard library: a file of the project that shares such a name does not replace it. */
const libraryNames: ReadonlySet<string> = new Set(
  (
    'abc argparse array ast asyncio atexit base64 bisect builtins calendar cmath code codecs collections concurrent ' +
    'configparser contextlib contextvars copy csv ctypes dataclasses datetime decimal difflib dis email enum errno ' +
    'fnmatch fractions functools gc getpass gettext glob gzip hashlib heapq hmac html http importlib inspect io ' +
    'ipaddress itertools json keyword linecache locale logging lzma math mimetypes multiprocessing numbers operator os ' +
    'pathlib pickle pkgutil platform pprint queue random re secrets select shlex shutil signal site smtplib socket ' +
    'sqlite3 ssl stat statistics string struct subprocess sys sysconfig tarfile tempfile textwrap threading time ' +
    'timeit token tokenize tomllib traceback types typing unicodedata unittest urllib uuid warnings weakref xml zipfile ' +
    'zlib zoneinfo'
  ).split(' '),
);

export function pythonModule(view: ProjectView, from: string, specifier: string): Module | null {
  const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
  const names = specifier
    .slice(dots)
    .split('.')
    .filter((name) => name !== '');
  if (dots > 0) {
    let base: string | null = directoryOf(from);
    for (let level = 1; level < dots && base !== null; level += 1) base = joinPath(base, '..');
    return base === null ? null : moduleAt(view, joinPath(base, ...names));
  }
  if (libraryNames.has(names[0] ?? '')) return external(specifier);
  for (const root of ancestors(directoryOf(from))) {
    if (isPackage(view, root)) continue;
    for (const base of [root, joinPath(root, 'src') ?? root]) {
      const module = moduleAt(view, joinPath(base, ...names));
      if (module !== null) return module;
    }
  }
  return external(specifier);
}

/** The module of a path without an extension; a folder with Python files and no `__init__` is a namespace. */
export function moduleAt(view: ProjectView, path: string | null): Module | null {
  if (path === null) return null;
  const prefix = path === '' ? '' : `${path}/`;
  const init = ['__init__.py', '__init__.pyi'].map((one) => prefix + one).find((one) => view.facts(one) !== undefined);
  if (init !== undefined) return { kind: 'files', files: [init], directory: path, package: null };
  if (path === '') return null;
  const file = ['.py', '.pyi'].map((one) => path + one).find((one) => view.facts(one) !== undefined);
  if (file !== undefined) return { kind: 'files', files: [file], directory: null, package: null };
  const hasPython = view.filesIn(path).some((one) => one.endsWith('.py'));
  return hasPython ? { kind: 'files', files: [], directory: path, package: null } : null;
}

function isPackage(view: ProjectView, directory: string): boolean {
  const prefix = directory === '' ? '' : `${directory}/`;
  return view.facts(`${prefix}__init__.py`) !== undefined;
}
