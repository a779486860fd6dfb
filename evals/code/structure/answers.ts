/** Two ways to answer a structural question: by the edges of the linker, and by searching lines for a word. */
import type { Edge, EdgeKind } from '../../../src/retrieval/code/link.ts';
import type { FileFacts, SymbolFact } from '../../../src/retrieval/code/symbol.ts';
import { isTestPath, type Relation, type StructuralFact } from './facts.ts';

export type Answers = (fact: StructuralFact) => readonly string[];

const kinds: Readonly<Record<Relation, EdgeKind>> = {
  callers: 'calls',
  subclasses: 'inherits',
  implementers: 'implements',
  importers: 'imports',
};

export function byEdges(edges: Iterable<Edge>): Answers {
  const into = new Map<string, Set<string>>();
  for (const edge of edges) {
    const key = `${edge.kind} ${shortId(edge.to)}`;
    const from = into.get(key) ?? new Set();
    from.add(shortId(edge.from));
    into.set(key, from);
  }
  return (fact) => sorted(into.get(`${kinds[fact.relation]} ${fact.symbol}`) ?? []);
}

/** An id without its kind and number: those that a reader would not write. */
function shortId(id: string): string {
  return id.replace(/^(symbol|file):/, '').replace(/~\d+$/, '');
}

/**
 * The plain baseline: the last name followed by a parenthesis (callers), in the head of a type (subclasses and
 * implementers), or as a word of a line that imports. Lines are given to the innermost symbol around them, which is
 * more than a search tool knows.
 */
export function byWords(files: readonly { readonly facts: FileFacts; readonly text: string }[]): Answers {
  return (fact) => {
    const name = lastName(fact);
    const word = `(?<![\\w$])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w$])`;
    const found = new Set<string>();
    for (const { facts, text } of files) {
      if (fact.relation === 'callers') {
        const call = new RegExp(`${word}\\s*\\(`);
        text.split('\n').forEach((line, index) => {
          if (call.test(line)) found.add(innermost(facts, index + 1));
        });
      } else if (fact.relation === 'importers') {
        const mention = new RegExp(word);
        const imports = /^\s*(import|from|export|\}? *from)\b|\bfrom ['"]|^\s*(\w+ )?"[^"]+"$/;
        if (text.split('\n').some((line) => imports.test(line) && mention.test(line))) found.add(facts.path);
      } else {
        const head = new RegExp(word);
        for (const symbol of facts.symbols) {
          const isHead = ['class', 'interface', 'struct'].includes(symbol.kind) && symbol.name !== name;
          if (isHead && head.test(symbol.signature)) found.add(idOf(facts, symbol));
        }
      }
    }
    found.delete(fact.symbol);
    return sorted(found);
  };
}

function lastName(fact: StructuralFact): string {
  const symbol = fact.symbol.split('#')[1];
  if (symbol !== undefined) return symbol.split('.').at(-1) ?? symbol;
  const path = fact.symbol.replace(/^(package|external):/, '').replace(/\.[a-z]+$/, '');
  return path.split('/').at(-1) ?? path;
}

function innermost(facts: FileFacts, line: number): string {
  let best: SymbolFact | null = null;
  for (const symbol of facts.symbols) {
    if (symbol.startLine > line || symbol.endLine < line || symbol.kind === 'field') continue;
    if (best === null || symbol.start >= best.start) best = symbol;
  }
  return best === null ? facts.path : idOf(facts, best);
}

function idOf(facts: FileFacts, symbol: SymbolFact): string {
  return `${facts.path}#${symbol.qualifiedName}`;
}

function sorted(ids: Iterable<string>): readonly string[] {
  return [...ids].filter((id) => !isTestPath(id.split('#')[0] ?? id)).sort();
}
