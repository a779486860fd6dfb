/**
 * Words against chunks and files: BM25F (Robertson and Zaragoza 2009, section 3.6). A term counts by its field, the sum
 * saturates once, and the weights of the fields are chosen when the question is asked.
 *
 * A file is scored as one text, from the sums of its chunks: a question is often spread over a whole file, while a
 * chunk says where to look. Terms go one after the other over arrays with a place for every chunk, so a common word
 * costs a few nanoseconds a chunk, and nothing is sorted.
 */
import { censusOf } from './census.ts';
import type { Query } from './query.ts';
import type { SearchSource } from './source.ts';

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
}

export function lexicalScores(source: SearchSource, query: Query, tuning: LexicalTuning): LexicalScores {
  const census = censusOf(source);
  const chunkNorms = census.chunkNorms(tuning.chunk);
  const fileNorms = census.fileNorms(tuning.file);
  const scores: LexicalScores = {
    chunks: new Float32Array(census.chunkOrdinal.length),
    files: new Float32Array(census.files.length),
  };
  const fileCounts = new Float32Array(census.files.length);
  const touched = new Int32Array(census.files.length);
  for (const { term, weight } of query.terms) {
    const lists = source.postings(term);
    // First the chunks that still live, since how rare a word is decides what each of them gets.
    let liveChunks = 0;
    let liveFiles = 0;
    for (const { chunks, counts } of lists) {
      for (let at = 0; at < chunks.length; at++) {
        const ordinal = census.chunkOrdinal[chunks[at] ?? 0] ?? -1;
        if (ordinal === -1) continue;
        liveChunks += 1;
        const before = fileCounts[ordinal] ?? 0;
        if (before === 0) touched[liveFiles++] = ordinal;
        fileCounts[ordinal] = before + weighted(counts[at] ?? 0, tuning.file);
      }
    }
    if (liveChunks === 0) continue;
    const fileIdf = weight * idf(liveFiles, census.files.length);
    const chunkIdf = weight * idf(liveChunks, census.liveChunks);
    for (const { chunks, counts } of lists) {
      for (let at = 0; at < chunks.length; at++) {
        const chunk = chunks[at] ?? 0;
        if ((census.chunkOrdinal[chunk] ?? -1) === -1) continue;
        const count = weighted(counts[at] ?? 0, tuning.chunk);
        scores.chunks[chunk] =
          (scores.chunks[chunk] ?? 0) + (chunkIdf * count) / (count + tuning.chunk.k1 * (chunkNorms[chunk] ?? 1));
      }
    }
    for (let at = 0; at < liveFiles; at++) {
      const ordinal = touched[at] ?? 0;
      const count = fileCounts[ordinal] ?? 0;
      fileCounts[ordinal] = 0;
      scores.files[ordinal] =
        (scores.files[ordinal] ?? 0) + (fileIdf * count) / (count + tuning.file.k1 * (fileNorms[ordinal] ?? 1));
    }
  }
  return scores;
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
