/**
 * Makes a row about the code of one project: hands it the code mind and turns refusals into failures. It never touches
 * the decisions of the project.
 */
import type { z } from 'zod';
import type { JsonObject } from '../base/json.ts';
import { plain } from '../base/plain.ts';
import type { CodeMind } from '../engine/code/code-mind.ts';
import type { Result } from '../memory/decisions/outcome.ts';
import type { Operation } from './operation.ts';
import { type FoundProject, inProject, type ProjectOperation } from './project-call.ts';
import { noTarget } from './project-row.ts';

export interface CodeCall<Request> extends FoundProject<object, Request> {
  readonly code: CodeMind;
}

export interface CodeRow<Request extends z.ZodType>
  extends Omit<ProjectOperation<typeof noTarget, Request, JsonObject>, 'target'> {
  run(call: CodeCall<z.output<Request>>): Promise<Result<object>>;
}

export function codeRow<Request extends z.ZodType>(row: CodeRow<Request>): Operation {
  return inProject({ ...row, target: noTarget }, async (found) => {
    const answer = await row.run({ ...found, code: found.engine.code(found.project) });
    return answer.ok ? { ok: true, value: plain(answer.value) } : answer;
  });
}
