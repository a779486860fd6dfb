/**
 * Where a build puts the forms of one file: `src/app.ts`, `dist/app.js`, `dist/cjs/app.js`, `dist/types/app.d.ts`. A path
 * only brings files together that may be the same; whether they are is decided by what is in them (`copies.ts`).
 */

/** What a build writes into. */
const outputFolders: ReadonlySet<string> = new Set(
  'dist build out es es5 es6 es2015 es2017 es2020 es2022 esm esm5 esm6 esm2015 cjs _cjs _esm commonjs module umd amd'.split(
    ' ',
  ),
);
/** Folders that sources and outputs lie in alike. */
const layoutFolders: ReadonlySet<string> = new Set([...outputFolders, 'src', 'source', 'lib', 'types', 'typings']);
const scriptEnding = /(?:\.(?:min|cjs|esm|umd|development|production))?(?:\.d)?\.[cm]?[jt]sx?$/;

/** Files with the same one may be forms of one file. */
export function layoutKey(path: string): string {
  const folders = path.split('/');
  const name = (folders.pop() ?? '').replace(scriptEnding, '.script');
  return [...folders.filter((folder) => !layoutFolders.has(folder)), name].join('/');
}

/** Whether a build wrote it. */
export function isOutput(path: string): boolean {
  return path.split('/').some((folder, at, { length }) => at < length - 1 && outputFolders.has(folder));
}

/** Everything of a project in one file, for browsers. */
export function isBundle(path: string): boolean {
  return /\.(umd|min|bundle|iife|global)\.[cm]?js$|(^|\/)(bundles?|umd)\//.test(path);
}

/** By position in `paths`: the others with the same layout key. What stands alone is not in it. */
export function siblingsOf(paths: readonly string[]): ReadonlyMap<number, readonly number[]> {
  const byKey = new Map<string, number[]>();
  paths.forEach((path, at) => {
    const key = layoutKey(path);
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, [at]);
    else known.push(at);
  });
  const siblings = new Map<number, readonly number[]>();
  for (const group of byKey.values()) {
    if (group.length === 1) continue;
    for (const at of group) {
      siblings.set(
        at,
        group.filter((other) => other !== at),
      );
    }
  }
  return siblings;
}
