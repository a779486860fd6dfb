/** `mnemosyne decisions …`: one command for each thing that can be done with the decisions of a project. */
import path from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { ProcessError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../../base/json.ts';
import { counted } from '../../base/numbers.ts';
import type { Project } from '../../engine/projects/projects.ts';
import { jobSchema } from '../../operations/jobs/job-schema.ts';
import { memorySchema } from '../../operations/memories/memory-schema.ts';
import { type CommandContext, type Performance, perform } from '../rows/perform.ts';
import type { Screen } from '../screen/screen.ts';
import { safeLine } from '../screen/text-width.ts';
import { exportText, importInput, writeWhole } from './exchange.ts';
import { changeHook, scanForHook } from './hook.ts';
import { pagedCommands, type RowCommand, rowCommands, theId } from './row-commands.ts';
import { declare, outputOf, readInputs, textOption, withOutput } from './row-inputs.ts';
import { statusCell, tableOf } from './shown.ts';

export function addDecisionCommands(group: Command, context: CommandContext): void {
  for (const spec of rowCommands) addRowCommand(group, spec, context);
  for (const spec of pagedCommands) addPagedCommand(group, spec, context);
  addDelete(group, context);
  addExport(group, context);
  addImport(group, context);
  addScan(group, context);
  addHook(group, context);
}

function addRowCommand(group: Command, spec: RowCommand, context: CommandContext): void {
  const { command, flags } = declare(group, spec);
  command.action(async () => {
    await perform(context, outputOf(command, spec.operands), async (performance) => {
      const { project, input } = await readInputs(command, flags, spec, context);
      const body = await performance.call(spec.row, input, project);
      performance.answer(body, () => spec.lines(body, { screen: performance.screen, project, input }));
    });
  });
}

/** The same with `--all`, which follows the pages to their end. */
function addPagedCommand(group: Command, spec: RowCommand, context: CommandContext): void {
  const { command, flags } = declare(group, spec);
  command.option('--all', 'all pages');
  command.action(async () => {
    await perform(context, outputOf(command, spec.operands), async (performance) => {
      const { project, input } = await readInputs(command, flags, spec, context);
      const all = command.opts()['all'] === true;
      const body = all
        ? await everyPage(performance, spec.row, input, project)
        : await performance.call(spec.row, input, project);
      performance.answer(body, () => spec.lines(body, { screen: performance.screen, project, input }));
    });
  });
}

/** One answer that holds the items of all pages. */
async function everyPage(
  performance: Performance,
  row: string,
  input: JsonObject,
  project: Project,
): Promise<JsonValue> {
  const items: JsonValue[] = [];
  let asked = { limit: 200, ...input };
  for (;;) {
    const body = await performance.call(row, asked, project);
    if (!isJsonObject(body)) throw new Error('a page is an object');
    const found = member(body, 'items');
    if (!Array.isArray(found)) throw new Error('a page has items');
    items.push(...found);
    const cursor = member(body, 'next_cursor');
    if (typeof cursor !== 'string') return { ...body, items, next_cursor: null };
    asked = { ...asked, ...{ cursor } };
  }
}

function addDelete(group: Command, context: CommandContext): void {
  const spec = { verb: 'delete', row: 'memories.delete', operands: [theId] };
  const about = 'remove a decision for good; prefer to invalidate it';
  const { command, flags } = declare(group, { ...spec, about });
  command.option('--yes', 'do not ask');
  command.action(async () => {
    await perform(context, outputOf(command, spec.operands), async (performance) => {
      const { project, input } = await readInputs(command, flags, spec, context);
      if (command.opts()['yes'] !== true && !(await isConfirmed(performance, input, project))) {
        performance.terminal.error('Nothing was deleted.');
        return;
      }
      await performance.call(spec.row, input, project);
      const deleted = member(input, 'memory_id') ?? null;
      performance.answer({ deleted }, () => [`Deleted ${safeLine(String(deleted))}. Its history is left.`]);
    });
  });
}

async function isConfirmed({ terminal, call }: Performance, input: JsonObject, project: Project): Promise<boolean> {
  if (terminal.confirm === undefined) {
    throw new ProcessError('usage', 'delete removes a decision for good: add --yes, or use invalidate to keep it');
  }
  const { title } = memorySchema.parse(await call('memories.get', input, project));
  return terminal.confirm(`Delete "${safeLine(title)}" for good?`);
}

function addExport(group: Command, context: CommandContext): void {
  const spec = { verb: 'export', row: 'memories.export', about: 'write decisions as JSON or Markdown' };
  const { command, flags } = declare(group, spec);
  command.option('-o, --output <file>', 'write to this file, whole or not at all');
  command.action(async () => {
    await perform(context, outputOf(command), async ({ call, answer, json, terminal }) => {
      const { project, input } = await readInputs(command, flags, spec, context);
      const content = await call(spec.row, input, project);
      const output = textOption(command, 'output');
      if (output === undefined || output === '-') {
        terminal.write(json ? `${JSON.stringify(content)}\n` : exportText(content));
        return;
      }
      const text = exportText(content);
      await writeWhole(resolveFrom(context, output), text);
      const bytes = Buffer.byteLength(text);
      answer({ file: output, bytes }, () => [`Wrote ${bytes} bytes to ${safeLine(output)}.`]);
    });
  });
}

function addImport(group: Command, context: CommandContext): void {
  const spec = {
    verb: 'import',
    row: 'memories.import',
    about: 'bring in an export, or a folder of Markdown decision records; all of it or nothing',
    hidden: ['export', 'adr_folder'],
  };
  const { command, flags } = declare(group, spec);
  command.argument('<path>', 'the file of an export, or a folder inside the project');
  command.action(async () => {
    const standing = ['export', 'adr_folder'].map((input) => ({ input, form: '<path>' }));
    await perform(context, outputOf(command, standing), async ({ call, answer }) => {
      const { project, input } = await readInputs(command, flags, spec, context);
      const [named = ''] = command.args;
      const body = await call(spec.row, { ...input, ...(await importInput(named, context.folder)) }, project);
      answer(body, () => importLines(body));
    });
  });
}

const importReport = z.object({
  dry_run: z.boolean(),
  created: z.int(),
  replaced: z.int(),
  kept: z.int(),
  unchanged: z.int(),
  skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
});

function importLines(body: JsonValue): readonly string[] {
  const { dry_run, created, replaced, kept, unchanged, skipped } = importReport.parse(body);
  return [
    dry_run
      ? `Nothing was changed. It would be: ${created} new, ${replaced} replaced, ${kept} kept, ${unchanged} unchanged.`
      : `Imported: ${created} new, ${replaced} replaced, ${kept} kept, ${unchanged} unchanged.`,
    ...skipped.map(({ path, reason }) => `  skipped ${safeLine(path)}: ${safeLine(reason)}`),
  ];
}

function addScan(group: Command, context: CommandContext): void {
  const spec = {
    verb: 'scan',
    row: 'memories.scan',
    about: 'mark decisions STALE whose files were changed by commits',
    hidden: ['wait'],
    fixed: { wait: true },
  };
  const { command, flags } = declare(group, spec);
  command.option('--hook', 'for the post-commit hook: say nothing, make nothing, never fail');
  command.action(async () => {
    if (command.opts()['hook'] === true) {
      await scanForHook(context, textOption(command, 'project'));
      return;
    }
    // The scan itself catches up with the commits; doing so before would leave it nothing to report.
    await perform(context, { ...outputOf(command), scanOnOpen: false }, async ({ call, answer, screen }) => {
      const { project, input } = await readInputs(command, flags, spec, context);
      const body = await call(spec.row, input, project);
      const { job } = scanAnswer.parse(body);
      if (job.status === 'error')
        throw new ProcessError('unavailable', `the scan failed: ${job.error ?? 'no reason is known'}`);
      answer(body, () => scanLines(job.result, screen));
    });
  });
}

/** A daemon of an earlier version tells no progress. */
const scanAnswer = z.object({ job: jobSchema.partial({ progress: true }) });
const scanResult = z.object({
  commit: z.string().nullable(),
  scanned: z.int(),
  marked: z.array(z.object({ id: z.string(), reason: z.string() })),
});

function scanLines(result: unknown, screen: Screen): readonly string[] {
  const { commit, scanned, marked } = scanResult.parse(result);
  if (commit === null) return ['There is no commit to look at.'];
  const looked = `${counted(scanned, 'active decision')} checked at commit ${commit.slice(0, 10)}`;
  if (marked.length === 0) return [`${looked}: none is stale.`];
  const rows = marked.map(({ id, reason }) => [
    statusCell('STALE', screen),
    { text: safeLine(id), paint: screen.colours.cyan },
    { text: safeLine(reason) },
  ]);
  return [
    ...tableOf(['STATUS', 'ID', 'REASON'], rows, screen),
    '',
    `${looked}. Restore what still holds, invalidate or supersede what does not.`,
  ];
}

function addHook(group: Command, context: CommandContext): void {
  const hook = group.command('hook').description('scan after each commit, by the post-commit hook of git');
  for (const [verb, install, about] of [
    ['install', true, 'put the scan into the hook; what is there stays'],
    ['uninstall', false, 'take it out again'],
  ] as const) {
    const command = withOutput(hook.command(verb).description(about));
    command.action(async () => {
      await changeHook(context, install, { ...outputOf(command), project: textOption(command, 'project') });
    });
  }
}

function resolveFrom({ folder }: CommandContext, file: string): string {
  return path.resolve(folder, file);
}
