/**
 * What a search reads: the terms, vectors and places of every piece of text of a project.
 *
 * The unit is the *chunk*: a definition, a part of a long one, or the text between. The first chunk of every file
 * stands for the file itself: its name field holds the words of the path. Chunks have numbers that only grow; those of
 * files that changed or went away stay unused, so a list of postings may name chunks that are dead.
 */
import type { Language, SymbolKind } from '../code/symbol.ts';
import type { ChunkVectors } from './vector-rows.ts';

/**
 * How often a term occurs in a chunk, per field, in one number: the name in the upper 4 bits, the head (signature and
 * documentation) in the next 4, the body in the lower 8. A field that holds more is counted as full.
 */
export type FieldCounts = number;

export interface PostingList {
  /** Chunk numbers, ascending. */
  readonly chunks: Uint32Array;
  /** Of `FieldCounts`, one for each chunk. */
  readonly counts: Uint16Array;
}

/** The terms of one file, as its text alone gives them: kept with the file, so nothing is split twice. */
export interface FileTerms {
  /** Distinct. */
  readonly terms: readonly string[];
  /** The postings of term `i` lie from `starts[i]` to before `starts[i + 1]`; one longer than `terms`. */
  readonly starts: Uint32Array;
  /** Positions of chunks in the file, ascending for each term. */
  readonly chunks: Uint32Array;
  /** Of `FieldCounts`. */
  readonly counts: Uint16Array;
  readonly places: ChunkPlaces;
}

/** One entry for each chunk. */
export interface ChunkPlaces {
  /** Index in the symbols of the file, or -1 where the chunk is of none. */
  readonly symbol: Int32Array;
  readonly startLine: Uint32Array;
  readonly endLine: Uint32Array;
  /** Terms in each field, at most 65,535. */
  readonly nameLength: Uint16Array;
  readonly headLength: Uint16Array;
  readonly bodyLength: Uint16Array;
}

export interface IndexedFile {
  readonly id: number;
  /** From the root of the project, with `/`. */
  readonly path: string;
  readonly language: Language;
  readonly lines: number;
  /** Size of its text for a model. */
  readonly tokens: number;
  /** How many definitions it has. */
  readonly symbols: number;
  /** Its chunks are numbered from here. */
  readonly firstChunk: number;
  readonly chunkCount: number;
  /** Which group of files it hangs together with. */
  readonly community: number;
}

/** A definition as a hit shows it. */
export interface IndexedSymbol {
  /** Of `symbol.ts`. */
  readonly id: string;
  readonly name: string;
  readonly qualifiedName: string;
  readonly kind: SymbolKind;
  readonly signature: string;
  /** The first sentence of its documentation, or empty. */
  readonly summary: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** A definition found by its name. */
export interface NamedSymbol {
  readonly file: number;
  readonly symbol: IndexedSymbol;
}

export interface SearchSource {
  /** Changes whenever anything below does. */
  readonly generation: number;
  readonly files: ReadonlyMap<number, IndexedFile>;
  /** Slots by chunk number, some of them dead. */
  readonly chunkFile: Int32Array;
  /** By chunk number. */
  readonly places: ChunkPlaces;
  /** How many chunks are not dead. */
  readonly liveChunks: number;
  /** The lists of a term, one after the other in ascending chunks; empty when no chunk has it. */
  postings(term: string): readonly PostingList[];
  /** The terms of one file, each with the place of a chunk in that file, 0 for the chunk of the file itself. */
  eachTerm(file: number, visit: (term: string, position: number, counts: FieldCounts) => void): void;
  /** Null when this index has none. */
  vectors(): ChunkVectors | null;
  /** The symbol a chunk is of, or null. */
  symbolOf(chunk: number): IndexedSymbol | null;
  /** Symbols whose simple name is this one in any case, by path and line; those that have no chunk of their own too. */
  symbolsNamed(name: string): readonly NamedSymbol[];
  /** Those of the names that `symbolsNamed` may know, in their order: many are asked at once. */
  knownNames(names: readonly string[]): readonly string[];
  /** Distinct names of symbols that begin so in any case, in the order of the alphabet, at most so many. */
  namesFrom(beginning: string, most: number): readonly string[];
  /** The files that import this one, call into it or are imported by it, with the number of edges between them. */
  neighbourFiles(file: number): ReadonlyMap<number, number>;
}
