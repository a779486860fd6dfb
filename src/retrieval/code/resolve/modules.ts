/** What imports bring in: the module they mean, and the names that a module gives. */
import { codeLimits } from '../../../base/limits.ts';
import type { FileFacts, ImportFact, SymbolFact } from '../symbol.ts';
import { memberOfNamespace, namespaced } from './ambient.ts';
import { unique } from './definitions.ts';
import { ecmascriptModule } from './ecmascript-modules.ts';
import type { Evaluator } from './evaluate.ts';
import { indexOf } from './fact-index.ts';
import { familyOf, isPrototype } from './families.ts';
import { goPackage } from './go-packages.ts';
import { includedFile } from './included-files.ts';
import { fileModule, type InnerModule, type Module } from './module.ts';
import { joinPath } from './paths.ts';
import { symbolsByName } from './project-view.ts';
import { moduleAt, pythonModule } from './python-modules.ts';
import { childModule } from './rust-modules.ts';
import { rustModule } from './rust-names.ts';
import { moduleValue, type Value, weaker } from './value.ts';

/** The module an import means; null when it should be in the project and is not. */
export function resolveModule(on: Evaluator, facts: FileFacts, fact: ImportFact): Module | null {
  const { path, language } = facts;
  switch (familyOf(language)) {
    case 'ecmascript':
      return ecmascriptModule(on.view, path, fact.specifier);
    case 'python':
      return pythonModule(on.view, path, fact.specifier);
    case 'go':
      return goPackage(on.view, path, fact.specifier);
    case 'rust':
      return rustModule(on, facts, fact);
    case 'java':
    case 'csharp':
    case 'php':
      if (fact.form === 'include') return includedFile(on.view, path, language, fact);
      return { kind: 'namespace', language, name: fact.specifier };
    default:
      if (fact.form === 'type') return { kind: 'namespace', language, name: fact.specifier };
      return includedFile(on.view, path, language, fact);
  }
}

/** What the name that an import brings in stands for. */
export function imported(on: Evaluator, facts: FileFacts, fact: ImportFact): Value | null {
  // `import a.b.c` binds `a`; the rest is reached by its members.
  if (
    familyOf(facts.language) === 'python' &&
    fact.imported === null &&
    fact.local !== null &&
    fact.specifier.includes('.')
  ) {
    const first = fact.specifier.split('.')[0];
    if (first === fact.local && first !== '') return moduleValue(pythonModule(on.view, facts.path, first), first, 1);
  }
  if (facts.language === 'cpp' && fact.form === 'type') return namespaced(on, facts, fact.specifier);
  const module = on.moduleOf(facts, fact);
  if (module === null) return { kind: 'external', name: fact.specifier };
  if (fact.imported === null || fact.imported === '*') return moduleValue(module, fact.specifier, 1);
  if (module.kind === 'external') return { kind: 'external', name: `${module.name}.${fact.imported}` };
  return (
    memberOfModule(on, module, fact.imported, 0) ?? { kind: 'external', name: `${fact.specifier}.${fact.imported}` }
  );
}

export function memberOfModule(on: Evaluator, module: InnerModule, name: string, depth: number): Value | null {
  if (depth > codeLimits.reexportDepthMax) return null;
  if (module.kind === 'namespace') return memberOfNamespace(on, module, name);
  for (const path of module.files) {
    const facts = on.view.facts(path);
    const value = facts === undefined ? null : exported(on, facts, name, depth);
    if (value !== null) return value;
  }
  if (module.directory !== null) {
    const inner = moduleAt(on.view, joinPath(module.directory, name));
    if (inner !== null) return moduleValue(inner, name, 1);
  }
  return null;
}

export function memberOfModuleValue(
  on: Evaluator,
  value: Extract<Value, { kind: 'module' }>,
  name: string,
): Value | null {
  const { module } = value;
  const found = memberOfModule(on, module, name, 0);
  if (found !== null) return weaker(found, value.confidence);
  const [path] = module.kind === 'files' ? module.files : [];
  const facts = path === undefined ? undefined : on.view.facts(path);
  if (path === undefined || facts?.language !== 'rust') return null;
  const declared = facts.imports.find((fact) => fact.specifier === `self::${name}` && fact.imported === null);
  return declared === undefined ? null : moduleValue(childModule(on.view, path, name), name, 1);
}

/** A name of a file that others can see. */
function exported(on: Evaluator, facts: FileFacts, name: string, depth: number): Value | null {
  const key = `export ${facts.path}\n${name}`;
  const work = (): Value | null => exportedOnce(on, facts, name, depth);
  return familyOf(facts.language) === 'c' ? on.onceThroughIncludes(key, work) : on.once(key, work);
}

function exportedOnce(on: Evaluator, facts: FileFacts, name: string, depth: number): Value | null {
  const family = familyOf(facts.language);
  const index = indexOf(facts);
  const named = index.exports.get(name);
  if (named !== undefined) {
    const value = on.evaluate(facts, null, named.local);
    if (value !== null) return value;
  }
  const isOpen = family !== 'ecmascript' || index.isScript || index.exportedLocals.has(name);
  const own = symbolsByName(facts)
    .get(name)
    ?.find((one) => isOpen || facts.symbols[one]?.exported === true);
  if (own !== undefined) {
    const value: Value = { kind: 'symbol', ref: { path: facts.path, index: own }, confidence: 1 };
    const symbol = facts.symbols[own];
    return family === 'c' && isPrototype(symbol) ? (definitionOf(on, facts, symbol) ?? value) : value;
  }
  const passed = index.passedOn.get(name);
  if (passed !== undefined) return imported(on, facts, passed);
  if (name === 'default' && family === 'ecmascript') {
    // A CommonJS module, or a component, is its own default.
    const isComponent = facts.language === 'vue' || facts.language === 'svelte';
    return isComponent || index.isScript || facts.exports.length > 0
      ? { kind: 'module', module: fileModule(facts.path), confidence: 0.9 }
      : null;
  }
  for (const fact of index.passedOnWhole) {
    const module = on.moduleOf(facts, fact);
    if (module === null || module.kind === 'external') continue;
    const value = memberOfModule(on, module, name, depth + 1);
    if (value !== null && value.kind !== 'external') return value;
  }
  if (family === 'ecmascript') {
    // Members of what `module.exports` was set to.
    const whole = index.exports.get('default');
    const value = whole === undefined ? null : on.evaluate(facts, null, whole.local);
    if (value?.kind === 'symbol' || value?.kind === 'instance') return on.step(value, { kind: 'member', name });
  }
  return null;
}

function definitionOf(on: Evaluator, facts: FileFacts, symbol: SymbolFact | undefined): Value | null {
  if (symbol === undefined) return null;
  return unique(
    on,
    symbol.name,
    (other, otherFacts) =>
      other.qualifiedName === symbol.qualifiedName &&
      familyOf(otherFacts.language) === familyOf(facts.language) &&
      !isPrototype(other),
    1,
  );
}
