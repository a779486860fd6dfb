/**
 * The project that a command is about, and its files as they are named from where the person stands.
 *
 * It is named by a folder, or by the id or the name of a known project; otherwise it is the repository (or known
 * project) that holds the current folder.
 */
import path from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { ProcessError } from '../../base/errors.ts';
import { openProjects, type Project } from '../../engine/projects/projects.ts';
import { projectFailure } from '../../operations/failures.ts';
import { daemonHome, type Environment, memoryRoot, userHome } from '../../server/home.ts';
import { failureOf, RowRefusal } from './failure.ts';

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
  if (named !== undefined && found.problem.kind === 'missing') {
    const known = await projects.list();
    const meant = known.ok ? known.value.filter(({ id, name }) => id === named || name === named) : [];
    const [only] = meant;
    if (meant.length > 1) throw severalNamed(named, meant);
    if (only !== undefined && !only.missing) return { id: only.id, name: only.name, path: only.path };
  }
  throw new RowRefusal(failureOf(projectFailure(found.problem, 'project_path')));
}

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
