/**
 * From facts to edges. The edges of a file start in it and are a function of its facts, the configuration and what it
 * asked the view (see `resolve/project-view.ts`), so that one file can be linked without the others.
 *
 * A confidence below 1 says how much was inferred: 0.9 and more through known types and packages, 0.7 by a name that
 * is visible everywhere, 0.4 by the name of a method alone, and only when the whole project has one of that name.
 * What stays unknown is handed back; it is no proof that nothing is called.
 */
import { takesByPlace } from './composite.ts';
import { isUnknown, parseExpression, unknown } from './expression.ts';
import { givenBy } from './giver.ts';
import { byMethodName, mayBeGuessed } from './link-guess.ts';
import { ofTheLanguage } from './resolve/composites.ts';
import { Evaluator } from './resolve/evaluate.ts';
import { familyOf, isCallable, isPrototype, isType } from './resolve/families.ts';
import { implementedByShape } from './resolve/go-interfaces.ts';
import { member } from './resolve/members.ts';
import type { Module } from './resolve/module.ts';
import { imported, memberOfModule } from './resolve/modules.ts';
import { directoryOf } from './resolve/paths.ts';
import type { ProjectConfig } from './resolve/project-config.ts';
import {
  type LinkInputs,
  memoryView,
  type ProjectView,
  recordingView,
  type SymbolRef,
  symbolAt,
  symbolsByName,
} from './resolve/project-view.ts';
import { isComposite, simple, type Value } from './resolve/value.ts';
import {
  externalId,
  type FileFacts,
  fileId,
  type ImportFact,
  type Language,
  packageId,
  type ReferenceFact,
  symbolId,
} from './symbol.ts';

export type EdgeKind = 'contains' | 'imports' | 'calls' | 'inherits' | 'implements' | 'decorates' | 'references';

export interface Edge {
  readonly kind: EdgeKind;
  /** Ids of `symbol.ts`. */
  readonly from: string;
  readonly to: string;
  /** The line of the file in which the edge starts. */
  readonly line: number;
  /** Above 0, at most 1. */
  readonly confidence: number;
}

export interface UnresolvedReference {
  readonly kind: ReferenceFact['kind'] | 'import';
  readonly from: string;
  readonly target: string;
  readonly line: number;
  /** `external`: bound to something outside the project. `unknown`: nothing was found, or too much. */
  readonly reason: 'external' | 'unknown';
}

export interface LinkedFile {
  readonly path: string;
  readonly edges: readonly Edge[];
  readonly unresolved: readonly UnresolvedReference[];
  readonly inputs: LinkInputs;
}

/** Languages in which a name taken out of a module can be a module. */
const hasSubmodules: ReadonlySet<Language> = new Set(['python', 'notebook', 'rust']);

const edgeKinds: Readonly<Record<ReferenceFact['kind'], EdgeKind>> = {
  call: 'calls',
  inherit: 'inherits',
  implement: 'implements',
  decorate: 'decorates',
  reference: 'references',
  type: 'references',
};

/** Links every file of a project, in the order of their paths. */
export function* link(all: Iterable<FileFacts>, config: ProjectConfig): Generator<LinkedFile> {
  const facts = [...all].sort((a, b) => (a.path < b.path ? -1 : 1));
  const view = memoryView(facts, config);
  for (const one of facts) yield linkFile(one, view);
}

export function linkFile(facts: FileFacts, project: ProjectView): LinkedFile {
  const { view, inputs } = recordingView(project);
  const edges = new EdgeSet();
  const unresolved: UnresolvedReference[] = [];
  const evaluator = new Evaluator(view);
  containment(facts, edges);
  for (const fact of facts.imports) linkImport(facts, fact, evaluator, view, edges, unresolved);
  for (const reference of facts.references) linkReference(facts, reference, evaluator, view, edges, unresolved);
  if (facts.language === 'go') {
    facts.symbols.forEach((symbol, index) => {
      if (!isType(symbol) || symbol.kind === 'interface') return;
      for (const { ref, confidence } of implementedByShape(view, evaluator, { path: facts.path, index })) {
        const to = idOf(view, ref);
        if (to !== null)
          edges.add({
            kind: 'implements',
            from: symbolId(facts.path, symbol),
            to,
            line: symbol.startLine,
            confidence,
          });
      }
    });
  }
  return { path: facts.path, edges: edges.list(), unresolved, inputs };
}

