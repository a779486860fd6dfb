/** Whether the tables that questions are answered with are the ones that were shipped; the static table has its own check. */
import { pathToFileURL } from 'node:url';
import { readPackagedFile } from '../../../base/packaged-file.ts';
import { tokenTableFile } from '../../../retrieval/context/token-table.ts';
import { relatedWords } from '../../../retrieval/search/related-words.ts';
import { type Check, fault, well } from './finding.ts';
import { restoreCommand } from './install-command.ts';

export const packagedTables: Check = {
  name: 'packaged-tables',
  look({ packageRoot }) {
    const root = pathToFileURL(`${packageRoot}/`);
    const unusable = [relatedWords, tokenTableFile].flatMap((file) => {
      const content = readPackagedFile(file, root);
      return content.kind === 'whole' ? [] : [{ path: file.path, message: content.message }];
    });
    if (unusable.length === 0) return well('The table of tokens and the list of related words are whole.');
    const paths = unusable.map(({ path }) => path);
    return fault(
      `${unusable.map(({ message }) => message).join('; ')}.`,
      `Put ${paths.length === 1 ? 'it' : 'them'} back with ${restoreCommand(packageRoot, paths)}.`,
    );
  },
};
