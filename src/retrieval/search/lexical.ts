/**
 * Words against chunks and files: BM25F (Robertson and Zaragoza 2009, section 3.6). A term counts by its field, the sum
 * saturates once, and the weights of the fields are chosen when the question is asked.
 *
 * A word and its meanings are one thing that is asked for, so their scores are joined as the sides of a right angle: the
 * greatest decides, and the others add less the more there is already. Added up, a text with five meanings of one word
 * would win against one with five words of the question.
 *
 * A file is scored as one text, from the sums of its chunks: a question is often spread over a whole file, while a
 * chunk says where to look. Terms go one after the other over arrays with a place for every chunk, so a common word
 * costs a few nanoseconds a chunk, and nothing is sorted.
 */
import { type Census, censusOf } from './census.ts';
import type { Query } from './query.ts';
import type { PostingList, SearchSource } from './source.ts';
import { Greatest, Sums } from './word-sums.ts';

export interface FieldWeights {
  readonly name: number;
  readonly head: number;
  readonly body: number;
}

export interface Bm25 extends FieldWeights {
  /** How slowly repeated words add up. */
  readonly k1: number;
  /** From 0 to 1: how much the length of a text is held against it. */
  readonly b: number;
}

export interface LexicalTuning {
  readonly chunk: Bm25;
  readonly file: Bm25;
}

export interface LexicalScores {
  /** By chunk number, 0 where nothing matches. */
  readonly chunks: Float32Array;
  /** By ordinal of the census. */
  readonly files: Float32Array;
  /** How much of the question a file speaks of, by ordinal, from 0 to 1: its words, each by how rare it is. */
  readonly coverage: Float32Array;
  /** The same of names, by chunk number: those of definitions and, at the first chunk of a file, its path. */
  readonly nameCoverage: Float32Array;
  /** The other way round: how much of a name the question has. */
  readonly nameShares: Float32Array;
}

export function lexicalScores(source: SearchSource, query: Query, tuning: LexicalTuning): LexicalScores {
  const census = censusOf(source);
  const chunkNorms = census.chunkNorms(tuning.chunk);
  const fileNorms = census.fileNorms(tuning.file);
  const chunks = new Sums(census.chunkOrdinal.length);
  const files = new Sums(census.files.length);
  const coverage = new Greatest(census.files.length);
  const nameCoverage = new Greatest(census.chunkOrdinal.length);
  const nameCounts = new Float32Array(census.chunkOrdinal.length);
  let coverable = 0;
  const fileCounts = new Float32Array(census.files.length);
  const touched = new Int32Array(census.files.length);
  for (const word of wordsOf(source, census, query)) {
    const isAlone = word.length === 1;
    let greatest = 0;
    for (const { weight, lists } of word) {
      // First the chunks that still live, since how rare a word is decides what each of them gets.
      let liveChunks = 0;
      let liveFiles = 0;
      for (const list of lists) {
        for (let at = 0; at < list.chunks.length; at++) {
          const ordinal = census.chunkOrdinal[list.chunks[at] ?? 0] ?? -1;
          if (ordinal === -1) continue;
          liveChunks += 1;
          const before = fileCounts[ordinal] ?? 0;
          // No list that we write counts nothing; one that does would touch a file twice.
          if (before === 0 && liveFiles < touched.length) touched[liveFiles++] = ordinal;
          fileCounts[ordinal] = before + weighted(list.counts[at] ?? 0, tuning.file);
        }
      }
      const fileIdf = weight * idf(liveFiles, census.files.length);
      const chunkIdf = weight * idf(liveChunks, census.liveChunks);
      for (const list of lists) {
        for (let at = 0; at < list.chunks.length; at++) {
          const chunk = list.chunks[at] ?? 0;
          if ((census.chunkOrdinal[chunk] ?? -1) === -1) continue;
          const counts = list.counts[at] ?? 0;
          const inName = counts >> 12;
          if (inName > 0) {
            nameCoverage.raise(chunk, fileIdf);
            nameCounts[chunk] = (nameCounts[chunk] ?? 0) + weight * inName;
          }
          const count = weighted(counts, tuning.chunk);
          const score = (chunkIdf * count) / (count + tuning.chunk.k1 * (chunkNorms[chunk] ?? 1));
          if (isAlone) chunks.add(chunk, score);
          else chunks.join(chunk, score);
        }
      }
      for (let at = 0; at < liveFiles; at++) {
        const ordinal = touched[at] ?? 0;
        const count = fileCounts[ordinal] ?? 0;
        fileCounts[ordinal] = 0;
        const score = (fileIdf * count) / (count + tuning.file.k1 * (fileNorms[ordinal] ?? 1));
        if (isAlone) files.add(ordinal, score);
        else files.join(ordinal, score);
        coverage.raise(ordinal, fileIdf);
      }
      if (fileIdf > greatest) greatest = fileIdf;
    }
    chunks.endWord();
    files.endWord();
    coverage.endWord();
    nameCoverage.endWord();
    coverable += greatest;
  }
  return {
    chunks: chunks.end(),
    files: files.end(),
    coverage: coverage.endOf(coverable),
    nameCoverage: nameCoverage.endOf(coverable),
    nameShares: sharesOfNames(nameCounts, source.places.nameLength),
  };
}

