/**
 * `mnemosyne query|search|…`: one command for each thing that can be asked of a project's code.
 *
 * A command names its row, what stands without a dash, and how the answer reads; its options come from the row. Where
 * the words of a question stand without a dash the project is an option, elsewhere it is the one word that may stand.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Argument, type Command, Option } from 'commander';
import { errorCatalogue } from '../../base/errors.ts';
import { type JsonObject, type JsonValue, member } from '../../base/json.ts';
import { codeRequestLimits, contextLimits, typedLimits } from '../../base/limits.ts';
import { grouped } from '../../base/numbers.ts';
import type {
  DocumentAnswer,
  Freshness,
  HealthAnswer,
  QueryAnswer,
  SearchAnswer,
  SkeletonAnswer,
  StatsAnswer,
  WakeupAnswer,
} from '../../engine/code/answers.ts';
import type { DocumentsAnswer } from '../../engine/code/code-mind.ts';
import type { Project } from '../../engine/projects/projects.ts';
import { codeRows } from '../../operations/code/rows.ts';
import type { Savings } from '../../retrieval/context/savings.ts';
import type { IrSummary } from '../../retrieval/context/validate.ts';
import type { Impact } from '../../retrieval/graph/impact.ts';
import { relationNames } from '../../retrieval/graph/relations.ts';
import type { StructuralAnswer } from '../../retrieval/graph/structural.ts';
import { type ApiOperation, apiOperation } from '../rows/api-operation.ts';
import { givenInputs, type RowFlag, rowFlags } from '../rows/flags.ts';
import { type CommandContext, type PerformOptions, perform } from '../rows/perform.ts';
import { fileInProject, locateProject } from '../rows/place.ts';
import { argumentName, outputFor } from '../rows/typed.ts';
import type { Screen } from '../screen/screen.ts';
import { safeLine, safeText } from '../screen/text-width.ts';
import type { CodeCommandName } from './names.ts';
import { documentLines, documentListLines, removedDocumentLines } from './shown-documents.ts';
import { healthLines, savingsLines, statsLines, validateLines } from './shown-facts.ts';
import { freshnessLines } from './shown-freshness.ts';
import { impactLines, neighboursLines } from './shown-graph.ts';
import { queryLines, searchLines, skeletonLines, wakeupLines } from './shown-hits.ts';

interface AskingCommand {
  readonly row: string;
  /** What stands without a dash; the project when this is absent, or nothing where that is an option. */
  readonly operand?: Operand;
  /** The project is an option although nothing stands without a dash, as in the commands of the same group. */
  readonly projectOption?: true;
  /** Inputs without an option of their own. */
  readonly hidden?: readonly string[];
  /** What an option does, by its input, where the command does more with it than its row. */
  readonly about?: Readonly<Record<string, string>>;
  /** Options besides those of the row. */
  readonly options?: readonly Option[];
  /** Inputs that those options stand for. */
  inputs?(options: Readonly<Record<string, unknown>>): JsonObject;
  /** What is printed for a row that answers nothing; fits what the row declares. */
  told?(input: JsonObject): JsonObject;
  /** The answer for people. */
  lines(body: Answer, shown: Shown): readonly string[];
  /** Where the answer decides about it. */
  exitCode?(body: Answer): number;
}

interface Operand {
  readonly input: string;
  readonly form: string;
  readonly about: string;
  readonly isFile?: true;
}

type Validation = IrSummary & { readonly written_to: JsonValue };

/** Gives the body the type that its row promises. */
type Answer = <Shape>() => Shape;

interface Shown {
  readonly screen: Screen;
  readonly options: Readonly<Record<string, unknown>>;
}

const question = { form: '<words...>', about: 'in your own words' };

/** What answers of the graph say beside what they found. */
interface Dated {
  readonly freshness: Freshness | null;
}

