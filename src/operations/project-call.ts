/**
 * What all rows of one project share: the call is checked, the project found, and a refusal becomes a failure.
 *
 * A call names its project by `project_id` (a route), by `project_path` (a tool), or not at all: then it is the one
 * whose folder the door stands in. Everything that is wrong with a call is told at once.
 */
import path from 'node:path';
import { z } from 'zod';
import type { ErrorCode } from '../base/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../base/json.ts';
import { unknownArgumentLimits } from '../base/limits.ts';
import type { Engine } from '../engine/engine.ts';
import type { Project } from '../engine/projects/projects.ts';
import { type FieldProblem, invalid, type Result } from '../memory/decisions/outcome.ts';
import { parseWith } from '../memory/decisions/parse.ts';
import { decisionFailure, failed, noProject, projectFailure } from './failures.ts';
import type { HttpRoute } from './http-route.ts';
import {
  type CallContext,
  type EventFields,
  type Operation,
  type OperationResult,
  operation,
  type Permission,
  type Tool,
} from './operation.ts';
import { toolProject } from './tool-schema.ts';

/** A call whose project is known. `target` names what it is about and how, `request` says what is asked. */
export interface FoundProject<Target, Request> {
  readonly engine: Engine;
  readonly project: Project;
  readonly target: Target;
  readonly request: Request;
  readonly call: CallContext;
}

export interface ProjectOperation<Target extends z.ZodType, Request extends z.ZodType, Output extends JsonValue> {
  readonly name: string;
  readonly summary: string;
  readonly permission: Permission;
  readonly effects: string;
  /** Besides those that every row of a project can give. */
  readonly errors: readonly ErrorCode[];
  readonly example: { readonly input: JsonObject; readonly output: JsonValue };
  readonly target: Target;
  readonly request: Request;
  readonly http?: HttpRoute;
  readonly tool?: Tool;
  /** Inputs that the tool calls by the name of its contract: `{ q: 'query' }`. */
  readonly toolNames?: Names;
  /** Fits the raw input to the schema of the request. */
  prepare?(raw: JsonObject): JsonObject;
  /** Counts and words of closed sets, never content. */
  event?(output: Output): EventFields;
}

const selectorSchema = z.object({ project_id: z.string().optional(), ...toolProject });
type Selector = z.output<typeof selectorSchema>;

/** Of an input of the request to what the caller calls it. */
type Names = Readonly<Record<string, string>>;

interface Parsed<Target, Request> {
  readonly selector: Selector;
  readonly target: Target;
  readonly request: Request;
  readonly names: Names;
  /** Filled in once it is known, for the event. */
  readonly found: { projectId?: string };
}

/** In the order in which a call can meet them. */
const beforeOwn: readonly ErrorCode[] = ['validation_error', 'project_not_found'];
const afterOwn: readonly ErrorCode[] = ['unavailable', 'internal_error'];

export function inProject<Target extends z.ZodType, Request extends z.ZodType, Output extends JsonValue>(
  row: ProjectOperation<Target, Request, Output>,
  run: (found: FoundProject<z.output<Target>, z.output<Request>>) => Promise<Result<Output>>,
): Operation {
  const { name, summary, permission, effects, example, http, tool } = row;
  return operation<Parsed<z.output<Target>, z.output<Request>>, Output>({
    name,
    summary,
    permission,
    scope: 'project',
    effects,
    errors: [...beforeOwn, ...row.errors, ...afterOwn],
    example,
    ...(http === undefined ? {} : { http }),
    ...(tool === undefined ? {} : { tool }),
    parse(raw, { closed } = { closed: false }) {
      const unknown = closed && tool !== undefined ? unknownArguments(tool, raw) : [];
      const selector = parseWith(selectorSchema, raw);
      const target = parseWith(row.target, raw);
      const names = namesIn(raw, row.toolNames ?? {}, closed);
      const named = { ...raw, ...Object.fromEntries(inputsUnder(names, raw)) };
      const request = asCalled(parseWith(row.request, row.prepare?.(named) ?? named), names);
      if (selector.ok && target.ok && request.ok && unknown.length === 0) {
        return {
          ok: true,
          value: { selector: selector.value, target: target.value, request: request.value, names, found: {} },
        };
      }
      const together = invalid(joined([...unknown, ...[selector, target, request].flatMap(problemsOf)]));
      return together.ok ? failed(noProject()) : failed(decisionFailure(together.failure));
    },
    async run(engine, { selector, target, request, names, found }, call) {
      const located = await locate(engine, selector, call);
      if (!located.ok) return located;
      const project = located.value;
      found.projectId = project.id;
      const result = asCalled(await run({ engine, project, target, request, call }), names);
      return result.ok ? result : failed(decisionFailure(result.failure));
    },
    event(input, result) {
      const id = input?.found.projectId;
      return {
        ...(id === undefined ? {} : { project: id }),
        ...(result.ok ? row.event?.(result.value) : {}),
      };
    },
  });
}

