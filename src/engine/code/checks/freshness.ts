/** Whether the index still says what the files say, by their contents. */
import { doctorLimits } from '../../../base/limits.ts';
import { counted } from '../../../base/numbers.ts';
import { freshnessOf } from '../../../retrieval/index/freshness.ts';
import { withDocuments } from '../../../retrieval/index/with-documents.ts';
import { buildCommand, type Check, fault, someOf, warning, well } from './finding.ts';

export const freshness: Check = {
  name: 'freshness',
  async look(patient) {
    const index = await patient.index();
    if (index.kind === 'missing') return well('There is no index that could be out of date.');
    if (index.kind !== 'usable') return warning('Not checked, because the index cannot be used as it is.', null);
    const scanned = await patient.scan();
    if (scanned.kind === 'refused') return warning('Not checked, because the files cannot be listed.', null);
    const documents = patient.documents();
    const byHand = documents.ok ? documents.documents.map((document) => document.path) : [];
    const files = withDocuments(scanned.root, scanned.files, byHand);
    const { changed, added, removed } = await freshnessOf(scanned.root, files, index.known);
    const stale = [...changed, ...added, ...removed];
    if (stale.length === 0) return well('The index says what the files say.');
    const parts = [`${changed.length} changed`, `${added.length} added`, `${removed.length} removed`];
    return fault(
      `The index is out of date: ${parts.join(', ')} (${someOf(stale, doctorLimits.namedMax)}).`,
      `Bring ${counted(stale.length, 'file')} up to date with ${buildCommand(patient.root)}.`,
    );
  },
};
