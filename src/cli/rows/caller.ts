/**
 * How a command calls a row of the table: over `/v1` when the daemon of this home runs, in this process otherwise.
 *
 * It is decided anew for each call, and the answer is the same either way: what the route would send as its body. What
 * the daemon cannot be asked (it is gone after all, the request is too large for it, an id fits into no path) is
 * asked here; a store bears several processes. Nothing is tried twice that may have been carried out.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Project } from '../../engine/projects/projects.ts';
import type { Environment } from '../../server/home.ts';
import { callDaemon, liveDaemon } from './daemon.ts';
import type { DirectRows } from './direct.ts';
import { failureOf, type RowFailure } from './failure.ts';
import { rowNamed } from './row-source.ts';

export type RowAnswer =
  /** `body` is null where the route answers without one. */
  { readonly ok: true; readonly body: JsonValue } | { readonly ok: false; readonly failure: RowFailure };

export interface RowCaller {
  /** `project` is null for rows of the whole server. Throws ProcessError `unsafe_home`. */
  call(name: string, input: JsonObject, project: Project | null): Promise<RowAnswer>;
  /** Closes what was opened in this process. */
  close(): Promise<void>;
}

export interface RowCallerOptions {
  /** Whether a store that is opened here first catches up with the commits. On by default, as in the daemon. */
  readonly scanOnOpen?: boolean;
}

export function openRowCaller(env: Environment, options: RowCallerOptions = {}): RowCaller {
  let direct: DirectRows | undefined;
  return {
    async call(name, input, project) {
      const row = await rowNamed(name);
      // Checked here first, so that what is wrong with a call is told in the same words on both ways.
      const parsed = row.parse(input);
      if (!parsed.ok) return { ok: false, failure: failureOf(parsed.failure) };
      const daemon = liveDaemon(env);
      const answer = daemon === null ? null : await callDaemon(daemon, row, input, project);
      if (answer !== null) return answer;
      direct ??= (await import('./direct.ts')).openDirectRows(env, options);
      return direct.call(row, input, project);
    },
    async close() {
      await direct?.close();
    },
  };
}
