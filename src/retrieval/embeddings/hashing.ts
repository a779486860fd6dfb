/**
 * A deterministic embedder without a model, for tests and for nothing else.
 *
 * Words and their letter triples are hashed onto signed dimensions, so texts that share words are near each other and
 * all others are about orthogonal. It knows no meaning: as a search layer in production it would only repeat the
 * keyword ranking with more noise, and no setting of the product chooses it.
 */
import { type Embedder, EmbedderFailure, type EmbedOptions } from './embedder.ts';
import { toUnit } from './vectors.ts';

export const hashingDimensions = 256;

/** Letter triples count less than the word itself, so that a whole word in common outweighs a similar ending. */
const tripleWeight = 0.3;

export function hashingEmbedder(modelId = 'test-hashing-256'): Embedder {
  let closed = false;
  return {
    modelId,
    dimensions: hashingDimensions,
    async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
      options.signal?.throwIfAborted();
      if (closed) throw new EmbedderFailure('The embedder is closed.');
      return texts.map(hashText);
    },
    async close(): Promise<void> {
      closed = true;
    },
  };
}

function hashText(text: string): Float32Array {
  const sums = new Float64Array(hashingDimensions);
  for (const word of text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}_]+/gu) ?? []) {
    add(sums, word, 1);
    const framed = `^${word}$`;
    for (let i = 0; i + 3 <= framed.length; i++) add(sums, framed.slice(i, i + 3), tripleWeight);
  }
  return toUnit(sums) ?? withoutWords();
}

/** A text without any word still gets a vector of unit length: one dimension, as if an empty word were hashed. */
function withoutWords(): Float32Array {
  const vector = new Float32Array(hashingDimensions);
  vector[0] = 1;
  return vector;
}

function add(sums: Float64Array, feature: string, weight: number): void {
  const hash = fnv1a(feature);
  const index = hash % hashingDimensions;
  sums[index] = (sums[index] ?? 0) + (hash & 0x8000_0000 ? -weight : weight);
}

/** FNV-1a over UTF-16 units, 32 bits: stable across platforms and versions. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}
