/** Makes a row about the decisions of one project: opens them, runs, and turns refusals into failures. */
import { z } from 'zod';
import type { JsonValue } from '../base/json.ts';
import type { Decisions } from '../memory/decisions/decisions.ts';
import type { Result } from '../memory/decisions/outcome.ts';
import type { Operation } from './operation.ts';
import { type FoundProject, inProject, type ProjectOperation } from './project-call.ts';

export interface ProjectCall<Target, Request> extends FoundProject<Target, Request> {
  readonly decisions: Decisions;
}

export interface ProjectRow<Target extends z.ZodType, Request extends z.ZodType, Output extends JsonValue>
  extends ProjectOperation<Target, Request, Output> {
  /** False for what scans by itself: catching up first would leave it nothing to report. */
  readonly catchUp?: false;
  run(call: ProjectCall<z.output<Target>, z.output<Request>>): Promise<Result<Output>>;
}

export const noTarget = z.object({});
export const noRequest = z.object({});

export function projectRow<Target extends z.ZodType, Request extends z.ZodType, Output extends JsonValue>(
  row: ProjectRow<Target, Request, Output>,
): Operation {
  return inProject(row, async (found) => {
    const decisions = await found.engine.decisions(found.project, { catchUp: row.catchUp ?? true });
    return row.run({ ...found, decisions });
  });
}
