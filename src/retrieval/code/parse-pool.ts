/**
 * Threads that read files, one answer for each. Few requests are under way at a time, so that memory stays bounded however many files a
 * project has. A file that crashes its thread, or holds it too long, is answered with that; the thread is replaced and
 * the others go on.
 */
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { codeLimits } from '../../base/limits.ts';
import type { ParsedFile } from './parse-file.ts';

export interface FileRequest {
  /** From the root of the project, with `/`. */
  readonly path: string;
  readonly absolutePath: string;
  /** The content, when it has been read already. */
  readonly bytes?: Uint8Array;
}

export type FileFailure =
  | { readonly kind: 'failed'; readonly reason: 'unreadable' | 'timed-out' }
  | { readonly kind: 'failed'; readonly reason: 'crashed'; readonly message: string };

export type ParseOutcome = ParsedFile | FileFailure;

interface Job<Outcome> {
  readonly request: FileRequest;
  readonly done: (outcome: Outcome | FileFailure) => void;
}

export class FilePool<Outcome> {
  readonly #threads: Thread<Outcome>[] = [];
  readonly #waiting: Job<Outcome>[] = [];
  readonly #worker: URL;
  readonly #size: number;
  #isClosed = false;

  /** `worker` answers each `FileRequest` with an outcome, in order. Threads start with the first files. */
  constructor(worker: URL, threads: number = Math.min(codeLimits.threadsMax, os.availableParallelism())) {
    this.#worker = worker;
    this.#size = Math.max(1, threads);
  }

  /** Never rejects for what a file holds; rejects when the pool is closed. */
  parse(root: string, file: string, bytes?: Uint8Array): Promise<Outcome | FileFailure> {
    if (this.#isClosed) return Promise.reject(new Error('The parse pool is closed.'));
    return new Promise((done) => {
      const request = {
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
  ): AsyncGenerator<{ readonly path: string; readonly outcome: Outcome | FileFailure }> {
    const running = new Map<string, Promise<{ path: string; outcome: Outcome | FileFailure }>>();
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
      const thread = this.#threadWithRoom();
      const job = thread === undefined ? undefined : this.#waiting.shift();
      if (thread === undefined || job === undefined) return;
      thread.take(job);
    }
  }

  /** One that has nothing to do, else a new one, else one that is at its last file. */
  #threadWithRoom(): Thread<Outcome> | undefined {
    const free = this.#threads.find((one) => one.jobs === 0);
    if (free !== undefined) return free;
    if (this.#threads.length === this.#size) return this.#threads.find((one) => one.jobs < jobsPerThread);
    const thread = new Thread<Outcome>(
      this.#worker,
      (lost, unread) => this.#replace(lost, unread),
      () => this.#assign(),
    );
    this.#threads.push(thread);
    return thread;
  }

  #replace(lost: Thread<Outcome>, unread: readonly Job<Outcome>[]): void {
    const at = this.#threads.indexOf(lost);
    if (at !== -1) this.#threads.splice(at, 1);
    this.#waiting.unshift(...unread);
    this.#assign();
  }
}

/** The file a thread is at and the next one, so that it need not wait for whoever takes its answers. */
const jobsPerThread = 2;

/** One worker and its files. */
class Thread<Outcome> {
  readonly #worker: Worker;
  readonly #onLost: (thread: Thread<Outcome>, unread: readonly Job<Outcome>[]) => void;
  /** In the order in which they are read. */
  readonly #jobs: Job<Outcome>[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(
    worker: URL,
    onLost: (thread: Thread<Outcome>, unread: readonly Job<Outcome>[]) => void,
    onRoom: () => void,
  ) {
    this.#onLost = onLost;
    this.#worker = new Worker(worker, {
      stdout: false,
      stderr: false,
      // Trees and facts live for one file: with room for them, most are gone before they are ever moved.
      resourceLimits: { maxYoungGenerationSizeMb: codeLimits.threadYoungMegabytes },
    });
    this.#worker.unref();
    this.#worker.on('message', (outcome: Outcome | FileFailure) => {
      const job = this.#jobs.shift();
      this.#watchFirst();
      job?.done(outcome);
      onRoom();
    });
    let fault: string | null = null;
    this.#worker.on('error', (error) => {
      fault = String(error);
    });
    // Not before: an answer to the file before may still be on its way when the error is told.
    this.#worker.on('exit', (code) =>
      this.#lose({ kind: 'failed', reason: 'crashed', message: fault ?? `The thread ended with ${code}.` }),
    );
  }

  get jobs(): number {
    return this.#jobs.length;
  }

  take(job: Job<Outcome>): void {
    this.#jobs.push(job);
    if (this.#jobs.length === 1) this.#watchFirst();
    this.#worker.postMessage(job.request);
  }

  async end(): Promise<void> {
    this.#stopWatching();
    const failure: FileFailure = { kind: 'failed', reason: 'crashed', message: 'The parse pool was closed.' };
    for (const job of this.#jobs.splice(0)) job.done(failure);
    await this.#worker.terminate();
  }

  /** The first file has its time from when it became the first. */
  #watchFirst(): void {
    this.#stopWatching();
    if (this.#jobs.length === 0) return;
    this.#worker.ref();
    this.#timer = setTimeout(() => {
      this.#lose({ kind: 'failed', reason: 'timed-out' });
      void this.#worker.terminate();
    }, codeLimits.fileMsMax);
  }

  #stopWatching(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#worker.unref();
  }

  /** The file it was at is answered with `outcome`; the others are handed back. */
  #lose(outcome: FileFailure): void {
    this.#stopWatching();
    const [job, ...unread] = this.#jobs.splice(0);
    this.#onLost(this, unread);
    job?.done(outcome);
  }
}

/** A pool that gives the facts of each file. */
export class ParsePool extends FilePool<ParsedFile> {
  constructor(threads?: number) {
    super(workerFile('./parse-worker', import.meta.url), threads);
  }
}

/** Where a worker lies: beside its caller, as source or as what was built from it. */
export function workerFile(name: string, caller: string): URL {
  return new URL(`${name}${caller.endsWith('.ts') ? '.ts' : '.js'}`, caller);
}
