/** The port of a model that turns text into vectors. Search by meaning works when one is given, and says so when not. */
export interface TextEmbedder {
  /** Vectors of different ids are never compared. */
  readonly modelId: string;
  readonly dimensions: number;
  /**
   * One unit vector per text, in order. May reject when the model cannot be loaded; search then falls back to
   * keywords. Must not reach the network.
   */
  embed(texts: readonly string[], kind: 'document' | 'query'): Promise<readonly Float32Array[]>;
}
