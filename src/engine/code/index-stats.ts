/** Numbers about a built index. */
import { statSync } from 'node:fs';
import { codeMindLimits } from '../../base/limits.ts';
import { staticModel } from '../../retrieval/embeddings/static-table.ts';
import { indexPath } from '../../retrieval/index/index-file.ts';
import type { IndexView } from '../../retrieval/index/index-reader.ts';
import type { StatsAnswer } from './answers.ts';

type Built = Extract<StatsAnswer, { readonly built: true }>;

export function statsOf(
  { db, facts, search }: IndexView,
  root: string,
): Omit<Built, 'project_id' | 'project' | 'freshness'> {
  const count = (query: string): number => db.prepare<[], number>(query).pluck().get() ?? 0;
  const files = [...search.files.values()];
  const skipped = db
    .prepare<[], { path: string; reason: string }>(
      'SELECT path, reason FROM skipped UNION ALL SELECT path, reason FROM unread ORDER BY path',
    )
    .all();
  const file = indexPath(root);
  return {
    built: true,
    nodes: count('SELECT COUNT(*) FROM node'),
    edges: count('SELECT COUNT(*) FROM edge'),
    communities: new Set(files.map((one) => one.community)).size,
    files: files.length,
    // Of the files, as a wake-up counts them: what lies outside the project is a node and no symbol of it.
    symbols: files.reduce((sum, one) => sum + one.symbols, 0),
    lines: files.reduce((sum, one) => sum + one.lines, 0),
    tokens: files.reduce((sum, one) => sum + one.tokens, 0),
    languages: countsOf(files.map((one) => one.language)),
    text_only: countsOf(db.prepare<[], string>('SELECT text_only FROM file WHERE text_only IS NOT NULL').pluck().all()),
    skipped: countsOf(skipped.map((one) => one.reason)),
    skipped_files: skipped.slice(0, codeMindLimits.skippedFilesMax),
    unresolved: count('SELECT COALESCE(SUM(count), 0) FROM unresolved'),
    embedder: staticModel.id,
    db_path: file,
    db_bytes: statSync(file).size,
    build_stats: {
      built_at: new Date(facts.builtAtMs).toISOString(),
      duration_seconds: Math.round(facts.durationMs) / 1000,
      commit: facts.commit,
      generation: facts.generation,
    },
  };
}

/** How often each word occurs, the most frequent first. */
function countsOf(words: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Object.fromEntries([...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)));
}
