/** Single facts of an index: counters and when it was built. */
import type Database from 'better-sqlite3';
import { indexLimits } from '../../base/limits.ts';
import { placeBytes } from './codec.ts';
import { DamagedIndex } from './damaged-index.ts';

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

/** Throws `DamagedIndex` where some are lost or say what no build can have counted. */
export function readBuildFacts(db: Database.Database): BuildFacts {
  const rows = db.prepare<[], { key: string; value: unknown }>('SELECT key, value FROM meta').all();
  const values = new Map(rows.map(({ key, value }) => [key, value]));
  // A build writes all of them at its end.
  if (Object.values(names).every((name) => !values.has(name))) return beforeTheFirst;
  const number = (key: keyof BuildFacts, most: number): number => {
    const value = values.get(names[key]);
    if (typeof value === 'number' && value >= 0 && value <= most) return value;
    throw new DamagedIndex(`its ${names[key]} is lost or garbled`);
  };
  const count = (key: keyof BuildFacts): number => {
    const value = number(key, Number.MAX_SAFE_INTEGER);
    if (Number.isInteger(value) && value > 0) return value;
    throw new DamagedIndex(`its ${names[key]} is lost or garbled`);
  };
  const text = (key: keyof BuildFacts): string => {
    const value = values.get(names[key]);
    if (typeof value === 'string') return value;
    throw new DamagedIndex(`its ${names[key]} is lost or garbled`);
  };
  const nextChunk = count('nextChunk');
  if (nextChunk > indexLimits.sparseChunksMin + 1 && nextChunk > chunksMax(db)) {
    throw new DamagedIndex('it counts more pieces than it can hold');
  }
  return {
    generation: count('generation'),
    nextChunk,
    nextSegment: count('nextSegment'),
    configHash: text('configHash'),
    builtAtMs: number('builtAtMs', timeMsMax),
    commit: text('commit'),
    durationMs: number('durationMs', Number.MAX_SAFE_INTEGER),
  };
}

const beforeTheFirst: BuildFacts = {
  generation: 0,
  nextChunk: 1,
  nextSegment: 1,
  configHash: '',
  builtAtMs: 0,
  commit: '',
  durationMs: 0,
};

/** As many as can be numbered: each that is in use has its place in the file, and few numbers are out of use. */
function chunksMax(db: Database.Database): number {
  const pages = Number(db.pragma('page_count', { simple: true }));
  const pageBytes = Number(db.pragma('page_size', { simple: true }));
  return Math.ceil((pages * pageBytes) / placeBytes) * indexLimits.sparseFactor + 1;
}

/** The last that a date can be. */
const timeMsMax = 8.64e15;

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
