/** Whether the list of documents that were added by hand can be read. */
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { counted } from '../../../base/numbers.ts';
import { type Check, fault, shellWord, well } from './finding.ts';

export const documents: Check = {
  name: 'documents',
  look(patient) {
    const read = patient.documents();
    if (read.ok) return well(`${counted(read.documents.length, 'document')} added by hand.`);
    const list = path.join(patient.root, '.neuralmind', 'documents.json');
    // Throws where the folder is closed to us, of which nothing follows for the list.
    lstatSync(list);
    const file = shellWord(list);
    return fault(
      read.message,
      `Put it aside with \`mv ${file} ${file}.damaged\` and add the documents again with \`mnemosyne documents add\`.`,
    );
  },
};
