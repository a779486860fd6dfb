/** The rows of jobs: long work that was started and can be looked at. */
import { z } from 'zod';
import { failed } from '../failures.ts';
import { globalRow } from '../global-row.ts';
import type { Operation } from '../operation.ts';
import { noRequest } from '../project-row.ts';
import { jobExample, jobSchema, shownJob } from './job-schema.ts';

const listJobs = globalRow({
  name: 'jobs.list',
  summary: 'Lists the jobs of this server, newest first.',
  permission: 'jobs.read',
  effects: 'None.',
  errors: [],
  example: { input: {}, output: { items: [jobExample], next_cursor: null } },
  request: noRequest,
  http: {
    method: 'GET',
    path: '/v1/jobs',
    body: false,
    success: { 200: 'The jobs that are waiting, running, or ended lately.' },
    input: noRequest,
    output: z.object({ items: z.array(jobSchema), next_cursor: z.null() }),
  },
  run: async (engine) => ({ ok: true, value: { items: engine.jobs.list().map(shownJob), next_cursor: null } }),
  event: ({ items }) => ({ returned_count: items.length }),
});

const byId = z.object({ job_id: z.string() });

const getJob = globalRow({
  name: 'jobs.get',
  summary: 'Shows one job.',
  permission: 'jobs.read',
  effects: 'None.',
  errors: ['job_not_found'],
  example: { input: { job_id: jobExample.id }, output: jobExample },
  request: byId,
  http: {
    method: 'GET',
    path: '/v1/jobs/{job_id}',
    body: false,
    success: { 200: 'The job.' },
    input: noRequest,
    output: jobSchema,
  },
  async run(engine, { job_id }) {
    const job = engine.jobs.get(job_id);
    if (job !== undefined) return { ok: true, value: shownJob(job) };
    const message = `no job with id ${job_id}`;
    return failed({ status: 'not_found', code: 'job_not_found', message, details: { id: job_id } });
  },
  event: ({ kind, status }) => ({ kind, job: status }),
});

export const jobRows: readonly Operation[] = Object.freeze([listJobs, getJob]);
