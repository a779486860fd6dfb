/** Why a file has no outline: what the index says of it, and whether it is there at all. */
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from '../../base/private-file.ts';
import type { SkipReason } from '../../retrieval/code/scan.ts';
import type { IndexView } from '../../retrieval/index/index-reader.ts';
import type { ReadSkip } from '../../retrieval/index/known-files.ts';
import { nearFiles } from './near-names.ts';

/** `given` is from the root with `/`, as the index names files. A sentence without its subject. */
export function absenceWords(db: IndexView['db'], root: string, given: string): string {
  if (given === '..' || given.startsWith('../') || path.isAbsolute(given)) return 'lies outside the project';
  const skipped = skippedAs(db, given);
  if (skipped !== null) {
    const { reason, folder } = skipped;
    const what = folder === null ? 'is left out of the index' : `lies in ${folder}, which is left out of the index`;
    return `${what} (${reason}): ${reasonWords[reason] ?? 'it could not be read'}`;
  }
  const words = thereWords(path.join(root, given));
  const near = words === noFile ? nearFiles(db, given) : [];
  return near.length === 0 ? words : `${words}; did you mean ${near.join(', ')}?`;
}

/** The row of the file, or of the nearest folder around it. */
function skippedAs(
  db: IndexView['db'],
  file: string,
): { readonly reason: string; readonly folder: string | null } | null {
  const reasonOf = db
    .prepare<[string, string], string>(
      'SELECT reason FROM skipped WHERE path = ? UNION ALL SELECT reason FROM unread WHERE path = ?',
    )
    .pluck();
  const own = reasonOf.get(file, file);
  if (own !== undefined) return { reason: own, folder: null };
  for (let at = file.length; at > 0; at = file.lastIndexOf('/', at - 1)) {
    const folder = `${file.slice(0, at)}/`;
    const reason = reasonOf.get(folder, folder);
    if (reason !== undefined) return { reason, folder };
  }
  return null;
}

function thereWords(file: string): string {
  // No file can be called so, and the system is not even asked.
  if (file.includes('\u0000')) return noFile;
  try {
    return lstatSync(file).isDirectory()
      ? 'is a folder; name a file in it'
      : 'is not in the index yet; catch up with: mnemosyne build';
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(errno) ? noFile : `cannot be looked at (${errno})`;
  }
}

const noFile = 'there is no such file';

const reasons: Readonly<Record<SkipReason | ReadSkip, string>> = {
  ignored: 'an ignore rule names it',
  'excluded-folder':
    'hidden folders and those that tools write are not read; mnemosyne documents add takes a file of one',
  'own-data': 'Mnemosyne keeps its own data there',
  link: 'it is a link, and links are not followed',
  'link-out-of-project': 'it is a link that leads out of the project',
  'not-a-file': 'it is no regular file',
  'too-large': 'it is larger than what is indexed',
  'unknown-language': 'its name belongs to no language that is read',
  unreadable: 'it could not be read',
  binary: 'it is not text',
  'timed-out': 'reading it took too long',
  crashed: 'reading it failed',
  unsupported: 'text in this form is not read',
  encrypted: 'it wants a password',
  damaged: 'it is damaged',
  empty: 'there is no text in it',
  'gave-up': 'reading it took too long',
};
/** Of an index that another version wrote, any word may come. */
const reasonWords: Readonly<Record<string, string | undefined>> = reasons;
