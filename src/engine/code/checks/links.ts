/** Whether the `.neuralmind` folder or something in it is a link, as a repository can bring along. */
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { type Check, fault, shellWord, well } from './finding.ts';

const names = ['.neuralmind', '.neuralmind/memory.db', '.neuralmind/documents.json', '.neuralmind/audit_events.jsonl'];

/** The index itself is looked at by the check of the index. */
export const links: Check = {
  name: 'links',
  look({ root }) {
    const linked = names
      .map((name) => path.join(root, name))
      .find((file) => lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true);
    if (linked === undefined) return well('Nothing in .neuralmind is a link.');
    return fault(
      `${path.relative(root, linked)} is a link; what it leads to is neither read nor written.`,
      `Remove the link with \`rm ${shellWord(linked)}\`.`,
    );
  },
};
