/**
 * The vectors of decisions: derived from title and rationale, kept until model or text change.
 *
 * A vector counts only for the model that made it and for the text it was made from. Putting one for a decision that
 * is gone or was changed meanwhile does nothing.
 */
import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Decision } from './decision.ts';
import type { TextEmbedder } from './embedder.ts';
import { prepared } from './prepared.ts';
import { readDecision } from './rows.ts';

export interface NewVector {
  readonly decisionId: string;
  readonly contentSha: string;
  readonly vector: Float32Array;
}

/** What is embedded. */
export function embeddedText(decision: Pick<Decision, 'title' | 'rationale'>): string {
  return `${decision.title}\n${decision.rationale}`;
}

export function contentSha(decision: Pick<Decision, 'title' | 'rationale'>): string {
  return createHash('sha256').update(embeddedText(decision)).digest('hex');
}

/** The vector of a decision as it is kept, when it was made by `model` from the text of `sha`. */
export function storedVector(
  db: Database,
  model: Pick<TextEmbedder, 'modelId' | 'dimensions'>,
  decision: { readonly id: string; readonly sha: string },
): Float32Array | null {
  const row = prepared<{ vector: Buffer }>(
    db,
    'SELECT vector FROM decision_vectors WHERE decision_id = ? AND model_id = ? AND content_sha = ? AND dim = ?',
  ).get(decision.id, model.modelId, decision.sha, model.dimensions);
  if (row === undefined || row.vector.byteLength !== model.dimensions * 4) return null;
  // Copied, because a buffer of the database need not be aligned.
  return new Float32Array(new Uint8Array(row.vector).buffer);
}

/** Returns how many were kept. */
export function putVectors(db: Database, modelId: string, vectors: readonly NewVector[]): number {
  let kept = 0;
  for (const { decisionId, contentSha: sha, vector } of vectors) {
    const decision = readDecision(db, decisionId);
    if (decision === null || contentSha(decision) !== sha) continue;
    prepared(
      db,
      'INSERT OR REPLACE INTO decision_vectors (decision_id, model_id, content_sha, dim, vector) VALUES (?, ?, ?, ?, ?)',
    ).run(decisionId, modelId, sha, vector.length, Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength));
    kept += 1;
  }
  return kept;
}