function containment(facts: FileFacts, edges: EdgeSet): void {
  const packageOf = packageName(facts);
  if (packageOf !== null) {
    edges.add({
      kind: 'contains',
      from: packageId(packageOf),
      to: fileId(facts.path),
      line: 1,
      confidence: 1,
    });
  }
  for (const symbol of facts.symbols) {
    const parent = symbol.parent === null ? undefined : facts.symbols[symbol.parent];
    const from = parent === undefined ? fileId(facts.path) : symbolId(facts.path, parent);
    edges.add({ kind: 'contains', from, to: symbolId(facts.path, symbol), line: symbol.startLine, confidence: 1 });
  }
}

/** The node that stands for a package: its folder (Go), or its name where files declare one. */
function packageName(facts: FileFacts): string | null {
  if (facts.language === 'go') return directoryOf(facts.path);
  return facts.language === 'java' || facts.language === 'csharp' || facts.language === 'php' ? facts.module : null;
}

function linkImport(
  facts: FileFacts,
  fact: ImportFact,
  evaluator: Evaluator,
  view: ProjectView,
  edges: EdgeSet,
  unresolved: UnresolvedReference[],
): void {
  const from = fileId(facts.path);
  const kind: EdgeKind = facts.language === 'markdown' ? 'references' : 'imports';
  const module = evaluator.moduleOf(facts, fact);
  const value = fact.imported === null || fact.imported === '*' ? null : imported(evaluator, facts, fact);
  const target = targetOf(value, view);
  const add = (to: string, confidence: number): void => {
    if (to !== from) edges.add({ kind, from, to, line: fact.line, confidence });
  };
  if (target !== null && value?.kind === 'symbol') {
    add(target.id, target.confidence);
    // A namespace is no file: the one that declares the name is meant.
    if (target.path !== null && module?.kind === 'namespace') add(fileId(target.path), 1);
  }
  // `from package import module` asks for the module, not for what the package gives.
  if (target !== null && value?.kind === 'module' && hasSubmodules.has(facts.language)) {
    add(target.id, 1);
    return;
  }
  if (module === null) {
    // Links of documents to pages and pictures are no code.
    if (kind === 'imports')
      unresolved.push({ kind: 'import', from, target: fact.specifier, line: fact.line, reason: 'unknown' });
    return;
  }
  if (module.kind === 'external') add(externalId(module.name), 1);
  else if (module.kind === 'files') {
    if (module.package !== null) add(packageId(module.package), 1);
    else for (const path of module.files) add(fileId(path), 1);
    if (value?.kind === 'external' && module.files.length > 0) {
      unresolved.push({ kind: 'import', from, target: value.name, line: fact.line, reason: 'unknown' });
    }
  } else if (value?.kind === 'external') add(externalId(value.name), 1);
  else if (value === null) {
    const isHere = view.filesOfModule(module.name).length > 0;
    add(isHere ? packageId(module.name) : externalId(module.name), 1);
  }
}

