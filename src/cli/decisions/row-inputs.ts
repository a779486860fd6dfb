/**
 * From a row to a command and back: its options and words are declared here, and what was given becomes the input of
 * the row. `-` as the value of a long text reads it from standard input.
 */
import { Argument, type Command } from 'commander';
import { ProcessError } from '../../base/errors.ts';
import { type JsonObject, member } from '../../base/json.ts';
import type { Project } from '../../engine/projects/projects.ts';
import { memoryRows } from '../../operations/memories/rows.ts';
import { apiOperation } from '../rows/api-operation.ts';
import { flagName, givenInputs, type RowFlag, rowFlags } from '../rows/flags.ts';
import type { CommandContext, PerformOptions } from '../rows/perform.ts';
import { fileInProject, locateProject } from '../rows/place.ts';
import { argumentName, outputFor } from '../rows/typed.ts';
import { safeLine } from '../screen/text-width.ts';
import type { Operand, RowCommand } from './row-commands.ts';

export type Declared = Pick<RowCommand, 'verb' | 'row' | 'operands' | 'hidden' | 'fixed'>;

export function declare(group: Command, spec: Declared & { readonly about: string }) {
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

export function withOutput(command: Command): Command {
  return command
    .option('--project <path>', 'the project: a folder in it (default: the current folder)')
    .option('--json', 'print JSON');
}

/** Whether the answer is JSON, and what was typed for which input. */
export function outputOf(command: Command, operands: readonly Pick<Operand, 'input' | 'form'>[] = []): PerformOptions {
  const standing = Object.fromEntries(operands.map(({ input, form }) => [input, argumentName(form)]));
  return outputFor(command, standing);
}

/** Everything that was given, under the names of the row. */
export async function readInputs(
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

export function textOption(command: Command, name: string): string | undefined {
  const value: unknown = command.opts()[name];
  return typeof value === 'string' ? value : undefined;
}
