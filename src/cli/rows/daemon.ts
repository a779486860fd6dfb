/**
 * Calls a row over `/v1` of the daemon of this home.
 *
 * The inputs go where the row's route wants them. A project that the daemon does not know is registered on the way,
 * since a route names its project by id. Null is the answer where the daemon was not asked and could not be.
 */
import { errorCatalogue, ProcessError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject, member } from '../../base/json.ts';
import { cliLimits, httpLimits } from '../../base/limits.ts';
import { Connection, type Exchange } from '../../client/connection.ts';
import { NeuralMindAPIError, NeuralMindConnectionError } from '../../client/errors.ts';
import type { Project } from '../../engine/projects/projects.ts';
import { baseUrl, type Discovery, readDiscovery } from '../../server/discovery.ts';
import { checkDaemonHome, daemonHome, type Environment } from '../../server/home.ts';
import { type ApiOperation, asJson } from './api-operation.ts';
import type { RowAnswer } from './caller.ts';

/** Throws `unsafe_home` when what is written there cannot be trusted. */
export function liveDaemon(env: Environment): Discovery | null {
  const home = daemonHome(env);
  checkDaemonHome(home);
  const state = readDiscovery(home);
  if (state.kind === 'unsafe') throw new ProcessError('unsafe_home', `the discovery file ${state.fault}`);
  return state.kind === 'running' ? state.daemon : null;
}

export async function callDaemon(
  daemon: Discovery,
  row: ApiOperation,
  input: JsonObject,
  project: Project | null,
): Promise<RowAnswer | null> {
  const connection = new Connection({
    target: async () => ({ base: baseUrl(daemon), token: daemon.token, found: true }),
    timeoutMs: cliLimits.daemonCallMsMax,
    fetch,
  });
  const exchange = exchangeOf(row, project === null ? input : { ...input, project_id: project.id });
  if (!exchange.path.every(fitsPath)) return null;
  const answer = await send(connection, exchange);
  if (project === null || answer === null || answer.ok || answer.failure.code !== 'project_not_found') return answer;
  const registered = await send(connection, { method: 'POST', path: ['projects'], body: { path: project.path } });
  return registered?.ok === true ? send(connection, exchange) : registered;
}

async function send(connection: Connection, exchange: Exchange): Promise<RowAnswer | null> {
  try {
    return { ok: true, body: asJson((await connection.send(exchange)).body) };
  } catch (error) {
    if (error instanceof NeuralMindAPIError) {
      const { code, message, status } = error;
      if (code === 'payload_too_large') return null;
      const details = asJson(error.details);
      return { ok: false, failure: { code, message, status, details: isJsonObject(details) ? details : {} } };
    }
    if (!(error instanceof NeuralMindConnectionError)) throw error;
    if (error.reason === 'unreachable') return null;
    const code = 'unavailable';
    return { ok: false, failure: { code, message: error.message, status: errorCatalogue[code].http, details: {} } };
  }
}

/** Every input in the one place that the route declares for it. */
function exchangeOf(row: ApiOperation, input: JsonObject): Exchange {
  const { method, path, query = {}, headers = {}, body } = row.http;
  const segments = path.split('/').slice(2);
  const inPath = segments.flatMap((segment) => /^\{(.+)\}$/.exec(segment)?.[1] ?? []);
  const headerOf = new Map(Object.entries(headers).map(([header, name]) => [name, header]));
  const elsewhere = new Set([...inPath, ...Object.keys(query), ...headerOf.keys(), 'project_path']);
  const given = Object.entries(input);
  return {
    method,
    path: segments.map((segment) => {
      const name = /^\{(.+)\}$/.exec(segment)?.[1];
      return name === undefined ? segment : String(member(input, name) ?? '');
    }),
    query: Object.fromEntries(given.filter(([name]) => Object.hasOwn(query, name))),
    headers: Object.fromEntries(
      given.flatMap(([name, value]) => {
        const header = headerOf.get(name);
        return header === undefined ? [] : [[header, String(value)]];
      }),
    ),
    ...(body ? { body: Object.fromEntries(given.filter(([name]) => !elsewhere.has(name))) } : {}),
  };
}

/** Dots alone change a path, and the server bounds the length of each part. */
function fitsPath(segment: string): boolean {
  return !['', '.', '..'].includes(segment) && encodeURIComponent(segment).length <= httpLimits.pathInputCharsMax;
}