function linkReference(
  facts: FileFacts,
  reference: ReferenceFact,
  evaluator: Evaluator,
  view: ProjectView,
  edges: EdgeSet,
  unresolved: UnresolvedReference[],
): void {
  const owner = reference.from === null ? undefined : facts.symbols[reference.from];
  const from = owner === undefined ? fileId(facts.path) : symbolId(facts.path, owner);
  const kind = edgeKinds[reference.kind];
  // The bases and decorators of a symbol are named outside it.
  const isOutside = reference.kind === 'inherit' || reference.kind === 'implement' || reference.kind === 'decorate';
  const scope = isOutside && owner !== undefined ? owner.parent : reference.from;
  linkHolder(facts, reference, scope, from, evaluator, view, edges);
  // A private name is known whatever stands before it.
  const isOpen = isUnknown(reference.target) && !reference.target.includes('.#');
  const held = isOpen ? null : evaluator.held(facts, scope, reference.target);
  if (held?.kind === 'union') {
    for (const option of held.options) {
      const one = targetOf(simple(option), view);
      if (one !== null) edges.add({ kind, from, to: one.id, line: reference.line, confidence: round(one.confidence) });
    }
    return;
  }
  // A value made of others has nothing that could be linked.
  if (held !== null && isComposite(held)) return;
  const value = held;
  const target = targetOf(called(value, reference, evaluator, view), view);
  const line = reference.line;
  if (target !== null && value?.kind !== 'external') {
    const isItself = target.id === from && kind !== 'calls';
    if (reference.kind === 'implement' && owner !== undefined && !isType(owner)) {
      // An object that is only said to be of a type.
      const base = value?.kind === 'symbol' ? symbolAt(view, value.ref) : undefined;
      if (base?.kind === 'interface') edges.add({ kind, from, to: target.id, line, confidence: 0.8 });
      return;
    }
    if (!isItself) edges.add({ kind, from, to: target.id, line, confidence: round(target.confidence) });
    if (kind === 'calls' && value?.kind === 'symbol') {
      for (const to of overloadsOf(value.ref, view))
        edges.add({ kind, from, to, line, confidence: round(target.confidence * 0.95) });
    }
    return;
  }
  if (value === ofTheLanguage) return;
  if (value?.kind === 'external') {
    if (kind === 'inherits' || kind === 'implements')
      edges.add({ kind, from, to: externalId(value.name), line, confidence: 1 });
    unresolved.push({ kind: reference.kind, from, target: reference.target, line, reason: 'external' });
    return;
  }
  const prefix = isOpen ? null : knownPrefix(facts, scope, reference.target, evaluator);
  const known = withMembers(prefix, view);
  // What was thought of a name that stood for something led nowhere.
  if (known === null && kind !== 'calls' && takesByPlace(reference.target)) return;
  const isGuessed = known === null && kind === 'calls' && (prefix !== null || mayBeGuessed(facts, reference.target));
  const guessed = isGuessed ? byMethodName(facts, reference.target, evaluator, view) : null;
  if (guessed !== null) {
    const to = idOf(view, guessed);
    if (to !== null) edges.add({ kind, from, to, line, confidence: 0.4 });
  } else if (known !== null && known.kind === 'symbol') {
    const to = idOf(view, known.ref);
    if (to !== null && to !== from)
      edges.add({ kind: 'references', from, to, line, confidence: round(known.confidence * 0.9) });
  }
  unresolved.push({
    kind: reference.kind,
    from,
    target: reference.target,
    line,
    reason: known?.kind === 'external' ? 'external' : 'unknown',
  });
}

/** Whoever uses a part of what a variable holds uses the variable, whatever becomes of the part. */
function linkHolder(
  facts: FileFacts,
  { target, line }: ReferenceFact,
  scope: number | null,
  from: string,
  evaluator: Evaluator,
  view: ProjectView,
  edges: EdgeSet,
): void {
  const { head, steps } = parseExpression(target);
  if (steps.length === 0 || isUnknown(target) || takesByPlace(target)) return;
  const value = evaluator.evaluate(facts, scope, head);
  if (value?.kind !== 'symbol') return;
  const kind = symbolAt(view, value.ref)?.kind;
  const to = kind === 'variable' || kind === 'constant' ? idOf(view, value.ref) : null;
  if (to !== null && to !== from)
    edges.add({ kind: 'references', from, to, line, confidence: round(value.confidence) });
}

/** The other declarations of a callable with the same name in its file: a call does not say which one it means. */
function overloadsOf(ref: SymbolRef, view: ProjectView): readonly string[] {
  const facts = view.facts(ref.path);
  const symbol = facts?.symbols[ref.index];
  if (facts === undefined || symbol === undefined || !isCallable(symbol)) return [];
  return (symbolsByName(facts).get(symbol.qualifiedName) ?? []).flatMap((index) => {
    const other = facts.symbols[index];
    const isOther = other !== undefined && index !== ref.index && isCallable(other) && !isPrototype(other);
    return isOther ? [symbolId(ref.path, other)] : [];
  });
}

