/** The checks that need the project and the date: where files lie, and that a review day is not past. */
import { type FieldProblem, invalid, ok, type Result } from './outcome.ts';
import { projectPath } from './project-path.ts';

export interface Surroundings {
  /** Absolute spellings of the project folder. */
  readonly roots: readonly string[];
  /** The day in UTC. */
  readonly today: string;
}

interface Settled {
  readonly files_affected?: readonly string[] | undefined;
  readonly review_by?: string | null | undefined;
}

/** The request with its file names in stored form, each once, in their order. */
export function settle<Request extends Settled>(request: Request, around: Surroundings): Result<Request> {
  const problems: FieldProblem[] = [];
  const { files_affected: given } = request;
  const files =
    given === undefined ? undefined : [...new Set(storedPaths(given, around.roots, 'files_affected', problems))];
  if (typeof request.review_by === 'string' && request.review_by < around.today) {
    problems.push({ loc: ['review_by'], msg: 'lies before today (UTC)', type: 'date_past' });
  }
  if (problems.length > 0) return invalid(problems);
  return ok(files === undefined ? request : { ...request, files_affected: files });
}

/** The files of a question in stored form, in their order. Fails: `validation_error`. */
export function settleFilter(files: readonly string[], roots: readonly string[]): Result<readonly string[]> {
  const problems: FieldProblem[] = [];
  const settled = storedPaths(files, roots, 'file', problems);
  return problems.length > 0 ? invalid(problems) : ok(settled);
}

function storedPaths(
  files: readonly string[],
  roots: readonly string[],
  field: string,
  problems: FieldProblem[],
): readonly string[] {
  const paths: string[] = [];
  for (const [index, file] of files.entries()) {
    const settled = projectPath(roots, file);
    if (settled.ok) paths.push(settled.path);
    else problems.push({ loc: [field, index], msg: settled.problem, type: 'path_outside_project' });
  }
  return paths;
}
