/**
 * Understands expressions: what a path of names stands for at a place of a file.
 *
 * Names are looked up as the language does it: enclosing bodies, members of the enclosing type where they need no
 * `this`, the file, its imports, and what needs no import. A name that an import binds to something outside the
 * project is external for good: it is never matched with a symbol that happens to be called the same.
 */
import { codeLimits } from '../../../base/limits.ts';
import { builtin, parseExpression, type Step, unknown } from '../expression.ts';
import type { Expression, FileFacts, ImportFact, Language, SymbolFact } from '../symbol.ts';
import { ecmascriptModule } from './ecmascript-modules.ts';
import { goPackage, packageName, packageSiblings } from './go-packages.ts';
import { includedFile } from './included-files.ts';
import { external, fileModule, type InnerModule, type Module } from './module.ts';
import { directoryOf, joinPath } from './paths.ts';
import { type ProjectView, type SymbolRef, symbolAt, symbolsByName } from './project-view.ts';
import { moduleAt, pythonModule } from './python-modules.ts';
import { childModule, crateNamed, crateRoot, parentModule } from './rust-modules.ts';

export type Value =
  | { readonly kind: 'symbol'; readonly ref: SymbolRef; readonly confidence: number }
  /** A value of a type. */
  | { readonly kind: 'instance'; readonly ref: SymbolRef; readonly confidence: number }
  | { readonly kind: 'module'; readonly module: InnerModule; readonly confidence: number }
  | { readonly kind: 'external'; readonly name: string };

type Family =
  | 'python'
  | 'ecmascript'
  | 'go'
  | 'rust'
  | 'java'
  | 'c'
  | 'csharp'
  | 'ruby'
  | 'php'
  | 'bash'
  | 'sql'
  | 'proto'
  | 'text';

const families: Readonly<Record<Language, Family>> = {
  python: 'python',
  notebook: 'python',
  typescript: 'ecmascript',
  tsx: 'ecmascript',
  javascript: 'ecmascript',
  vue: 'ecmascript',
  svelte: 'ecmascript',
  go: 'go',
  rust: 'rust',
  java: 'java',
  c: 'c',
  cpp: 'c',
  csharp: 'csharp',
  ruby: 'ruby',
  php: 'php',
  bash: 'bash',
  sql: 'sql',
  proto: 'proto',
  markdown: 'text',
  openapi: 'text',
  text: 'text',
};

/** Families whose methods name members of their type without `this`. */
const implicitMembers: ReadonlySet<Family> = new Set(['java', 'c', 'csharp', 'ruby']);
/** Families in which the members of one type stand in several files. */
const openTypes: ReadonlySet<Family> = new Set(['go', 'rust', 'c', 'csharp', 'ruby']);
const typeKinds: ReadonlySet<string> = new Set(['class', 'interface', 'struct', 'enum', 'trait', 'type']);
const callableKinds: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);

export function familyOf(language: Language): Family {
  return families[language];
}

export function isType(symbol: SymbolFact): boolean {
  return typeKinds.has(symbol.kind);
}

export function isCallable(symbol: SymbolFact): boolean {
  return callableKinds.has(symbol.kind);
}

/** Evaluates against one view; keeps what it found, so make one for each file that is linked. */
export class Evaluator {
  readonly #view: ProjectView;
  readonly #known = new Map<string, Value | null>();
  readonly #running = new Set<string>();

  constructor(view: ProjectView) {
    this.#view = view;
  }

