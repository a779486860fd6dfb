/**
 * Long work that a caller may wait for or look at later. Jobs live as long as the process: they are reports about work,
 * never the record of its result.
 *
 * A job that reports a failure in words ends as `error`, like one that throws; nothing that failed reads `done`.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import { jobLimits } from '../base/limits.ts';

export type JobStatus = 'queued' | 'running' | 'done' | 'error';

/** How far a job has come, in its own words and units. */
export interface JobProgress {
  readonly phase: string;
  readonly done: number;
  /** 0 while it is not known. */
  readonly total: number;
}

export interface Job {
  /** 12 hex digits. */
  readonly id: string;
  readonly kind: string;
  readonly projectId: string;
  readonly status: JobStatus;
  /** As last reported; null for work that reports none. It stays when the job has ended. */
  readonly progress: JobProgress | null;
  readonly result: JsonObject | null;
  /** In fixed words; never the message of an error thrown by a library. */
  readonly error: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

export type JobOutcome =
  | { readonly ok: true; readonly result: JsonObject }
  | { readonly ok: false; readonly error: string };

/**
 * The work of one job. It must stop soon after `signal` aborts, and may `report` how far it has come. A throw counts as
 * a fault of ours.
 */
export type JobWork = (signal: AbortSignal, report: (progress: JobProgress) => void) => Promise<JobOutcome>;

export interface Jobs {
  /** Starts `work` behind the running job of the same project, if there is one. */
  submit(kind: string, projectId: string, work: JobWork): Job;
  /** Newest first. The oldest finished ones are dropped beyond a bound. */
  list(): readonly Job[];
  get(id: string): Job | undefined;
  /** Resolves when the job has ended. */
  finished(id: string): Promise<Job | undefined>;
  activeCount(): number;
  /** Aborts what runs and waits for it. */
  close(): Promise<void>;
}

export function createJobs(clock: Clock): Jobs {
  const jobs = new Map<string, Job>();
  const running = new Map<string, Promise<void>>();
  const lastOfProject = new Map<string, Promise<void>>();
  const closing = new AbortController();

  const change = (id: string, facts: Partial<Job>) => {
    const job = jobs.get(id);
    if (job !== undefined) jobs.set(id, { ...job, ...facts });
  };

  async function perform(id: string, work: JobWork): Promise<void> {
    change(id, { status: 'running' });
    const report = ({ phase, done, total }: JobProgress) => change(id, { progress: { phase, done, total } });
    const outcome = closing.signal.aborted ? stopped : await work(closing.signal, report).catch(() => failed);
    const ending: Partial<Job> = outcome.ok
      ? { status: 'done', result: outcome.result }
      : { status: 'error', error: outcome.error };
    change(id, { ...ending, finishedAt: clock.now() });
  }

  return {
    submit(kind, projectId, work) {
      const job: Job = {
        id: randomBytes(6).toString('hex'),
        kind,
        projectId,
        status: 'queued',
        progress: null,
        result: null,
        error: null,
        createdAt: clock.now(),
        finishedAt: null,
      };
      jobs.set(job.id, job);
      dropOldest(jobs);
      const before = lastOfProject.get(projectId) ?? Promise.resolve();
      const done = before
        .then(() => perform(job.id, work))
        .finally(() => {
          running.delete(job.id);
          if (lastOfProject.get(projectId) === done) lastOfProject.delete(projectId);
        });
      running.set(job.id, done);
      lastOfProject.set(projectId, done);
      return job;
    },
    list: () => [...jobs.values()].reverse(),
    get: (id) => jobs.get(id),
    async finished(id) {
      await running.get(id);
      return jobs.get(id);
    },
    activeCount: () => running.size,
    async close() {
      closing.abort();
      await Promise.all(running.values());
    },
  };
}

const failed: JobOutcome = { ok: false, error: 'the job failed inside Mnemosyne' };
const stopped: JobOutcome = { ok: false, error: 'the daemon stopped before the job began' };

function dropOldest(jobs: Map<string, Job>): void {
  for (const [id, job] of jobs) {
    if (jobs.size <= jobLimits.keptMax) return;
    if (job.finishedAt !== null) jobs.delete(id);
  }
}
