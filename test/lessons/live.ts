/** A running daemon with projects that are real repositories, spoken to as any program would, over its port. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts';
import { NeuralMindClient } from '../../src/client/index.ts';
import { type DaemonProcess, daemonProcess } from '../client/daemon-process.ts';
import { type TempRepository, tempRepository } from '../projects/temp-repository.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body, when it is an object. */
  readonly json: JsonObject;
}

export interface LiveProject {
  readonly id: string;
  readonly root: string;
  readonly file: string;
  readonly repository: TempRepository;
  /** A request below `…/memories`. */
  ask(method: string, below: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** Adds a decision that must be accepted and answers its id. */
  add(fields: JsonObject): Promise<string>;
  /** Ids that a search finds, best first. */
  find(query: string, fields?: JsonObject): Promise<readonly string[]>;
  /** Every decision of every page. */
  all(query?: string): Promise<readonly JsonObject[]>;
  /** Rows of the file, read past our code. */
  rows(sql: string): readonly Record<string, unknown>[];
}

export interface Live {
  readonly daemon: DaemonProcess;
  readonly nm: NeuralMindClient;
  url(): string;
  token(): string;
  restart(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  ask(method: string, target: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** Registers a new repository with one commit, called `name`. */
  project(name: string): Promise<LiveProject>;
  at(root: string): Promise<LiveProject>;
  /** Calls a tool over `/mcp`; answers the whole reply as text. */
  tool(name: string, args: Readonly<Record<string, unknown>>): Promise<string>;
}

/** One daemon for all tests of a file. */
export function liveDaemon(): Live {
  const daemon = daemonProcess();
  let url = '';
  beforeAll(async () => {
    ({ url } = await daemon.start());
  }, 90_000);
  afterAll(() => daemon.dispose());
  const token = () => readFileSync(path.join(daemon.daemonHome, 'token'), 'utf8').trim();
  const nm = new NeuralMindClient({ daemonHome: daemon.daemonHome });
  const ask: Live['ask'] = (method, target, body, headers = {}) => send(url, token(), method, target, body, headers);

  const at: Live['at'] = async (root) => {
    const { id, path: real } = await nm.project(root);
    if (real === null) throw new Error('the project has no path');
    const base = `/v1/projects/${id}/memories`;
    const file = path.join(real, '.neuralmind', 'memory.db');
    const project: LiveProject = {
      id,
      root: real,
      file,
      repository: tempRepository(real),
      ask: (method, below, body, headers) => ask(method, `${base}${below}`, body, headers),
      async add(fields) {
        const reply = await project.ask('POST', '', { title: 'T', rationale: 'R', ...fields });
        expect(reply.status, reply.text).toBe(201);
        return text(reply.json['id']);
      },
      async find(query, fields = {}) {
        const reply = await project.ask('POST', '/search', { query, limit: 25, ...fields });
        expect(reply.status, reply.text).toBe(200);
        return objects(reply.json['results']).map(({ id: found }) => text(found));
      },
      async all(query = '') {
        const found: JsonObject[] = [];
        let cursor: string | undefined;
        do {
          const next = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
          const reply = await project.ask('GET', `?limit=200${query}${next}`);
          expect(reply.status, reply.text).toBe(200);
          found.push(...objects(reply.json['items']));
          const after = reply.json['next_cursor'];
          cursor = typeof after === 'string' ? after : undefined;
        } while (cursor !== undefined);
        return found;
      },
      rows: (sql) => rowsOf(file, sql),
    };
    return project;
  };

  return {
    daemon,
    nm,
    url: () => url,
    token,
    ask,
    at,
    async restart(signal = 'SIGTERM') {
      await daemon.stop(signal);
      ({ url } = await daemon.start());
    },
    async project(name) {
      const repository = tempRepository(daemon.folder(name));
      repository.commit({ 'README.md': `# ${name}\n` });
      return at(repository.root);
    },
    async tool(name, args) {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const reply = await ask('POST', '/mcp', body, { accept: 'application/json, text/event-stream' });
      return reply.text;
    },
  };
}

export async function send(
  url: string,
  token: string,
  method: string,
  target: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const payload = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(`${url}${target}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...type, ...headers },
    ...payload,
  });
  const answer = await response.text();
  return { status: response.status, headers: response.headers, text: answer, json: objectIn(answer) };
}

export function rowsOf(file: string, sql: string): readonly Record<string, unknown>[] {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare<unknown[], Record<string, unknown>>(sql).all();
  } finally {
    db.close();
  }
}

/** Of a refusal: its code and, for wrong fields, `place type` of each. */
export function refusal({ status, json, text: body }: Reply): string {
  const { error } = json;
  if (!isJsonObject(error)) throw new Error(`no refusal: ${status} ${body.slice(0, 200)}`);
  expect(error['status']).toBe(status);
  const details = isJsonObject(error['details']) ? error['details'] : {};
  const reason = typeof details['reason'] === 'string' ? ` ${details['reason']}` : '';
  const fields = objects(details['errors'] ?? []).map(({ loc, type }) => {
    return ` ${Array.isArray(loc) ? loc.join('.') : ''}:${text(type)}`;
  });
  return `${status} ${text(error['code'])}${reason}${fields.join('')}`;
}

export function text(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw new Error(`no text: ${JSON.stringify(value)}`);
  return value;
}

export function objects(value: JsonValue | undefined): readonly JsonObject[] {
  if (!Array.isArray(value)) throw new Error(`no list: ${JSON.stringify(value)}`);
  return value.filter(isJsonObject);
}

function objectIn(answer: string): JsonObject {
  try {
    const value: unknown = JSON.parse(answer);
    return isJsonObject(value) ? value : {};
  } catch {
    // Markdown, an event stream, or no body at all.
    return {};
  }
}
