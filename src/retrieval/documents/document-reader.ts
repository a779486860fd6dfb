/**
 * Reads documents on a thread of its own, so that none of them can hang or fill the process.
 *
 *   no thread ──first document──▶ working ◀──▶ idle ──idle for idleMs, or close──▶ no thread
 *                                    │
 *                                    └── too long, too much memory, or a crash: the document is refused, the thread
 *                                        ended, and the next document gets a new one
 *
 * Documents wait for each other in order. The memory that is bounded is all that the thread holds, buffers too: what
 * a PDF unpacks lies in buffers, which limits on the heap do not count.
 */
import { Worker } from 'node:worker_threads';
import { documentLimits } from '../../base/limits.ts';
import type { FileFacts } from '../code/symbol.ts';
import { type DocumentHint, type DocumentRefusal, type ParsedDocument, refused } from './document.ts';
import { tooLarge } from './parse-document.ts';

export type DocumentReply =
  | { readonly kind: 'parsed'; readonly document: ParsedDocument; readonly facts: FileFacts }
  | DocumentRefusal;

export interface DocumentRequest {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly hint: DocumentHint;
}

export interface DocumentReaderOptions {
  readonly readMsMax?: number;
  readonly readBytesMax?: number;
  readonly idleMs?: number;
}

export class DocumentReader {
  readonly #options: Required<DocumentReaderOptions>;
  #thread: Thread | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #idleTimer: NodeJS.Timeout | null = null;
  #waiting = 0;
  #isClosed = false;

  /** The thread starts with the first document. */
  constructor(options: DocumentReaderOptions = {}) {
    const { readMsMax, readBytesMax, idleMs } = documentLimits;
    this.#options = { readMsMax, readBytesMax, idleMs, ...options };
  }

  /** Whether a thread is held. */
  get hasThread(): boolean {
    return this.#thread !== null && !this.#thread.hasEnded;
  }

  /**
   * Never rejects for what a document holds; rejects when the reader is closed. `path` is from the root of the
   * project, with `/`.
   */
  async read(path: string, bytes: Uint8Array, hint: DocumentHint): Promise<DocumentReply> {
    if (bytes.length > documentLimits.fileBytesMax) return tooLarge();
    this.#waiting += 1;
    const work = this.#turn.then(() => this.#read({ path, bytes, hint }));
    this.#turn = work.catch(() => {});
    try {
      return await work;
    } finally {
      this.#waiting -= 1;
      this.#rest();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  #read(request: DocumentRequest): Promise<DocumentReply> {
    if (this.#isClosed) throw new Error('The reader of documents is closed.');
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
    if (this.#thread === null || this.#thread.hasEnded) this.#thread = new Thread(this.#options);
    return this.#thread.read(request);
  }

  #rest(): void {
    if (this.#waiting > 0 || this.#isClosed) return;
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => void this.#end(), this.#options.idleMs);
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

/** One worker and the document it is at. It keeps the process alive only while somebody waits. */
class Thread {
  hasEnded = false;
  readonly #worker: Worker;
  readonly #options: Required<DocumentReaderOptions>;
  readonly #started: Promise<void>;
  #done: ((reply: DocumentReply) => void) | null = null;

  constructor(options: Required<DocumentReaderOptions>) {
    this.#options = options;
    // The same file runs from the sources (.ts) and from the build (.js).
    const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
    this.#worker = new Worker(new URL(`./document-worker${extension}`, import.meta.url), {
      name: 'documents',
      // What a library says about a document is not for the terminal.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(options.readBytesMax / 1024 / 1024) },
    });
    this.#started = new Promise((started) => {
      this.#worker.on('message', (reply: DocumentReply | 'ready') => {
        if (reply === 'ready') started();
        else this.#finish(reply);
      });
      this.#worker.on('exit', () => started());
    });
    // A thread that cannot even be started ends as well, and `exit` follows every error.
    this.#worker.on('error', (error) => this.#lose(`The document could not be read: ${describe(error)}`));
    this.#worker.on('exit', () => this.#lose('The document could not be read: its thread ended.'));
    this.#worker.unref();
  }

  async read(request: DocumentRequest): Promise<DocumentReply> {
    this.#worker.ref();
    await this.#started;
    if (this.hasEnded) throw new Error('The thread that reads documents does not start.');
    return new Promise((done) => {
      const timer = setTimeout(() => {
        this.#lose(`The document took more than ${this.#options.readMsMax} ms.`);
      }, this.#options.readMsMax);
      const watch = setInterval(() => void this.#checkMemory(), documentLimits.memoryCheckMs);
      this.#done = (reply) => {
        clearTimeout(timer);
        clearInterval(watch);
        this.#done = null;
        this.#worker.unref();
        done(reply);
      };
      this.#worker.postMessage(request);
    });
  }

  async end(): Promise<void> {
    this.#lose('The reader of documents was closed.');
    await this.#worker.terminate();
  }

  async #checkMemory(): Promise<void> {
    if (this.hasEnded) return;
    let held: number;
    try {
      const statistics = await this.#worker.getHeapStatistics();
      held = statistics.used_heap_size + statistics.external_memory;
    } catch {
      // The thread ended meanwhile; `exit` tells who waits.
      return;
    }
    if (held > this.#options.readBytesMax) this.#lose('The document took more memory than a document may take.');
  }

  #finish(reply: DocumentReply): void {
    this.#done?.(reply);
  }

  #lose(message: string): void {
    this.hasEnded = true;
    this.#finish(refused('gave-up', message));
    void this.#worker.terminate();
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
