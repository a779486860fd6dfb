/** Paths of Rust that begin with a crate, `self` or `super`. */
import type { FileFacts, ImportFact, SymbolFact } from '../symbol.ts';
import type { Evaluator } from './evaluate.ts';
import { external, fileModule, type Module } from './module.ts';
import { symbolsByName } from './project-view.ts';
import { childModule, crateNamed, crateRoot, parentModule } from './rust-modules.ts';
import { moduleValue, type Value } from './value.ts';

export function rustModule(on: Evaluator, facts: FileFacts, fact: ImportFact): Module | null {
  const [first = '', ...rest] = fact.specifier.split('::').filter((name) => name !== '');
  let value: Value | null;
  if (first === 'self' && rest.length === 1 && fact.imported === null)
    return childModule(on.view, facts.path, rest[0] ?? '');
  if (first === 'crate' || first === 'self' || first === 'super')
    value = moduleValue(rustHead(on, facts, fact.scope, first), first, 1);
  else {
    const declared = facts.imports.find(
      (one) => one !== fact && one.local === first && one.specifier === `self::${first}`,
    );
    const own = symbolsByName(facts).get(first)?.[0];
    if (declared !== undefined) value = moduleValue(childModule(on.view, facts.path, first), first, 1);
    else if (own !== undefined) value = { kind: 'symbol', ref: { path: facts.path, index: own }, confidence: 1 };
    else value = moduleValue(crateNamed(on.view, first), first, 1);
    if (value === null) return external(fact.specifier);
  }
  for (const name of rest) {
    if (value === null) return null;
    if (name === 'super' && value.kind === 'module' && value.module.kind === 'files')
      value = moduleValue(parentModule(on.view, value.module.files[0] ?? ''), name, 1);
    else value = on.step(value, { kind: 'member', name });
  }
  if (value?.kind === 'module') return value.module;
  // A type or an inline module: its members are reached through the symbol.
  if (value?.kind === 'symbol') return { kind: 'files', files: [value.ref.path], directory: null, package: null };
  return value === null ? null : external(fact.specifier);
}

export function rustHead(
  on: Evaluator,
  facts: FileFacts,
  scope: number | null,
  head: 'crate' | 'self' | 'super',
): Module | null {
  if (head === 'crate') return crateRoot(on.view, facts.path);
  if (head === 'self') return fileModule(facts.path);
  // Inside a `mod` block of this file, the module around it is the file.
  let at = scope;
  while (at !== null) {
    const symbol: SymbolFact | undefined = facts.symbols[at];
    if (symbol?.kind === 'namespace') return fileModule(facts.path);
    at = symbol?.parent ?? null;
  }
  return parentModule(on.view, facts.path);
}
