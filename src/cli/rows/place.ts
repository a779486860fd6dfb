/**
 * The project that a command is about, and its files as they are named from where the person stands.
 *
 * It is named by a folder, or by the id or the name of a known project; otherwise it is the repository (or known
 * project) that holds the current folder.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { ProcessError } from '../../base/errors.ts';
import { typedLimits } from '../../base/limits.ts';
import { errnoOf } from '../../base/private-file.ts';
import { openProjects, type Project } from '../../engine/projects/projects.ts';
import { projectFailure } from '../../operations/failures.ts';
import { daemonHome, type Environment, memoryRoot, userHome } from '../../server/home.ts';
import { nearestOf } from '../nearest.ts';
import { failureOf, type RowFailure, RowRefusal } from './failure.ts';

/** Throws RowRefusal. */
export async function locateProject(env: Environment, named: string | undefined, folder: string): Promise<Project> {
  const projects = openProjects({
    daemonHome: daemonHome(env),
    userHome: userHome(env),
    memoryRoot: () => memoryRoot(env),
    clock: systemClock,
  });
  const found = await projects.locate(path.resolve(folder, named ?? ''), { marked: named === undefined });
  if (found.ok) return found.value;
  const refusal = failureOf(projectFailure(found.problem, 'project_path'));
  if (found.problem.kind === 'guessed' && isEmpty(folder)) throw new RowRefusal(emptyFolder(refusal));
  if (named === undefined || found.problem.kind !== 'missing') throw new RowRefusal(refusal);
  const listed = await projects.list();
  const known = listed.ok ? listed.value : [];
  const meant = known.filter(({ id, name }) => id === named || name === named);
  const [only] = meant;
  if (meant.length > 1) throw severalNamed(named, meant);
  if (only !== undefined && !only.missing) return { id: only.id, name: only.name, path: only.path };
  // A path was meant as a path.
  if (/[\\/]/.test(named)) throw new RowRefusal(refusal);
  throw new RowRefusal(unknownProject(refusal, named, [...new Set(known.map(({ name }) => name))]));
}

/** Where nothing is but folders that tools keep for themselves. A folder that cannot be listed is not known to be empty. */
function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder, { withFileTypes: true }).every((entry) => entry.isDirectory() && /^\./.test(entry.name));
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

function emptyFolder(refusal: RowFailure): RowFailure {
  return withWords(refusal, 'the current folder is empty: there is nothing to index in it', nothingHere);
}

/** `names` are those of the known projects; a few of them are told. */
function unknownProject(refusal: RowFailure, named: string, names: readonly string[]): RowFailure {
  const near = nearestOf(named, names);
  const advice = near === undefined ? '' : `; did you mean ${near}?`;
  const told = withWords(refusal, `no such folder, and no known project has this id or name${advice}`, noneKnown);
  return { ...told, details: { ...told.details, known_projects: names.slice(0, typedLimits.projectsShown) } };
}

/** The same refusal with its one wrong field told otherwise. */
function withWords(refusal: RowFailure, msg: string, type: string): RowFailure {
  const loc = ['project_path'];
  return {
    ...refusal,
    message: `one field is not acceptable (project_path: ${msg})`,
    details: { errors: [{ loc, msg, type }] },
  };
}

/** Types of a wrong `project_path` besides those of the rows: the current folder is empty; nothing is called so. */
export const nothingHere = 'project_empty';
export const noneKnown = 'path_not_found';

function severalNamed(named: string, projects: readonly Project[]): ProcessError {
  const folders = projects.map((project) => project.path).join(', ');
  return new ProcessError('usage', `several projects are called ${named}; name one by its folder: ${folders}`);
}

/**
 * A relative name is meant from the current folder when that lies in the project, and from the project's top otherwise.
 * What leaves the project stays as it is, for the row to refuse.
 */
export function fileInProject(project: Project, folder: string, name: string): string {
  if (path.isAbsolute(name) || !isInside(project.path, folder)) return name;
  const absolute = path.resolve(folder, name);
  if (absolute === project.path || !isInside(project.path, absolute)) return name;
  return path.relative(project.path, absolute).split(path.sep).join('/');
}

function isInside(top: string, place: string): boolean {
  const relative = path.relative(top, place);
  return relative === '' || !(relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative));
}
