/**
 * The model of `retrieval` as decisions ask for it. Nothing is loaded before the first search by meaning, and nothing
 * is ever downloaded. Where the model's packages are missing, that first search finds out; from then on there is no
 * model, and searches go by words.
 */
import type { TextEmbedder } from '../memory/decisions/embedder.ts';
import { type Embedder, EmbedderFailure } from '../retrieval/embeddings/embedder.ts';

export interface EmbedderPort {
  current(): TextEmbedder | null;
  close(): Promise<void>;
}

export function embedderPort(embedder: Embedder | null): EmbedderPort {
  let missing = embedder === null;
  const port: TextEmbedder | null =
    embedder === null
      ? null
      : {
          modelId: embedder.modelId,
          dimensions: embedder.dimensions,
          // Questions and documents are alike to the models we have.
          async embed(texts) {
            try {
              return await embedder.embed(texts);
            } catch (error) {
              if (error instanceof EmbedderFailure && error.reason !== null) missing = true;
              throw error;
            }
          },
        };
  return {
    current: () => (missing ? null : port),
    close: async () => embedder?.close(),
  };
}
