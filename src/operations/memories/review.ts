/** The rows that ask whether decisions still hold: the audit, which only reports, and the scan of commits. */
import { z } from 'zod';
import type { ScanReport } from '../../engine/decision-scan/scan.ts';
import type { JobOutcome } from '../../engine/jobs.ts';
import { ok, type Result, unavailable } from '../../memory/decisions/outcome.ts';
import { auditSchema } from '../../memory/decisions/parse-read.ts';
import { jobExample, jobSchema, shownJob } from '../jobs/job-schema.ts';
import { noTarget, projectRow } from '../project-row.ts';
import { projectExample } from '../projects/project-schema.ts';
import { readingTool } from '../tool-hints.ts';
import { toolSchema } from '../tool-schema.ts';
import { memoryExample, memorySchema, shownMemory } from './memory-schema.ts';
import { base } from './target.ts';

const auditTool = toolSchema({ ...auditSchema.shape }, {});
const reasons = z.enum(['age', 'orphaned']);

export const auditMemories = projectRow({
  name: 'memories.audit',
  summary: 'Reports active decisions that nobody looked at for 90 days, or whose commit is gone.',
  permission: 'memories.read',
  effects: 'None. It is a report; no status changes.',
  errors: [],
  example: {
    input: { project_id: projectExample.id },
    output: {
      items: [{ memory: memoryExample, reasons: ['orphaned'] }],
      checked: ['age', 'orphaned'],
      active: 12,
    },
  },
  target: noTarget,
  request: auditSchema,
  http: {
    method: 'GET',
    path: `${base}/audit`,
    query: { age: 'boolean', orphaned: 'boolean' },
    body: false,
    success: { 200: 'The report. Both checks run when none is chosen.' },
    input: auditSchema,
    output: z.object({
      items: z.array(z.object({ memory: memorySchema, reasons: z.array(reasons) })),
      checked: z.array(reasons),
      active: z.int().describe('Active decisions that were looked at.'),
    }),
  },
  tool: {
    name: 'neuralmind_audit_decisions',
    title: 'Audit decisions',
    description: 'Active decisions untouched for 90 days (age) or of a commit that is gone (orphaned). Default: both.',
    annotations: readingTool,
    composedInput: auditTool,
    portableInput: auditTool,
  },
  async run({ decisions, request }) {
    const report = await decisions.audit(request);
    if (!report.ok) return report;
    const { items, checked, active } = report.value;
    const shown = items.map(({ memory, reasons: why }) => ({ memory: shownMemory(memory), reasons: why }));
    return ok({ items: shown, checked, active });
  },
  event: ({ items, active }) => ({ returned_count: items.length, active }),
});

const scanRequest = z.object({
  wait: z.boolean().optional().describe('Answers when the scan has ended; otherwise at once, with a job to look at.'),
});

const jobValue = z.looseObject({ job: z.looseObject({ id: z.string(), finished_at: z.string().nullable() }) });

export const scanMemories = projectRow({
  name: 'memories.scan',
  summary: 'Looks for active decisions whose files were changed by commits, and marks them STALE.',
  permission: 'memories.write',
  catchUp: false,
  effects: 'Writes the status STALE, a line of evidence and an event for each decision it finds, dependents included.',
  errors: [],
  example: { input: { project_id: projectExample.id, wait: true }, output: { job: jobExample } },
  target: noTarget,
  request: scanRequest,
  http: {
    method: 'POST',
    path: `${base}/scan`,
    body: true,
    success: { 200: 'The scan has ended.', 202: 'The scan is on its way.' },
    input: scanRequest,
    output: z.object({ job: jobSchema }),
    respond(value) {
      const { job } = jobValue.parse(value);
      return job.finished_at === null ? { status: 202, location: `/v1/jobs/${job.id}` } : { status: 200 };
    },
  },
  async run({ engine, project, request }) {
    const submitted = engine.jobs.submit('scan', project.id, async () =>
      jobOutcome(await engine.scanDecisions(project)),
    );
    if (request.wait !== true) return ok({ job: shownJob(submitted) });
    const ended = await engine.jobs.finished(submitted.id);
    return ended === undefined ? unavailable('closed', 'the job is not known any more') : ok({ job: shownJob(ended) });
  },
  event: ({ job }) => ({ job: job.status }),
});

function jobOutcome(report: Result<ScanReport>): JobOutcome {
  if (!report.ok) return { ok: false, error: report.failure.message };
  const { commit, scanned, marked } = report.value;
  const shown = marked.map(({ id, reason, triggeredBy }) => ({ id, reason, triggered_by: triggeredBy }));
  return { ok: true, result: { commit, scanned, marked: shown } };
}
