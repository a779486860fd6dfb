import type { PackagedFault } from '../../base/packaged-file.ts';

/**
 * What turns texts into vectors, as the rest of the product sees it.
 *
 * An embedder never downloads anything and never keeps a text: caching vectors by content is the business of the store
 * that owns the texts. A model that cannot be used on this machine is an expected outcome (`unavailable`), told before
 * the first vector is asked for; a model that breaks while it works is a failure and is thrown.
 */
export interface Embedder {
  /** Stored beside every vector. Vectors of two models are never compared. */
  readonly modelId: string;
  readonly dimensions: number;
  /**
   * One vector per text, in the order of the texts, each of length `dimensions` and of unit length. The same text
   * gives the same vector whatever else is in the call. Long texts are cut at the limit of the model.
   *
   * Rejects with the reason of `signal` as soon as it is aborted, and with `EmbedderFailure` when the model breaks, the
   * embedder is closed, or the model turns out to be unavailable.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** Frees the model and rejects what is still running. Idempotent. */
  close(): Promise<void>;
}

export interface EmbedOptions {
  readonly signal?: AbortSignal;
}

export type EmbedderOutcome =
  | { readonly kind: 'ready'; readonly embedder: Embedder }
  | { readonly kind: 'unavailable'; readonly reason: PackagedFault; readonly message: string };

/** The model broke, was closed while it was asked for vectors, or cannot be used on this machine at all. */
export class EmbedderFailure extends Error {
  /** Why it will not work later either; null when the call may be repeated. */
  readonly reason: PackagedFault | null;

  constructor(message: string, reason: PackagedFault | null = null, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmbedderFailure';
    this.reason = reason;
  }
}
