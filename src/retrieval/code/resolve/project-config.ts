/**
 * The files that say how names of modules map to files: tsconfig, package.json, go.mod, Cargo.toml.
 *
 * A configuration that cannot be read is left out and named in `problems`; it never ends a build.
 */
import { parse as parseToml } from 'smol-toml';
import { ancestors, baseName, directoryOf, joinPath } from './paths.ts';

export interface TsConfig {
  readonly path: string;
  readonly directory: string;
  /** The folder of `baseUrl`, or null. */
  readonly base: string | null;
  /** Patterns with at most one `*`, and their targets from the root. */
  readonly paths: readonly { readonly pattern: string; readonly targets: readonly string[] }[];
}

export interface NodePackage {
  readonly directory: string;
  readonly name: string | null;
  readonly main: string | null;
  readonly exports: unknown;
  readonly imports: unknown;
}

interface Problem {
  readonly path: string;
  readonly message: string;
}

export interface ProjectConfig {
  readonly tsConfigs: readonly TsConfig[];
  readonly nodePackages: readonly NodePackage[];
  readonly goModules: readonly { readonly directory: string; readonly path: string }[];
  readonly crates: readonly { readonly directory: string; readonly name: string; readonly root: string | null }[];
  readonly problems: readonly Problem[];
}

export const emptyConfig: ProjectConfig = { tsConfigs: [], nodePackages: [], goModules: [], crates: [], problems: [] };

export function isConfigFile(path: string): boolean {
  return /^(tsconfig(\.[\w.-]+)?|jsconfig|package)\.json$|^go\.mod$|^Cargo\.toml$/.test(baseName(path));
}

/** Reads the configuration out of the listed files; `read` gives a text or null when there is none. */
export function readProjectConfig(files: readonly string[], read: (path: string) => string | null): ProjectConfig {
  const problems: Problem[] = [];
  const tsConfigs: TsConfig[] = [];
  const nodePackages: NodePackage[] = [];
  const goModules: { directory: string; path: string }[] = [];
  const crates: { directory: string; name: string; root: string | null }[] = [];
  for (const path of files.filter(isConfigFile).sort()) {
    const text = read(path);
    if (text === null) continue;
    const directory = directoryOf(path);
    try {
      const name = baseName(path);
      if (name === 'package.json') nodePackages.push(nodePackage(directory, parseJsonc(text)));
      else if (name === 'go.mod') {
        const module = /^\s*module\s+"?([^\s"]+)/m.exec(text)?.[1];
        if (module !== undefined) goModules.push({ directory, path: module });
      } else if (name === 'Cargo.toml') {
        const crate = cargoPackage(directory, parseToml(text));
        if (crate !== null) crates.push(crate);
      } else tsConfigs.push(tsConfig(path, read, new Set(), problems));
    } catch (error) {
      problems.push({ path, message: error instanceof Error ? error.message : String(error) });
    }
  }
  return { tsConfigs, nodePackages, goModules, crates, problems };
}

function tsConfig(
  path: string,
  read: (path: string) => string | null,
  seen: Set<string>,
  problems: Problem[],
): TsConfig {
  seen.add(path);
  const directory = directoryOf(path);
  const parsed = recordOf(parseJsonc(read(path) ?? '{}'));
  const options = recordOf(parsed['compilerOptions']);
  const bases = (Array.isArray(parsed['extends']) ? parsed['extends'] : [parsed['extends']])
    .filter((one) => typeof one === 'string')
    .flatMap((one) => extended(path, one, read, seen, problems));
  const inherited = bases.at(-1);
  const base =
    typeof options['baseUrl'] === 'string' ? joinPath(directory, options['baseUrl']) : (inherited?.base ?? null);
  const ownPaths = options['paths'];
  const from = base ?? directory;
  const paths =
    ownPaths === undefined
      ? (bases.findLast((one) => one.paths.length > 0)?.paths ?? [])
      : Object.entries(recordOf(ownPaths)).map(([pattern, targets]) => ({
          pattern,
          targets: (Array.isArray(targets) ? targets : []).flatMap((target) => {
            const joined = typeof target === 'string' ? joinPath(from, target) : null;
            return joined === null ? [] : [joined];
          }),
        }));
  return { path, directory, base, paths };
}

function extended(
  from: string,
  specifier: string,
  read: (path: string) => string | null,
  seen: Set<string>,
  problems: Problem[],
): readonly TsConfig[] {
  const directory = directoryOf(from);
  // What does not begin with a dot is a package, installed here or in a folder above.
  const joined = specifier.startsWith('.')
    ? [joinPath(directory, specifier)]
    : ancestors(directory).map((folder) => joinPath(folder, 'node_modules', specifier));
  const path = joined
    .flatMap((one) => (one === null ? [] : one.endsWith('.json') ? [one] : [`${one}.json`, `${one}/tsconfig.json`]))
    .find((one) => !seen.has(one) && read(one) !== null);
  if (path !== undefined) return [tsConfig(path, read, seen, problems)];
  if (!joined.some((one) => one !== null && seen.has(one)))
    problems.push({ path: from, message: `It extends ${specifier}, which is not there; its own settings are used.` });
  return [];
}

function nodePackage(directory: string, parsed: unknown): NodePackage {
  const manifest = recordOf(parsed);
  const text = (key: string): string | null => {
    const value = manifest[key];
    return typeof value === 'string' ? value : null;
  };
  return {
    directory,
    name: text('name'),
    main: text('source') ?? text('module') ?? text('main'),
    exports: manifest['exports'],
    imports: manifest['imports'],
  };
}

function cargoPackage(
  directory: string,
  parsed: unknown,
): { directory: string; name: string; root: string | null } | null {
  const manifest = recordOf(parsed);
  const name = recordOf(manifest['package'])['name'];
  const library = recordOf(manifest['lib']);
  if (typeof name !== 'string') return null;
  const libraryName = typeof library['name'] === 'string' ? library['name'] : name;
  const root = typeof library['path'] === 'string' ? joinPath(directory, library['path']) : null;
  return { directory, name: libraryName.replaceAll('-', '_'), root };
}

/** JSON with comments and trailing commas. */
export function parseJsonc(text: string): unknown {
  const clean = text
    .replace(/^\uFEFF/, '')
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string: string | undefined) => string ?? ' ')
    .replace(
      /("(?:[^"\\]|\\.)*")|,(\s*[}\]])/g,
      (_, string: string | undefined, closing: string | undefined) => string ?? closing ?? '',
    );
  return JSON.parse(clean);
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
