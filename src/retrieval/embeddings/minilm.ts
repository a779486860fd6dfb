/**
 * The MiniLM embedder: all-MiniLM-L6-v2 out of two optional packages, on a thread of its own.
 *
 *   no thread ──first use──▶ starting ──ready──▶ working ◀──▶ idle ──idle for idleMs, or close──▶ no thread
 *                                │
 *                                └── unavailable: an outcome of `openMiniLm`, a failure of every call otherwise
 *
 * Importing this file costs nothing and needs no package. The model is loaded at the first vector and freed again when
 * nobody asked for a while, since it holds about 150 MB. Calls wait for each other in order, batch by batch, so a short
 * question waits for one batch of a long job and not for all of it.
 */
import { Worker } from 'node:worker_threads';
import { embedderLimits } from '../../base/limits.ts';
import { type Embedder, EmbedderFailure, type EmbedderOutcome, type EmbedOptions } from './embedder.ts';
import { type MiniLmReply, type MiniLmRequest, type MiniLmWorkerData, miniLmModel } from './minilm-model.ts';

export interface MiniLmOptions {
  /** Package name or file URL of the engine and of the model. For tests of what happens when they are missing. */
  readonly enginePackage?: string;
  readonly modelPackage?: string;
  /** The thread ends when it was not asked for this long, in milliseconds. */
  readonly idleMs?: number;
}

/**
 * Starts the model once, with its checksums verified, and says whether it can be used. Never throws for a missing or
 * damaged package. About 0.5 s and only at the first search that wants vectors: the caller keeps the outcome.
 */
export async function openMiniLm(options: MiniLmOptions = {}): Promise<EmbedderOutcome> {
  const embedder = new MiniLmEmbedder(options);
  const outcome = await embedder.start();
  if (outcome.kind === 'ready') return { kind: 'ready', embedder };
  await embedder.close();
  return outcome;
}

/**
 * The same model without the question whether it can be used: nothing is started or checked before the first text. When
 * it is unavailable, every call rejects with an `EmbedderFailure` that says why, and only the first one took time.
 */
export function lazyMiniLm(options: MiniLmOptions = {}): Embedder {
  return new MiniLmEmbedder(options);
}

type Started = { readonly kind: 'ready' } | Extract<MiniLmReply, { readonly kind: 'unavailable' }>;

interface Batch {
  readonly texts: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly settle: (result: Float32Array | EmbedderFailure) => void;
}

class MiniLmEmbedder implements Embedder {
  readonly modelId = miniLmModel.id;
  readonly dimensions = miniLmModel.dimensions;
  readonly #data: MiniLmWorkerData;
  readonly #idleMs: number;
  #thread: Thread | null = null;
  #idleTimer: NodeJS.Timeout | null = null;
  #queue: Batch[] = [];
  #working = false;
  #closed = false;
  /** Remembered for good: packages that are installed later are seen after a restart. */
  #unavailable: EmbedderFailure | null = null;

