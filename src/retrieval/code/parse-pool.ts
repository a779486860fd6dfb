/**
 * Threads that parse files. Few requests are under way at a time, so that memory stays bounded however many files a
 * project has. A file that crashes its thread, or holds it too long, is answered with that; the thread is replaced and
 * the others go on.
 */
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { codeLimits } from '../../base/limits.ts';
import type { ParsedFile } from './parse-file.ts';

export interface ParseRequest {
  readonly id: number;
  /** From the root of the project, with `/`. */
  readonly path: string;
  readonly absolutePath: string;
  /** The content, when it has been read already. */
  readonly bytes?: Uint8Array;
}

export type ParseOutcome =
  | ParsedFile
  | { readonly kind: 'failed'; readonly reason: 'unreadable' | 'timed-out' }
  | { readonly kind: 'failed'; readonly reason: 'crashed'; readonly message: string };

export interface ParseReply {
  readonly id: number;
  readonly outcome: ParseOutcome;
}

interface Job {
  readonly request: ParseRequest;
  readonly done: (outcome: ParseOutcome) => void;
}

export class ParsePool {
  readonly #threads: Thread[] = [];
  readonly #waiting: Job[] = [];
  readonly #size: number;
  #nextId = 0;
  #isClosed = false;

  /** Threads start with the first files. */
  constructor(threads: number = Math.min(codeLimits.threadsMax, os.availableParallelism())) {
    this.#size = Math.max(1, threads);
  }

  /** Never rejects for what a file holds; rejects when the pool is closed. */
  parse(root: string, file: string, bytes?: Uint8Array): Promise<ParseOutcome> {
    if (this.#isClosed) return Promise.reject(new Error('The parse pool is closed.'));
    return new Promise((done) => {
      const id = this.#nextId;
      this.#nextId += 1;
      const request = {
        id,
        path: file,
        absolutePath: path.join(root, file),
        ...(bytes === undefined ? {} : { bytes }),
      };
      this.#waiting.push({ request, done });
      this.#assign();
    });
  }

  /** Parses many files and hands each over as it is ready, in no fixed order. */
  async *parseAll(
    root: string,
    files: Iterable<string>,
    signal?: AbortSignal,
  ): AsyncGenerator<{ readonly path: string; readonly outcome: ParseOutcome }> {
    const running = new Map<string, Promise<{ path: string; outcome: ParseOutcome }>>();
    const atOnce = this.#size * codeLimits.filesInFlightPerThread;
    for (const file of files) {
      signal?.throwIfAborted();
      running.set(
        file,
        this.parse(root, file).then((outcome) => ({ path: file, outcome })),
      );
      if (running.size < atOnce) continue;
      const ready = await Promise.race(running.values());
      running.delete(ready.path);
      yield ready;
    }
    while (running.size > 0) {
      signal?.throwIfAborted();
      const ready = await Promise.race(running.values());
      running.delete(ready.path);
      yield ready;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.map((thread) => thread.end()));
    this.#threads.length = 0;
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      let thread = this.#threads.find((one) => one.isFree);
      if (thread === undefined && this.#threads.length < this.#size) {
        thread = new Thread(
          (lost) => this.#replace(lost),
          () => this.#assign(),
        );
        this.#threads.push(thread);
      }
      const job = thread === undefined ? undefined : this.#waiting.shift();
      if (thread === undefined || job === undefined) return;
      thread.take(job);
    }
  }

  #replace(lost: Thread): void {
    const at = this.#threads.indexOf(lost);
    if (at !== -1) this.#threads.splice(at, 1);
    this.#assign();
  }
}

/** One worker and the file it is at. */
class Thread {
  readonly #worker: Worker;
  readonly #onLost: (thread: Thread) => void;
  #job: Job | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(onLost: (thread: Thread) => void, onFree: () => void) {
    this.#onLost = onLost;
    const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
    this.#worker = new Worker(new URL(`./parse-worker${extension}`, import.meta.url), { stdout: false, stderr: false });
    this.#worker.unref();
    this.#worker.on('message', (reply: ParseReply) => {
      this.#finish(reply.outcome);
      onFree();
    });
    this.#worker.on('error', (error) => this.#lose({ kind: 'failed', reason: 'crashed', message: String(error) }));
    this.#worker.on('exit', (code) =>
      this.#lose({ kind: 'failed', reason: 'crashed', message: `The thread ended with ${code}.` }),
    );
  }

  get isFree(): boolean {
    return this.#job === null;
  }

  take(job: Job): void {
    this.#job = job;
    this.#worker.ref();
    this.#timer = setTimeout(() => {
      this.#lose({ kind: 'failed', reason: 'timed-out' });
      void this.#worker.terminate();
    }, codeLimits.fileMsMax);
    this.#worker.postMessage(job.request);
  }

  async end(): Promise<void> {
    this.#finish({ kind: 'failed', reason: 'crashed', message: 'The parse pool was closed.' });
    await this.#worker.terminate();
  }

  #finish(outcome: ParseOutcome): void {
    const job = this.#job;
    this.#job = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#worker.unref();
    job?.done(outcome);
  }

  #lose(outcome: ParseOutcome): void {
    this.#finish(outcome);
    this.#onLost(this);
  }
}
