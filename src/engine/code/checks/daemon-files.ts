/** The daemon home and the file that says where the daemon listens. */
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { isOwn, readPrivateFile } from '../../../base/private-file.ts';
import { isRunning } from '../../../base/process-identity.ts';
import { type Check, fault, shellWord, warning, well } from './finding.ts';

export const daemonHomeAccess: Check = {
  name: 'daemon-home',
  look({ daemonHome: home }) {
    const found = lstatSync(home, { throwIfNoEntry: false });
    const word = shellWord(home);
    if (found === undefined) return well('There is no daemon home yet.');
    if (!found.isDirectory()) {
      return fault(
        `${home} is a link or no folder, so the daemon refuses it.`,
        `Put it elsewhere with \`mv ${word} ${word}.other\`.`,
      );
    }
    if (!isOwn(found)) {
      return fault(`${home} belongs to another user.`, `Take it with \`sudo chown -R "$(id -u):$(id -g)" ${word}\`.`);
    }
    if ((found.mode & 0o700) !== 0o700 || (found.mode & 0o022) !== 0) {
      return fault(
        `${home} is not this user's alone, so the daemon refuses it.`,
        `Close it to others with \`chmod 700 ${word}\`.`,
      );
    }
    if ((found.mode & 0o055) !== 0) {
      return warning(`${home} can be listed by others.`, `Close it to them with \`chmod 700 ${word}\`.`);
    }
    return well("The daemon home is this user's alone.");
  },
};

/** As much of the discovery file as says whether its process lives. */
const discoverySchema = z.object({ pid: z.int().positive(), process_begun: z.string() });

export const daemon: Check = {
  name: 'daemon',
  look({ daemonHome }) {
    const place = path.join(daemonHome, 'daemon.json');
    const word = shellWord(place);
    const file = readPrivateFile(place);
    if (file.kind === 'missing') return well('No daemon runs, and none left anything behind.');
    if (file.kind === 'unsafe')
      return fault(`${place} ${file.fault}.`, `Close it to others with \`chmod 600 ${word}\`.`);
    const discovery = discoverySchema.safeParse(parsed(file.text));
    if (!discovery.success) return fault(`${place} is not understood.`, `Remove it with \`rm ${word}\`.`);
    const { pid, process_begun: begun } = discovery.data;
    if (isRunning({ pid, begun })) return well(`The daemon runs as process ${pid}.`);
    return fault(
      `${place} names a daemon, process ${pid}, that is gone without a word.`,
      'Start it again with `mnemosyne daemon start`.',
    );
  },
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON is not understood either; the schema says so.
    return undefined;
  }
}
