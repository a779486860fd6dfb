/** Whether the static table is there and is the one its header describes. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { counted } from '../../../base/numbers.ts';
import { loadStaticTable } from '../../../retrieval/embeddings/static-table.ts';
import { type Check, fault, shellWord, well } from './finding.ts';
import { installCommand } from './install-command.ts';

export const staticTable: Check = {
  name: 'static-table',
  async look({ packageRoot }) {
    const folder = path.join(packageRoot, 'assets', 'static-table');
    const outcome = await loadStaticTable(pathToFileURL(`${folder}/`));
    if (outcome.kind === 'loaded') return well(`The static table holds ${counted(outcome.table.rows.size, 'piece')}.`);
    // In a checkout the table is one of its files, which installing packages does not bring back.
    const isCheckout = existsSync(path.join(packageRoot, '.git'));
    const command = isCheckout
      ? `\`git -C ${shellWord(packageRoot)} checkout -- assets/static-table\``
      : installCommand(packageRoot);
    return fault(outcome.message, `Put the static table back with ${command}.`);
  },
};
