/** What git says of the contents of files now: the fingerprints that decisions are written with. */
import type { GitFacts } from './git-facts.ts';
import type { ImportSet } from './import.ts';

/** Path to blob id; null where no fingerprints are kept. */
export async function blobsOf(git: GitFacts, files: readonly string[]): Promise<ReadonlyMap<string, string> | null> {
  if (git.blobIds === undefined) return null;
  return files.length === 0 ? new Map() : git.blobIds(files);
}

/**
 * Fingerprints by decision, for decisions that come in without any: where no commit came since, the working tree holds
 * what they were recorded with, as if they had been recorded now. All others are left to be compared with their commit.
 */
export async function blobsOfIncoming(
  git: GitFacts,
  { incoming }: ImportSet,
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const bare = incoming.flatMap(({ decision, fingerprints }) => {
    const counts = fingerprints === null && decision.status === 'ACTIVE' && decision.files_affected.length > 0;
    return counts ? [decision] : [];
  });
  if (bare.length === 0) return new Map();
  const nothing = (await git.nothingSince?.(bare)) ?? [];
  const current = bare.filter((_decision, index) => nothing[index] === true);
  const blobs = await blobsOf(git, [...new Set(current.flatMap((decision) => decision.files_affected))]);
  return new Map(blobs === null ? [] : current.map((decision) => [decision.id, blobs]));
}
