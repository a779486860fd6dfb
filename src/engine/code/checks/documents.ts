/** Whether the list of documents that were added by hand can be read. */
import path from 'node:path';
import { type Check, counted, fault, shellWord, well } from './finding.ts';

export const documents: Check = {
  name: 'documents',
  look(patient) {
    const read = patient.documents();
    if (read.ok) return well(`${counted(read.documents.length, 'document')} added by hand.`);
    const file = shellWord(path.join(patient.root, '.neuralmind', 'documents.json'));
    return fault(
      read.message,
      `Put it aside with \`mv ${file} ${file}.damaged\` and add the documents again with \`mnemosyne documents add\`.`,
    );
  },
};