/** Counts are divided where they stand. A meaning may be counted beside its word: a sum can be more than a name has. */
function sharesOfNames(counts: Float32Array, lengths: Uint16Array): Float32Array {
  for (let chunk = 0; chunk < counts.length; chunk++) {
    const count = counts[chunk] ?? 0;
    if (count > 0) counts[chunk] = Math.min(1, count / (lengths[chunk] ?? 1));
  }
  return counts;
}

interface Wanted {
  readonly weight: number;
  readonly lists: readonly PostingList[];
}

/** What the chunks that live have of every word of a question: the word and its meanings. */
function wordsOf(source: SearchSource, census: Census, query: Query): readonly (readonly Wanted[])[] {
  const words = new Map<string, Wanted[]>();
  for (const { term, weight, of } of query.terms) {
    const lists = source.postings(term);
    if (!hasLiveChunk(census, lists)) continue;
    const known = words.get(of);
    if (known === undefined) words.set(of, [{ weight, lists }]);
    else known.push({ weight, lists });
  }
  return [...words.values()];
}

/** Whether a term is in use: what only chunks of changed or removed files had is as if it had never been there. */
export function hasLiveChunk(census: Census, lists: readonly PostingList[]): boolean {
  return lists.some(({ chunks }) => chunks.some((chunk) => (census.chunkOrdinal[chunk] ?? -1) !== -1));
}

/**
 * The words of a question that lie between two chunks, the second excluded, as they stand in it and in its order. What
 * was found by a meaning of a word alone is told as `word → meaning`.
 */
export function matchedWords(source: SearchSource, query: Query, from: number, to: number): readonly string[] {
  const own = new Set<string>();
  const meanings = new Map<string, string>();
  for (const { term, label, meaning } of query.terms) {
    const known = meaning === null ? own.has(label) : own.has(label) || meanings.has(label);
    if (known || !source.postings(term).some(({ chunks }) => hasBetween(chunks, from, to))) continue;
    if (meaning === null) own.add(label);
    else meanings.set(label, `${label} → ${meaning}`);
  }
  return [...own, ...[...meanings].filter(([label]) => !own.has(label)).map(([, told]) => told)];
}

/** How often a term counts, by the weights of its fields: see `FieldCounts`. */
export function weighted(counts: number, { name, head, body }: FieldWeights): number {
  return name * (counts >> 12) + head * ((counts >> 8) & 15) + body * (counts & 255);
}

/** Always above 0, also for a word that is everywhere. */
function idf(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}

function hasBetween(ascending: Uint32Array, from: number, to: number): boolean {
  const next = ascending[lowerBound(ascending, from)];
  return next !== undefined && next < to;
}

/** The first place whose value is not below the wanted one. */
function lowerBound(ascending: Uint32Array, wanted: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
