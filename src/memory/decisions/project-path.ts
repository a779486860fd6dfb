/**
 * File names as decisions keep them: relative to the project, with `/`, without `.` and `..`.
 *
 * Absolute paths inside the project become relative. Paths that leave the project, or that name the project itself,
 * are refused: nothing could ever match them.
 */
import { decisionLimits } from '../../base/limits.ts';

export type ProjectPath =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly problem: string };

/** `roots` are the absolute spellings of the project folder: as given and with links resolved. */
export function projectPath(roots: readonly string[], given: string): ProjectPath {
  if (given.trim() === '') return refuse('a file name is empty');
  if (/[\u0000-\u001f]/.test(given)) return refuse('a file name holds a control character');
  const slashed = given.replaceAll('\\', '/');
  const relative = isAbsolute(slashed) ? insideOf(roots, slashed) : slashed;
  if (relative === null) return refuse(`${given} is outside the project`);
  const segments: string[] = [];
  for (const segment of relative.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return refuse(`${given} is outside the project`);
  }
  if (segments.length === 0) return refuse(`${given} names the project itself`);
  const path = segments.join('/');
  return [...path].length > decisionLimits.pathCharsMax ? refuse('a file name is too long') : { ok: true, path };
}

function refuse(problem: string): ProjectPath {
  return { ok: false, problem };
}

function isAbsolute(slashed: string): boolean {
  return slashed.startsWith('/') || /^[A-Za-z]:\//.test(slashed);
}

/** The part behind a root, or null. `..` is resolved first, so that it cannot climb out behind a matching prefix. */
function insideOf(roots: readonly string[], slashed: string): string | null {
  const path = collapse(slashed);
  for (const root of roots) {
    const folder = collapse(root.replaceAll('\\', '/'));
    if (path === folder) return '.';
    const prefix = folder.endsWith('/') ? folder : `${folder}/`;
    if (path.startsWith(prefix)) return path.slice(prefix.length);
  }
  return null;
}

function collapse(absolute: string): string {
  const drive = /^[A-Za-z]:/.exec(absolute)?.[0] ?? '';
  const segments: string[] = [];
  for (const segment of absolute.slice(drive.length).split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') segments.pop();
    else segments.push(segment);
  }
  return `${drive.toUpperCase()}/${segments.join('/')}`;
}
