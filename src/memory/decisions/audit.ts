/**
 * Reports active decisions that may no longer hold. A report only: no status is changed.
 *
 * Age: not changed for 90 days. Orphaned: recorded at no commit, or at one that the repository does not have. Outside
 * a repository nothing is orphaned and the report says that it could not look.
 */
import { decisionLimits } from '../../base/limits.ts';
import type { Decision } from './decision.ts';
import { toView } from './decision.ts';
import { filtersOf } from './filters.ts';
import { daysBefore, type Instant } from './instant.ts';
import { listAll } from './list.ts';
import type { AuditRequest } from './parse-read.ts';
import type { View } from './view.ts';

export type AuditReason = 'age' | 'orphaned';

export interface AuditReport {
  readonly items: readonly { readonly memory: Decision; readonly reasons: readonly AuditReason[] }[];
  readonly checked: readonly AuditReason[];
  /** Active decisions that were looked at. */
  readonly active: number;
}

/** `commits` are the full ids of the repository, or null outside one. Both checks run when none is chosen. */
export function audit(
  view: View,
  request: AuditRequest,
  now: Instant,
  commits: ReadonlySet<string> | null,
): AuditReport {
  const both = request.age !== true && request.orphaned !== true;
  const checkAge = both || request.age === true;
  const known = both || request.orphaned === true ? commits : null;
  const oldest = daysBefore(now, decisionLimits.auditAgeDays);
  const sorted = known === null ? [] : [...known].sort();
  const active = listAll(view, filtersOf({ status: 'ACTIVE' }, [], 'ACTIVE'));
  const items = active.flatMap((decision) => {
    const reasons: AuditReason[] = [];
    if (checkAge && decision.updated_at < oldest) reasons.push('age');
    if (known !== null && !isKnown(decision.commit_sha.toLowerCase(), known, sorted)) reasons.push('orphaned');
    return reasons.length === 0 ? [] : [{ memory: toView(decision, view.today), reasons }];
  });
  const checked: AuditReason[] = [];
  if (checkAge) checked.push('age');
  if (known !== null) checked.push('orphaned');
  return { items, checked, active: active.length };
}

/** A shortened id of at least seven characters stands for the commit that begins with it. */
function isKnown(commit: string, known: ReadonlySet<string>, sorted: readonly string[]): boolean {
  if (known.has(commit)) return true;
  if (commit.length < 7) return false;
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < commit) low = middle + 1;
    else high = middle;
  }
  return sorted[low]?.startsWith(commit) ?? false;
}
