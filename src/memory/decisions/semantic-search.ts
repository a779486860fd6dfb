/**
 * Search by meaning: cosine of the question with every record that passes the filters, best first.
 *
 * Records below the floor are cut, so that a question without an answer does not get the nearest records anyway. Ties
 * keep the newest first. Vectors that are missing are made here, in one pass with the question, and handed back to be
 * kept; nothing is embedded when a decision is written.
 */
import type { Decision } from './decision.ts';
import type { TextEmbedder } from './embedder.ts';
import { contentSha, currentVectors, embeddedText, type NewVector } from './vectors.ts';
import type { View } from './view.ts';

export interface SemanticHit {
  readonly id: string;
  /** Cosine, -1 to 1. */
  readonly score: number;
}

export interface SemanticAnswer {
  readonly hits: readonly SemanticHit[];
  readonly belowFloor: number;
  /** To be put into the store by the caller. */
  readonly made: readonly NewVector[];
}

export const similarityFloor = 0.3;

/** The model could not be used; the cause says why. */
export class ModelTrouble extends Error {
  constructor(options: ErrorOptions) {
    super('the model could not be used', options);
    this.name = 'ModelTrouble';
  }
}

/** `candidates` are all records that pass the filters, newest first. Rejects with ModelTrouble when the model cannot answer. */
export async function semanticSearch(
  view: View,
  embedder: TextEmbedder,
  query: string,
  candidates: readonly Decision[],
): Promise<SemanticAnswer> {
  if (candidates.length === 0) return { hits: [], belowFloor: 0, made: [] };
  const known = currentVectors(view.db, embedder, candidates);
  const missing = candidates.filter((decision) => !known.has(decision.id));
  const question = (await ask(embedder, [query], 'query'))[0] ?? new Float32Array();
  const fresh = missing.length === 0 ? [] : await ask(embedder, missing.map(embeddedText), 'document');
  const vectors = new Map(known);
  const made: NewVector[] = [];
  for (const [index, decision] of missing.entries()) {
    const vector = fresh[index];
    if (vector === undefined) continue;
    vectors.set(decision.id, vector);
    made.push({ decisionId: decision.id, contentSha: contentSha(decision), vector });
  }
  const scored: SemanticHit[] = [];
  for (const { id } of candidates) {
    const vector = vectors.get(id);
    if (vector !== undefined && vector.length === question.length) scored.push({ id, score: dot(question, vector) });
  }
  // Array sorting is stable, so equal scores keep the order of the candidates.
  const hits = scored.filter((hit) => hit.score >= similarityFloor).sort((left, right) => right.score - left.score);
  return { hits, belowFloor: scored.length - hits.length, made };
}

async function ask(embedder: TextEmbedder, texts: readonly string[], kind: 'document' | 'query') {
  let vectors: readonly Float32Array[];
  try {
    vectors = await embedder.embed(texts, kind);
  } catch (cause) {
    throw new ModelTrouble({ cause });
  }
  if (vectors.length !== texts.length || vectors.some((vector) => vector.length !== embedder.dimensions)) {
    throw new ModelTrouble({ cause: new Error('wrong number or length of vectors') });
  }
  return vectors;
}

function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < left.length; index += 1) sum += (left[index] ?? 0) * (right[index] ?? 0);
  return sum;
}
