/**
 * `mnemosyne build`: indexes a project and waits for the end.
 *
 * In front of a person the build runs as a job that is looked at again and again, so that there is a bar to show, also
 * when the daemon does the work. Elsewhere the row itself waits. The answer is the same: the job that has ended.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import { ProcessError } from '../../base/errors.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { cliLimits, leftOutLimits } from '../../base/limits.ts';
import type { BuildAnswer, StatsAnswer } from '../../engine/code/answers.ts';
import { leftOutFolders } from '../../engine/code/left-out-words.ts';
import type { Project } from '../../engine/projects/projects.ts';
import { codeRows } from '../../operations/code/rows.ts';
import { jobSchema } from '../../operations/jobs/job-schema.ts';
import { apiOperation } from '../rows/api-operation.ts';
import { RowRefusal } from '../rows/failure.ts';
import { givenInputs, rowFlags } from '../rows/flags.ts';
import { type CommandContext, type Performance, perform } from '../rows/perform.ts';
import { locateProject } from '../rows/place.ts';
import { safeLine } from '../screen/text-width.ts';
import type { Terminal } from '../terminal.ts';
import { answerOf, outputOf, withProjectArgument } from './commands.ts';
import { progressBar } from './progress.ts';
import { buildLines } from './shown-facts.ts';

export function addBuild(command: Command, context: CommandContext): void {
  const flags = rowFlags(apiOperation(codeRows, 'code.build'), ['wait']);
  withProjectArgument(command);
  for (const { option } of flags) command.addOption(option);
  command.option('--json', 'print JSON');
  command.action(async () => {
    await perform(context, outputOf(command), async (performance) => {
      const { call, answer, screen, json, terminal } = performance;
      const project = await locateProject(context.env, command.args[0], context.folder);
      const { body, build } = await buildProject(call, project, givenInputs(flags, command), terminal);
      // What is in the index now is told to people only: the job does not hold it.
      const stats = json ? null : await statsOf(call, project);
      answer(body, () => (stats === null ? [] : [...buildLines(build, stats, screen), ...folderLines(stats)]));
    });
  });
}

/** Where so little is in the index, what is missing from it may be most of the project. */
function folderLines(stats: StatsAnswer): readonly string[] {
  if (!stats.built || stats.files > leftOutLimits.fewFilesMax) return [];
  const folders = leftOutFolders(stats.skipped_files);
  return folders === null ? [] : [`Left out whole: ${safeLine(folders)}.`];
}

type Call = Performance['call'];

export interface Built {
  /** What the route answers once the build has ended. */
  readonly body: JsonValue;
  readonly build: BuildAnswer;
}

/** Throws ProcessError `unavailable` when the build fails. */
export async function buildProject(
  call: Call,
  project: Project,
  input: JsonObject,
  terminal: Terminal,
): Promise<Built> {
  const isWatched = terminal.statusLine !== undefined;
  const started = await call('code.build', { ...input, wait: !isWatched }, project);
  const { job: first } = buildAnswer.parse(started);
  const body = first.finished_at === null ? { job: await untilFinished(call, first.id, terminal) } : started;
  const { job } = buildAnswer.parse(body);
  if (job.result === null) throw new ProcessError('unavailable', job.error ?? 'the build did not end');
  return { body, build: buildResult.parse(job.result) };
}

export async function statsOf(call: Call, project: Project): Promise<StatsAnswer> {
  const body = await call('code.stats', {}, project);
  return answerOf(apiOperation(codeRows, 'code.stats'), body)<StatsAnswer>();
}

/** A daemon of an earlier version tells no progress. */
const shownJob = jobSchema.partial({ progress: true });
const buildAnswer = z.object({ job: shownJob });

const buildResult = z.object({
  success: z.literal(true),
  project: z.string(),
  backend: z.literal('sqlite'),
  nodes_total: z.int(),
  communities: z.int(),
  nodes_added: z.int(),
  nodes_updated: z.int(),
  nodes_skipped: z.int(),
  nodes_removed: z.int(),
  files: z.int(),
  files_read: z.int(),
  files_reused: z.int(),
  files_removed: z.int(),
  files_skipped: z.int(),
  changed: z.boolean(),
  db_path: z.string(),
  duration_seconds: z.number(),
  built_at: z.string(),
}) satisfies z.ZodType<BuildAnswer>;

/** As the route shows it. */
async function untilFinished(call: Call, id: string, terminal: Terminal): Promise<JsonValue> {
  const bar = progressBar(terminal);
  try {
    for (let waitMs: number = cliLimits.jobPollMsMin; ; waitMs = Math.min(waitMs * 2, cliLimits.jobPollMsMax)) {
      await sleep(waitMs);
      const body = await lookAt(call, id);
      const { finished_at, progress } = shownJob.parse(body);
      if (finished_at !== null) return body;
      if (progress) bar.show(progress);
    }
  } finally {
    bar.clear();
  }
}

/** Jobs live as long as their process: one that is not known any more went with its daemon. */
async function lookAt(call: Call, id: string): Promise<JsonValue> {
  try {
    return await call('jobs.get', { job_id: id }, null);
  } catch (error) {
    if (!(error instanceof RowRefusal) || error.failure.code !== 'job_not_found') throw error;
    throw new ProcessError('unavailable', 'the daemon ended during the build; build again', { cause: error });
  }
}