  constructor(options: MiniLmOptions) {
    this.#data = {
      enginePackage: options.enginePackage ?? miniLmModel.enginePackage,
      modelPackage: options.modelPackage ?? miniLmModel.modelPackage,
    };
    this.#idleMs = options.idleMs ?? embedderLimits.idleMs;
  }

  async start(): Promise<Started> {
    const started = await this.#living().started;
    this.#rest();
    return started;
  }

  async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    options.signal?.throwIfAborted();
    if (this.#closed) throw new EmbedderFailure('The embedder is closed.');
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += embedderLimits.batchTexts) {
      const batch = texts.slice(start, start + embedderLimits.batchTexts).map(cut);
      const values = await this.#enqueue(batch, options.signal);
      for (let i = 0; i < batch.length; i++) {
        vectors.push(values.slice(i * this.dimensions, (i + 1) * this.dimensions));
      }
    }
    return vectors;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const batch of this.#queue.splice(0)) batch.settle(new EmbedderFailure('The embedder is closed.'));
    await this.#end();
  }

  #enqueue(texts: readonly string[], signal: AbortSignal | undefined): Promise<Float32Array> {
    return new Promise((resolve, reject) => {
      // An abort frees the caller at once. A batch already on the thread is finished there and its answer dropped.
      const onAbort = (): void => reject(signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      const settle = (result: Float32Array | EmbedderFailure): void => {
        signal?.removeEventListener('abort', onAbort);
        if (result instanceof EmbedderFailure) reject(result);
        else resolve(result);
      };
      this.#queue.push({ texts, signal, settle });
      void this.#work();
    });
  }

  /** Sends waiting batches to the thread, one at a time. Never rejects: every fault goes to the batch it ended. */
  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    for (let batch = this.#queue.shift(); batch !== undefined; batch = this.#queue.shift()) {
      if (batch.signal?.aborted) continue;
      batch.settle(await this.#run(batch.texts));
    }
    this.#working = false;
    this.#rest();
  }

  async #run(texts: readonly string[]): Promise<Float32Array | EmbedderFailure> {
    if (this.#closed) return new EmbedderFailure('The embedder is closed.');
    if (this.#unavailable !== null) return this.#unavailable;
    const thread = this.#living();
    const started = await thread.started;
    if (started.kind === 'unavailable') {
      const closedMeanwhile = this.#closed;
      await this.#end();
      if (closedMeanwhile) return new EmbedderFailure('The embedder is closed.');
      this.#unavailable = new EmbedderFailure(started.message, started.reason);
      return this.#unavailable;
    }
    const reply = await thread.ask({ texts });
    switch (reply.kind) {
      case 'vectors':
        return reply.values;
      case 'failed':
        return new EmbedderFailure(`The model failed: ${reply.message}`);
      case 'ready':
      case 'unavailable':
        return new EmbedderFailure('The thread of the model answered out of turn.');
    }
  }

  #living(): Thread {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
    if (this.#thread === null || this.#thread.ended) this.#thread = new Thread(this.#data);
    return this.#thread;
  }

  #rest(): void {
    if (this.#thread === null || this.#closed || this.#working) return;
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => void this.#end(), this.#idleMs);
    this.#idleTimer.unref();
  }

  async #end(): Promise<void> {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
    const thread = this.#thread;
    this.#thread = null;
    await thread?.end();
  }
}

/** One run of the worker file. It keeps the process alive only while somebody waits for an answer. */
class Thread {
  readonly started: Promise<Started>;
  ended = false;
  readonly #worker: Worker;
  /** Who waits for the next message. At most one at a time. */
  #waiting: ((reply: MiniLmReply) => void) | null = null;

  constructor(data: MiniLmWorkerData) {
    // The same file runs from the sources (.ts) and from the build (.js).
    const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
    this.#worker = new Worker(new URL(`./minilm-worker${extension}`, import.meta.url), {
      workerData: data,
      name: 'embedder',
    });
    this.#worker.on('message', (reply: MiniLmReply) => this.#deliver(reply));
    this.#worker.on('error', (error) => this.#stopped(error instanceof Error ? error.message : String(error)));
    this.#worker.on('exit', () => this.#stopped('its thread ended.'));
    this.started = this.#next().then((reply): Started => {
      if (reply.kind === 'ready' || reply.kind === 'unavailable') return reply;
      const message = reply.kind === 'failed' ? reply.message : 'its thread answered out of turn.';
      return { kind: 'unavailable', reason: 'not_loadable', message: `The model does not start: ${message}` };
    });
  }

  ask(request: MiniLmRequest): Promise<MiniLmReply> {
    if (this.ended) return Promise.resolve({ kind: 'failed', message: 'its thread ended.' });
    const reply = this.#next();
    this.#worker.postMessage(request);
    return reply;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
    this.#stopped('its thread was closed.');
  }

  #next(): Promise<MiniLmReply> {
    this.#worker.ref();
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  #deliver(reply: MiniLmReply): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    this.#worker.unref();
    waiting?.(reply);
  }

  #stopped(message: string): void {
    this.ended = true;
    this.#deliver({ kind: 'failed', message });
  }
}

/** A text far beyond the model's 256 word pieces is cut before it is sent: the rest could not change the vector. */
function cut(text: string): string {
  return text.length > embedderLimits.textCharsMax ? text.slice(0, embedderLimits.textCharsMax) : text;
}
