/**
 * Looks for decisions that the commits since they were recorded may have overtaken, and marks them STALE.
 *
 * It compares HEAD with each decision on its own, so it catches up over any number of commits, pulls and rebases, and
 * a second run finds nothing. It never makes a store, and outside a repository it does nothing.
 */
import { existsSync } from 'node:fs';
import { decisionLimits, scanLimits } from '../../base/limits.ts';
import type { Decision } from '../../memory/decisions/decision.ts';
import type { Decisions } from '../../memory/decisions/decisions.ts';
import { ok, type Result } from '../../memory/decisions/outcome.ts';
import { filesAgainst, type StaleMark, withDependents } from '../../memory/decisions/staleness.ts';
import type { Git } from '../git.ts';
import { type Changed, changedSince } from './changed-since.ts';

export interface ScanReport {
  /** The commit that was looked at, or null outside a repository and before the first commit. */
  readonly commit: string | null;
  /** Active decisions that were looked at. */
  readonly scanned: number;
  readonly marked: readonly StaleMark[];
}

export interface ScanPlace {
  readonly root: string;
  /** The database file. */
  readonly file: string;
  readonly decisions: Decisions;
  readonly git: Git;
}

export async function scanDecisions({ root, file, decisions, git }: ScanPlace): Promise<Result<ScanReport>> {
  const head = await git.headCommit(root);
  if (head === undefined || !existsSync(file)) return ok({ commit: head ?? null, scanned: 0, marked: [] });
  const everything = await listAll(decisions);
  if (!everything.ok) return everything;
  const active = everything.value.filter((decision) => decision.status === 'ACTIVE');
  const governing = active.filter((decision) => decision.files_affected.length > 0);
  const blobs = governing.length === 0 ? new Map<string, string>() : await git.blobsAt(root, head);
  const changedFor = changedSince(git, root, head);
  const direct: StaleMark[] = [];
  for (const decision of governing) {
    const fingerprints = await decisions.fingerprints(decision.id);
    if (!fingerprints.ok) return fingerprints;
    if (isUnchanged(decision, fingerprints.value, blobs)) continue;
    const changed = namesOf(await changedFor(decision), blobs);
    const against = filesAgainst(
      decision.files_affected,
      changed,
      fingerprints.value,
      (name) => blobs.get(name) ?? null,
    );
    if (against.length > 0) direct.push(markOf(decision, head, against));
  }
  const marks = withDependents(direct, active);
  if (marks.length === 0) return ok({ commit: head, scanned: active.length, marked: [] });
  const written = await decisions.markStale(marks);
  if (!written.ok) return written;
  const changed = new Set(written.value.map(({ id }) => id));
  return ok({ commit: head, scanned: active.length, marked: marks.filter(({ id }) => changed.has(id)) });
}

async function listAll(decisions: Decisions): Promise<Result<readonly Decision[]>> {
  const found: Decision[] = [];
  let cursor: string | undefined;
  do {
    const page = await decisions.list({ status: 'ACTIVE', limit: decisionLimits.pageSizeMax, cursor });
    if (!page.ok) return page;
    found.push(...page.value.items);
    cursor = page.value.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return ok(found);
}

/** The common case, settled without asking git about the anchor. */
function isUnchanged(
  decision: Decision,
  fingerprints: ReadonlyMap<string, string>,
  blobs: ReadonlyMap<string, string>,
): boolean {
  return decision.files_affected.every((file) => {
    const holds = fingerprints.get(file);
    return holds !== undefined && blobs.get(file) === holds;
  });
}

function namesOf(changed: Changed, blobs: ReadonlyMap<string, string>): readonly string[] {
  if (changed === 'nothing') return [];
  return changed === 'everything' ? [...blobs.keys()] : [...changed];
}

function markOf(decision: Decision, head: string, files: readonly string[]): StaleMark {
  const shown = files.slice(0, scanLimits.reasonFilesMax).join(', ');
  const more = files.length > scanLimits.reasonFilesMax ? ` and ${files.length - scanLimits.reasonFilesMax} more` : '';
  const reason = `commit ${head} changed ${shown}${more} since this decision was recorded`;
  return { id: decision.id, reason, triggeredBy: 'file_change' };
}
