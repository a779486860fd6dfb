/**
 * A search source in memory, made from whole files at once. Tests hold the stored one against it, and evaluations
 * search without writing anything.
 */
import type { Edge } from '../code/link.ts';
import { type FileFacts, type SymbolFact, symbolId } from '../code/symbol.ts';
import { firstSentence } from './first-sentence.ts';
import type {
  ChunkPlaces,
  FileTerms,
  IndexedFile,
  IndexedSymbol,
  NamedSymbol,
  PostingList,
  SearchSource,
} from './source.ts';
import { type ChunkVectors, type FileVectors, splitRows, type VectorRows } from './vector-rows.ts';

export interface MemoryFile {
  readonly facts: FileFacts;
  readonly terms: FileTerms;
  /** Null for a source without vectors. */
  readonly vectors: VectorRows | null;
  /** Size of its text for a model. */
  readonly tokens: number;
}

export interface MemoryOptions {
  /** Of all files. Without them no file has neighbours. */
  readonly edges?: Iterable<Edge>;
  /** By path; 0 where it is not said. */
  readonly communities?: ReadonlyMap<string, number>;
}

/** Files are numbered from 1 and chunks from 0, in the order given. */
export function memorySource(given: readonly MemoryFile[], options: MemoryOptions = {}): SearchSource {
  const files = new Map<number, IndexedFile>();
  let firstChunk = 0;
  given.forEach(({ facts, terms, tokens }, index) => {
    const chunkCount = terms.places.symbol.length;
    files.set(index + 1, {
      id: index + 1,
      path: facts.path,
      language: facts.language,
      lines: facts.lines,
      tokens,
      symbols: facts.symbols.length,
      firstChunk,
      chunkCount,
      community: options.communities?.get(facts.path) ?? 0,
    });
    firstChunk += chunkCount;
  });
  const chunkFile = new Int32Array(firstChunk);
  for (const file of files.values()) {
    chunkFile.fill(file.id, file.firstChunk, file.firstChunk + file.chunkCount);
  }
  const places = joinPlaces(given);
  const postings = invert(given);
  const vectors = joinVectors(given);
  const neighbours = neighbourCounts(files, options.edges ?? []);
  const named = symbolsByName(given);
  const factsOf = (file: number): FileFacts | undefined => given[file - 1]?.facts;
  return {
    generation: 1,
    files,
    chunkFile,
    places,
    liveChunks: firstChunk,
    postings: (term) => postings.get(term) ?? [],
    eachTerm(file, visit) {
      const own = given[file - 1]?.terms;
      own?.terms.forEach((term, position) => {
        const end = own.starts[position + 1] ?? 0;
        for (let at = own.starts[position] ?? 0; at < end; at++) visit(term, own.chunks[at] ?? 0, own.counts[at] ?? 0);
      });
    },
    vectors: () => vectors,
    symbolOf(chunk) {
      const facts = factsOf(chunkFile[chunk] ?? 0);
      const symbol = facts?.symbols[places.symbol[chunk] ?? -1];
      return facts === undefined || symbol === undefined ? null : indexedSymbol(facts, symbol);
    },
    symbolsNamed: (name) => named.get(name.toLowerCase()) ?? [],
    knownNames: (names) => names.filter((name) => named.has(name.toLowerCase())),
    namesFrom: (beginning, most) =>
      [...named.keys()]
        .filter((name) => name.startsWith(beginning.toLowerCase()))
        .sort()
        .slice(0, most),
    neighbourFiles: (file) => neighbours.get(file) ?? new Map(),
  };
}

export function indexedSymbol(facts: FileFacts, symbol: SymbolFact): IndexedSymbol {
  const { name, qualifiedName, kind, signature, startLine, endLine } = symbol;
  const summary = firstSentence(symbol.documentation);
  return { id: symbolId(facts.path, symbol), name, qualifiedName, kind, signature, summary, startLine, endLine };
}

