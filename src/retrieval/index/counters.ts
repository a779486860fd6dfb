/** Single facts of an index: counters and when it was built. */
import type Database from 'better-sqlite3';

export interface BuildFacts {
  /** Grows with every build that changed something. */
  readonly generation: number;
  /** The first chunk number that no file has had. Chunk 0 is never used. */
  readonly nextChunk: number;
  readonly nextSegment: number;
  /** Of the files that say how modules map to files. */
  readonly configHash: string;
  /** When the last build that changed something ended, in ms since 1970; 0 before the first. */
  readonly builtAtMs: number;
  /** The commit that was checked out then, or empty. */
  readonly commit: string;
  readonly durationMs: number;
}

const names: Readonly<Record<keyof BuildFacts, string>> = {
  generation: 'generation',
  nextChunk: 'next_chunk',
  nextSegment: 'next_segment',
  configHash: 'config_hash',
  builtAtMs: 'built_at_ms',
  commit: 'commit',
  durationMs: 'duration_ms',
};

export function readBuildFacts(db: Database.Database): BuildFacts {
  const rows = db.prepare<[], { key: string; value: unknown }>('SELECT key, value FROM meta').all();
  const values = new Map(rows.map(({ key, value }) => [key, value]));
  const number = (key: keyof BuildFacts, otherwise: number): number => {
    const value = values.get(names[key]);
    return typeof value === 'number' ? value : otherwise;
  };
  const text = (key: keyof BuildFacts): string => {
    const value = values.get(names[key]);
    return typeof value === 'string' ? value : '';
  };
  return {
    generation: number('generation', 0),
    nextChunk: number('nextChunk', 1),
    nextSegment: number('nextSegment', 1),
    configHash: text('configHash'),
    builtAtMs: number('builtAtMs', 0),
    commit: text('commit'),
    durationMs: number('durationMs', 0),
  };
}

export function writeBuildFacts(db: Database.Database, facts: BuildFacts): void {
  const put = db.prepare(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  put.run(names.generation, facts.generation);
  put.run(names.nextChunk, facts.nextChunk);
  put.run(names.nextSegment, facts.nextSegment);
  put.run(names.configHash, facts.configHash);
  put.run(names.builtAtMs, facts.builtAtMs);
  put.run(names.commit, facts.commit);
  put.run(names.durationMs, facts.durationMs);
}
