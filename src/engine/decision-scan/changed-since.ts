/**
 * Which files of a repository count as changed for a decision that was recorded at some commit.
 *
 * Commits are compared by what they hold, never by their ids, so a rebase or a pull that brings the same content
 * changes nothing. A file counts when HEAD holds it differently than the anchor of the decision, and when that
 * happened on the side of HEAD: what another branch did to it before it was left does not count.
 *
 *   anchor ──┬── (the branch that was left)
 *   base  ───┘── … ── HEAD        changed: in anchor→HEAD and in base→HEAD
 *
 * A decision without a usable anchor was last known to hold at its last change; the newest commit before that moment
 * takes the anchor's place. Before the first commit there was nothing, so everything has changed since.
 */
import type { Git } from '../git.ts';

export interface Anchored {
  readonly commit_sha: string;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
}

/** `everything` stands for all files of HEAD. */
export type Changed = 'nothing' | 'everything' | ReadonlySet<string>;

/** Asks git once for each anchor. */
export function changedSince(git: Git, root: string, head: string): (decision: Anchored) => Promise<Changed> {
  const anchors = new Map<string, Promise<string | undefined>>();
  const changes = new Map<string, Promise<Changed>>();

  const anchorOf = ({ commit_sha, updated_at }: Anchored): Promise<string | undefined> => {
    const second = `${updated_at.slice(0, 19)}Z`;
    return once(anchors, `${commit_sha} ${second}`, async () => {
      return (await git.commitOf(root, commit_sha)) ?? (await git.commitBefore(root, second));
    });
  };

  const from = (anchor: string): Promise<Changed> =>
    once(changes, anchor, async () => {
      if (anchor === head) return 'nothing';
      const differing = await git.changedBetween(root, anchor, head);
      const base = await git.mergeBase(root, anchor, head);
      if (base === undefined || base === anchor) return new Set(differing);
      const ours = new Set(await git.changedBetween(root, base, head));
      return new Set(differing.filter((file) => ours.has(file)));
    });

  return async (decision) => {
    const anchor = await anchorOf(decision);
    return anchor === undefined ? 'everything' : from(anchor);
  };
}

function once<Value>(known: Map<string, Promise<Value>>, key: string, ask: () => Promise<Value>): Promise<Value> {
  const asked = known.get(key) ?? ask();
  known.set(key, asked);
  return asked;
}
