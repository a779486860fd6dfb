/** A project in a temporary folder with its decisions, a clock that tests turn, and answers that must have worked. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import type { Decision } from '../../src/memory/decisions/decision.ts';
import { type Created, Decisions, type DecisionsOptions } from '../../src/memory/decisions/decisions.ts';
import { noGit } from '../../src/memory/decisions/git-facts.ts';
import type { Failure, Result } from '../../src/memory/decisions/outcome.ts';
import { type ListRequest, parseList, parseSearch } from '../../src/memory/decisions/parse-read.ts';
import { parseAmend, parseCreate } from '../../src/memory/decisions/parse-write.ts';
import type { SearchAnswer } from '../../src/memory/decisions/search.ts';
import { afterThis } from '../after-this.ts';

export class TurnedClock {
  time: number;
  constructor(start = '2026-10-02T12:00:00Z') {
    this.time = Date.parse(start);
  }
  now(): Date {
    return new Date(this.time);
  }
  set(iso: string): void {
    this.time = Date.parse(iso);
  }
  forward(ms: number): void {
    this.time += ms;
  }
}

export interface TempProject {
  readonly root: string;
  readonly file: string;
  readonly clock: TurnedClock;
  readonly decisions: Decisions;
  /** Another door to the same store, as another process would have. */
  open(options?: Partial<DecisionsOptions>): Decisions;
  create(fields: Record<string, unknown>): Promise<Decision>;
  amend(id: string, fields: Record<string, unknown>): Promise<Decision>;
  search(query: string, fields?: Record<string, unknown>): Promise<SearchAnswer>;
  titles(query: string, fields?: Record<string, unknown>): Promise<readonly string[]>;
  listed(fields?: Record<string, unknown>): Promise<readonly string[]>;
  /** Rows of the file, read past our code. */
  rows(sql: string, ...params: readonly (string | number)[]): readonly Record<string, unknown>[];
}

export function tempFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'decisions-'));
  afterThis(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function tempProject(options: Partial<DecisionsOptions> = {}): TempProject {
  const root = tempFolder();
  const file = options.file ?? path.join(root, '.neuralmind', 'memory.db');
  const clock = new TurnedClock();
  const open = (more: Partial<DecisionsOptions> = {}) => {
    const decisions = new Decisions({ file, roots: [root], clock, git: noGit, ...options, ...more });
    afterThis(() => decisions.close());
    return decisions;
  };
  const decisions = open();
  const search = async (query: string, fields: Record<string, unknown> = {}) =>
    must(await decisions.search(must(parseSearch({ query, ...fields }))));
  return {
    root,
    file,
    clock,
    decisions,
    open,
    search,
    create: async (fields) => (await createIn(decisions, fields)).memory,
    amend: async (id, fields) => must(await decisions.amend(id, must(parseAmend(fields)))),
    titles: async (query, fields) => (await search(query, fields)).results.map((hit) => hit.title),
    async listed(fields = {}) {
      return (await walk(decisions, must(parseList(fields)))).map((decision) => decision.title);
    },
    rows(sql, ...params) {
      const db = new Database(file, { readonly: true });
      try {
        return db.prepare<unknown[], Record<string, unknown>>(sql).all(...params);
      } finally {
        db.close();
      }
    },
  };
}

export async function createIn(decisions: Decisions, fields: Record<string, unknown>): Promise<Created> {
  return must(await decisions.create(must(parseCreate({ rationale: 'Because.', ...fields })))).answer;
}

/** All pages of a list. */
export async function walk(decisions: Decisions, request: ListRequest): Promise<readonly Decision[]> {
  const all: Decision[] = [];
  let cursor: string | undefined;
  do {
    const page = must(await decisions.list({ ...request, ...(cursor === undefined ? {} : { cursor }) }));
    all.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

export function must<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`expected an answer, got ${JSON.stringify(result.failure)}`);
  return result.value;
}

export function refusal<Value>(result: Result<Value>): Failure {
  if (result.ok) throw new Error(`expected a failure, got ${JSON.stringify(result.value)}`);
  return result.failure;
}

/** `[place, type]` of every wrong field. */
export function problems<Value>(result: Result<Value>): readonly (readonly [string, string])[] {
  const failure = refusal(result);
  if (failure.code !== 'validation_error') throw new Error(`expected wrong fields, got ${failure.code}`);
  return failure.errors.map((error) => [error.loc.join('.'), error.type] as const);
}