/** The tool's names where the caller used them; a tool's caller knows no others. */
function namesIn(raw: JsonObject, toolNames: Names, closed: boolean): Names {
  const used = Object.entries(toolNames).filter(
    ([input, name]) => raw[input] === undefined && (closed || raw[name] !== undefined),
  );
  return Object.fromEntries(used);
}

function inputsUnder(names: Names, raw: JsonObject): readonly (readonly [string, JsonValue])[] {
  return Object.entries(names).flatMap(([input, name]) => {
    const value = raw[name];
    return value === undefined ? [] : [[input, value] as const];
  });
}

/** What is wrong with an input is told under the name that the caller gave it. */
function asCalled<Value>(result: Result<Value>, names: Names): Result<Value> {
  if (result.ok || result.failure.code !== 'validation_error') return result;
  const { errors } = result.failure;
  const renamed = errors.map((problem): FieldProblem => {
    const [first, ...rest] = problem.loc;
    const name = typeof first === 'string' && Object.hasOwn(names, first) ? names[first] : undefined;
    return name === undefined ? problem : { ...problem, loc: [name, ...rest] };
  });
  return renamed.every((problem, at) => problem === errors[at]) ? result : invalid(renamed);
}

/**
 * Arguments that the schema of the tool does not have. A project may be named by its id all the same, and older clients
 * say who they are with every call: that is let through, and never believed.
 */
const alwaysTaken: ReadonlySet<string> = new Set(['project_id', 'actor', 'role']);

function unknownArguments(tool: Tool, raw: JsonObject): readonly FieldProblem[] {
  const properties = member(tool.portableInput, 'properties');
  const known = isJsonObject(properties) ? Object.keys(properties) : [];
  const msg = `is no argument of ${tool.name}, which takes ${known.join(', ')}`;
  return Object.keys(raw)
    .filter((name) => !known.includes(name) && !alwaysTaken.has(name))
    .slice(0, unknownArgumentLimits.told)
    .map((name) => ({ loc: [shortened(name)], msg, type: 'extra_forbidden' }));
}

function shortened(name: string): string {
  const { nameCharsMax } = unknownArgumentLimits;
  return name.length > nameCharsMax ? `${name.slice(0, nameCharsMax).replace(/[\ud800-\udbff]$/, '')}…` : name;
}

function problemsOf(result: Result<unknown>): readonly FieldProblem[] {
  return result.ok || result.failure.code !== 'validation_error' ? [] : result.failure.errors;
}

/** A field that two schemas check is told once. */
function joined(problems: readonly FieldProblem[]): readonly FieldProblem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}

async function locate(engine: Engine, selector: Selector, call: CallContext): Promise<OperationResult<Project>> {
  const { project_id: id, project_path: named } = selector;
  if (id !== undefined) {
    const found = await engine.projects.get(id);
    return found.ok ? found : failed(projectFailure(found.problem, null));
  }
  const { folder } = call;
  if (named === undefined && folder === undefined) return failed(noProject());
  const given = named === undefined ? (folder ?? '') : folder === undefined ? named : path.resolve(folder, named);
  const found = await engine.projects.locate(given, { marked: named === undefined });
  return found.ok ? found : failed(projectFailure(found.problem, 'project_path'));
}
