/**
 * Words, vectors and graph in one score for files and chunks.
 *
 *   words = covered ((1 - m) (best chunk + s second + t third) + m whole file)      covered = 1 - c + c coverage
 *   file  = words + v best vector + f own vector + p path + d definition + g neighbours
 *   chunk = covered ((1 - m) chunk + m whole file) + v vector + f vector of the file + name fit + d definition
 *
 * Lexical parts are divided by the best of their kind, cosines are taken as they are; both are then weighed by what the
 * file is for. Sums keep what one part alone knows, and how much better the first is than the second, which fusion by
 * ranks forgets. The coverage is what sums of words lack: a file with most words of the question is more likely meant
 * than one that repeats two of them. `path` is that of the path alone, since a file is often called what it is about.
 * Within a file the definition comes first whose name has much of the question, and the question much of it: the fit is
 * the harmonic mean of both. The numbers are from the tuning half of the evaluation in `evals/code`; around each of them
 * the result is flat, so none is given more digits than one.
 */
import { type Census, censusOf } from './census.ts';
import { definitionsFor, definitionsOfPhrases } from './definitions.ts';
import type { FileRole } from './file-role.ts';
import { type LexicalTuning, lexicalScores } from './lexical.ts';
import type { Query } from './query.ts';
import type { IndexedSymbol, SearchSource } from './source.ts';
import { vectorScores } from './vector.ts';

export type QueryType = 'auto' | 'code' | 'docs';

/** What takes part. Left out are layers that an evaluation wants to see without. */
export interface Layers {
  readonly vectors: boolean;
  readonly graph: boolean;
  /** Whole files beside chunks. */
  readonly files: boolean;
  /** What words of the question may mean, beside the words: see `thesaurus.ts`. */
  readonly meanings: boolean;
}

/**
 * The graph is not in the default: passing scores on to files that import or call the best ones lowered MRR on the
 * tuning half of both sets of questions, and did not raise recall. Nearness to the best files by their vectors
 * (relevance feedback: Rocchio 1971) is not there at all: it took from the everyday questions what it gave to the hard.
 */
export const defaultLayers: Layers = { vectors: true, graph: false, files: true, meanings: true };

export interface Scores {
  readonly census: Census;
  /** By ordinal. 0 for a file without any match. */
  readonly files: Float64Array;
  /** By chunk number, comparable within a file. */
  readonly chunks: Float64Array;
  /** By chunk number: the definition that the question names there. */
  readonly named: ReadonlyMap<number, IndexedSymbol>;
  /** Cosines by chunk number, or null without vectors. */
  readonly vectors: Float32Array | null;
  /** By ordinal: ordinals of better files that lent it score, best first. */
  readonly supporters: ReadonlyMap<number, readonly number[]>;
}

/**
 * Near the common defaults of BM25 for chunks, which are of one size more or less. A file repeats its words more, so
 * there they add up more slowly, and a long file has to have more of them. A word in the name of a definition counts
 * twice.
 */
const lexicalTuning: LexicalTuning = {
  chunk: { name: 2, head: 1, body: 1, k1: 1.2, b: 0.5 },
  file: { name: 1, head: 1, body: 1, k1: 16, b: 0.9 },
};

const wholeFileShare = 0.5;
const secondChunkShare = 0.3;
const thirdChunkShare = 0.2;
const coverageShare = 0.3;
const vectorShare = 0.4;
const fileVectorShare = 0.4;
const pathShare = 0.4;
/**
 * A name that says the question and nothing else. With 1 more docstrings lead to their definitions, but those are
 * written with the name in sight.
 */
const nameFitShare = 0.5;
/** What defines a name of the question, as much as the best words of a question can give; a name in words has a share. */
const definitionShare = 1;

/** Files that pass on, and how much: a hub of many neighbours says little about each of them. */
const graphSeeds = 20;
const graphShare = 0.2;

const roleFactors: Readonly<Record<FileRole, number>> = {
  product: 1,
  test: 0.4,
  example: 0.8,
  declaration: 0.8,
  document: 0.4,
  data: 0.6,
  history: 0.3,
};

