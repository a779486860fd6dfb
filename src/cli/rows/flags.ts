/**
 * The options of a command, made from the inputs of its row: name, kind, words and choices come from the row's schema.
 *
 * A list is an option that may be repeated. What is no number, or none of the choices, is refused while the command
 * line is read; everything else is the row's own question.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../../base/json.ts';
import { plainSchema } from '../../transports/api/json-schemas.ts';
import { type RouteInput, routeInputs } from '../../transports/api/route-inputs.ts';
import type { ApiOperation } from './api-operation.ts';

export interface RowFlag {
  /** As the row calls the input. */
  readonly input: string;
  readonly option: Option;
  readonly kind: FlagKind;
  /** May be emptied: it is a list, or may be null. */
  readonly emptied: 'list' | 'null' | null;
}

type FlagKind = 'text' | 'integer' | 'number' | 'boolean' | 'list';

/** Every input of the row but those of its path and of `without`. */
export function rowFlags(row: ApiOperation, without: readonly string[]): readonly RowFlag[] {
  return routeInputs(row, withoutProperties(row, plainSchema(row.http.input, 'input'), without))
    .filter(({ place, name }) => place !== 'path' && !without.includes(name))
    .map(flagOf);
}

/** The option's name of an input, without the dashes: `files_affected` is `file`. */
export function flagName(input: string): string {
  return shortNames.get(input) ?? input.replaceAll('_', '-');
}

/** What was given, under the names of the row. Inputs that were not given are left out. */
export function givenInputs(flags: readonly RowFlag[], command: Command): JsonObject {
  const options: Readonly<Record<string, unknown>> = command.opts();
  return Object.fromEntries(
    flags.flatMap(({ input, option }): readonly (readonly [string, JsonValue])[] => {
      const value = options[option.attributeName()];
      return isGiven(value) ? [[input, value]] : [];
    }),
  );
}

const shortNames: ReadonlyMap<string, string> = new Map([
  ['files_affected', 'file'],
  ['tags', 'tag'],
  ['decision_type', 'type'],
  ['rejected_alternatives', 'rejected'],
  ['dependency_constraints', 'depends-on'],
  ['commit_sha', 'commit'],
  ['session_id', 'session'],
  ['evidence_append', 'add-evidence'],
  ['rejected_append', 'add-rejected'],
  ['query_type', 'type'],
  ['context_budget', 'budget'],
  ['n', 'limit'],
]);

const placeholders: ReadonlyMap<string, string> = new Map([
  ['files_affected', 'path'],
  ['file', 'path'],
  ['review_by', 'day'],
  ['created_after', 'time'],
  ['created_before', 'time'],
  ['as_of', 'time'],
  ['if_match', 'time'],
  ['id', 'id'],
  ['supersedes', 'id'],
  ['dependency_constraints', 'id'],
]);

function flagOf({ name, description, schema }: RouteInput): RowFlag {
  const kind = kindOf(schema);
  const flag = `--${flagName(name)}`;
  const emptied = kind === 'list' ? 'list' : isNullable(schema) ? 'null' : null;
  const words =
    kind === 'list' ? `${description.replace(/; give it once for each\.$/, '.')} (repeatable)` : description;
  if (kind === 'boolean') return { input: name, option: new Option(flag, words), kind, emptied };
  const option = new Option(`${flag} <${placeholders.get(name) ?? (kind === 'list' ? 'text' : kind)}>`, words);
  const choices = choicesOf(schema);
  if (choices.length > 0) option.choices([...choices]);
  option.argParser((text: string, before: unknown) => read(text, before, kind, choices));
  return { input: name, option, kind, emptied };
}

/** Only a body may lack inputs: those of the query and of headers are named by the route as well. */
function withoutProperties(row: ApiOperation, schema: JsonObject, without: readonly string[]): JsonObject {
  const { query = {}, headers = {} } = row.http;
  const named = [...Object.keys(query), ...Object.values(headers)];
  const properties = member(schema, 'properties');
  if (!isJsonObject(properties)) return schema;
  const left = Object.entries(properties).filter(([name]) => named.includes(name) || !without.includes(name));
  return { ...schema, properties: Object.fromEntries(left) };
}

function read(text: string, before: unknown, kind: FlagKind, choices: readonly string[]): JsonValue {
  if (kind === 'list') return [...(isTexts(before) ? before : []), text];
  if (before !== undefined) throw new InvalidArgumentError('It may be given once.');
  if (kind === 'integer') {
    if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is a whole number.');
    return Number(text);
  }
  if (kind === 'number') {
    if (!/^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) throw new InvalidArgumentError('It is a decimal number.');
    return Number(text);
  }
  if (choices.length === 0) return text;
  const chosen = choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
  if (chosen === undefined) throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
  return chosen;
}

function kindOf(schema: JsonObject): FlagKind {
  const types = typesOf(schema);
  if (types.includes('array')) return 'list';
  for (const kind of ['integer', 'number', 'boolean'] as const) if (types.includes(kind)) return kind;
  return 'text';
}

function isNullable(schema: JsonObject): boolean {
  return typesOf(schema).includes('null');
}

function typesOf(schema: JsonObject): readonly JsonValue[] {
  const type = member(schema, 'type');
  if (type !== undefined) return Array.isArray(type) ? type : [type];
  const branches = member(schema, 'anyOf');
  return Array.isArray(branches) ? branches.filter(isJsonObject).flatMap(typesOf) : [];
}

function choicesOf(schema: JsonObject): readonly string[] {
  const choices = member(schema, 'enum');
  return isTexts(choices) ? choices : [];
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isGiven(value: unknown): value is JsonValue {
  return ['string', 'number', 'boolean'].includes(typeof value) || isTexts(value);
}