  /** What an expression stands for in a file, inside `scope`, or null when it is not known. */
  evaluate(facts: FileFacts, scope: number | null, expression: Expression): Value | null {
    const key = `${facts.path}\n${scope ?? ''}\n${expression}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    // Types can be defined by each other, and by themselves.
    if (this.#running.has(key) || this.#running.size > codeLimits.linksDepthMax * 4) return null;
    this.#running.add(key);
    const parsed = parseExpression(expression);
    const head = this.#head(facts, scope, parsed.head, parsed.steps);
    let value = head.value;
    for (const step of head.steps) {
      if (value === null) break;
      value = this.#step(value, step);
    }
    this.#running.delete(key);
    this.#known.set(key, value);
    return value;
  }

  /** The module an import means; null when it should be in the project and is not. */
  moduleOf(facts: FileFacts, fact: ImportFact): Module | null {
    const { path, language } = facts;
    switch (families[language]) {
      case 'ecmascript':
        return ecmascriptModule(this.#view, path, fact.specifier);
      case 'python':
        return pythonModule(this.#view, path, fact.specifier);
      case 'go':
        return goPackage(this.#view, path, fact.specifier);
      case 'rust':
        return this.#rustModule(facts, fact);
      case 'java':
      case 'csharp':
      case 'php':
        if (fact.form === 'include') return includedFile(this.#view, path, language, fact);
        return { kind: 'namespace', language, name: fact.specifier };
      default:
        if (fact.form === 'type') return { kind: 'namespace', language, name: fact.specifier };
        return includedFile(this.#view, path, language, fact);
    }
  }

  /** What the name that an import brings in stands for. */
  imported(facts: FileFacts, fact: ImportFact): Value | null {
    // `import a.b.c` binds `a`; the rest is reached by its members.
    if (
      families[facts.language] === 'python' &&
      fact.imported === null &&
      fact.local !== null &&
      fact.specifier.includes('.')
    ) {
      const first = fact.specifier.split('.')[0];
      if (first === fact.local && first !== '')
        return moduleValue(pythonModule(this.#view, facts.path, first), first, 1);
    }
    if (facts.language === 'cpp' && fact.form === 'type') return this.#namespaced(facts, fact.specifier);
    const module = this.moduleOf(facts, fact);
    if (module === null) return { kind: 'external', name: fact.specifier };
    if (fact.imported === null || fact.imported === '*') return moduleValue(module, fact.specifier, 1);
    if (module.kind === 'external') return { kind: 'external', name: `${module.name}.${fact.imported}` };
    return (
      this.memberOfModule(module, fact.imported, 0) ?? { kind: 'external', name: `${fact.specifier}.${fact.imported}` }
    );
  }

  memberOfModule(module: InnerModule, name: string, depth: number): Value | null {
    if (depth > codeLimits.reexportDepthMax) return null;
    if (module.kind === 'namespace') return this.#memberOfNamespace(module, name);
    for (const path of module.files) {
      const facts = this.#view.facts(path);
      const value = facts === undefined ? null : this.#exported(facts, name, depth);
      if (value !== null) return value;
    }
    if (module.directory !== null) {
      const inner = moduleAt(this.#view, joinPath(module.directory, name));
      if (inner !== null) return moduleValue(inner, name, 1);
    }
    return null;
  }

  /** A member of a type or what its bases give it; `external` when a base lies outside the project. */
  member(ref: SymbolRef, name: string, depth = 0): Value | null {
    const facts = this.#view.facts(ref.path);
    const owner = facts?.symbols[ref.index];
    if (facts === undefined || owner === undefined || depth > codeLimits.baseDepthMax) return null;
    const own = this.#ownMember(facts, owner, name);
    if (own !== null) return { kind: 'symbol', ref: own, confidence: 1 };
    let outside: Value | null = null;
    for (const base of this.basesOf(ref)) {
      if (base.kind === 'external') {
        outside ??= base;
        continue;
      }
      if (base.kind !== 'symbol') continue;
      if (base.ref.path === ref.path && base.ref.index === ref.index) continue;
      const found = this.member(base.ref, name, depth + 1);
      if (found?.kind === 'symbol') return { ...found, confidence: Math.min(found.confidence, base.confidence) };
      if (found?.kind === 'external') outside ??= found;
    }
    if (owner.kind === 'type' && owner.type !== null) {
      const aliased = this.evaluate(facts, owner.parent, owner.type);
      if (aliased?.kind === 'instance') return this.member(aliased.ref, name, depth + 1);
      if (aliased?.kind === 'external') return aliased;
    }
    return outside;
  }

  /** What a type inherits from and implements, as written. */
  basesOf(ref: SymbolRef): readonly Value[] {
    const facts = this.#view.facts(ref.path);
    const owner = facts?.symbols[ref.index];
    if (facts === undefined || owner === undefined) return [];
    const places: { readonly facts: FileFacts; readonly index: number }[] = [{ facts, index: ref.index }];
    const family = families[facts.language];
    if (family === 'csharp' || family === 'ruby') {
      for (const other of this.#sameType(facts, owner)) {
        const otherFacts = this.#view.facts(other.path);
        if (otherFacts !== undefined && (other.path !== ref.path || other.index !== ref.index))
          places.push({ facts: otherFacts, index: other.index });
      }
    }
    return places.flatMap((place) =>
      basesWritten(place.facts, place.index).flatMap((target) => {
        const value = this.evaluate(place.facts, place.facts.symbols[place.index]?.parent ?? null, target);
        return value === null ? [] : [value];
      }),
    );
  }

  /** The type around a place, or null. */
  enclosingType(facts: FileFacts, scope: number | null): SymbolRef | null {
    let at = scope;
    while (at !== null) {
      const symbol: SymbolFact | undefined = facts.symbols[at];
      if (symbol === undefined) return null;
      if (isType(symbol) || (symbol.kind === 'namespace' && families[facts.language] === 'ruby'))
        return { path: facts.path, index: at };
      if (symbol.parent === null) return this.#ownerOf(facts, symbol);
      // A method of an object literal belongs to the variable that holds it.
      const parent: SymbolFact | undefined = facts.symbols[symbol.parent];
      if (
        symbol.kind === 'method' &&
        parent !== undefined &&
        !isType(parent) &&
        !isCallable(parent) &&
        parent.kind !== 'namespace'
      ) {
        return { path: facts.path, index: symbol.parent };
      }
      if (symbol.qualifiedName !== `${parent?.qualifiedName}.${symbol.name}`) {
        const owner = this.#ownerOf(facts, symbol);
        if (owner !== null) return owner;
      }
      at = symbol.parent;
    }
    return null;
  }

  /** The type that a method names as its owner from outside (`func (c *Context)`, `impl A`, `int A::run()`). */
  #ownerOf(facts: FileFacts, symbol: SymbolFact): SymbolRef | null {
    const at = symbol.qualifiedName.lastIndexOf('.');
    if (at === -1) return null;
    const owner = symbol.qualifiedName.slice(0, at);
    const here = symbolsByName(facts).get(owner)?.[0];
    if (here !== undefined) return { path: facts.path, index: here };
    const value = this.evaluate(facts, null, owner);
    return value?.kind === 'symbol' ? value.ref : null;
  }

  #head(
    facts: FileFacts,
    scope: number | null,
    head: string,
    steps: readonly Step[],
  ): { value: Value | null; steps: readonly Step[] } {
    const family = families[facts.language];
    if (head === 'this' || head === 'Self') {
      const type = this.enclosingType(facts, scope);
      if (type === null) return { value: null, steps: [] };
      const isInstance = head === 'this' && !(steps.length > 0 && steps[0]?.kind === 'instance');
      return { value: { kind: isInstance ? 'instance' : 'symbol', ref: type, confidence: 1 }, steps };
    }
    if (head === 'super' && family !== 'rust') return this.#super(facts, scope, steps);
    if (family === 'rust' && (head === 'crate' || head === 'self' || head === 'super')) {
      return { value: moduleValue(this.#rustHead(facts, scope, head), head, 1), steps };
    }
    if (head === builtin) return { value: { kind: 'external', name: 'the language' }, steps: [] };
    if (head === unknown) return { value: null, steps: [] };
    return { value: this.lookUp(facts, scope, head), steps };
  }

  #super(
    facts: FileFacts,
    scope: number | null,
    steps: readonly Step[],
  ): { value: Value | null; steps: readonly Step[] } {
    const type = this.enclosingType(facts, scope);
    const [first, ...rest] = steps;
    if (type === null) return { value: null, steps: [] };
    let outside: Value | null = null;
    for (const base of this.basesOf(type)) {
      if (base.kind === 'external') outside ??= base;
      if (base.kind !== 'symbol') continue;
      if (first === undefined) return { value: base, steps };
      if (first.kind !== 'member') return { value: base, steps: rest };
      const found = this.member(base.ref, first.name);
      if (found?.kind === 'symbol') return { value: found, steps: rest };
      if (found !== null) outside ??= found;
    }
    return { value: outside, steps: outside === null ? [] : rest };
  }

  /** What a name stands for at a place. */
  lookUp(facts: FileFacts, scope: number | null, name: string): Value | null {
    const family = families[facts.language];
    const plain = family === 'php' || family === 'ruby' ? name.replace(/^(\\|::)/, '') : name;
    const isRooted = plain !== name;
    const names = symbolsByName(facts);
    let at = isRooted ? null : scope;
    while (at !== null) {
      const symbol: SymbolFact | undefined = facts.symbols[at];
      if (symbol === undefined) break;
      const bound = facts.imports.find((fact) => fact.scope === at && fact.local === plain);
      if (bound !== undefined) return this.imported(facts, bound);
      const fromAll = isCallable(symbol) || symbol.kind === 'namespace' ? this.#throughStars(facts, at, plain) : null;
      if (fromAll !== null) return fromAll;
      if (
        isCallable(symbol) ||
        symbol.kind === 'namespace' ||
        symbol.kind === 'variable' ||
        implicitMembers.has(family)
      ) {
        const inner = names.get(`${symbol.qualifiedName}.${plain}`)?.[0];
        if (inner !== undefined) return { kind: 'symbol', ref: { path: facts.path, index: inner }, confidence: 1 };
      }
      if (implicitMembers.has(family)) {
        const owner = isType(symbol)
          ? { path: facts.path, index: at }
          : symbol.parent === null
            ? this.enclosingType(facts, at)
            : null;
        const found = owner === null ? null : this.member(owner, plain);
        if (found?.kind === 'symbol') return found;
      }
      at = symbol.parent;
    }
    const own = names.get(plain)?.[0];
    const imports = facts.imports.filter((fact) => fact.scope === null);
    if (own !== undefined && !isRooted) return { kind: 'symbol', ref: { path: facts.path, index: own }, confidence: 1 };
    const bound = isRooted ? undefined : imports.find((fact) => fact.local === plain);
    if (bound !== undefined) return this.imported(facts, bound);
    if (family === 'go') {
      const unnamed = imports.filter((fact) => fact.local === '.');
      const match = unnamed.find(
        (fact) => packageName(this.#view, this.moduleOf(facts, fact), fact.specifier) === plain,
      );
      if (match !== undefined) return this.imported(facts, match);
    }
    return (isRooted ? null : this.#throughStars(facts, null, plain)) ?? this.#ambient(facts, scope, plain, family);
  }

  #throughStars(facts: FileFacts, scope: number | null, name: string): Value | null {
    for (const fact of facts.imports) {
      if (fact.scope !== scope || fact.imported !== '*') continue;
      const module = this.moduleOf(facts, fact);
      if (module === null || module.kind === 'external') continue;
      const value = this.memberOfModule(module, name, 1);
      if (value !== null && value.kind !== 'external') return weaker(value, 0.95);
    }
    return null;
  }

  /** Names that need no import. */
  #ambient(facts: FileFacts, scope: number | null, name: string, family: Family): Value | null {
    switch (family) {
      case 'go':
        for (const path of packageSiblings(this.#view, facts.path, facts.module)) {
          const sibling = this.#view.facts(path);
          const index = sibling === undefined ? undefined : symbolsByName(sibling).get(name)?.[0];
          if (index !== undefined) return { kind: 'symbol', ref: { path, index }, confidence: 1 };
        }
        return null;
      case 'java':
      case 'proto':
        return (
          this.#qualified(
            name,
            (symbol, other) =>
              symbol.qualifiedName === name && other.module === facts.module && families[other.language] === family,
            1,
          ) ?? this.#byFullName(facts, name)
        );
      case 'csharp': {
        const within = facts.module ?? '';
        const isVisible = (module: string): boolean =>
          module === within || module === '' || within.startsWith(`${module}.`);
        return (
          this.#qualified(
            name,
            (symbol, other) =>
              symbol.qualifiedName === name && other.language === 'csharp' && isVisible(other.module ?? ''),
            1,
          ) ?? this.#byFullName(facts, name)
        );
      }
      case 'php': {
        const at = name.lastIndexOf('\\');
        const last = name.slice(at + 1);
        const spaces =
          at === -1
            ? [facts.module, null]
            : [name.slice(0, at), facts.module === null ? name.slice(0, at) : `${facts.module}\\${name.slice(0, at)}`];
        for (const space of spaces) {
          const found = this.#qualified(
            last,
            (symbol, other) =>
              symbol.qualifiedName === last &&
              other.language === 'php' &&
              other.module === space &&
              (space === facts.module || at !== -1 || symbol.kind === 'function' || facts.module === null),
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
          const found = this.#qualified(
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
          const found = this.#qualified(
            name,
            (symbol, other) =>
              symbol.qualifiedName === full &&
              families[other.language] === 'c' &&
              (symbol.exported || other.path === facts.path),
            0.7,
          );
          if (found !== null) return found;
        }
        // Members of a plain enum are names of the scope around it.
        return this.#unique(
          name,
          (symbol, other) => symbol.kind === 'enum-member' && families[other.language] === 'c',
          0.7,
        );
      }
      case 'sql':
        return this.#unique(name, (symbol, other) => symbol.parent === null && other.language === 'sql', 0.9);
      case 'rust': {
        const crate = crateNamed(this.#view, name);
        return crate === null ? null : moduleValue(crate, name, 1);
      }
      case 'python':
      case 'ecmascript':
        // What is thrown is mostly the language's; a class of the project would have been found before.
        return /^([A-Z]\w*)?(Error|Exception|Warning)$/.test(name) ? { kind: 'external', name } : null;
      default:
        return null;
    }
  }

  /** `a.b.C` written out in full: the namespace is the longest prefix that some file declares. */
  #byFullName(facts: FileFacts, name: string): Value | null {
    const separator = '.';
    if (!this.#namespaceExists(facts.language, name)) return null;
    return {
      kind: 'module',
      module: { kind: 'namespace', language: facts.language, name: name.split(separator).join(separator) },
      confidence: 1,
    };
  }

  /** Namespaces have no table of their own: a first part that is lower-case (Java) or unknown is kept as a path. */
  #namespaceExists(language: Language, name: string): boolean {
    return language === 'java' && /^[a-z]/.test(name) && this.#view.definitions(name).length === 0;
  }

  #memberOfNamespace(module: Extract<Module, { kind: 'namespace' }>, name: string): Value | null {
    const family = families[module.language];
    const separator = family === 'php' ? '\\' : '.';
    if (family === 'c') {
      const full = `${module.name}.${name}`;
      return this.#qualified(
        name,
        (symbol, other) => symbol.qualifiedName === full && families[other.language] === 'c',
        0.9,
      );
    }
    const inside = this.#qualified(
      name,
      (symbol, other) =>
        symbol.qualifiedName === name && families[other.language] === family && (other.module ?? '') === module.name,
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
        : this.#qualified(
            typeName,
            (symbol, other) => isType(symbol) && families[other.language] === family && (other.module ?? '') === space,
            1,
          );
    if (type?.kind === 'symbol') return this.member(type.ref, name);
    if (family === 'java' && /^[a-z]/.test(name))
      return { kind: 'module', module: { ...module, name: `${module.name}.${name}` }, confidence: 1 };
    return null;
  }

  #qualified(name: string, fits: (symbol: SymbolFact, facts: FileFacts) => boolean, confidence: number): Value | null {
    const found = this.#matching(name, fits);
    const [first] = found;
    if (first === undefined) return null;
    // A prototype and its definition are one thing; two definitions are a guess.
    const distinct = found.filter((ref) => !isPrototype(symbolAt(this.#view, ref))).length;
    const best = found.find((ref) => !isPrototype(symbolAt(this.#view, ref))) ?? first;
    return { kind: 'symbol', ref: best, confidence: distinct > 1 ? confidence * 0.8 : confidence };
  }

  #unique(name: string, fits: (symbol: SymbolFact, facts: FileFacts) => boolean, confidence: number): Value | null {
    const found = this.#matching(name, fits);
    const [only] = found;
    return found.length === 1 && only !== undefined ? { kind: 'symbol', ref: only, confidence } : null;
  }

  #matching(name: string, fits: (symbol: SymbolFact, facts: FileFacts) => boolean): readonly SymbolRef[] {
    return this.#view.definitions(name).filter((ref) => {
      const facts = this.#view.facts(ref.path);
      const symbol = facts?.symbols[ref.index];
      return facts !== undefined && symbol !== undefined && fits(symbol, facts);
    });
  }

  #namespaced(facts: FileFacts, path: Expression): Value | null {
    const parts = path.split('.');
    const last = parts.at(-1) ?? path;
    return (
      this.#qualified(
        last,
        (symbol, other) => symbol.qualifiedName === path && families[other.language] === families[facts.language],
        0.9,
      ) ?? { kind: 'external', name: path }
    );
  }

  /** A name of a file that others can see. */
  #exported(facts: FileFacts, name: string, depth: number): Value | null {
    const key = `export ${facts.path}\n${name}`;
    if (this.#running.has(key)) return null;
    this.#running.add(key);
    const value = this.#exportedOnce(facts, name, depth);
    this.#running.delete(key);
    return value;
  }

  #exportedOnce(facts: FileFacts, name: string, depth: number): Value | null {
    const family = families[facts.language];
    const named = facts.exports.find((one) => one.exported === name);
    if (named !== undefined) {
      const value = this.evaluate(facts, null, named.local);
      if (value !== null) return value;
    }
    const index = symbolsByName(facts)
      .get(name)
      ?.find((one) => {
        const symbol = facts.symbols[one];
        return (
          symbol !== undefined &&
          (family !== 'ecmascript' ||
            symbol.exported ||
            facts.exports.some((other) => other.local === name) ||
            isScript(facts))
        );
      });
    if (index !== undefined) {
      const value: Value = { kind: 'symbol', ref: { path: facts.path, index }, confidence: 1 };
      const symbol = facts.symbols[index];
      return family === 'c' && isPrototype(symbol) ? (this.#definitionOf(facts, symbol) ?? value) : value;
    }
    const passed = facts.imports.find(
      (fact) => fact.scope === null && (fact.exported === name || (family === 'python' && fact.local === name)),
    );
    if (passed !== undefined) return this.imported(facts, passed);
    if (name === 'default' && family === 'ecmascript') {
      // A CommonJS module, or a component, is its own default.
      const isComponent = facts.language === 'vue' || facts.language === 'svelte';
      return isComponent || isScript(facts) || facts.exports.length > 0
        ? { kind: 'module', module: fileModule(facts.path), confidence: 0.9 }
        : null;
    }
    for (const fact of facts.imports) {
      if (fact.scope !== null || fact.exported !== '*') continue;
      const module = this.moduleOf(facts, fact);
      if (module === null || module.kind === 'external') continue;
      const value = this.memberOfModule(module, name, depth + 1);
      if (value !== null && value.kind !== 'external') return value;
    }
    if (family === 'ecmascript') {
      // Members of what `module.exports` was set to.
      const whole = facts.exports.find((one) => one.exported === 'default');
      const value = whole === undefined ? null : this.evaluate(facts, null, whole.local);
      if (value?.kind === 'symbol' || value?.kind === 'instance') return this.#step(value, { kind: 'member', name });
    }
    return null;
  }

  #definitionOf(facts: FileFacts, symbol: SymbolFact | undefined): Value | null {
    if (symbol === undefined) return null;
    return this.#unique(
      symbol.name,
      (other, otherFacts) =>
        other.qualifiedName === symbol.qualifiedName &&
        families[otherFacts.language] === families[facts.language] &&
        !isPrototype(other),
      1,
    );
  }

  #ownMember(facts: FileFacts, owner: SymbolFact, name: string): SymbolRef | null {
    const qualified = `${owner.qualifiedName}.${name}`;
    const here = symbolsByName(facts).get(qualified) ?? [];
    const family = families[facts.language];
    const best = family === 'c' ? (here.find((index) => !isPrototype(facts.symbols[index])) ?? undefined) : here[0];
    if (best !== undefined) return { path: facts.path, index: best };
    if (openTypes.has(family)) {
      for (const ref of this.#view.definitions(name)) {
        const other = this.#view.facts(ref.path);
        const symbol = other?.symbols[ref.index];
        if (other === undefined || symbol === undefined || symbol.qualifiedName !== qualified) continue;
        if (families[other.language] !== family || isPrototype(symbol)) continue;
        if (family === 'go' && (directoryOf(ref.path) !== directoryOf(facts.path) || other.module !== facts.module))
          continue;
        if (family === 'csharp' && other.module !== facts.module) continue;
        return ref;
      }
    }
    const [first] = here;
    return first === undefined ? null : { path: facts.path, index: first };
  }

  /** The other parts of a type that may be declared in pieces. */
  #sameType(facts: FileFacts, owner: SymbolFact): readonly SymbolRef[] {
    return this.#matching(
      owner.name,
      (symbol, other) =>
        symbol.qualifiedName === owner.qualifiedName &&
        other.language === facts.language &&
        (facts.language === 'ruby' || other.module === facts.module),
    );
  }

  #step(value: Value, step: Step): Value | null {
    if (value.kind === 'external')
      return { kind: 'external', name: step.kind === 'member' ? `${value.name}.${step.name}` : value.name };
    if (value.kind === 'module') {
      if (step.kind === 'member') return this.#memberOfModuleValue(value, step.name);
      const inner = value.module.kind === 'files' ? this.memberOfModule(value.module, 'default', 0) : null;
      return inner === null || inner.kind === 'module' ? null : this.#step(inner, step);
    }
    const facts = this.#view.facts(value.ref.path);
    const symbol = facts?.symbols[value.ref.index];
    if (facts === undefined || symbol === undefined) return null;
    if (step.kind === 'instance') return this.#instance(value, facts, symbol);
    if (step.kind === 'call') return value.kind === 'instance' ? null : this.#called(value, facts, symbol);
    if (value.kind === 'symbol' && !isType(symbol)) {
      const attached = symbolsByName(facts).get(`${symbol.qualifiedName}.${step.name}`)?.[0];
      if (attached !== undefined)
        return { kind: 'symbol', ref: { path: value.ref.path, index: attached }, confidence: value.confidence };
      if (symbol.kind === 'namespace') return this.#memberOfReopened(facts, symbol, step.name);
      if (isCallable(symbol) && families[facts.language] !== 'ruby') return null;
      const held = this.#typeOf(value, facts, symbol);
      return held === null ? null : this.#step(held, step);
    }
    const found = this.member(value.ref, step.name);
    return found?.kind === 'symbol' ? { ...found, confidence: Math.min(found.confidence, value.confidence) } : found;
  }

  #memberOfModuleValue(value: Extract<Value, { kind: 'module' }>, name: string): Value | null {
    const { module } = value;
    const found = this.memberOfModule(module, name, 0);
    if (found !== null) return weaker(found, value.confidence);
    const [path] = module.kind === 'files' ? module.files : [];
    const facts = path === undefined ? undefined : this.#view.facts(path);
    if (path === undefined || facts?.language !== 'rust') return null;
    const declared = facts.imports.find((fact) => fact.specifier === `self::${name}` && fact.imported === null);
    return declared === undefined ? null : moduleValue(childModule(this.#view, path, name), name, 1);
  }

  #memberOfReopened(facts: FileFacts, symbol: SymbolFact, name: string): Value | null {
    const full = `${symbol.qualifiedName}.${name}`;
    return this.#qualified(
      name,
      (other, otherFacts) => other.qualifiedName === full && families[otherFacts.language] === families[facts.language],
      0.95,
    );
  }

  #instance(
    value: Extract<Value, { kind: 'symbol' | 'instance' }>,
    facts: FileFacts,
    symbol: SymbolFact,
  ): Value | null {
    if (value.kind === 'instance') return value;
    if (symbol.kind === 'type' && symbol.type !== null) {
      const aliased = this.evaluate(facts, symbol.parent, symbol.type);
      if (aliased !== null && aliased.kind !== 'symbol') return aliased;
    }
    if (isType(symbol) || symbol.kind === 'namespace')
      return { kind: 'instance', ref: value.ref, confidence: value.confidence };
    return isCallable(symbol) ? null : this.#typeOf(value, facts, symbol);
  }

  #called(value: Extract<Value, { kind: 'symbol' | 'instance' }>, facts: FileFacts, symbol: SymbolFact): Value | null {
    if (isType(symbol)) return { kind: 'instance', ref: value.ref, confidence: value.confidence };
    if (isCallable(symbol)) return this.#typeOf(value, facts, symbol);
    return families[facts.language] === 'ruby' ? this.#typeOf(value, facts, symbol) : null;
  }

  /** What a variable holds, or a function gives: one step of inference, a little less certain. */
  #typeOf(value: Extract<Value, { kind: 'symbol' | 'instance' }>, facts: FileFacts, symbol: SymbolFact): Value | null {
    if (symbol.type === null) return null;
    // The value of a variable is written where the variable is; the names of a function's result are around it.
    const scope = isCallable(symbol) || symbol.kind === 'property' ? value.ref.index : symbol.parent;
    const held = this.evaluate(facts, symbol.type.startsWith('this') ? value.ref.index : scope, symbol.type);
    if (held?.kind === 'symbol') {
      const inner = symbolAt(this.#view, held.ref);
      const innerFacts = this.#view.facts(held.ref.path);
      if (inner === undefined || innerFacts === undefined) return null;
      // A variable that holds a type or a function is another name of it.
      if (isType(inner) || isCallable(inner)) return held;
      return held.ref.path === value.ref.path && held.ref.index === value.ref.index
        ? null
        : weakerOrNull(this.#typeOf(held, innerFacts, inner), 0.97);
    }
    return weakerOrNull(held, 0.97);
  }

  #rustHead(facts: FileFacts, scope: number | null, head: 'crate' | 'self' | 'super'): Module | null {
    if (head === 'crate') return crateRoot(this.#view, facts.path);
    if (head === 'self') return fileModule(facts.path);
    // Inside a `mod` block of this file, the module around it is the file.
    let at = scope;
    while (at !== null) {
      const symbol: SymbolFact | undefined = facts.symbols[at];
      if (symbol?.kind === 'namespace') return fileModule(facts.path);
      at = symbol?.parent ?? null;
    }
    return parentModule(this.#view, facts.path);
  }

  #rustModule(facts: FileFacts, fact: ImportFact): Module | null {
    const [first = '', ...rest] = fact.specifier.split('::').filter((name) => name !== '');
    let value: Value | null;
    if (first === 'self' && rest.length === 1 && fact.imported === null)
      return childModule(this.#view, facts.path, rest[0] ?? '');
    if (first === 'crate' || first === 'self' || first === 'super')
      value = moduleValue(this.#rustHead(facts, fact.scope, first), first, 1);
    else {
      const declared = facts.imports.find(
        (one) => one !== fact && one.local === first && one.specifier === `self::${first}`,
      );
      const own = symbolsByName(facts).get(first)?.[0];
      if (declared !== undefined) value = moduleValue(childModule(this.#view, facts.path, first), first, 1);
      else if (own !== undefined) value = { kind: 'symbol', ref: { path: facts.path, index: own }, confidence: 1 };
      else value = moduleValue(crateNamed(this.#view, first), first, 1);
      if (value === null) return external(fact.specifier);
    }
    for (const name of rest) {
      if (value === null) return null;
      if (name === 'super' && value.kind === 'module' && value.module.kind === 'files')
        value = moduleValue(parentModule(this.#view, value.module.files[0] ?? ''), name, 1);
      else value = this.#step(value, { kind: 'member', name });
    }
    if (value?.kind === 'module') return value.module;
    // A type or an inline module: its members are reached through the symbol.
    if (value?.kind === 'symbol') return { kind: 'files', files: [value.ref.path], directory: null, package: null };
    return value === null ? null : external(fact.specifier);
  }
}

/** The names around a place, innermost first, the empty one last. */
function enclosingNames(facts: FileFacts, scope: number | null): readonly string[] {
  const names: string[] = [];
  const symbol = scope === null ? undefined : facts.symbols[scope];
  let name = symbol?.qualifiedName ?? '';
  while (name !== '') {
    names.push(name);
    name = name.slice(0, Math.max(name.lastIndexOf('.'), 0));
  }
  names.push('');
  return names;
}

function basesWritten(facts: FileFacts, index: number): readonly Expression[] {
  let byOwner = writtenBases.get(facts);
  if (byOwner === undefined) {
    byOwner = new Map();
    for (const reference of facts.references) {
      if ((reference.kind !== 'inherit' && reference.kind !== 'implement') || reference.from === null) continue;
      byOwner.set(reference.from, [...(byOwner.get(reference.from) ?? []), reference.target]);
    }
    writtenBases.set(facts, byOwner);
  }
  return byOwner.get(index) ?? [];
}

const writtenBases = new WeakMap<FileFacts, Map<number, readonly Expression[]>>();

/** A file without a module of its own: all it declares is visible to whoever loads it. */
function isScript(facts: FileFacts): boolean {
  return facts.exports.length === 0 && !facts.symbols.some((symbol) => symbol.exported && symbol.parent === null);
}

/** Declared here and defined elsewhere: only C and its kin have that. */
export function isPrototype(symbol: SymbolFact | undefined): boolean {
  return symbol !== undefined && callableKinds.has(symbol.kind) && symbol.signature.endsWith(';');
}

function moduleValue(module: Module | null, name: string, confidence: number): Value | null {
  if (module === null) return null;
  if (module.kind === 'external') return { kind: 'external', name: module.name === '' ? name : module.name };
  return { kind: 'module', module, confidence };
}

function weaker(value: Value, factor: number): Value {
  return value.kind === 'external' ? value : { ...value, confidence: value.confidence * factor };
}

function weakerOrNull(value: Value | null, factor: number): Value | null {
  return value === null ? null : weaker(value, factor);
}