export function fuse(
  source: SearchSource,
  query: Query,
  questionVector: Float32Array | null,
  type: QueryType,
  layers: Layers = defaultLayers,
): Scores {
  const census = censusOf(source);
  const lexical = lexicalScores(source, query, lexicalTuning);
  const vectors = layers.vectors && questionVector !== null ? vectorScores(source, questionVector) : null;
  const fileShare = layers.files ? wholeFileShare : 0;
  const chunkFactor = (1 - fileShare) / greatestOf(lexical.chunks);
  const fileFactor = fileShare / greatestOf(lexical.files);
  const roles = census.roles.map((role) => roleFactor(role, query, type));

  const files = new Float64Array(census.files.length);
  const chunks = new Float64Array(lexical.chunks.length);
  census.files.forEach((file, ordinal) => {
    const role = roles[ordinal] ?? 1;
    const ownVector = fileVectorShare * (vectors?.[file.firstChunk] ?? 0);
    const covered = 1 - coverageShare + coverageShare * (lexical.coverage[ordinal] ?? 0);
    const whole = covered * fileFactor * (lexical.files[ordinal] ?? 0) + ownVector;
    let best = 0;
    let second = 0;
    let third = 0;
    let nearest = 0;
    for (let chunk = file.firstChunk; chunk < file.firstChunk + file.chunkCount; chunk++) {
      const words = covered * chunkFactor * (lexical.chunks[chunk] ?? 0);
      const vector = vectors?.[chunk] ?? 0;
      const fit = harmonicMean(lexical.nameCoverage[chunk] ?? 0, lexical.nameShares[chunk] ?? 0);
      chunks[chunk] = role * (words + whole + vectorShare * vector + nameFitShare * fit);
      if (words > best) {
        third = second;
        second = best;
        best = words;
      } else if (words > second) {
        third = second;
        second = words;
      } else if (words > third) third = words;
      if (vector > nearest) nearest = vector;
    }
    const chunkSum = best + secondChunkShare * second + thirdChunkShare * third;
    const inPath = pathShare * (lexical.nameCoverage[file.firstChunk] ?? 0);
    files[ordinal] = role * (chunkSum + whole + vectorShare * nearest + inPath);
  });
  const named = new Map<number, IndexedSymbol>();
  for (const { file, chunk, symbol, share } of definitionsFor(source, query.names)) {
    if (!named.has(chunk)) named.set(chunk, symbol);
    const ordinal = census.ordinalOf.get(file) ?? -1;
    const added = definitionShare * share * (roles[ordinal] ?? 1);
    files[ordinal] = (files[ordinal] ?? 0) + added;
    chunks[chunk] = (chunks[chunk] ?? 0) + added;
  }
  // What may be meant is worth once for a file, however often it may be.
  const maybe = new Map<number, number>();
  for (const { file, chunk, share } of definitionsOfPhrases(source, query.phrases)) {
    const ordinal = census.ordinalOf.get(file) ?? -1;
    const added = share * (roles[ordinal] ?? 1);
    maybe.set(ordinal, Math.max(maybe.get(ordinal) ?? 0, added));
    chunks[chunk] = (chunks[chunk] ?? 0) + added;
  }
  for (const [ordinal, added] of maybe) files[ordinal] = (files[ordinal] ?? 0) + added;
  const supporters = layers.graph ? passOn(source, census, files, roles) : new Map<number, readonly number[]>();
  return { census, files, chunks, named, vectors, supporters };
}

function roleFactor(role: FileRole, query: Query, type: QueryType): number {
  if (role === 'test' && query.asksTests) return 1;
  const isDocument = role === 'document' || role === 'history';
  if (type === 'docs') return isDocument ? 1 : 0.3 * roleFactors[role];
  if (type === 'code') return isDocument ? 0.1 : roleFactors[role];
  return isDocument && query.asksDocuments ? 1 : roleFactors[role];
}

/** Ordinals of the best files, best first; a file without any match is none. */
function bestOf(files: Float64Array, count: number): readonly number[] {
  return [...files.keys()]
    .filter((ordinal) => (files[ordinal] ?? 0) > 0)
    .sort((a, b) => (files[b] ?? 0) - (files[a] ?? 0) || a - b)
    .slice(0, count);
}

/** Neighbours of the best files get a share of their scores, less where either has many neighbours. */
function passOn(
  source: SearchSource,
  census: Census,
  files: Float64Array,
  roles: readonly number[],
): ReadonlyMap<number, readonly number[]> {
  const seeds = bestOf(files, graphSeeds);
  const lent = new Map<number, number>();
  const supporters = new Map<number, number[]>();
  for (const seed of seeds) {
    const neighbours = source.neighbourFiles(census.files[seed]?.id ?? -1);
    for (const [file, edges] of neighbours) {
      const ordinal = census.ordinalOf.get(file);
      if (ordinal === undefined) continue;
      const degrees = (1 + neighbours.size) * (1 + source.neighbourFiles(file).size);
      const share = ((files[seed] ?? 0) * Math.log(1 + edges)) / Math.sqrt(degrees);
      lent.set(ordinal, (lent.get(ordinal) ?? 0) + graphShare * (roles[ordinal] ?? 1) * share);
      supporters.set(ordinal, [...(supporters.get(ordinal) ?? []), seed]);
    }
  }
  for (const [ordinal, score] of lent) files[ordinal] = (files[ordinal] ?? 0) + score;
  return supporters;
}

/** Of two shares; 0 where either is. */
function harmonicMean(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : (2 * a * b) / (a + b);
}

function greatestOf(values: Float32Array): number {
  let greatest = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    if (value > greatest) greatest = value;
  }
  return greatest === 0 ? 1 : greatest;
}
