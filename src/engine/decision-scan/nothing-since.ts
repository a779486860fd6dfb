/**
 * Which decisions were recorded with what the working tree holds: no commit of this repository came after them.
 *
 * It follows the anchors of `changed-since.ts` (the commit of the decision, else the newest commit before its last
 * change) with a few questions for any number of decisions. Where the whole history is younger than a decision, as in
 * a repository that it was brought into, the commits say nothing about it.
 */
import type { Git } from '../git.ts';
import type { Anchored } from './changed-since.ts';

export async function nothingSince(
  git: Git,
  root: string,
  decisions: readonly Anchored[],
): Promise<readonly boolean[]> {
  const head = await git.headCommit(root);
  const span = head === undefined ? undefined : await git.historySpan(root);
  if (head === undefined || span === undefined) return decisions.map(() => true);
  const commits = (await git.allCommits(root)) ?? new Set<string>();
  const ids = [...commits].sort();
  return decisions.map(({ commit_sha, updated_at }) => {
    const name = commit_sha.toLowerCase();
    const anchor = /^[0-9a-f]{4,64}$/.test(name) ? firstFrom(ids, name) : undefined;
    if (anchor?.startsWith(name) === true) return head.startsWith(name);
    const second = Math.floor(Date.parse(updated_at) / 1000);
    return second >= span.last || second < span.first;
  });
}

/** The first of the sorted `ids` that is not below `name`: the one that `name` shortens, if there is one. */
function firstFrom(ids: readonly string[], name: string): string | undefined {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? '') < name) low = middle + 1;
    else high = middle;
  }
  return ids[low];
}
