/** What decisions ask of version control. The engine answers; nothing here runs git. */
export interface GitFacts {
  /** The full id of HEAD, or null outside a repository and before the first commit. */
  headCommit(): Promise<string | null>;
  /** Every reachable commit, full ids, or null outside a repository. */
  allCommits(): Promise<ReadonlySet<string> | null>;
  /**
   * Blob ids of project-relative files as they are in the working tree; files that cannot be read are left out.
   * Without this method no fingerprints are kept, and no decision is spared when a commit touches its files.
   */
  blobIds?(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * For each decision, whether no commit can have changed its files since it was last known to hold here: it was
   * recorded at HEAD, or the whole history is younger than it. Without this method the answer is no.
   */
  nothingSince?(decisions: readonly Recorded[]): Promise<readonly boolean[]>;
}

/** When and where a decision was recorded. */
export interface Recorded {
  readonly commit_sha: string;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
}

/** A project outside version control. */
export const noGit: GitFacts = {
  headCommit: async () => null,
  allCommits: async () => null,
};
