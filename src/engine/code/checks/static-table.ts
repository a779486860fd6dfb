/** Whether the static table is there and is the one its header describes. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { counted } from '../../../base/numbers.ts';
import { loadStaticTable } from '../../../retrieval/embeddings/static-table.ts';
import { type Check, fault, well } from './finding.ts';
import { restoreCommand } from './install-command.ts';

export const staticTable: Check = {
  name: 'static-table',
  async look({ packageRoot }) {
    const folder = path.join(packageRoot, 'assets', 'static-table');
    const outcome = await loadStaticTable(pathToFileURL(`${folder}/`));
    if (outcome.kind === 'loaded') return well(`The static table holds ${counted(outcome.table.rows.size, 'piece')}.`);
    const command = restoreCommand(packageRoot, ['assets/static-table']);
    return fault(outcome.message, `Put the static table back with ${command}.`);
  },
};
