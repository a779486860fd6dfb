/** Runs rows in this process, over an engine that is opened for the command and closed after it. */
import { systemClock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Engine } from '../../engine/engine.ts';
import { openEngine } from '../../engine/open-engine.ts';
import type { Project } from '../../engine/projects/projects.ts';
import { createDispatcher } from '../../operations/dispatch.ts';
import type { Registry } from '../../operations/operation.ts';
import { daemonHome, type Environment, memoryRoot, userHome } from '../../server/home.ts';
import { type ApiOperation, bodyOf } from './api-operation.ts';
import type { RowAnswer, RowCallerOptions } from './caller.ts';
import { failureOf } from './failure.ts';

export interface DirectRows {
  call(row: ApiOperation, input: JsonObject, project: Project | null): Promise<RowAnswer>;
  close(): Promise<void>;
}

/** No command stands for a row that tells about other rows, or that has a gate: none is looked up here. */
const noOtherRows: Registry = { operations: [], tools: [], findTool: () => undefined };

export interface CommandEngine {
  readonly engine: Engine;
  close(): Promise<void>;
}

export function openCommandEngine(env: Environment, { scanOnOpen = true }: RowCallerOptions): CommandEngine {
  // What the store leaves on the disk is for this user alone, whoever opens it.
  const umask = process.umask(0o077);
  const engine = openEngine({
    memoryRoot: () => memoryRoot(env),
    clock: systemClock,
    notebookLog: { skipped: () => {}, lock: () => {} },
    userHome: userHome(env),
    daemonHome: daemonHome(env),
    scanOnOpen,
  });
  return {
    engine,
    async close() {
      await engine.close();
      process.umask(umask);
    },
  };
}

export function openDirectRows(env: Environment, options: RowCallerOptions): DirectRows {
  const { engine, close } = openCommandEngine(env, options);
  const dispatcher = createDispatcher(engine, noOtherRows, () => {});
  return {
    close,
    async call(row, input, project) {
      let exception: string | undefined;
      const result = await dispatcher.dispatch({
        operation: row,
        arguments: project === null ? input : { ...input, project_path: project.path },
        caller: { kind: 'cli', principal: 'cli' },
        signal: new AbortController().signal,
        onFault: (errorName) => {
          exception = errorName;
        },
      });
      if (result.ok) return { ok: true, body: bodyOf(row, result.value) };
      return { ok: false, failure: failureOf(result.failure, exception) };
    },
  };
}
