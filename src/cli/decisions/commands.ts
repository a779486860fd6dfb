/**
 * `mnemosyne decisions …`: one command for each thing that can be done with the decisions of a project.
 *
 * A command names its row, what stands without a dash, and how the answer reads; its options come from the row. `-` as
 * the value of a long text reads it from standard input.
 */
import path from 'node:path';
import { Argument, type Command } from 'commander';
import { z } from 'zod';
import { ProcessError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../../base/json.ts';
import type { Project } from '../../engine/projects/projects.ts';
import { jobSchema } from '../../operations/jobs/job-schema.ts';
import {
  createdSchema,
  historySchema,
  memorySchema,
  pageSchema,
  searchAnswerSchema,
} from '../../operations/memories/memory-schema.ts';
import { memoryRows } from '../../operations/memories/rows.ts';
import { apiOperation } from '../rows/api-operation.ts';
import { flagName, givenInputs, type RowFlag, rowFlags } from '../rows/flags.ts';
import { type CommandContext, type Performance, perform } from '../rows/perform.ts';
import { fileInProject, locateProject } from '../rows/place.ts';
import type { Screen } from '../screen/screen.ts';
import { safeLine } from '../screen/text-width.ts';
import { exportText, importInput, writeWhole } from './exchange.ts';
import { changeHook, scanForHook } from './hook.ts';
import {
  changeLine,
  createdLines,
  foundLines,
  historyLines,
  memoryCells,
  memoryPage,
  memoryTable,
  statusCell,
  tableOf,
} from './shown.ts';

interface RowCommand {
  readonly verb: string;
  readonly row: string;
  readonly about: string;
  /** Inputs that stand without a dash, in order: `<x>` is needed, `[x]` is not, `<x...>` takes all words. */
  readonly operands?: readonly Operand[];
  /** Inputs without an option. */
  readonly hidden?: readonly string[];
  /** Inputs that are always given. */
  readonly fixed?: JsonObject;
  /** The answer for people. */
  lines(body: JsonValue, shown: Shown): readonly string[];
}

interface Operand {
  readonly input: string;
  readonly form: string;
  readonly about: string;
  readonly choices?: readonly string[];
}

interface Shown {
  readonly screen: Screen;
  readonly project: Project;
  readonly input: JsonObject;
}

const theId: Operand = { input: 'memory_id', form: '<id>', about: 'the id of the decision' };
const theTitle: Operand = { input: 'title', form: '[title]', about: 'what was decided, in one line' };

const changed =
  (verb: string) =>
  (body: JsonValue, { screen }: Shown) => [changeLine(verb, memorySchema.parse(body), screen)];

const rowCommands: readonly RowCommand[] = [
  {
    verb: 'record',
    row: 'memories.create',
    about: 'record a decision',
    operands: [theTitle],
    hidden: ['idempotency_key'],
    lines: (body, { screen }) => createdLines(createdSchema.parse(body), screen),
  },
  {
    verb: 'query',
    row: 'memories.search',
    about: 'find the decisions that fit a question',
    operands: [{ input: 'query', form: '<question...>', about: 'any words' }],
    hidden: ['view', 'include_weak'],
    lines: (body, { screen }) => foundLines(searchAnswerSchema.parse(body), screen),
  },
  {
    verb: 'show',
    row: 'memories.get',
    about: 'show one decision, now or as it was',
    operands: [theId],
    lines: (body, { screen }) => memoryPage(memorySchema.parse(body), screen),
  },
  {
    verb: 'amend',
    row: 'memories.amend',
    about: 'change fields of a decision; the old values stay in its history',
    operands: [theId],
    lines: changed('Amended'),
  },
  {
    verb: 'invalidate',
    row: 'memories.invalidate',
    about: 'say that a decision no longer holds',
    operands: [theId],
    lines: changed('Invalidated'),
  },
  {
    verb: 'restore',
    row: 'memories.restore',
    about: 'say that a decision holds after all',
    operands: [theId],
    lines: changed('Restored'),
  },
  {
    verb: 'supersede',
    row: 'memories.supersede',
    about: 'record a decision in place of another',
    operands: [{ ...theId, about: 'the id of the decision to replace' }, theTitle],
    hidden: ['idempotency_key'],
    lines: (body, { screen, input }) => [
      ...createdLines(createdSchema.parse(body), screen),
      `It replaces ${safeLine(String(input['memory_id']))}, which is invalidated.`,
    ],
  },
  {
    verb: 'feedback',
    row: 'memories.feedback',
    about: 'say that a decision was helpful or not',
    operands: [theId, { input: 'signal', form: '<signal>', about: 'how it was', choices: ['helpful', 'unhelpful'] }],
    lines(body, { screen }) {
      const memory = memorySchema.parse(body);
      return [changeLine(`Confidence is ${memory.confidence} now for`, memory, screen)];
    },
  },
  {
    verb: 'timeline',
    row: 'memories.timeline',
    about: 'show what was decided just before and after a decision',
    operands: [theId],
    lines(body, { screen }) {
      const { anchor, before, after } = timelineSchema.parse(body);
      const rows = [...before, anchor, ...after].map((memory) => [
        { text: memory === anchor ? '>' : '' },
        ...memoryCells(memory, screen),
      ]);
      return tableOf(['', 'STATUS', 'CHANGED', 'ID', 'TITLE'], rows, screen);
    },
  },
  {
    verb: 'audit',
    row: 'memories.audit',
    about: 'report decisions that may no longer hold; nothing is changed',
    lines(body, { screen }) {
      const { items, checked, active } = auditSchema.parse(body);
      const rows = items.map(({ memory, reasons }) => [
        { text: reasons.map((reason) => auditWords[reason]).join(', ') },
        ...memoryCells(memory, screen),
      ]);
      const looked = `${count(active, 'active decision')} checked for ${checked.map((reason) => auditWords[reason]).join(' and ')}`;
      if (rows.length === 0) return [`${looked}: all of them still look right.`];
      return [
        ...tableOf(['REASON', 'STATUS', 'CHANGED', 'ID', 'TITLE'], rows, screen),
        '',
        `${looked}. Restore what still holds, invalidate what does not.`,
      ];
    },
  },
];

const memories = z.array(memorySchema);
const timelineSchema = z.object({ anchor: memorySchema, before: memories, after: memories });
const auditReason = z.enum(['age', 'orphaned']);
const auditWords = { age: 'age', orphaned: 'a commit that is gone' };
const auditSchema = z.object({
  items: z.array(z.object({ memory: memorySchema, reasons: z.array(auditReason) })),
  checked: z.array(auditReason),
  active: z.int(),
});

export function addDecisionCommands(group: Command, context: CommandContext): void {
  for (const spec of rowCommands) addRowCommand(group, spec, context);
  addPagedCommand(
    group,
    { verb: 'list', row: 'memories.list', about: 'list decisions, newest first', lines: listLines },
    context,
  );
  addPagedCommand(
    group,
    {
      verb: 'history',
      row: 'memories.history',
      about: 'list every change of a decision, also of a deleted one',
      operands: [theId],
      lines: (body, { screen }) => [
        ...historyLines(historySchema.parse(body), screen),
        ...moreLines(historySchema.parse(body)),
      ],
    },
    context,
  );
  addDelete(group, context);
  addExport(group, context);
  addImport(group, context);
  addScan(group, context);
  addHook(group, context);
}

function addRowCommand(group: Command, spec: RowCommand, context: CommandContext): void {
  const { command, flags } = declare(group, spec);
  command.action(async () => {
    await perform(context, outputOf(command), async (performance) => {
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
    await perform(context, outputOf(command), async (performance) => {
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
    await perform(context, outputOf(command), async (performance) => {
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
    await perform(context, outputOf(command), async ({ call, answer }) => {
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
  const looked = `${count(scanned, 'active decision')} checked at commit ${commit.slice(0, 10)}`;
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

type Declared = Pick<RowCommand, 'verb' | 'row' | 'operands' | 'hidden' | 'fixed'>;

function declare(group: Command, spec: Declared & { readonly about: string }) {
  const { operands = [], hidden = [] } = spec;
  const command = group.command(spec.verb).description(spec.about);
  for (const { form, about, choices } of operands) {
    const argument = new Argument(form, about);
    command.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
  // A title may stand without a dash and have its option too.
  const standing = operands.filter(({ form }) => !form.startsWith('[')).map(({ input }) => input);
  const flags = rowFlags(apiOperation(memoryRows, spec.row), [...standing, ...hidden]);
  for (const { option } of flags) command.addOption(option);
  const emptied =
    spec.verb === 'amend' ? flags.flatMap((flag) => (flag.emptied === null ? [] : [flagName(flag.input)])) : [];
  if (emptied.length > 0) {
    const names = emptied.filter((name) => !name.startsWith('add-'));
    command.option('--clear <field>', `empty a field (repeatable): ${names.join(', ')}`, collect, []);
  }
  return { command: withOutput(command), flags };
}

function withOutput(command: Command): Command {
  return command
    .option('--project <path>', 'the project: a folder in it (default: the current folder)')
    .option('--json', 'print JSON');
}

function outputOf(command: Command): { readonly json: boolean } {
  return { json: command.opts()['json'] === true };
}

/** Everything that was given, under the names of the row. */
async function readInputs(
  command: Command,
  flags: readonly RowFlag[],
  { operands = [], fixed = {} }: Declared,
  context: CommandContext,
): Promise<{ readonly project: Project; readonly input: JsonObject }> {
  const project = await locateProject(context.env, textOption(command, 'project'), context.folder);
  const given = { ...givenInputs(flags, command), ...cleared(flags, command) };
  const standing = Object.fromEntries(
    operands.flatMap(({ input, form }, index) => {
      const words = form.includes('...') ? command.args.slice(index) : command.args.slice(index, index + 1);
      return words.length === 0 ? [] : [[input, words.join(' ')] as const];
    }),
  );
  for (const input of Object.keys(standing)) {
    if (Object.hasOwn(given, input))
      throw new ProcessError('usage', `give the ${input} once: with --${flagName(input)} or without`);
  }
  const named = Object.fromEntries(
    Object.entries({ ...given, ...standing }).map(([input, value]) => [
      input,
      (input === 'file' || input === 'files_affected') && Array.isArray(value)
        ? value.map((file) => fileInProject(project, context.folder, String(file)))
        : value,
    ]),
  );
  return { project, input: { ...(await withStandardInput(named, context)), ...fixed } };
}

/** Long texts that are given as `-` are read from standard input, without the line breaks at their end. */
async function withStandardInput(input: JsonObject, { terminal }: CommandContext): Promise<JsonObject> {
  const read = ['rationale', 'reason', 'note'].filter((name) => member(input, name) === '-');
  const [only] = read;
  if (only === undefined) return input;
  if (read.length > 1) throw new ProcessError('usage', 'only one text can come from standard input');
  if (terminal.readInput === undefined) throw new ProcessError('usage', 'there is no standard input to read');
  return { ...input, [only]: (await terminal.readInput()).replace(/[\r\n]+$/, '') };
}

/** The empty value of each field that `--clear` names. */
function cleared(flags: readonly RowFlag[], command: Command): JsonObject {
  const names: unknown = command.opts()['clear'];
  if (!Array.isArray(names)) return {};
  return Object.fromEntries(
    names.map((name) => {
      const flag = flags.find(({ input, emptied }) => emptied !== null && flagName(input) === name);
      if (flag === undefined || String(name).startsWith('add-')) {
        throw new ProcessError(
          'usage',
          `${safeLine(String(name))} is no field that can be empty (see mnemosyne decisions amend --help)`,
        );
      }
      if (command.opts()[flag.option.attributeName()] !== undefined) {
        throw new ProcessError('usage', `${name} cannot be set and cleared at once`);
      }
      return [flag.input, flag.emptied === 'list' ? [] : null];
    }),
  );
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function textOption(command: Command, name: string): string | undefined {
  const value: unknown = command.opts()[name];
  return typeof value === 'string' ? value : undefined;
}

function resolveFrom({ folder }: CommandContext, file: string): string {
  return path.resolve(folder, file);
}

function listLines(body: JsonValue, { screen, project, input }: Shown): readonly string[] {
  const page = pageSchema.parse(body);
  if (page.items.length > 0) return [...memoryTable(page.items, screen), ...moreLines(page)];
  const filters = Object.keys(input).filter((name) => name !== 'limit');
  if (filters.length > 0) return ['No decision fits.', 'Try fewer conditions, or: mnemosyne decisions query <words>'];
  return [
    `No decisions are recorded in ${safeLine(project.name)} yet.`,
    'Record one with: mnemosyne decisions record "<title>" --rationale "<why>" --file <path>',
  ];
}

function moreLines({
  items,
  total,
  next_cursor,
}: {
  items: readonly unknown[];
  total: number;
  next_cursor: string | null;
}) {
  if (next_cursor === null) return [];
  return ['', `${items.length} of ${total}. The next page: --cursor ${next_cursor} (or all of them: --all)`];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
