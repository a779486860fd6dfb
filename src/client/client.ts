/**
 * The client of the NeuralMind API.
 *
 * It finds the daemon of this user, or goes where it is told, and gives every verb of `/v1` as a method. It keeps no
 * state but its settings: the daemon may be restarted, on another port, between two calls.
 */
import { type CallOptions, Connection } from './connection.ts';
import { Jobs } from './jobs.ts';
import { Project } from './project.ts';
import { boolean, deepFreeze, listOf, number, type RawObject, text } from './raw.ts';
import { type TargetOptions, targetOf } from './target.ts';

export interface ClientOptions extends TargetOptions {
  /** Milliseconds until a call is given up, 1 to 2,147,483,647; 30,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Used in place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

export interface Health {
  readonly ok: boolean;
  readonly apiVersion: string;
  readonly raw: RawObject;
}

export interface ServerInfo {
  readonly apiVersion: string;
  /** Of the program. */
  readonly version: string;
  readonly mode: string;
  readonly openapiUrl: string;
  readonly raw: RawObject;
}

export interface ServerStatus {
  readonly pid: number;
  readonly uptimeSeconds: number;
  readonly mode: string;
  readonly version: string;
  readonly projects: readonly {
    readonly id: string;
    readonly name: string;
    readonly built: boolean;
    readonly warm: boolean;
  }[];
  readonly jobsActive: number;
  readonly raw: RawObject;
}

const timeoutMsDefault = 30_000;

export class NeuralMindClient {
  readonly jobs: Jobs;
  readonly #connection: Connection;

  /** Nothing is read or sent yet. Throws TypeError or RangeError for options that cannot be used. */
  constructor(options: ClientOptions = {}) {
    this.#connection = new Connection({
      target: targetOf(options),
      timeoutMs: options.timeoutMs ?? timeoutMsDefault,
      fetch: options.fetch ?? globalThis.fetch,
    });
    this.jobs = new Jobs(this.#connection);
    Object.freeze(this);
  }

  /**
   * Registers the project that contains the folder `path`, or finds it if it is known. A relative path is taken from
   * the working directory of this program. Throws ValidationFailed for what cannot be a project.
   */
  async project(path: string, options?: CallOptions): Promise<Project> {
    const body = { path: await absolute(path) };
    return new Project(
      this.#connection,
      await this.#connection.object({ method: 'POST', path: ['projects'], body }, options),
    );
  }

  /** A known project by its id. Throws NotFound. */
  async projectById(id: string, options?: CallOptions): Promise<Project> {
    return new Project(
      this.#connection,
      await this.#connection.object({ method: 'GET', path: ['projects', id] }, options),
    );
  }

  /** In the order of registration. */
  async projects(options?: CallOptions): Promise<readonly Project[]> {
    const raw = await this.#connection.object({ method: 'GET', path: ['projects'] }, options);
    return Object.freeze(listOf(raw, 'items', (item) => new Project(this.#connection, item)));
  }

  /** Needs no token. */
  async health(options?: CallOptions): Promise<Health> {
    const raw = await this.#connection.object({ method: 'GET', path: ['health'] }, options);
    return deepFreeze({ ok: boolean(raw, 'ok'), apiVersion: text(raw, 'api_version'), raw });
  }

  async info(options?: CallOptions): Promise<ServerInfo> {
    const raw = await this.#connection.object({ method: 'GET', path: [] }, options);
    return deepFreeze({
      apiVersion: text(raw, 'api_version'),
      version: text(raw, 'neuralmind_version'),
      mode: text(raw, 'mode'),
      openapiUrl: text(raw, 'openapi_url'),
      raw,
    });
  }

  async status(options?: CallOptions): Promise<ServerStatus> {
    const raw = await this.#connection.object({ method: 'GET', path: ['status'] }, options);
    return deepFreeze({
      pid: number(raw, 'pid'),
      uptimeSeconds: number(raw, 'uptime_seconds'),
      mode: text(raw, 'mode'),
      version: text(raw, 'version'),
      projects: listOf(raw, 'projects', (project) => ({
        id: text(project, 'id'),
        name: text(project, 'name'),
        built: boolean(project, 'built'),
        warm: boolean(project, 'warm'),
      })),
      jobsActive: number(raw, 'jobs_active'),
      raw,
    });
  }

  /** The OpenAPI 3.1 document. Needs no token. */
  async openapi(options?: CallOptions): Promise<RawObject> {
    return this.#connection.object({ method: 'GET', path: ['openapi.json'] }, options);
  }

  /** Ends the server once calls in flight are answered. */
  async shutdown(options?: CallOptions): Promise<void> {
    await this.#connection.send({ method: 'POST', path: ['admin', 'shutdown'], body: {} }, options);
  }
}

async function absolute(path: string): Promise<string> {
  if (typeof path !== 'string' || path === '') throw new TypeError('path names a folder');
  if (typeof process === 'undefined' || typeof process.getBuiltinModule !== 'function') return path;
  const { absolutePath } = await import('./local-path.ts');
  return absolutePath(path);
}