/** A call of a module calls its default (CommonJS), that of a value what its type says; a type that is only a name for another stays itself. */
function called(value: Value | null, reference: ReferenceFact, evaluator: Evaluator, view: ProjectView): Value | null {
  // A derived class calls the constructor of its base, and nothing when no base has one.
  if (reference.target === 'super' && reference.kind === 'call' && value?.kind === 'symbol') {
    const isEcmascript = familyOf(view.facts(value.ref.path)?.language ?? 'text') === 'ecmascript';
    if (isEcmascript) return member(evaluator, value.ref, 'constructor');
  }
  // `current.get()` asks a variable for what it holds, and calls nothing of the project.
  if (value?.kind === 'symbol' && reference.target.endsWith('.get')) {
    const symbol = symbolAt(view, value.ref);
    if (symbol?.name !== 'get' && givenBy(symbol?.type ?? null) !== null) return null;
  }
  // To call a value is not to call its type.
  if (value?.kind === 'instance' && reference.kind === 'call') {
    const isPython = view.facts(value.ref.path)?.language === 'python';
    return isPython ? member(evaluator, value.ref, '__call__') : null;
  }
  if (value?.kind !== 'module' || value.module.kind !== 'files') return value;
  if (reference.kind !== 'call' && reference.kind !== 'inherit') return value;
  const inner = memberOfModule(evaluator, value.module, 'default', 0);
  return inner?.kind === 'symbol' ? inner : value;
}

/** What the longest part of an unresolved path stands for that is known. */
function knownPrefix(facts: FileFacts, scope: number | null, target: string, evaluator: Evaluator): Value | null {
  const { head, steps } = parseExpression(target);
  if (head === unknown || steps.length === 0 || takesByPlace(target)) return null;
  let text = target;
  while (true) {
    const cut = Math.max(text.lastIndexOf('.'), text.lastIndexOf('()'), text.lastIndexOf('{}'));
    if (cut <= 0) return null;
    text = text.slice(0, cut);
    const value = evaluator.evaluate(facts, scope, text);
    if (value !== null) return value.kind === 'instance' ? { ...value, kind: 'symbol' } : value;
  }
}

/** Null for a name of a type whose members are not known, such as a union. */
function withMembers(value: Value | null, view: ProjectView): Value | null {
  if (value?.kind !== 'symbol') return value;
  const facts = view.facts(value.ref.path);
  const symbol = facts?.symbols[value.ref.index];
  if (facts === undefined || symbol?.kind !== 'type' || symbol.type !== null) return value;
  return facts.symbols.some((other) => other.parent === value.ref.index) ? value : null;
}

function targetOf(
  value: Value | null,
  view: ProjectView,
): { readonly id: string; readonly path: string | null; readonly confidence: number } | null {
  if (value === null) return null;
  if (value.kind === 'external') return { id: externalId(value.name), path: null, confidence: 1 };
  if (value.kind === 'module') return moduleTarget(value.module);
  const id = idOf(view, value.ref);
  return id === null ? null : { id, path: value.ref.path, confidence: value.confidence };
}

function moduleTarget(
  module: Module,
): { readonly id: string; readonly path: string | null; readonly confidence: number } | null {
  if (module.kind !== 'files') return null;
  if (module.package !== null) return { id: packageId(module.package), path: null, confidence: 1 };
  const [path] = module.files;
  return path === undefined ? null : { id: fileId(path), path, confidence: 1 };
}

function idOf(view: ProjectView, ref: SymbolRef): string | null {
  const symbol = symbolAt(view, ref);
  return symbol === undefined ? null : symbolId(ref.path, symbol);
}

function round(confidence: number): number {
  return Math.round(confidence * 100) / 100;
}

/** One edge for each kind and pair, the surest; a plain reference gives way to any closer tie of the same pair. */
class EdgeSet {
  readonly #edges: Edge[] = [];
  /** Places in the list by both ends; a pair has few kinds. */
  readonly #places = new Map<string, Map<string, number[]>>();

  add(edge: Edge): void {
    let ends = this.#places.get(edge.from);
    if (ends === undefined) {
      ends = new Map();
      this.#places.set(edge.from, ends);
    }
    let places = ends.get(edge.to);
    if (places === undefined) {
      places = [];
      ends.set(edge.to, places);
    }
    for (const place of places) {
      const known = this.#edges[place];
      if (known?.kind !== edge.kind) continue;
      if (known.confidence < edge.confidence) this.#edges[place] = edge;
      return;
    }
    places.push(this.#edges.length);
    this.#edges.push(edge);
  }

  list(): readonly Edge[] {
    return this.#edges.filter((edge) => edge.kind !== 'references' || !this.#isTied(edge));
  }

  #isTied(edge: Edge): boolean {
    return (this.#places.get(edge.from)?.get(edge.to) ?? []).some((place) => {
      const kind = this.#edges[place]?.kind;
      return kind !== 'references' && kind !== 'contains';
    });
  }
}
