/** `mnemosyne doctor`: looks for faults of a project's index and names their cures. Changes nothing. */
import path from 'node:path';
import type { Command } from 'commander';
import { diagnose } from '../../engine/code/doctor.ts';
import { daemonHome, memoryRoot, userHome } from '../../server/home.ts';
import { asJson } from '../rows/api-operation.ts';
import { RowRefusal } from '../rows/failure.ts';
import { type CommandContext, perform } from '../rows/perform.ts';
import { locateProject } from '../rows/place.ts';
import { withProjectArgument } from './commands.ts';
import { doctorExitCode, doctorLines } from './doctor.ts';

export function addDoctor(command: Command, context: CommandContext): void {
  withProjectArgument(command).option('--json', 'print JSON');
  command.action(async () => {
    await perform(context, { json: command.opts()['json'] === true }, async ({ answer, screen }) => {
      const { env } = context;
      const root = await folderToLookAt(context, command.args[0]);
      const findings = await diagnose(root, {
        daemonHome: daemonHome(env),
        userHome: userHome(env),
        memoryRoot: memoryRoot(env),
      });
      answer(asJson({ path: root, findings }), () => doctorLines(findings, screen));
      context.finish(doctorExitCode(findings));
    });
  });
}

/** A folder that can be no project is looked at all the same: that is a finding. */
async function folderToLookAt({ env, folder }: CommandContext, named: string | undefined): Promise<string> {
  try {
    return (await locateProject(env, named, folder)).path;
  } catch (error) {
    if (!(error instanceof RowRefusal) || error.failure.code !== 'validation_error') throw error;
    return path.resolve(folder, named ?? '');
  }
}
