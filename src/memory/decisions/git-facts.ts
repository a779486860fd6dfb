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
}

/** A project outside version control. */
export const noGit: GitFacts = {
  headCommit: async () => null,
  allCommits: async () => null,
};
