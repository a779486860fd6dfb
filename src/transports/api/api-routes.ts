/**
 * The routes under `/v1`, read from the rows: which paths exist, with which methods, and which of them are open.
 *
 * Two rows on one method and path are a mistake of ours and stop the start.
 */
import type { HttpMethod, HttpRoute } from '../../operations/http-route.ts';
import type { Operation, Registry } from '../../operations/operation.ts';

/** A row that is also a route. */
export interface ApiOperation extends Operation {
  readonly http: HttpRoute;
}

export interface ApiPath {
  /** `/v1/projects/{project_id}` */
  readonly path: string;
  readonly rows: readonly ApiOperation[];
  readonly methods: readonly HttpMethod[];
}

/** In published order. */
export function apiOperations(registry: Registry): readonly ApiOperation[] {
  return registry.operations.filter((row): row is ApiOperation => row.http !== undefined);
}

/** Every path once, in the order of its first row. Throws when two rows share a method and a path. */
export function apiPaths(registry: Registry): readonly ApiPath[] {
  const rowsOf = new Map<string, ApiOperation[]>();
  for (const row of apiOperations(registry)) {
    const { method, path } = row.http;
    const rows = rowsOf.get(path) ?? [];
    if (rows.some((other) => other.http.method === method)) throw new Error(`two operations answer ${method} ${path}`);
    rowsOf.set(path, [...rows, row]);
  }
  return [...rowsOf].map(([path, rows]) => ({ path, rows, methods: rows.map((row) => row.http.method) }));
}

/**
 * The paths that need no token: those whose every row says so. Told apart by the literal path, before anything is
 * decoded or routed, so an open path has no inputs in it. Throws when a row breaks that.
 */
export function openApiPaths(registry: Registry): readonly string[] {
  return apiPaths(registry).flatMap(({ path, rows }) => {
    const open = rows.filter((row) => row.http.open === true);
    if (open.length === 0) return [];
    if (open.length !== rows.length || pathInputs(path).length > 0) {
      throw new Error(`an open path must be open for every method and hold no input: ${path}`);
    }
    return [path];
  });
}

/** The names in braces, in order. */
export function pathInputs(path: string): readonly string[] {
  return [...path.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1] ?? '');
}

/** Whether `path`, without its query, belongs to the API. */
export function isApiPath(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/');
}
