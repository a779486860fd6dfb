/** Whether there is an index that this program can read. */
import path from 'node:path';
import { counted } from '../../../base/numbers.ts';
import { indexPath } from '../../../retrieval/index/index-file.ts';
import type { IndexExamination } from './examine-index.ts';
import { buildCommand, type Check, fault, type Patient, shellWord, type Verdict, warning, well } from './finding.ts';

export const indexState: Check = {
  name: 'index',
  async look(patient) {
    const index = await patient.index();
    const { root } = patient;
    const file = shellWord(indexPath(root));
    switch (index.kind) {
      case 'missing':
        return fault('There is no index of this project.', `Make one with ${buildCommand(root)}.`);
      case 'foreign':
        return fault(
          `${indexPath(root)} is no index: it belongs to another program.`,
          `Put it elsewhere and build with \`mv ${file} ${file}.other && mnemosyne build ${shellWord(root)}\`.`,
        );
      case 'other-version':
        return fault(
          'The index was made by another version of the program.',
          `Make it anew with ${buildCommand(root)}.`,
        );
      case 'link':
        return fault(
          `${index.path} is a link; what it leads to is neither read nor written.`,
          unlinked(patient, index.path),
        );
      case 'unreadable':
        return fault(
          `The index cannot be read (${index.code}).`,
          `Give it back to yourself with \`chmod u+rw ${file}\`.`,
        );
      case 'busy':
        return beingBuilt(root);
      case 'damaged':
      case 'foreign-log':
        return well('There is an index of this version; see below for its state.');
      case 'usable':
        return well(`${filesIn(index)}, built ${new Date(index.builtAtMs).toISOString().slice(0, 19)}Z.`);
    }
  },
};

/** What was read and left out is known to the index as well, and is no file of it. */
function filesIn({ known }: Extract<IndexExamination, { readonly kind: 'usable' }>): string {
  const leftOut = [...known.values()].filter((one) => one.id === null).length;
  const files = counted(known.size - leftOut, 'file');
  return leftOut === 0 ? files : `${files} (${leftOut} more left out when read)`;
}

export const indexPages: Check = {
  name: 'index-pages',
  async look(patient) {
    const index = await patient.index();
    const { root } = patient;
    const file = shellWord(indexPath(root));
    if (index.kind === 'damaged') {
      return fault(
        `The index is damaged: ${index.faults[0] ?? 'its pages contradict each other'}.`,
        `Remove it and build it anew with \`rm ${file} && mnemosyne build ${shellWord(root)}\`.`,
      );
    }
    if (index.kind === 'busy') return beingBuilt(root);
    if (index.kind === 'usable') {
      const { partsChecked, partsTotal } = index.content;
      const read = partsChecked === partsTotal ? 'all' : `${partsChecked} of ${partsTotal}`;
      return well(`The pages of the index are in order; ${read} parts were read and can be used.`);
    }
    return index.kind === 'missing' ? well('There are no pages to check.') : notChecked();
  },
};

/** `kind` of the index says the rest: the check of the index itself names the cure. */
function notChecked(): Verdict {
  return warning('Not checked, because the index cannot be used as it is.', null);
}

export function beingBuilt(root: string): Verdict {
  return warning(
    'Not checked, because another process is writing the index.',
    `Look again when it is done with \`mnemosyne doctor ${shellWord(root)}\`.`,
  );
}

function unlinked({ root }: Patient, link: string): string {
  const name = path.basename(link) === '.neuralmind' ? 'the folder' : 'the index';
  return `Remove the link and make ${name} anew with \`rm ${shellWord(link)} && mnemosyne build ${shellWord(root)}\`.`;
}
