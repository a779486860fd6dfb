/** Names that need no import: those of the package, the namespace, the crate, the translation unit. */
import type { Expression, FileFacts, Language, SymbolFact } from '../symbol.ts';
import { enclosingNames, placeOf, qualified, spaceAt, unique } from './definitions.ts';
import type { Evaluator } from './evaluate.ts';
import { type Family, familyOf, isType } from './families.ts';
import { packageSiblings } from './go-packages.ts';
import { member } from './members.ts';
import type { Module } from './module.ts';
import { symbolsByName } from './project-view.ts';
import { crateNamed } from './rust-modules.ts';
import { moduleValue, type Value } from './value.ts';

/** Names that need no import. */
/** Functions of the language that a package or module may define anew. */
const goFunctions: ReadonlySet<string> = new Set(
  'cap clear close complex copy delete imag max min print println real'.split(' '),
);
const pythonFunctions: ReadonlySet<string> = new Set(
  'open input filter format hash iter next dir vars compile'.split(' '),
);

export function ambient(
  on: Evaluator,
  facts: FileFacts,
  scope: number | null,
  name: string,
  family: Family,
): Value | null {
  switch (family) {
    case 'go':
      for (const path of packageSiblings(on.view, facts.path, facts.module)) {
        const sibling = on.view.facts(path);
        const index = sibling === undefined ? undefined : symbolsByName(sibling).get(name)?.[0];
        if (index !== undefined) return { kind: 'symbol', ref: { path, index }, confidence: 1 };
      }
      return goFunctions.has(name) ? { kind: 'external', name } : null;
    case 'java':
    case 'proto':
      return (
        qualified(
          on,
          name,
          (symbol, other) =>
            symbol.qualifiedName === name && other.module === facts.module && familyOf(other.language) === family,
          1,
        ) ?? byFullName(on, facts, name)
      );
    case 'csharp': {
      const within = spaceAt(facts, scope) ?? '';
      const isVisible = (module: string): boolean =>
        module === within || module === '' || within.startsWith(`${module}.`);
      return (
        qualified(
          on,
          name,
          (symbol, other) => other.language === 'csharp' && isNamed(symbol, other, name, isVisible),
          1,
        ) ?? byFullName(on, facts, name)
      );
    }
    case 'php': {
      const at = name.lastIndexOf('\\');
      const last = name.slice(at + 1);
      const within = spaceAt(facts, scope);
      const spaces =
        at === -1
          ? [within, null]
          : [name.slice(0, at), within === null ? name.slice(0, at) : `${within}\\${name.slice(0, at)}`];
      for (const space of spaces) {
        const found = qualified(
          on,
          last,
          (symbol, other) =>
            other.language === 'php' &&
            isNamed(symbol, other, last, (one) => one === (space ?? '')) &&
            (space === within || at !== -1 || symbol.kind === 'function' || within === null),
          1,
        );
        if (found !== null) return found;
      }
      return null;
    }
    case 'ruby': {
      const around = enclosingNames(facts, scope);
      for (const prefix of around) {
        const full = prefix === '' ? name : `${prefix}.${name}`;
        const found = qualified(
          on,
          name,
          (symbol, other) => symbol.qualifiedName === full && other.language === 'ruby',
          0.9,
        );
        if (found !== null) return found;
      }
      return null;
    }
    case 'c': {
      for (const prefix of enclosingNames(facts, scope)) {
        const full = prefix === '' ? name : `${prefix}.${name}`;
        const found = qualified(
          on,
          name,
          (symbol, other) =>
            symbol.qualifiedName === full &&
            familyOf(other.language) === 'c' &&
            (symbol.exported || other.path === facts.path),
          0.7,
        );
        if (found !== null) return found;
      }
      // Members of a plain enum are names of the scope around it.
      return unique(
        on,
        name,
        (symbol, other) => symbol.kind === 'enum-member' && familyOf(other.language) === 'c',
        0.7,
      );
    }
    case 'sql':
      return unique(on, name, (symbol, other) => symbol.parent === null && other.language === 'sql', 0.9);
    case 'rust': {
      const crate = crateNamed(on.view, name);
      return crate === null ? null : moduleValue(crate, name, 1);
    }
    case 'python':
      if (pythonFunctions.has(name)) return { kind: 'external', name };
      return isThrown(name) ? { kind: 'external', name } : null;
    case 'ecmascript':
      // What is thrown is mostly the language's; a class of the project would have been found before.
      return isThrown(name) ? { kind: 'external', name } : null;
    default:
      return null;
  }
}

export function memberOfNamespace(
  on: Evaluator,
  module: Extract<Module, { kind: 'namespace' }>,
  name: string,
): Value | null {
  const family = familyOf(module.language);
  const separator = family === 'php' ? '\\' : '.';
  if (family === 'c') {
    const full = `${module.name}.${name}`;
    return qualified(
      on,
      name,
      (symbol, other) => symbol.qualifiedName === full && familyOf(other.language) === 'c',
      0.9,
    );
  }
  const inside = qualified(
    on,
    name,
    (symbol, other) =>
      familyOf(other.language) === family && isNamed(symbol, other, name, (space) => space === module.name),
    1,
  );
  if (inside !== null) return inside;
  // The "namespace" may be a type whose members are imported.
  const at = module.name.lastIndexOf(separator);
  const typeName = module.name.slice(at + 1);
  const space = module.name.slice(0, Math.max(at, 0));
  const type =
    typeName === ''
      ? null
      : qualified(
          on,
          typeName,
          (symbol, other) =>
            isType(symbol) &&
            familyOf(other.language) === family &&
            isNamed(symbol, other, typeName, (one) => one === space),
          1,
        );
  if (type?.kind === 'symbol') return member(on, type.ref, name);
  if (family === 'java' && /^[a-z]/.test(name))
    return { kind: 'module', module: { ...module, name: `${module.name}.${name}` }, confidence: 1 };
  return null;
}

export function namespaced(on: Evaluator, facts: FileFacts, path: Expression): Value | null {
  const parts = path.split('.');
  const last = parts.at(-1) ?? path;
  return (
    qualified(
      on,
      last,
      (symbol, other) => symbol.qualifiedName === path && familyOf(other.language) === familyOf(facts.language),
      0.9,
    ) ?? { kind: 'external', name: path }
  );
}

/** Whether a symbol has this name in one of the namespaces that are meant; the empty one is that without a name. */
function isNamed(symbol: SymbolFact, facts: FileFacts, name: string, isMeant: (space: string) => boolean): boolean {
  const place = placeOf(symbol, facts);
  return place.name === name && isMeant(place.space ?? '');
}

function isThrown(name: string): boolean {
  return /^([A-Z]\w*)?(Error|Exception|Warning)$/.test(name);
}

/** `a.b.C` written out in full: the namespace is the longest prefix that some file declares. */
function byFullName(on: Evaluator, facts: FileFacts, name: string): Value | null {
  const separator = '.';
  if (!namespaceExists(on, facts.language, name)) return null;
  return {
    kind: 'module',
    module: { kind: 'namespace', language: facts.language, name: name.split(separator).join(separator) },
    confidence: 1,
  };
}

/** Namespaces have no table of their own: a first part that is lower-case (Java) or unknown is kept as a path. */
function namespaceExists(on: Evaluator, language: Language, name: string): boolean {
  return language === 'java' && /^[a-z]/.test(name) && on.view.definitions(name).length === 0;
}
