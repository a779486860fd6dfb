/** The rows that index the code of a project: as a job for programs, waited for by agents. */
import { z } from 'zod';
import { plain } from '../../base/plain.ts';
import type { BuildAnswer } from '../../engine/code/answers.ts';
import type { JobOutcome } from '../../engine/jobs.ts';
import { fail, ok, type Result, unavailable } from '../../memory/decisions/outcome.ts';
import { codeRow } from '../code-row.ts';
import { jobExample, jobSchema, shownJob } from '../jobs/job-schema.ts';
import { projectExample } from '../projects/project-schema.ts';
import { changingTool } from '../tool-hints.ts';
import { toolSchema } from '../tool-schema.ts';
import { base } from './code-schema.ts';

const force = z.boolean().optional().describe('Reads every file anew instead of those that changed. Default: false.');
const buildRequest = z.object({
  force,
  wait: z.boolean().optional().describe('Answers when the build has ended; otherwise at once, with a job to look at.'),
});

const buildExample: BuildAnswer = {
  success: true,
  project: projectExample.name,
  backend: 'sqlite',
  nodes_total: 1284,
  communities: 9,
  nodes_added: 14,
  nodes_updated: 3,
  nodes_skipped: 109,
  nodes_removed: 2,
  files: 112,
  files_read: 3,
  files_reused: 109,
  files_removed: 0,
  files_skipped: 4,
  changed: true,
  db_path: '/home/me/src/atlas/.neuralmind/index.db',
  duration_seconds: 0.184,
  built_at: '2026-10-02T12:00:00.000Z',
};

const jobValue = z.looseObject({ job: z.looseObject({ id: z.string(), finished_at: z.string().nullable() }) });

export const buildCode = codeRow({
  name: 'code.build',
  summary: 'Indexes the code of a project: the files that changed, or all of them.',
  permission: 'code.write',
  effects:
    'Writes the index below `.neuralmind/` in the project. Builds of one project run one after the other. A build that fails ends its job as `error`, and the index stays as it was.',
  errors: [],
  example: {
    input: { project_id: projectExample.id, wait: true },
    output: {
      job: {
        ...jobExample,
        kind: 'build',
        progress: { phase: 'link', done: 112, total: 112 },
        result: { ...buildExample },
      },
    },
  },
  request: buildRequest,
  http: {
    method: 'POST',
    path: `${base}/build`,
    body: true,
    success: { 200: 'The build has ended.', 202: 'The build is on its way.' },
    input: buildRequest,
    output: z.object({ job: jobSchema }),
    respond(value) {
      const { job } = jobValue.parse(value);
      return job.finished_at === null ? { status: 202, location: `/v1/jobs/${job.id}` } : { status: 200 };
    },
  },
  async run({ engine: { jobs }, project, code, request }) {
    const submitted = jobs.submit('build', project.id, async (signal, report) =>
      outcomeOf(await code.build({ force: request.force === true }, { signal, onProgress: report })),
    );
    if (request.wait !== true) return ok({ job: shownJob(submitted) });
    const ended = await jobs.finished(submitted.id);
    return ended === undefined ? unavailable('closed', 'the job is not known any more') : ok({ job: shownJob(ended) });
  },
});

const indexRequest = z.object({ force });
const indexTool = toolSchema({ force }, { force: 'All anew.' });

export const indexCode = codeRow({
  name: 'code.index',
  summary: 'Indexes the code of a project and waits for the end, for an agent.',
  permission: 'code.write',
  effects: 'Writes the index below `.neuralmind/` in the project, as a job that others can look at.',
  errors: [],
  example: { input: { project_path: projectExample.path }, output: { ...buildExample } },
  request: indexRequest,
  tool: {
    name: 'neuralmind_build',
    title: 'Index code',
    description: 'Index what changed. Call it when an answer says stale.',
    annotations: changingTool(true),
    composedInput: indexTool,
    portableInput: indexTool,
  },
  async run({ engine: { jobs }, project, code, request }) {
    let built: Result<BuildAnswer> | 'not begun' | 'begun' = 'not begun';
    const job = jobs.submit('build', project.id, async (signal, report) => {
      built = 'begun';
      built = await code.build({ force: request.force === true }, { signal, onProgress: report });
      return outcomeOf(built);
    });
    const ended = await jobs.finished(job.id);
    return endOf(built, ended?.error ?? 'the job is not known any more');
  },
});

/** A build that began and came to no end is a fault of ours. */
function endOf(built: Result<BuildAnswer> | 'not begun' | 'begun', message: string): Result<BuildAnswer> {
  if (built === 'not begun') return unavailable('closed', message);
  return built === 'begun' ? fail({ code: 'internal_error', message }) : built;
}

function outcomeOf(built: Result<BuildAnswer>): JobOutcome {
  return built.ok ? { ok: true, result: plain(built.value) } : { ok: false, error: built.failure.message };
}
