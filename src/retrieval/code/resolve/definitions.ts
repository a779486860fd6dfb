/** Symbols found by name in the whole project, narrowed by what the place that asks can see. */
import type { FileFacts, SymbolFact } from '../symbol.ts';
import type { Evaluator } from './evaluate.ts';
import { isPrototype } from './families.ts';
import { type SymbolRef, symbolAt } from './project-view.ts';
import type { Value } from './value.ts';

export function qualified(
  on: Evaluator,
  name: string,
  fits: (symbol: SymbolFact, facts: FileFacts) => boolean,
  confidence: number,
): Value | null {
  const found = matching(on, name, fits);
  const [first] = found;
  if (first === undefined) return null;
  // A prototype and its definition are one thing; two definitions are a guess.
  const distinct = found.filter((ref) => !isPrototype(symbolAt(on.view, ref))).length;
  const best = found.find((ref) => !isPrototype(symbolAt(on.view, ref))) ?? first;
  return { kind: 'symbol', ref: best, confidence: distinct > 1 ? confidence * 0.8 : confidence };
}

export function unique(
  on: Evaluator,
  name: string,
  fits: (symbol: SymbolFact, facts: FileFacts) => boolean,
  confidence: number,
): Value | null {
  const found = matching(on, name, fits);
  const [only] = found;
  return found.length === 1 && only !== undefined ? { kind: 'symbol', ref: only, confidence } : null;
}

export function matching(
  on: Evaluator,
  name: string,
  fits: (symbol: SymbolFact, facts: FileFacts) => boolean,
): readonly SymbolRef[] {
  return on.view.definitions(name).filter((ref) => {
    const facts = on.view.facts(ref.path);
    const symbol = facts?.symbols[ref.index];
    return facts !== undefined && symbol !== undefined && fits(symbol, facts);
  });
}

/** The names around a place, innermost first, the empty one last. */
export function enclosingNames(facts: FileFacts, scope: number | null): readonly string[] {
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

/** The namespace a symbol is in, and its name there: a file may hold several (C#, PHP). */
export function placeOf(
  symbol: SymbolFact,
  facts: FileFacts,
): { readonly space: string | null; readonly name: string } {
  const namespace = namespaceAround(facts, symbol.parent);
  if (namespace === null) return { space: facts.module, name: symbol.qualifiedName };
  return { space: namespace.name, name: symbol.qualifiedName.slice(namespace.qualifiedName.length + 1) };
}

/** The namespace of a place of a file. */
export function spaceAt(facts: FileFacts, scope: number | null): string | null {
  return namespaceAround(facts, scope)?.name ?? facts.module;
}

function namespaceAround(facts: FileFacts, scope: number | null): SymbolFact | null {
  if (facts.language !== 'csharp' && facts.language !== 'php') return null;
  for (let at = scope; at !== null; ) {
    const symbol: SymbolFact | undefined = facts.symbols[at];
    if (symbol?.kind === 'namespace') return symbol;
    at = symbol?.parent ?? null;
  }
  return null;
}
