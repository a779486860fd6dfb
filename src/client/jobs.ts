/** Long work that the server does in the background. */
import type { CallOptions, Connection } from './connection.ts';
import { NeuralMindConnectionError } from './errors.ts';
import { deepFreeze, isObject, listOf, number, type Open, object, type RawObject, text, textOrNull } from './raw.ts';
import { divided } from './to-wire.ts';

export interface JobProgress {
  /** A build says list, read and link. */
  readonly phase: string;
  readonly done: number;
  /** 0 while it is not known. */
  readonly total: number;
}

export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly projectId: string;
  readonly status: Open<'queued' | 'running' | 'done' | 'error'>;
  /** How far it has come; null when it does not say. */
  readonly progress: JobProgress | null;
  readonly result: RawObject | null;
  /** What went wrong, when the status is error. */
  readonly error: string | null;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  readonly raw: RawObject;
}

export interface JobWaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until waiting ends, 1 to 2,147,483,647; 600,000 by default. The job goes on. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds between two looks; 250 by default. */
  readonly pollMs?: number | undefined;
}

/** For waiting, on either side. */
export const waitTimeoutMs = 600_000;
const pollMsDefault = 250;

export class Jobs {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Newest first. */
  async list(options?: CallOptions): Promise<readonly Job[]> {
    const raw = await this.#connection.object({ method: 'GET', path: ['jobs'] }, options);
    return Object.freeze(listOf(raw, 'items', readJob));
  }

  /** Throws NotFound: the server forgets finished jobs after a while. */
  async get(id: string, options?: CallOptions): Promise<Job> {
    return readJob(await this.#connection.object({ method: 'GET', path: ['jobs', id] }, options));
  }

  /** The job once it has ended, well or not. */
  async wait(id: string, options: JobWaitOptions = {}): Promise<Job> {
    divided(options, { pollMs: 'pollMs' }, 'the options of a wait');
    const limit = options.timeoutMs ?? waitTimeoutMs;
    const deadline = performance.now() + limit;
    for (;;) {
      const left = Math.ceil(deadline - performance.now());
      if (left <= 0) throw new NeuralMindConnectionError('timeout', `the job did not end within ${limit} ms`);
      const job = await this.get(id, { signal: options.signal, timeoutMs: left });
      if (job.finishedAt !== null) return job;
      await pause(Math.min(options.pollMs ?? pollMsDefault, left), options.signal);
    }
  }
}

export function readJob(raw: RawObject): Job {
  return deepFreeze({
    id: text(raw, 'id'),
    kind: text(raw, 'kind'),
    projectId: text(raw, 'project_id'),
    status: text(raw, 'status'),
    progress: progressOf(raw),
    result: isObject(raw['result']) ? raw['result'] : null,
    error: textOrNull(raw, 'error'),
    createdAt: text(raw, 'created_at'),
    finishedAt: textOrNull(raw, 'finished_at'),
    raw,
  });
}

/** Servers before the code mind do not tell it. */
function progressOf(raw: RawObject): JobProgress | null {
  const progress = raw['progress'];
  if (!isObject(progress)) return null;
  return { phase: text(progress, 'phase'), done: number(progress, 'done'), total: number(progress, 'total') };
}

/** Of an answer that holds the job as `job`. */
export function jobOf(raw: RawObject): Job {
  return readJob(object(raw, 'job'));
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}
