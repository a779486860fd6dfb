/** Runs modules as processes of their own, at the same time, from the checkout. Rejects when one fails. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { checkoutRoot } from '../source-files.ts';

const run = promisify(execFile);

export async function runModules(sources: readonly string[]): Promise<readonly string[]> {
  const args = (source: string) => ['--input-type=module-typescript', '--eval', source];
  const all = sources.map((source) => run(process.execPath, args(source), { cwd: checkoutRoot }));
  return (await Promise.all(all)).map(({ stdout }) => stdout);
}
