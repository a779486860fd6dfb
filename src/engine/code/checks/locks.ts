/** Locks of the `.neuralmind` folder whose process is gone. */
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { readPrivateFile } from '../../../base/private-file.ts';
import { isRunning } from '../../../base/process-identity.ts';
import { type Check, fault, shellWord, well } from './finding.ts';

const holderSchema = z.object({ pid: z.number(), begun: z.string() });
const names = ['index.lock', 'index.lock.break', 'documents.json.lock', 'documents.json.lock.break'];

export const locks: Check = {
  name: 'locks',
  look({ root }) {
    const files = names.map((name) => path.join(root, '.neuralmind', name));
    const left = files.filter((file) => stateOfLock(file) === 'left-over');
    if (left.length > 0) {
      return fault(
        `${left.map((file) => path.basename(file)).join(' and ')} was left by a process that is gone.`,
        `Remove it with \`rm ${left.map(shellWord).join(' ')}\`.`,
      );
    }
    const isHeld = files.some((file) => stateOfLock(file) === 'held');
    return well(isHeld ? 'A process is at work and holds its lock.' : 'No lock is held.');
  },
};

function stateOfLock(file: string): 'free' | 'held' | 'left-over' {
  const found = readPrivateFile(file);
  if (found.kind === 'missing') return 'free';
  // Throws where the folder is closed to us, of which nothing follows for the lock.
  if (found.kind === 'unsafe') lstatSync(file);
  const holder = found.kind === 'text' ? holderSchema.safeParse(parsed(found.text)) : null;
  return holder?.success === true && isRunning(holder.data) ? 'held' : 'left-over';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A lock is made whole, so this is none of a living process.
    return null;
  }
}