const asking: Readonly<Partial<Record<CodeCommandName, AskingCommand>>> = {
  query: {
    row: 'code.query',
    operand: { input: 'question', ...question },
    hidden: ['learn'],
    about: {
      query_type: 'Which of the two is meant: they go before the others, which stay. Default: auto.',
      context_budget: `Tokens that the answer to an agent may take, 1 to ${grouped(codeRequestLimits.contextTokensMax)}. A hard limit: only places that fit are printed, all with --json. Default: ${grouped(contextLimits.answerTokensDefault)}.`,
    },
    options: [
      new Option('--context', 'print what an agent would read instead of the places'),
      new Option('--no-learn', 'leave no line in the log of uses, so that `savings` does not count the answer'),
    ],
    inputs: ({ learn }) => (learn === false ? { learn: false } : {}),
    lines(answer, { screen, options }) {
      const query = answer<QueryAnswer>();
      return options['context'] === true ? safeText(query.context).split('\n') : queryLines(query, screen);
    },
  },
  search: {
    row: 'code.search',
    operand: { input: 'query', ...question },
    lines: (answer, { screen }) => searchLines(answer<SearchAnswer>(), screen),
  },
  wakeup: { row: 'code.wakeup', lines: (answer, { screen }) => wakeupLines(answer<WakeupAnswer>(), screen) },
  stats: { row: 'code.stats', lines: (answer, { screen }) => statsLines(answer<StatsAnswer>(), screen) },
  savings: { row: 'code.savings', lines: (answer, { screen }) => savingsLines(answer<Savings>(), screen) },
  validate: {
    row: 'code.validate',
    lines: (answer, { screen }) => validateLines(answer<Validation>(), screen),
    exitCode: (answer) => (answer<Validation>().validation.ok ? 0 : 1),
  },
  health: {
    row: 'code.health',
    lines: (answer, { screen }) => healthLines(answer<HealthAnswer>(), screen),
    exitCode: (answer) => healthExitCodes[answer<HealthAnswer>().state],
  },
  skeleton: {
    row: 'code.skeleton',
    operand: { input: 'file_path', form: '<file>', about: 'a file of the project', isFile: true },
    lines: (answer, { screen }) => skeletonLines(answer<SkeletonAnswer>(), screen),
  },
  neighbors: {
    row: 'code.structural',
    operand: { input: 'q', form: '<name>', about: 'a name, a path or an id' },
    about: {
      relations: `Which neighbours: ${relationNames.join(', ')}. Default: all, the first ${typedLimits.neighboursShown} of each.`,
    },
    // Who asks what hangs together with a thing does not know yet by what.
    inputs: ({ relations }) => (relations === undefined ? { relations: ['all'] } : {}),
    lines: (answer, { screen, options }) => [
      ...freshnessLines(answer<Dated>().freshness, screen),
      ...neighboursLines(answer<StructuralAnswer>(), screen, {
        shownMax: options['relations'] === undefined ? typedLimits.neighboursShown : null,
      }),
    ],
  },
  impact: {
    row: 'code.impact',
    operand: { input: 'symbol', form: '<name>', about: 'a name, a path or an id' },
    lines: (answer, { screen }) => [
      ...freshnessLines(answer<Dated>().freshness, screen),
      ...impactLines(answer<Impact>(), screen),
    ],
  },
};

const addDocument: AskingCommand = {
  row: 'code.add_document',
  operand: { input: 'path', form: '<file>', about: 'a Markdown, text or PDF file in the project', isFile: true },
  lines: (answer) => documentLines(answer<DocumentAnswer>()),
};

const listDocuments: AskingCommand = {
  row: 'code.list_documents',
  projectOption: true,
  lines: (answer, { screen }) => documentListLines(answer<DocumentsAnswer>(), screen),
};

const removeDocument: AskingCommand = {
  row: 'code.remove_document',
  operand: { input: 'path', form: '<file>', about: 'a document that was added; its file may be gone', isFile: true },
  told: (input) => ({ removed: member(input, 'path') ?? null }),
  lines: (answer) => removedDocumentLines(answer<{ readonly removed: string }>().removed),
};

const healthExitCodes: Readonly<Record<HealthAnswer['state'], number>> = {
  ok: 0,
  stale: 1,
  missing: 2,
  unusable: errorCatalogue.unavailable.exit,
};

