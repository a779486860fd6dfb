/** Whether there is anything to index, and what keeps it away when there is not. */
import { counted } from '../../../base/numbers.ts';
import { languageOfPath } from '../../../retrieval/code/classify-file.ts';
import { withDocuments } from '../../../retrieval/index/with-documents.ts';
import { leftOutWords } from '../left-out-words.ts';
import { buildCommand, type Check, fault, type Patient, warning, well } from './finding.ts';
import { ignoringRule } from './ignoring-rule.ts';

export const indexableFiles: Check = {
  name: 'files',
  async look(patient) {
    const scanned = await patient.scan();
    if (scanned.kind === 'refused') return warning('Not checked, because the files cannot be listed.', null);
    const documents = patient.documents();
    const byHand = documents.ok ? documents.documents.map((document) => document.path) : [];
    const leftOut = await leftOutWhenRead(patient);
    const files = withDocuments(scanned.root, scanned.files, byHand);
    const count = files.filter((file) => !leftOut.has(file.path)).length;
    if (count > 0) return well(`${counted(count, 'file')} of this project can be indexed.`);
    const build = buildCommand(patient.root);
    const ignored = scanned.skipped.filter(({ path, reason }) => reason === 'ignored' && couldBeIndexed(path));
    const [first] = ignored;
    if (first === undefined) {
      return fault(
        `No file of this project can be indexed: ${leftOutWords([...scanned.skipped, ...leftOut.values()])}.`,
        `Add source code and run ${build}.`,
      );
    }
    const rule = await ignoringRule(scanned.root, first.path);
    if (rule === null) {
      return fault(
        `No file of this project can be indexed: ${counted(ignored.length, 'path')} ignored, such as ${first.path}.`,
        `Find the rule with \`git check-ignore -v ${first.path}\`, take it out, and run ${build}.`,
      );
    }
    const { pattern, file, line } = rule;
    return fault(
      `No file of this project can be indexed: the rule \`${pattern}\` in line ${line} of ${file} ignores ${first.path}.`,
      `Take line ${line} out of ${file} and run ${build}.`,
    );
  },
};

/** By path. Of these the build learned from their content that they cannot be indexed. */
async function leftOutWhenRead(patient: Patient): Promise<ReadonlyMap<string, { readonly reason: string }>> {
  const index = await patient.index();
  if (index.kind !== 'usable') return new Map();
  return new Map(
    [...index.known].flatMap(([path, { skipReason: reason }]) => (reason === null ? [] : [[path, { reason }]])),
  );
}

/** Whether a path would be looked at if no rule kept it away. */
function couldBeIndexed(path: string): boolean {
  const isHidden = path.split('/').some((part, at, parts) => part.startsWith('.') && at < parts.length - 1);
  return !isHidden && (path.endsWith('/') || languageOfPath(path) !== null);
}
