/**
 * From facts to edges. The edges of a file start in it and are a function of its facts, the configuration and what it
 * asked the view (see `resolve/project-view.ts`), so that one file can be linked without the others.
 *
 * A confidence below 1 says how much was inferred: 0.9 and more through known types and packages, 0.7 by a name that
 * is visible everywhere, 0.4 by the name of a method alone, and only when the whole project has one of that name.
 * What stays unknown is handed back; it is no proof that nothing is called.
 */
import { parseExpression, unknown } from './expression.ts';
import { isCommonMethod } from './resolve/common-methods.ts';
import { Evaluator, familyOf, isCallable, isPrototype, isType, type Value } from './resolve/evaluate.ts';
import { implementedByShape } from './resolve/go-interfaces.ts';
import type { Module } from './resolve/module.ts';
import { directoryOf } from './resolve/paths.ts';
import type { ProjectConfig } from './resolve/project-config.ts';
import {
  type LinkInputs,
  memoryView,
  type ProjectView,
  recordingView,
  type SymbolRef,
  symbolAt,
} from './resolve/project-view.ts';
import {
  externalId,
  type FileFacts,
  fileId,
  type ImportFact,
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
  const value = fact.imported === null || fact.imported === '*' ? null : evaluator.imported(facts, fact);
  const target = targetOf(value, view);
  const add = (to: string, confidence: number): void => {
    if (to !== from) edges.add({ kind, from, to, line: fact.line, confidence });
  };
  if (target !== null && value !== null && value.kind !== 'external') {
    add(target.id, target.confidence);
    if (target.path !== null) add(fileId(target.path), 1);
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
  const value = evaluator.evaluate(facts, scope, reference.target);
  const target = targetOf(called(value, reference, evaluator), view);
  const line = reference.line;
  if (target !== null && value?.kind !== 'external') {
    const isItself = target.id === from && kind !== 'calls';
    if (!isItself) edges.add({ kind, from, to: target.id, line, confidence: round(target.confidence) });
    return;
  }
  if (value?.kind === 'external') {
    if (kind === 'inherits' || kind === 'implements')
      edges.add({ kind, from, to: externalId(value.name), line, confidence: 1 });
    unresolved.push({ kind: reference.kind, from, target: reference.target, line, reason: 'external' });
    return;
  }
  const known = knownPrefix(facts, scope, reference.target, evaluator);
  const guessed = known === null && kind === 'calls' ? byMethodName(facts, reference.target, view) : null;
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

/** A call of a module calls its default (CommonJS); a type that is only a name for another stays itself. */
function called(value: Value | null, reference: ReferenceFact, evaluator: Evaluator): Value | null {
  if (value?.kind !== 'module' || value.module.kind !== 'files') return value;
  if (reference.kind !== 'call' && reference.kind !== 'inherit') return value;
  const inner = evaluator.memberOfModule(value.module, 'default', 0);
  return inner?.kind === 'symbol' ? inner : value;
}

/** What the longest part of an unresolved path stands for that is known. */
function knownPrefix(facts: FileFacts, scope: number | null, target: string, evaluator: Evaluator): Value | null {
  const { head, steps } = parseExpression(target);
  if (head === unknown || steps.length === 0) return null;
  let text = target;
  while (true) {
    const cut = Math.max(text.lastIndexOf('.'), text.lastIndexOf('()'), text.lastIndexOf('{}'));
    if (cut <= 0) return null;
    text = text.slice(0, cut);
    const value = evaluator.evaluate(facts, scope, text);
    if (value !== null) return value.kind === 'instance' ? { ...value, kind: 'symbol' } : value;
  }
}

/** The only method of the project with this name, when nothing is known about what it is called on. */
function byMethodName(facts: FileFacts, target: string, view: ProjectView): SymbolRef | null {
  const { steps } = parseExpression(target);
  const last = steps.at(-1);
  if (last?.kind !== 'member' || isCommonMethod(last.name)) return null;
  const family = familyOf(facts.language);
  const found = view.definitions(last.name).filter((ref) => {
    const other = view.facts(ref.path);
    const symbol = other?.symbols[ref.index];
    if (other === undefined || symbol === undefined || familyOf(other.language) !== family) return false;
    return isCallable(symbol) && symbol.kind !== 'constructor' && !isPrototype(symbol);
  });
  const [only] = found;
  if (only === undefined || found.length !== 1) return null;
  return symbolAt(view, only)?.kind === 'method' ? only : null;
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
  readonly #edges = new Map<string, Edge>();
  readonly #tied = new Set<string>();

  add(edge: Edge): void {
    const pair = `${edge.from}\n${edge.to}`;
    const key = `${edge.kind}\n${pair}`;
    const known = this.#edges.get(key);
    if (known === undefined || known.confidence < edge.confidence) this.#edges.set(key, edge);
    if (edge.kind !== 'references' && edge.kind !== 'contains') this.#tied.add(pair);
  }

  list(): readonly Edge[] {
    return [...this.#edges.values()].filter(
      (edge) => edge.kind !== 'references' || !this.#tied.has(`${edge.from}\n${edge.to}`),
    );
  }
}
