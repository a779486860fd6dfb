/** Whether the list of documents that were added by hand can be read. */
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { counted } from '../../../base/numbers.ts';
import { withDocuments } from '../../../retrieval/index/with-documents.ts';
import { type Check, fault, shellWord, well } from './finding.ts';

export const documents: Check = {
  name: 'documents',
  look(patient) {
    const read = patient.documents();
    if (read.ok) {
      const there = withDocuments(
        patient.root,
        [],
        read.documents.map((document) => document.path),
      ).length;
      const gone = read.documents.length - there;
      const rest = gone === 0 ? '' : `, ${gone} more gone`;
      return well(`${counted(there, 'document')} added by hand${rest}.`);
    }
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
