/** Whether the log of what answers took can be read. */
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { counted } from '../../../base/numbers.ts';
import { readUsage, usageLogName } from '../../../retrieval/context/usage-log.ts';
import { type Check, fault, shellWord, warning, well } from './finding.ts';

export const usageLog: Check = {
  name: 'usage-log',
  look({ root }) {
    const folder = path.join(root, '.neuralmind');
    const log = readUsage(folder);
    const file = shellWord(path.join(folder, usageLogName));
    const putAside = `\`mv ${file} ${file}.damaged\``;
    if (log.kind === 'unreadable') {
      // Throws where the folder is closed to us, of which nothing follows for the log.
      lstatSync(path.join(folder, usageLogName));
      return fault(`The usage log cannot be used: ${log.fault}.`, `Put it aside and begin a new one with ${putAside}.`);
    }
    if (log.skipped > 0) {
      return warning(
        `${counted(log.skipped, 'line')} of the usage log cannot be read; savings leave them out.`,
        `Put the log aside and begin a new one with ${putAside}.`,
      );
    }
    return well(`${counted(log.events.length, 'answer')} in the usage log.`);
  },
};
