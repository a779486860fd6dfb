/** A job on the wire. */
import { z } from 'zod';
import type { Job } from '../../engine/jobs.ts';
import { projectExample } from '../projects/project-schema.ts';

export const jobSchema = z
  .object({
    id: z.string(),
    kind: z.string(),
    project_id: z.string(),
    status: z.enum(['queued', 'running', 'done', 'error']),
    progress: z
      .object({
        phase: z.string().describe('What it is doing. A build says list, read and link.'),
        done: z.int(),
        total: z.int().describe('0 while it is not known.'),
      })
      .nullable()
      .describe('How far it has come, as last reported; null when it reports nothing.'),
    result: z.looseObject({}).nullable().describe('Set when the job is done.'),
    error: z.string().nullable().describe('Why it failed, when it did.'),
    created_at: z.string(),
    finished_at: z.string().nullable(),
  })
  .meta({ id: 'Job' });

export const jobExample = {
  id: 'a1b2c3d4e5f6',
  kind: 'scan',
  project_id: projectExample.id,
  status: 'done',
  progress: null,
  result: { commit: '9d1f0c2e', scanned: 12, marked: [] },
  error: null,
  created_at: '2026-10-02T12:00:00.000Z',
  finished_at: '2026-10-02T12:00:00.041Z',
};

export function shownJob(job: Job) {
  const { id, kind, projectId, status, progress, result, error, createdAt, finishedAt } = job;
  return {
    id,
    kind,
    project_id: projectId,
    status,
    progress: progress === null ? null : { ...progress },
    result,
    error,
    created_at: createdAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
  };
}
