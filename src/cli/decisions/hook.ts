/**
 * `decisions hook install|uninstall`, and the scan that the hook runs.
 *
 * That scan prints nothing and always succeeds: it stands behind a commit, where nobody reads and nothing may fail. It
 * ends before anything is loaded when it is switched off or the project has no decisions, and never makes a store.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { errorCatalogue } from '../../base/errors.ts';
import { launcherPath } from '../../base/package-root.ts';
import { installPostCommitHook, removePostCommitHook } from '../../engine/decision-scan/post-commit-hook.ts';
import { git } from '../../engine/git.ts';
import { RowRefusal } from '../rows/failure.ts';
import { type CommandContext, type PerformOptions, perform } from '../rows/perform.ts';
import { locateProject } from '../rows/place.ts';
import { safeLine } from '../screen/text-width.ts';

export interface HookOptions extends PerformOptions {
  readonly project: string | undefined;
}

/** The hook runs this very program in the work tree that was committed to. */
export async function changeHook(context: CommandContext, install: boolean, options: HookOptions): Promise<void> {
  await perform(context, options, async ({ answer }) => {
    const project = await locateProject(context.env, options.project, context.folder);
    const outcome = install
      ? await installPostCommitHook(git, project.path, [process.execPath, launcherPath, 'decisions', 'scan', '--hook'])
      : await removePostCommitHook(git, project.path);
    switch (outcome.kind) {
      case 'no-repository':
        throw refusal('validation_error', `${project.path} is in no git repository, so there is no hook`);
      case 'refused':
        throw refusal('conflict', `${outcome.file} was left alone: ${outcome.why}`);
      default:
        answer({ hook: outcome.kind, file: outcome.file }, () => [
          words(outcome.kind, install, safeLine(outcome.file)),
        ]);
    }
  });
}

/** Always ends with exit code 0. */
export async function scanForHook(context: CommandContext, named: string | undefined): Promise<void> {
  const { env, folder } = context;
  if (env['NEURALMIND_DECISION_SCAN'] === '0') return;
  try {
    const project = await locateProject(env, named, folder);
    const store = path.join(project.path, '.neuralmind', 'memory.db');
    if (!existsSync(store)) return;
    const { openDirectRows } = await import('../rows/direct.ts');
    const { rowNamed } = await import('../rows/row-source.ts');
    const rows = openDirectRows(env, { scanOnOpen: false });
    try {
      await rows.call(await rowNamed('memories.scan'), { wait: true }, project);
    } finally {
      await rows.close();
    }
  } catch {
    // The next command on the store scans again, and says what is wrong then.
  }
}

function words(kind: 'installed' | 'updated' | 'unchanged' | 'removed', install: boolean, file: string): string {
  switch (kind) {
    case 'installed':
      return `Each commit is scanned for stale decisions now (${file}).`;
    case 'updated':
      return `The hook in ${file} was brought up to date.`;
    case 'unchanged':
      return install ? `The hook is there already (${file}).` : `There is no hook of ours in ${file}.`;
    case 'removed':
      return `The hook is gone from ${file}.`;
  }
}

function refusal(code: 'validation_error' | 'conflict', message: string): RowRefusal {
  return new RowRefusal({ code, message, status: errorCatalogue[code].http, details: {} });
}
