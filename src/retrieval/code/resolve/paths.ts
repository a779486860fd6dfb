/** Paths of a project: with `/`, from its root, never above it. */

export function directoryOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Joins and tidies; null when the result lies above the root. */
export function joinPath(...parts: readonly string[]): string | null {
  const names: string[] = [];
  for (const name of parts.join('/').split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return null;
  }
  return names.join('/');
}

/** The folder and all above it, nearest first, the root last. */
export function ancestors(directory: string): readonly string[] {
  const found: string[] = [];
  let at = directory;
  while (at !== '') {
    found.push(at);
    at = directoryOf(at);
  }
  found.push('');
  return found;
}
