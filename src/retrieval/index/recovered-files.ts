/** Files that ended their thread or took too long once, and can be read now though they are as they were. */
import type { ScannedFile } from '../code/scan.ts';
import type { ChangedFile, Comparison, KnownFile } from './known-files.ts';
import type { ReadSources } from './read-changed.ts';

/**
 * Tries those that failed before and are not in the comparison anyway, and adds the ones that no longer do. What fails
 * again adds nothing, so a build that finds nothing else still writes nothing.
 */
export async function withRecovered(
  comparison: Comparison,
  files: readonly ScannedFile[],
  known: ReadonlyMap<string, KnownFile>,
  { pool, scanned, signal }: Omit<ReadSources, 'documents'>,
): Promise<Comparison> {
  const compared = new Set([
    ...comparison.changed.map(({ file }) => file.path),
    ...comparison.touched.map(({ now }) => now.path),
  ]);
  const failed = new Map<string, ChangedFile>();
  for (const file of files) {
    const before = known.get(file.path);
    const gaveUp = before?.skipReason === 'crashed' || before?.skipReason === 'timed-out';
    if (before === undefined || !gaveUp || compared.has(file.path)) continue;
    failed.set(file.path, { file, known: before, contentHash: null, bytes: null });
  }
  const recovered: ChangedFile[] = [];
  for await (const { path: file, outcome } of pool.parseAll(scanned.root, failed.keys(), signal)) {
    const change = failed.get(file);
    if (change !== undefined && outcome.kind !== 'failed') recovered.push(change);
  }
  if (recovered.length === 0) return comparison;
  return {
    ...comparison,
    changed: [...comparison.changed, ...recovered],
    same: comparison.same - recovered.length,
  };
}
