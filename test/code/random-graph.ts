/** A random project as facts and edges: classes with methods in files of packages, tied at random from a seed. */
import type { Edge, EdgeKind, LinkedFile } from '../../src/retrieval/code/link.ts';
import { type FileFacts, fileId, type SymbolFact, symbolId } from '../../src/retrieval/code/symbol.ts';

export interface RandomGraph {
  readonly facts: readonly FileFacts[];
  readonly linked: readonly LinkedFile[];
  readonly edges: readonly Edge[];
  readonly ids: readonly string[];
}

/** Numbers from 0 to before 1, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function randomGraph(seed: number, files: number, ties: number): RandomGraph {
  const random = randomNumbers(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const facts = Array.from({ length: files }, (_, at) => fileOf(`p${below(3)}/f${at}.x`, below));
  const edges: Edge[] = [];
  const types: string[] = [];
  const ids: string[] = [];
  for (const file of facts) {
    ids.push(fileId(file.path));
    edges.push(contains(`package:${file.path.slice(0, 2)}`, fileId(file.path)));
    for (const symbol of file.symbols) {
      const id = symbolId(file.path, symbol);
      const parent = symbol.parent === null ? undefined : file.symbols[symbol.parent];
      edges.push(contains(parent === undefined ? fileId(file.path) : symbolId(file.path, parent), id));
      ids.push(id);
      if (symbol.kind === 'class') types.push(id);
    }
  }
  const pick = (from: readonly string[]): string => from[below(from.length)] ?? '';
  const confidences = [1, 1, 0.95, 0.7, 0.4];
  const tie = (kind: EdgeKind, from: string, to: string): void => {
    if (from === to && kind !== 'calls') return;
    if (edges.some((edge) => edge.kind === kind && edge.from === from && edge.to === to)) return;
    edges.push({ kind, from, to, line: 1 + below(50), confidence: confidences[below(confidences.length)] ?? 1 });
  };
  const fileIds = facts.map((file) => fileId(file.path));
  for (let at = 0; at < ties; at += 1) {
    const kind = (['calls', 'calls', 'imports', 'references', 'decorates', 'inherits', 'implements'] as const)[
      below(7)
    ];
    if (kind === 'imports') tie(kind, pick(fileIds), random() < 0.3 ? `package:p${below(3)}` : pick(ids));
    else if (kind === 'inherits' || kind === 'implements') tie(kind, pick(types), pick(types));
    else if (kind !== undefined) tie(kind, pick(ids), pick(ids));
  }
  const inputs = {
    files: new Set<string>(),
    names: new Set<string>(),
    directories: new Set<string>(),
    modules: new Set<string>(),
  };
  return { facts, edges, ids, linked: [{ path: '', edges, unresolved: [], inputs }] };
}

function contains(from: string, to: string): Edge {
  return { kind: 'contains', from, to, line: 1, confidence: 1 };
}

function fileOf(path: string, below: (count: number) => number): FileFacts {
  const symbols: SymbolFact[] = [];
  const declare = (name: string, kind: SymbolFact['kind'], parent: number | null): void => {
    const owner = parent === null ? undefined : symbols[parent];
    const qualifiedName = owner === undefined ? name : `${owner.qualifiedName}.${name}`;
    if (symbols.some((symbol) => symbol.qualifiedName === qualifiedName)) return;
    const start = symbols.length;
    symbols.push({
      name,
      qualifiedName,
      occurrence: 1,
      kind,
      parent,
      exported: true,
      signature: name,
      documentation: '',
      startLine: start + 1,
      endLine: start + 1,
      start,
      end: start + 1,
      contentHash: '',
      type: null,
      shape: null,
    });
  };
  const stem = path.replace(/\W/g, '_');
  for (let at = below(3); at >= 0; at -= 1) {
    declare(`C${at}_${stem}`, 'class', null);
    const type = symbols.length - 1;
    for (let methods = below(3); methods > 0; methods -= 1) declare(`m${below(3)}`, 'method', type);
  }
  declare(`f_${stem}`, 'function', null);
  const hashes = { contentHash: '', interfaceHash: '' };
  const counts = { lines: 60, syntaxErrors: 0 };
  return {
    path,
    language: 'text',
    module: null,
    ...counts,
    ...hashes,
    symbols,
    imports: [],
    exports: [],
    references: [],
    chunks: [],
  };
}
