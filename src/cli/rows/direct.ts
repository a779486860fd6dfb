/** Runs rows in this process, over an engine that is opened for the command and closed after it. */
import { systemClock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import { openEngine } from '../../engine/open-engine.ts';
import type { Project } from '../../engine/projects/projects.ts';
import { createDispatcher } from '../../operations/dispatch.ts';
import type { Gates } from '../../operations/operation.ts';
import { createRegistry } from '../../operations/registry.ts';
import { daemonHome, type Environment, memoryRoot, userHome } from '../../server/home.ts';
import { type ApiOperation, bodyOf } from './api-operation.ts';
import type { RowAnswer, RowCallerOptions } from './caller.ts';
import { failureOf } from './failure.ts';

export interface DirectRows {
  call(row: ApiOperation, input: JsonObject, project: Project | null): Promise<RowAnswer>;
  close(): Promise<void>;
}

/** Commands stand for rows without a gate. */
const noGates: Gates = { remember: false, archive_restore: false, revise: false, forget: false };

export function openDirectRows(env: Environment, { scanOnOpen = true }: RowCallerOptions): DirectRows {
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
  const dispatcher = createDispatcher(engine, createRegistry(noGates), () => {});
  return {
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
    async close() {
      await engine.close();
      process.umask(umask);
    },
  };
}
