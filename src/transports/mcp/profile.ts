/**
 * Which form of the tool schemas a client is shown, and which tools. Presentation only: validation, errors and results
 * are the same for everyone, and a tool that is left out of a list can still be called.
 *
 * The protocol advises against looking at the name a client gives itself. `auto` does so all the same, and only to
 * choose a form: a client of the table below silently loses every tool whose schema has a combinator at its root.
 */
import type { Operation } from '../../operations/operation.ts';

export type SchemaForm = 'portable' | 'composed';
export type SchemaProfile = SchemaForm | 'auto';
export type ToolGroup = 'memory' | 'code' | 'all';

export interface ToolSelection {
  readonly profile: SchemaProfile;
  readonly group: ToolGroup;
}

export const SCHEMA_PROFILES: readonly SchemaProfile[] = ['auto', 'portable', 'composed'];
export const TOOL_GROUPS: readonly ToolGroup[] = ['memory', 'code', 'all'];
/** Who starts a server for one client wants all that it can do. */
export const DEFAULT_SELECTION: ToolSelection = { profile: 'auto', group: 'all' };
/** Over HTTP a plain URL shows the notebook alone; `?tools=` widens it. */
export const HTTP_SELECTION: ToolSelection = { profile: 'auto', group: 'memory' };

/** How a client may name itself, over all we have seen: `clientInfo.name` or the start of `User-Agent`. */
export interface ClientNames {
  readonly clientName?: string;
  readonly userAgent?: string;
}

/**
 * Clients that drop or refuse tools with `oneOf`, `anyOf` or `allOf` at the root of a schema. A row matches when its
 * words stand next to each other in the name, whatever the case and whatever separates them.
 */
export const ROOT_COMBINATOR_REJECTERS: readonly { readonly words: string; readonly client: string }[] = [
  { words: 'claude', client: 'Claude Code and Claude Desktop' },
  { words: 'codex', client: 'Codex' },
  { words: 'copilot', client: 'GitHub Copilot' },
  { words: 'cursor', client: 'Cursor' },
  { words: 'gemini', client: 'Gemini CLI' },
  { words: 'llama', client: 'llama.cpp' },
  { words: 'openai', client: 'OpenAI API clients' },
  { words: 'opencode', client: 'OpenCode' },
  { words: 'visual studio code', client: 'VS Code' },
  { words: 'vscode', client: 'VS Code' },
];

export type Selected =
  | { readonly ok: true; readonly value: ToolSelection }
  | { readonly ok: false; readonly message: string };

/** Reads `?schema=` and `?tools=`. An unknown or repeated value is an error, never a silent default. */
export function selectionFrom(query: URLSearchParams): Selected {
  const profile = choice(query, 'schema', SCHEMA_PROFILES, HTTP_SELECTION.profile);
  const group = choice(query, 'tools', TOOL_GROUPS, HTTP_SELECTION.group);
  if (profile === undefined) return { ok: false, message: unknownChoice('schema', SCHEMA_PROFILES) };
  if (group === undefined) return { ok: false, message: unknownChoice('tools', TOOL_GROUPS) };
  return { ok: true, value: { profile, group } };
}

/** The profile named on a command line, or undefined when there is none of that name. */
export function parseProfile(text: string): SchemaProfile | undefined {
  return SCHEMA_PROFILES.find((profile) => profile === text);
}

/** The form this client is shown. The name it gives to the protocol counts before the one it gives to HTTP. */
export function schemaForm(profile: SchemaProfile, names: ClientNames): SchemaForm {
  if (profile !== 'auto') return profile;
  const known = [names.clientName, names.userAgent].filter((name) => name !== undefined);
  return known.some(rejectsRootCombinators) ? 'portable' : 'composed';
}

/** Rows about the server itself belong to every group. */
export function isInGroup({ permission }: Operation, group: ToolGroup): boolean {
  if (group === 'all' || permission === 'server.read') return true;
  return permission.startsWith('notebook.') === (group === 'memory');
}

function rejectsRootCombinators(name: string): boolean {
  const words = ` ${name.toLowerCase().replace(/[^a-z0-9]+/g, ' ')} `;
  return ROOT_COMBINATOR_REJECTERS.some((row) => words.includes(` ${row.words} `));
}

function choice<Choice extends string>(
  query: URLSearchParams,
  key: string,
  choices: readonly Choice[],
  byDefault: Choice,
): Choice | undefined {
  const given = query.getAll(key);
  if (given.length === 0) return byDefault;
  return given.length === 1 ? choices.find((candidate) => candidate === given[0]) : undefined;
}

function unknownChoice(key: string, choices: readonly string[]): string {
  return `The query parameter ${key} takes one of: ${choices.join(', ')}`;
}
