/** Members of types: their own, those of their bases, and the type around a place. */
import { codeLimits } from '../../../base/limits.ts';
import type { FileFacts, SymbolFact } from '../symbol.ts';
import { matching, qualified } from './definitions.ts';
import type { Evaluator } from './evaluate.ts';
import { indexOf } from './fact-index.ts';
import { familyOf, isCallable, isPrototype, isType, openTypes } from './families.ts';
import { directoryOf } from './paths.ts';
import { type SymbolRef, sameRef, symbolsByName } from './project-view.ts';
import type { Value } from './value.ts';

/** A member of a type or what its bases give it; `external` when a base lies outside the project. */
export function member(on: Evaluator, ref: SymbolRef, name: string, depth = 0): Value | null {
  const facts = on.view.facts(ref.path);
  const owner = facts?.symbols[ref.index];
  if (facts === undefined || owner === undefined || depth > codeLimits.baseDepthMax) return null;
  const own = ownMember(on, facts, owner, name);
  if (own !== null) return { kind: 'symbol', ref: own, confidence: 1 };
  let outside: Value | null = null;
  for (const base of basesOf(on, ref)) {
    if (base.kind === 'external') {
      outside ??= base;
      continue;
    }
    if (base.kind !== 'symbol') continue;
    if (sameRef(base.ref, ref)) continue;
    const found = member(on, base.ref, name, depth + 1);
    if (found?.kind === 'symbol') return { ...found, confidence: Math.min(found.confidence, base.confidence) };
    if (found?.kind === 'external') outside ??= found;
  }
  if (owner.kind === 'type' && owner.type !== null) {
    const aliased = on.evaluate(facts, owner.parent, owner.type);
    if (aliased?.kind === 'instance') return member(on, aliased.ref, name, depth + 1);
    if (aliased?.kind === 'external') return aliased;
  }
  return outside;
}

/** What a type inherits from and implements, as written. */
export function basesOf(on: Evaluator, ref: SymbolRef): readonly Value[] {
  const facts = on.view.facts(ref.path);
  const owner = facts?.symbols[ref.index];
  if (facts === undefined || owner === undefined) return [];
  const places: { readonly facts: FileFacts; readonly index: number }[] = [{ facts, index: ref.index }];
  const family = familyOf(facts.language);
  if (family === 'csharp' || family === 'ruby') {
    for (const other of sameType(on, facts, owner)) {
      const otherFacts = on.view.facts(other.path);
      if (otherFacts !== undefined && (other.path !== ref.path || other.index !== ref.index))
        places.push({ facts: otherFacts, index: other.index });
    }
  }
  return places.flatMap((place) =>
    (indexOf(place.facts).bases.get(place.index) ?? []).flatMap((target) => {
      const value = on.evaluate(place.facts, place.facts.symbols[place.index]?.parent ?? null, target);
      return value === null ? [] : [value];
    }),
  );
}

/** The type around a place, or null. */
export function enclosingType(on: Evaluator, facts: FileFacts, scope: number | null): SymbolRef | null {
  let at = scope;
  while (at !== null) {
    const symbol: SymbolFact | undefined = facts.symbols[at];
    if (symbol === undefined) return null;
    if (isType(symbol) || (symbol.kind === 'namespace' && familyOf(facts.language) === 'ruby'))
      return { path: facts.path, index: at };
    if (symbol.parent === null) return ownerOf(on, facts, symbol);
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
      const owner = ownerOf(on, facts, symbol);
      if (owner !== null) return owner;
    }
    at = symbol.parent;
  }
  return null;
}

export function memberOfReopened(on: Evaluator, facts: FileFacts, symbol: SymbolFact, name: string): Value | null {
  const full = `${symbol.qualifiedName}.${name}`;
  return qualified(
    on,
    name,
    (other, otherFacts) => other.qualifiedName === full && familyOf(otherFacts.language) === familyOf(facts.language),
    0.95,
  );
}

/** The type that a method names as its owner from outside (`func (c *Context)`, `impl A`, `int A::run()`). */
function ownerOf(on: Evaluator, facts: FileFacts, symbol: SymbolFact): SymbolRef | null {
  const at = symbol.qualifiedName.lastIndexOf('.');
  if (at === -1) return null;
  const owner = symbol.qualifiedName.slice(0, at);
  const here = symbolsByName(facts).get(owner)?.[0];
  if (here !== undefined) return { path: facts.path, index: here };
  const value = on.evaluate(facts, null, owner);
  return value?.kind === 'symbol' ? value.ref : null;
}

function ownMember(on: Evaluator, facts: FileFacts, owner: SymbolFact, name: string): SymbolRef | null {
  const qualified = `${owner.qualifiedName}.${name}`;
  const here = symbolsByName(facts).get(qualified) ?? [];
  const family = familyOf(facts.language);
  const best = family === 'c' ? (here.find((index) => !isPrototype(facts.symbols[index])) ?? undefined) : here[0];
  if (best !== undefined) return { path: facts.path, index: best };
  if (openTypes.has(family)) {
    for (const ref of on.view.definitions(name)) {
      const other = on.view.facts(ref.path);
      const symbol = other?.symbols[ref.index];
      if (other === undefined || symbol === undefined || symbol.qualifiedName !== qualified) continue;
      if (familyOf(other.language) !== family || isPrototype(symbol)) continue;
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
function sameType(on: Evaluator, facts: FileFacts, owner: SymbolFact): readonly SymbolRef[] {
  return matching(
    on,
    owner.name,
    (symbol, other) =>
      symbol.qualifiedName === owner.qualifiedName &&
      other.language === facts.language &&
      (facts.language === 'ruby' || other.module === facts.module),
  );
}
