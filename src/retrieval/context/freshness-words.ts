/** One line about an index that is behind its files. Said once in an answer, and never when there is nothing to say. */
import { contextLimits } from '../../base/limits.ts';
import { counted } from '../../base/numbers.ts';
import { oneLine } from './one-line.ts';

export interface Freshness {
  readonly state: 'fresh' | 'stale';
  /** Paths of files with another content than was indexed. */
  readonly changed: readonly string[];
  /** Paths of indexed files that are gone. */
  readonly missing: readonly string[];
  /** Paths of files that were never indexed. */
  readonly added: readonly string[];
  /** `YYYY-MM-DDTHH:MM:SSZ`, or null when it was never built. */
  readonly indexedAt: string | null;
}

/** The line, or null for a fresh index. Example: `Index is stale since …: 2 files changed (a.ts, b.ts), 1 added (c.ts)`. */
export function freshnessLine(freshness: Freshness): string | null {
  if (freshness.state === 'fresh') return null;
  const parts = [
    part(freshness.changed, 'changed'),
    part(freshness.missing, 'deleted'),
    part(freshness.added, 'added'),
  ].filter((words) => words !== '');
  const age = freshness.indexedAt === null ? '' : ` (built ${oneLine(freshness.indexedAt, 40)})`;
  const detail = parts.length === 0 ? '' : `: ${parts.join(', ')}`;
  return `Index is stale${age}${detail}. Lines may have moved; build it again to be sure.`;
}

function part(paths: readonly string[], verb: string): string {
  if (paths.length === 0) return '';
  const names = paths
    .slice(0, contextLimits.staleNamesMax)
    .map((path) => oneLine(path.slice(path.lastIndexOf('/') + 1), contextLimits.staleNameCharsMax));
  const more = paths.length > names.length ? ', …' : '';
  return `${counted(paths.length, 'file')} ${verb} (${names.join(', ')}${more})`;
}
