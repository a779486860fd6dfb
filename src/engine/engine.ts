/** Opens what the product remembers, and closes it in reverse. Rows of the table reach memory through this alone. */
import type { Clock } from '../base/clock.ts';
import type { Decisions } from '../memory/decisions/decisions.ts';
import type { Result } from '../memory/decisions/outcome.ts';
import type { Notebook } from '../memory/notebook/notebook.ts';
import type { CodeMind } from './code/code-mind.ts';
import type { ScanReport } from './decision-scan/scan.ts';
import type { Jobs } from './jobs.ts';
import type { Project, Projects } from './projects/projects.ts';

export interface Engine {
  readonly clock: Clock;
  readonly notebook: Notebook;
  readonly projects: Projects;
  readonly jobs: Jobs;
  readonly daemon: DaemonFacts;
  /**
   * The decisions of `project`, caught up with the HEAD of its repository unless `catchUp` is false. Makes no file until
   * something is written.
   */
  decisions(project: Project, options?: { readonly catchUp: boolean }): Promise<Decisions>;
  /** Whether this process has the decisions of `project` open. */
  isWarm(project: Project): boolean;
  /** The code of `project`: its index, which is made by the first question or by a build, and what it answers. */
  code(project: Project): CodeMind;
  /** Whether the code of `project` is indexed. Looks only at whether there is an index. */
  isBuilt(project: Project): boolean;
  /** Marks decisions STALE that the commits since they were recorded have overtaken. */
  scanDecisions(project: Project): Promise<Result<ScanReport>>;
  /** Waits for running writes and jobs. Idempotent. */
  close(): Promise<void>;
}

/** The process that serves. */
export interface DaemonFacts {
  readonly mode: 'loopback';
  readonly version: string;
  readonly startedAt: Date;
  /** Asks the process to end after the calls in flight; null where nobody listens for that. */
  readonly shutdown: (() => void) | null;
}