/** Gives `command`, which has a name and a description, its options and its work. */
export async function addCodeCommand(command: Command, name: CodeCommandName, context: CommandContext): Promise<void> {
  switch (name) {
    case 'build':
      return (await import('./build.ts')).addBuild(command, context);
    case 'watch':
      return (await import('./watch.ts')).addWatch(command, context);
    case 'doctor':
      return (await import('./doctor-command.ts')).addDoctor(command, context);
    case 'documents':
      addAsking(command.command('add').description('put a document into the index'), addDocument, context);
      addAsking(command.command('list').description('show which documents were added'), listDocuments, context);
      addAsking(command.command('remove').description('take a document out of the index'), removeDocument, context);
      return;
    default: {
      const spec = asking[name];
      if (spec === undefined) throw new Error(`no command is written for ${name}`);
      addAsking(command, spec, context);
    }
  }
}

function addAsking(command: Command, spec: AskingCommand, context: CommandContext): void {
  const row = apiOperation(codeRows, spec.row);
  const { operand } = spec;
  const flags = rowFlags(row, [...(operand === undefined ? [] : [operand.input]), ...(spec.hidden ?? [])]);
  if (operand === undefined && spec.projectOption !== true) withProjectArgument(command);
  else {
    command.allowExcessArguments(false);
    if (operand !== undefined) command.addArgument(new Argument(operand.form, operand.about));
    command.option('-p, --project <project>', 'a folder in it, its id or its name (default: the current folder)');
  }
  for (const { input, option } of flags) {
    option.description = spec.about?.[input] ?? option.description;
    command.addOption(option);
  }
  for (const option of spec.options ?? []) command.addOption(option);
  command.option('--json', 'print JSON');
  command.action(async () => {
    const options = command.opts();
    await perform(context, outputOf(command, operand), async ({ call, answer, screen, json, terminal }) => {
      const { project, input } = await readInputs(command, spec, flags, context);
      const isProject = hasFolder(project);
      const answered = await call(spec.row, input, project);
      if (!isProject && hasFolder(project) && !json) terminal.error(newProjectLine(project));
      const body = spec.told?.(input) ?? answered;
      answer(body, () => spec.lines(answerOf(row, body), { screen, options }));
      const exitCode = spec.exitCode?.(answerOf(row, body)) ?? 0;
      if (exitCode !== 0) context.finish(exitCode);
    });
  });
}

/** Whether something is kept of it already. */
function hasFolder(project: Project): boolean {
  return existsSync(path.join(project.path, '.neuralmind'));
}

/** Asking makes a folder a project, which nobody who only asks expects. */
function newProjectLine({ name, path: root }: Project): string {
  const folder = safeLine(path.join(root, '.neuralmind'));
  return `${safeLine(name)} is a project now: its index lies in ${folder}. Delete that folder to undo it.`;
}

export function withProjectArgument(command: Command): Command {
  return command
    .allowExcessArguments(false)
    .argument('[project]', 'a folder in it, its id or its name (default: the current folder)');
}

/** Whether the answer is JSON, and what was typed for which input. */
export function outputOf(command: Command, operand?: Pick<Operand, 'input' | 'form'>): PerformOptions {
  const standing =
    operand === undefined ? { project_path: 'project' } : { [operand.input]: argumentName(operand.form) };
  return outputFor(command, standing);
}

async function readInputs(
  command: Command,
  { operand, inputs, projectOption }: AskingCommand,
  flags: readonly RowFlag[],
  { env, folder }: CommandContext,
): Promise<{ readonly project: Project; readonly input: JsonObject }> {
  const options = command.opts();
  const { project: named } = options;
  const option = typeof named === 'string' ? named : undefined;
  const given = operand === undefined && projectOption !== true ? command.args[0] : option;
  const project = await locateProject(env, given, folder);
  const words = command.args.join(' ');
  const standing =
    operand === undefined ? {} : { [operand.input]: operandOf(project, folder, words, operand.isFile === true) };
  return { project, input: { ...givenInputs(flags, command), ...inputs?.(options), ...standing } };
}

/** A file is named from where the person stands, or from the root as answers name it. */
function operandOf(project: Project, folder: string, words: string, isFile: boolean): string {
  const isHere = existsSync(path.resolve(folder, words)) && /[./]/.test(words);
  const isFromRoot = !isHere && existsSync(path.join(project.path, words));
  if (isHere || (isFile && !isFromRoot)) return fileInProject(project, folder, words);
  return words;
}

/** The schema of the row's output is the check that earns the type. */
export function answerOf(row: ApiOperation, body: JsonValue): Answer {
  return <Shape>() => row.http.output.parse(body) as Shape;
}