function joinPlaces(given: readonly MemoryFile[]): ChunkPlaces {
  const all = given.map(({ terms }) => terms.places);
  return {
    symbol: Int32Array.from(joined(all.map(({ symbol }) => symbol))),
    startLine: Uint32Array.from(joined(all.map(({ startLine }) => startLine))),
    endLine: Uint32Array.from(joined(all.map(({ endLine }) => endLine))),
    nameLength: Uint16Array.from(joined(all.map(({ nameLength }) => nameLength))),
    headLength: Uint16Array.from(joined(all.map(({ headLength }) => headLength))),
    bodyLength: Uint16Array.from(joined(all.map(({ bodyLength }) => bodyLength))),
  };
}

function* joined(parts: readonly ArrayLike<number>[]): Generator<number> {
  for (const part of parts) for (let at = 0; at < part.length; at++) yield part[at] ?? 0;
}

function invert(given: readonly MemoryFile[]): ReadonlyMap<string, readonly PostingList[]> {
  const entries = new Map<string, { readonly chunks: number[]; readonly counts: number[] }>();
  let firstChunk = 0;
  for (const { terms } of given) {
    terms.terms.forEach((term, position) => {
      const entry = entries.get(term) ?? { chunks: [], counts: [] };
      if (entry.chunks.length === 0) entries.set(term, entry);
      const end = terms.starts[position + 1] ?? 0;
      for (let at = terms.starts[position] ?? 0; at < end; at++) {
        entry.chunks.push(firstChunk + (terms.chunks[at] ?? 0));
        entry.counts.push(terms.counts[at] ?? 0);
      }
    });
    firstChunk += terms.places.symbol.length;
  }
  const postings = new Map<string, readonly PostingList[]>();
  for (const [term, { chunks, counts }] of entries) {
    postings.set(term, [{ chunks: Uint32Array.from(chunks), counts: Uint16Array.from(counts) }]);
  }
  return postings;
}

function joinVectors(given: readonly MemoryFile[]): ChunkVectors | null {
  const dimensions = given.find(({ vectors }) => vectors !== null)?.vectors?.dimensions;
  if (dimensions === undefined) return null;
  const files = new Map<number, FileVectors>();
  const rests = new Map<number, Int8Array>();
  given.forEach((file, index) => {
    if (file.vectors === null) return;
    const split = splitRows(file.vectors);
    files.set(index + 1, split.vectors);
    rests.set(index + 1, split.rests);
  });
  return { dimensions, files, restsOf: (file) => rests.get(file) ?? new Int8Array(0) };
}

/** Edges between two files count for both; those inside a file, and to what is outside the project, for none. */
function neighbourCounts(
  files: ReadonlyMap<number, IndexedFile>,
  edges: Iterable<Edge>,
): ReadonlyMap<number, ReadonlyMap<number, number>> {
  const ids = new Map([...files.values()].map((file) => [file.path, file.id]));
  const counts = new Map<number, Map<number, number>>();
  const add = (file: number, other: number): void => {
    const known = counts.get(file) ?? new Map<number, number>();
    known.set(other, (known.get(other) ?? 0) + 1);
    counts.set(file, known);
  };
  for (const { from, to } of edges) {
    const one = ids.get(pathOf(from) ?? '');
    const other = ids.get(pathOf(to) ?? '');
    if (one === undefined || other === undefined || one === other) continue;
    add(one, other);
    add(other, one);
  }
  return counts;
}

/** The file an id of `symbol.ts` is in, or null for a package or something outside. */
function pathOf(id: string): string | null {
  if (id.startsWith('file:')) return id.slice('file:'.length);
  return id.startsWith('symbol:') ? id.slice('symbol:'.length, id.indexOf('#')) : null;
}

function symbolsByName(given: readonly MemoryFile[]): ReadonlyMap<string, readonly NamedSymbol[]> {
  const named = new Map<string, NamedSymbol[]>();
  const inOrder = given
    .map(({ facts }, index) => ({ facts, file: index + 1 }))
    .sort((a, b) => (a.facts.path < b.facts.path ? -1 : 1));
  for (const { facts, file } of inOrder) {
    for (const symbol of [...facts.symbols].sort((a, b) => a.startLine - b.startLine || a.start - b.start)) {
      const key = symbol.name.toLowerCase();
      const list = named.get(key) ?? [];
      list.push({ file, symbol: indexedSymbol(facts, symbol) });
      named.set(key, list);
    }
  }
  return named;
}
