/** How a person gave the inputs of a row, so that an error can name each as it was typed. */
import type { Command } from 'commander';
import { flagName } from './flags.ts';

export interface Typed {
  /** `<file>` of what stands without a dash, `--budget` of an option. */
  readonly name: string;
  /** What was typed there; null when nothing was, or more than one thing. */
  readonly value: string | null;
}

export type TypedInputs = (input: string) => Typed;

/** `standing` says which argument gave an input: `{ file_path: 'file' }`. Everything else is an option. */
export function typedInputs(command: Command, standing: Readonly<Record<string, string>> = {}): TypedInputs {
  return (input) => {
    const name = Object.hasOwn(standing, input) ? standing[input] : undefined;
    const at = command.registeredArguments.findIndex((argument) => argument.name() === name);
    if (name === undefined || command.args[at] === undefined) return asOption(command, input, name);
    const isLast = command.registeredArguments[at]?.variadic === true;
    return { name: `<${name}>`, value: command.args.slice(at, isLast ? undefined : at + 1).join(' ') };
  };
}

/** What a command that prints an answer says of itself: whether as JSON, and what was typed for which input. */
export function outputFor(
  command: Command,
  standing?: Readonly<Record<string, string>>,
): { readonly json: boolean; readonly typed: TypedInputs } {
  return { json: command.opts()['json'] === true, typed: typedInputs(command, standing) };
}

/** `<file>` → file, `[title]` → title, `<words...>` → words */
export function argumentName(form: string): string {
  return form.replace(/^[<[]|(\.\.\.)?[>\]]$/g, '');
}

/** `argument` is what could have stood there instead. */
function asOption(command: Command, input: string, argument: string | undefined): Typed {
  const name = input === 'project_path' ? '--project' : `--${flagName(input)}`;
  const option = command.options.find((one) => one.long === name);
  if (option === undefined) return { name: argument === undefined ? name : `<${argument}>`, value: null };
  const value: unknown = command.opts()[option.attributeName()];
  return { name, value: typeof value === 'string' || typeof value === 'number' ? String(value) : null };
}
