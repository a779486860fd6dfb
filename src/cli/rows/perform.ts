/** Carries one command out: its rows, its answer as JSON or for people, and how it ends. */
import { systemClock } from '../../base/clock.ts';
import { ProcessError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../../base/json.ts';
import type { Project } from '../../engine/projects/projects.ts';
import type { Environment } from '../../server/home.ts';
import { type Screen, screenOf } from '../screen/screen.ts';
import { safeJson, safeLine } from '../screen/text-width.ts';
import type { Terminal } from '../terminal.ts';
import { openRowCaller, type RowCallerOptions } from './caller.ts';
import { exitCodeOf, failureOfProcess, type RowFailure, RowRefusal } from './failure.ts';
import { flagName } from './flags.ts';
import { nothingHere } from './place.ts';
import type { TypedInputs } from './typed.ts';

/** What a group of commands is given. */
export interface CommandContext {
  readonly env: Environment;
  readonly terminal: Terminal;
  /** The folder that the person stands in, absolute. */
  readonly folder: string;
  readonly finish: (exitCode: number) => void;
}

export interface Performance {
  readonly terminal: Terminal;
  readonly screen: Screen;
  readonly json: boolean;
  /** The body of the answer. Throws RowRefusal. */
  call(name: string, input: JsonObject, project: Project | null): Promise<JsonValue>;
  /** Prints the answer: one line of JSON, or the lines for people. */
  answer(body: JsonValue, lines: () => readonly string[]): void;
}

export interface PerformOptions extends RowCallerOptions {
  readonly json: boolean;
  /** How the inputs were typed, where the command has any. */
  readonly typed?: TypedInputs;
}

/** Ends the command with the exit code of what `work` was refused. */
export async function perform(
  { env, terminal, finish }: CommandContext,
  { json, typed = asItIs, ...callerOptions }: PerformOptions,
  work: (performance: Performance) => Promise<void>,
): Promise<void> {
  terminal.endWhenUnread?.();
  const caller = openRowCaller(env, callerOptions);
  try {
    await work({
      terminal,
      json,
      screen: screenOf(terminal, systemClock.now()),
      async call(name, input, project) {
        const answer = await caller.call(name, input, project);
        if (!answer.ok) throw new RowRefusal(answer.failure);
        return answer.body;
      },
      answer(body, lines) {
        if (json) terminal.print(safeJson(body));
        else for (const line of lines()) terminal.print(line);
      },
    });
  } catch (error) {
    const failure = failureIn(error);
    if (failure === null) throw error;
    tell(failure, json, typed, terminal);
    finish(exitCodeOf(failure));
  } finally {
    await caller.close();
  }
}

function failureIn(error: unknown): RowFailure | null {
  if (error instanceof RowRefusal) return error.failure;
  return error instanceof ProcessError ? failureOfProcess(error) : null;
}

function tell(failure: RowFailure, json: boolean, typed: TypedInputs, terminal: Terminal): void {
  if (json) {
    const { code, message, status, details } = failure;
    terminal.error(safeJson({ error: { code, message, status, details } }));
    return;
  }
  const problems = problemsOf(failure, typed);
  const message = problems.length === 0 ? failure.message : problems.join('; ');
  terminal.error(`mnemosyne: ${failure.code}: ${safeLine(message)}`);
  for (const hint of hintsOf(failure, typed)) terminal.error(hint);
}

/** Wrong fields by the argument or option that gave them. */
function problemsOf({ details }: RowFailure, typed: TypedInputs): readonly string[] {
  return errorsIn(details).flatMap((error) => {
    const loc = member(error, 'loc');
    const msg = member(error, 'msg');
    if (!Array.isArray(loc) || typeof msg !== 'string') return [];
    // Nothing was typed that could be named.
    if (loc.length === 0 || isOfNoProject(error)) return [msg];
    return [`${nameOf(loc, typed)} ${msg === 'Field required' ? 'is missing' : msg}`];
  });
}

function errorsIn(details: JsonObject): readonly JsonObject[] {
  const errors = member(details, 'errors');
  return Array.isArray(errors) ? errors.filter(isJsonObject) : [];
}

/** `<file> src/none.ts:`, `--tag (number 3):`, or the place in a file that is imported. */
function nameOf(loc: readonly JsonValue[], typed: TypedInputs): string {
  const [first, second, ...rest] = loc;
  if (typeof first !== 'string' || rest.length > 0) return `${loc.join('.')}:`;
  const { name, value } = typed(first);
  if (typeof second === 'number') return `${name} (number ${second + 1}):`;
  const isShown = value !== null && value !== '' && value.length <= typedCharsMax;
  return isShown ? `${name} ${value}:` : `${name}:`;
}

/** What was typed is said again when it is no longer than this. */
const typedCharsMax = 80;
const projectUnknown = 'project_unknown';

const asItIs: TypedInputs = (input) => ({ name: `--${flagName(input)}`, value: null });

function hintsOf({ code, details }: RowFailure, typed: TypedInputs): readonly string[] {
  switch (code) {
    case 'memory_not_found':
      return ['Find its id with: mnemosyne decisions list --status ALL'];
    case 'project_not_found':
      return ['See the known projects with: mnemosyne projects list'];
    case 'precondition_failed':
      return ['Look at it again with: mnemosyne decisions show <id>'];
    case 'conflict': {
      const ids = member(details, 'ids');
      const named = Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
      return named.slice(0, 3).map((id) => `Look at it with: mnemosyne decisions show ${safeLine(id)}`);
    }
    case 'validation_error':
      return [...errorsIn(details).flatMap((error) => placeHints(error, typed)), ...knownHints(details)];
    case 'unavailable':
      return member(details, 'reason') === 'nothing_to_index'
        ? [
            'Go where source code or documents are, or name that folder. What is left out and why: mnemosyne doctor <folder>',
          ]
        : [];
    case 'unauthorized':
      return ['Restart the daemon with: mnemosyne daemon stop && mnemosyne daemon start'];
    default:
      return [];
  }
}

/** Nothing was typed that could be wrong: the current folder is no project. */
function isOfNoProject(error: JsonObject): boolean {
  const type = member(error, 'type');
  return type === projectUnknown || type === nothingHere;
}

function placeHints(error: JsonObject, typed: TypedInputs): readonly string[] {
  const form = projectForm(typed('project_path').name);
  switch (member(error, 'type')) {
    case projectUnknown:
      return [
        'Index this folder as a project of its own with: mnemosyne build .',
        `or go into a repository, or name one: ${form}`,
      ];
    case nothingHere:
      return [`Go where source code or documents are, or name that folder: ${form}`];
    default:
      return [];
  }
}

/** Where a project was named by a word that none has. */
function knownHints(details: JsonObject): readonly string[] {
  const known = member(details, 'known_projects');
  if (!Array.isArray(known)) return [];
  const names = known.filter((name) => typeof name === 'string').map(safeLine);
  if (names.length === 0) return ['No project is known by name yet: mnemosyne projects add <path>'];
  return [`Known are: ${names.join(', ')}. See all of them with: mnemosyne projects list`];
}

/** `--project` takes a folder behind it, an argument is one. */
function projectForm(name: string): string {
  return name.startsWith('--') ? `${name} <path>` : name;
}
