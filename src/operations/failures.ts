/** How refusals of projects and of decisions become failures of an operation. Statuses come from the code alone. */
import type { JsonObject } from '../base/json.ts';
import type { OwnSetting } from '../engine/projects/own-folders.ts';
import type { ProjectProblem } from '../engine/projects/projects.ts';
import type { Failure, FieldProblem } from '../memory/decisions/outcome.ts';
import type { OperationFailure } from './operation.ts';

export type Failed = { readonly ok: false; readonly failure: OperationFailure };

export function failed(failure: OperationFailure): Failed {
  return { ok: false, failure };
}

export function decisionFailure(failure: Failure): OperationFailure {
  const { code, message } = failure;
  switch (code) {
    case 'validation_error':
      return { status: 'invalid_request', code, message, details: { errors: failure.errors.map(plainProblem) } };
    case 'memory_not_found':
      return { status: 'not_found', code, message, details: { id: failure.id } };
    case 'document_not_found':
      return { status: 'not_found', code, message, details: { path: failure.path } };
    case 'conflict':
      return { status: 'conflict', code, message, details: { ids: failure.ids } };
    case 'precondition_failed':
      return { status: 'conflict', code, message, details: { updated_at: failure.updatedAt } };
    case 'invalid_request':
      return { status: 'invalid_request', code, message };
    case 'unavailable':
      return { status: 'unavailable', code, message, details: { reason: failure.reason } };
    case 'internal_error':
      return { status: 'internal_error', code, message };
  }
}

/** `field` is where the call named the folder; null when a registered project is no longer usable. */
export function projectFailure(problem: ProjectProblem, field: 'path' | 'project_path' | null): OperationFailure {
  switch (problem.kind) {
    case 'unknown':
      return projectNotFound(`no project with id ${problem.id}`, { id: problem.id });
    case 'unusable':
      return { status: 'unavailable', code: 'unavailable', message: problem.message };
    case 'missing':
      return field === null
        ? projectNotFound(`the folder of this project is gone: ${problem.path}`, { path: problem.path })
        : invalidPath(field, 'no such folder', 'path_not_found');
    case 'not-a-folder':
      return invalidPath(field, 'is not a folder', 'path_not_directory');
    case 'reserved':
      return invalidPath(field, 'is a reserved place and can never be a project', 'path_reserved');
    case 'own-data':
      return invalidPath(field, ownDataWords(problem.setting), 'path_reserved');
    case 'relative':
      return invalidPath(field, 'must be an absolute path', 'path_relative');
    case 'guessed':
      return invalidPath(
        field,
        'name the project: the current folder is in no repository and in no project that was indexed',
        'project_unknown',
      );
  }
}

function ownDataWords(setting: OwnSetting | null): string {
  if (setting === null) return 'is where Mnemosyne keeps its own data and can never be a project';
  return `lies in the folder that ${setting} names, where Mnemosyne keeps its own data, and can be no project; let ${setting} name a folder that holds nothing else`;
}

export function noProject(): OperationFailure {
  return invalidPath('project_path', 'name the project by the absolute path of its folder', 'missing');
}

function projectNotFound(message: string, details: JsonObject): OperationFailure {
  return { status: 'not_found', code: 'project_not_found', message, details };
}

function invalidPath(field: string | null, msg: string, type: string): OperationFailure {
  const loc = [field ?? 'path'];
  const message = `one field is not acceptable (${loc[0]}: ${msg})`;
  return { status: 'invalid_request', code: 'validation_error', message, details: { errors: [{ loc, msg, type }] } };
}

function plainProblem({ loc, msg, type }: FieldProblem): JsonObject {
  return { loc, msg, type };
}
