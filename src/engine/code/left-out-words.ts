/** What was left out of an index, in words. */
import { leftOutLimits } from '../../base/limits.ts';

interface LeftOut {
  readonly path?: string;
  readonly reason: string;
}

/** Why there is nothing to index, counted by reason: `3 unknown-language, 1 excluded-folder (dist/)`. */
export function leftOutWords(skipped: readonly LeftOut[]): string {
  if (skipped.length === 0) return 'the folder is empty';
  const reasons = new Map<string, LeftOut[]>();
  for (const one of skipped) reasons.set(one.reason, [...(reasons.get(one.reason) ?? []), one]);
  return [...reasons]
    .map(([reason, all]) => {
      const folders = leftOutFolders(all);
      return `${all.length} ${reason}${folders === null ? '' : ` (${folders})`}`;
    })
    .join(', ');
}

/** `build/, dist/, out/ and 4 more`: whole folders, without those that tools hide; null for none. */
export function leftOutFolders(skipped: readonly LeftOut[]): string | null {
  const folders = skipped.flatMap(({ path }) => (path?.endsWith('/') === true && !/(^|\/)\./.test(path) ? [path] : []));
  if (folders.length === 0) return null;
  const { foldersNamedMax } = leftOutLimits;
  const named = folders.slice(0, foldersNamedMax).join(', ');
  return folders.length > foldersNamedMax ? `${named} and ${folders.length - foldersNamedMax} more` : named;
}
