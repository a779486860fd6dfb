/**
 * Interfaces of Go are implemented without saying so: by having their methods with the same types. Names of packages
 * in those types are left out of the comparison. An interface that embeds one from outside is judged by its own methods,
 * when it has several, with less certainty.
 */
import { codeLimits } from '../../../base/limits.ts';
import type { SymbolFact } from '../symbol.ts';
import type { Evaluator } from './evaluate.ts';
import { basesOf } from './members.ts';
import { directoryOf } from './paths.ts';
import { type ProjectView, type SymbolRef, sameRef, symbolAt } from './project-view.ts';

export interface Implemented {
  readonly ref: SymbolRef;
  readonly confidence: number;
}

type Methods = ReadonlyMap<string, string>;

/** The interfaces of the project that a type implements, sorted by path and index. */
export function implementedByShape(view: ProjectView, evaluator: Evaluator, type: SymbolRef): readonly Implemented[] {
  const own = methodsOf(view, evaluator, type, 0);
  if (own === null || own.size === 0) return [];
  const found: Implemented[] = [];
  const seen = new Set<string>();
  for (const name of own.keys()) {
    for (const ref of view.definitions(name)) {
      const facts = view.facts(ref.path);
      const method = facts?.symbols[ref.index];
      if (facts?.language !== 'go' || method === undefined || method.parent === null) continue;
      const owner = facts.symbols[method.parent];
      const key = `${ref.path}\n${method.parent}`;
      if (owner?.kind !== 'interface' || seen.has(key)) continue;
      seen.add(key);
      const candidate = { path: ref.path, index: method.parent };
      const isSamePackage = directoryOf(type.path) === directoryOf(ref.path);
      if (!isSamePackage && (!owner.exported || isTest(ref.path))) continue;
      if (isTest(ref.path) && !isTest(type.path)) continue;
      const wanted = methodsOf(view, evaluator, candidate, 0);
      const known = wanted ?? new Map(ownMethods(view, candidate, owner));
      // A single method is too little to go by when others are not known.
      const isEnough = wanted !== null || known.size > 1;
      if (isEnough && fits(own, known, isSamePackage))
        found.push({ ref: candidate, confidence: wanted === null ? 0.8 : 0.95 });
    }
  }
  return found;
}

function isTest(path: string): boolean {
  return path.endsWith('_test.go');
}

function fits(own: Methods, wanted: Methods, isSamePackage: boolean): boolean {
  for (const [name, shape] of wanted) {
    if (own.get(name) !== shape) return false;
    if (!isSamePackage && !/^\p{Lu}/u.test(name)) return false;
  }
  return wanted.size > 0;
}

/** Methods by name with their shapes, promoted ones included; null when something outside the project has a part in it. */
function methodsOf(view: ProjectView, evaluator: Evaluator, type: SymbolRef, depth: number): Methods | null {
  const symbol = symbolAt(view, type);
  if (symbol === undefined || depth > codeLimits.baseDepthMax) return null;
  const methods = new Map<string, string>();
  for (const base of basesOf(evaluator, type)) {
    if (base.kind === 'external') {
      // A struct keeps its own methods; what else it has is not known, but does not take any away.
      if (symbol.kind === 'interface') return null;
      continue;
    }
    if (base.kind !== 'symbol' || sameRef(base.ref, type)) continue;
    const inherited = methodsOf(view, evaluator, base.ref, depth + 1);
    if (inherited === null) {
      if (symbol.kind === 'interface') return null;
      continue;
    }
    for (const [name, shape] of inherited) methods.set(name, shape);
  }
  for (const [name, shape] of ownMethods(view, type, symbol)) methods.set(name, shape);
  return methods;
}

function ownMethods(view: ProjectView, type: SymbolRef, symbol: SymbolFact): readonly (readonly [string, string])[] {
  const prefix = `${symbol.qualifiedName}.`;
  const own = view.facts(type.path);
  // The methods of a struct may stand in any file of its package.
  const directory = directoryOf(type.path);
  const files =
    symbol.kind === 'interface' ? [type.path] : view.filesIn(directory).filter((path) => path.endsWith('.go'));
  return files.flatMap((path) => {
    const facts = view.facts(path);
    if (facts === undefined || facts.module !== own?.module) return [];
    return methodsIn(facts).get(prefix) ?? [];
  });
}

function methodsIn(
  facts: object & { readonly symbols: readonly SymbolFact[] },
): ReadonlyMap<string, readonly (readonly [string, string])[]> {
  let known = byOwner.get(facts);
  if (known === undefined) {
    const made = new Map<string, (readonly [string, string])[]>();
    for (const symbol of facts.symbols) {
      if (symbol.kind !== 'method' || symbol.shape === null) continue;
      const owner = symbol.qualifiedName.slice(0, symbol.qualifiedName.length - symbol.name.length);
      const list = made.get(owner) ?? [];
      list.push([symbol.name, symbol.shape]);
      made.set(owner, list);
    }
    known = made;
    byOwner.set(facts, known);
  }
  return known;
}

const byOwner = new WeakMap<object, ReadonlyMap<string, readonly (readonly [string, string])[]>>();
