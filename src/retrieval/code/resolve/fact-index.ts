/** The imports, exports and bases of a file by the names that are asked for, made once for each version of its facts. */
import type { ExportFact, Expression, FileFacts, ImportFact } from '../symbol.ts';

export interface FactIndex {
  /** The first import of a local name in a body, or at the top of the file (null). */
  imported(scope: number | null, local: string): ImportFact | undefined;
  /** Imports of all names of a module into a body or the file. */
  stars(scope: number | null): readonly ImportFact[];
  /** Imports at the top that get the name of their package: `.` stands for it (Go). */
  readonly unnamed: readonly ImportFact[];
  /** Imports at the top that pass a name on. */
  readonly passedOn: ReadonlyMap<string, ImportFact>;
  /** Imports at the top that pass all names on. */
  readonly passedOnWhole: readonly ImportFact[];
  readonly exports: ReadonlyMap<string, ExportFact>;
  /** What symbols inherit from and implement, as written. */
  readonly bases: ReadonlyMap<number, readonly Expression[]>;
  /** Whether a local name is exported under another one. */
  readonly exportedLocals: ReadonlySet<Expression>;
  /** No module of its own: all that a script declares is visible to whoever loads it. */
  readonly isScript: boolean;
}

export function indexOf(facts: FileFacts): FactIndex {
  let known = indexes.get(facts);
  if (known === undefined) {
    known = makeIndex(facts);
    indexes.set(facts, known);
  }
  return known;
}

const indexes = new WeakMap<FileFacts, FactIndex>();
const none: readonly ImportFact[] = [];

function makeIndex(facts: FileFacts): FactIndex {
  const locals = new Map<number | null, Map<string, ImportFact>>();
  const stars = new Map<number | null, ImportFact[]>();
  const unnamed: ImportFact[] = [];
  const passedOn = new Map<string, ImportFact>();
  const passedOnWhole: ImportFact[] = [];
  for (const fact of facts.imports) {
    if (fact.local !== null) {
      const names = locals.get(fact.scope) ?? new Map<string, ImportFact>();
      if (!names.has(fact.local)) names.set(fact.local, fact);
      locals.set(fact.scope, names);
    }
    if (fact.imported === '*') stars.set(fact.scope, [...(stars.get(fact.scope) ?? []), fact]);
    if (fact.scope !== null) continue;
    if (fact.local === '.') unnamed.push(fact);
    if (fact.exported === '*') passedOnWhole.push(fact);
    else if (fact.exported !== null && !passedOn.has(fact.exported)) passedOn.set(fact.exported, fact);
    // Whatever a module of Python imports is a name of it.
    if (facts.language === 'python' && fact.local !== null && !passedOn.has(fact.local)) passedOn.set(fact.local, fact);
  }
  const exports = new Map<string, ExportFact>();
  for (const one of facts.exports) if (!exports.has(one.exported)) exports.set(one.exported, one);
  const bases = new Map<number, Expression[]>();
  for (const { kind, from, target } of facts.references) {
    if ((kind !== 'inherit' && kind !== 'implement') || from === null) continue;
    const written = bases.get(from);
    if (written === undefined) bases.set(from, [target]);
    else written.push(target);
  }
  return {
    imported: (scope, local) => locals.get(scope)?.get(local),
    stars: (scope) => stars.get(scope) ?? none,
    unnamed,
    passedOn,
    passedOnWhole,
    exports,
    bases,
    exportedLocals: new Set(facts.exports.map((one) => one.local)),
    isScript: facts.exports.length === 0 && !facts.symbols.some((symbol) => symbol.exported && symbol.parent === null),
  };
}
